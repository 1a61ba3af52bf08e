// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A comparison that cannot fail proves nothing.

#include <support/Compare.hpp>

namespace {

using LaminaTest::all_within;

TEST(Compare, AcceptsWhatIsWithinTheBound) {
  EXPECT_TRUE(all_within({1.0, 2.0}, {1.0, 2.1}, 0.1, {0, 2.0}));
  EXPECT_TRUE(all_within({}, {}, 0));
}

TEST(Compare, RefusesWhatIsBeyondTheBound) {
  EXPECT_FALSE(all_within({1.0, 2.0}, {1.0, 2.1}, 0.01, {1.0, 1.0}));
  EXPECT_FALSE(all_within({1.0, 2.0}, {1.0, 2.1}, 0.01));
}

TEST(Compare, RefusesNaNAndOtherSizes) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(all_within({nan}, {1.0}, 10, {1.0}));
  EXPECT_FALSE(all_within({1.0}, {nan}, 10, {1.0}));
  EXPECT_FALSE(all_within({1.0}, {1.0, 1.0}, 10));
}

TEST(Compare, RelativeDifferenceIsTheQuotientOfTwoNorms) {
  EXPECT_DOUBLE_EQ(LaminaTest::relative_difference({3, 5}, {3, 4}), 0.2);
}

}  // namespace
