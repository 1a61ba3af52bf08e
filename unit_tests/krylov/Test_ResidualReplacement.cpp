// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/krylov/impl/ResidualReplacement.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace LaminaTest {
namespace {

using Lamina::Impl::MixedTuning;
using Lamina::Impl::ResidualReplacement;

/// The residual at which a solve stops that began with a residual of 1, and had `replaced` last.
double stop_after(double replaced, double target, const MixedTuning::Drops& drops) {
  ResidualReplacement replacement;
  replacement.start(target * target, 1, false, drops);
  EXPECT_FALSE(replacement.take(replaced * replaced, replaced * replaced));
  return std::sqrt(replacement.stop2());
}

TEST(ResidualReplacement, ComesAfterAFallOrAtTheTarget) {
  constexpr MixedTuning::Drops drops{.usual = 1e-2, .to_target = 1e-2};
  EXPECT_DOUBLE_EQ(stop_after(1, 1e-5, drops), 1e-2);
  EXPECT_DOUBLE_EQ(stop_after(1e-2, 1e-5, drops), 1e-4);
  EXPECT_DOUBLE_EQ(stop_after(1e-4, 1e-5, drops), 1e-5);
  EXPECT_DOUBLE_EQ(stop_after(1, 0, drops), 1e-2) << "a fixed count has no target";
}

TEST(ResidualReplacement, IsLeftOutBeforeATargetThatIsNear) {
  constexpr MixedTuning::Drops drops{.usual = 1e-2, .to_target = 1e-4};
  EXPECT_DOUBLE_EQ(stop_after(1, 2e-4, drops), 2e-4);
  EXPECT_DOUBLE_EQ(stop_after(1, 0.9e-4, drops), 1e-2);
  EXPECT_DOUBLE_EQ(stop_after(1e-2, 0.9e-4, drops), 0.9e-4);
}

TEST(ResidualReplacement, AimsLowerWhereTheTrueResidualMissedTheTarget) {
  ResidualReplacement replacement;
  constexpr double target = 1e-5, recursive = 1e-5, is = 3e-5;
  replacement.start(target * target, 1, false, {.usual = 1e-2, .to_target = 1e-4});
  EXPECT_TRUE(replacement.take(is * is, recursive * recursive)) << "directions start anew";
  EXPECT_DOUBLE_EQ(std::sqrt(replacement.stop2()), target * target / is);
}

}  // namespace
}  // namespace LaminaTest
