// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/impl/SplitMix.hpp>

#include <gtest/gtest.h>
#include <reference/Hash.hpp>

#include <cmath>
#include <cstdint>

namespace {

using Lamina::Impl::unit_hash;

TEST(SplitMix, UnitHashIsThatOfTheTwin) {
  for (const std::uint64_t index : {0ull, 1ull, 2ull, 12345ull, 1ull << 40, ~0ull}) {
    EXPECT_EQ(unit_hash(index), ::Reference::unit_value(index)) << index;
  }
}

TEST(SplitMix, UnitHashIsBroadbandWithinItsRange) {
  double sum = 0, squares = 0;
  const int count = 100000;
  for (int i = 0; i < count; ++i) {
    const double value = unit_hash(static_cast<std::uint64_t>(i));
    ASSERT_GE(value, -1);
    ASSERT_LT(value, 1);
    sum += value;
    squares += value * value;
  }
  // Mean 0 and variance 1/3, within four standard deviations of their estimates.
  EXPECT_NEAR(sum / count, 0, 4 * std::sqrt(1.0 / 3 / count));
  EXPECT_NEAR(squares / count, 1.0 / 3, 4 * std::sqrt(4.0 / 45 / count));
}

}  // namespace
