// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/krylov/FusedStep.hpp>

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace {

using Row = std::array<double, 3>;  // <r, r>, <r, z>, <p, q>

/// Three passes of a solve: the first one, the one before and the present one.
class FusedStep : public testing::Test {
 public:
  using Step = Lamina::FusedStep<Kokkos::HostSpace>;
  Row first{100, 10, 5}, before{50, 8, 4}, now{25, 6, 0};

  Step step(bool is_first = false, bool is_last = false) {
    return {.first = first.data(),
            .before = is_first ? first.data() : before.data(),
            .now = is_first ? first.data() : now.data(),
            .is_first = is_first,
            .is_last = is_last,
            .tolerance2 = 0.1,
            .absolute2 = 0};
  }
  void expect_nothing_happens() {
    EXPECT_FALSE(step().residual_step().active);
    EXPECT_EQ(step().residual_step().alpha, 0);
    EXPECT_FALSE(step().direction_step().update);
    EXPECT_FALSE(step().direction_step().proceed);
  }
  void expect_only_the_pending_update() {
    EXPECT_TRUE(step().residual_step().active);
    EXPECT_TRUE(step().direction_step().update);
    EXPECT_FALSE(step().direction_step().proceed);
    EXPECT_EQ(step().direction_step().alpha, 2);
  }
};

TEST_F(FusedStep, StartsWithoutAStep) {
  EXPECT_TRUE(step(true).residual_step().active);
  EXPECT_EQ(step(true).residual_step().alpha, 0);
  EXPECT_TRUE(step(true).direction_step().proceed);
  EXPECT_EQ(step(true).direction_step().alpha, 0);
  EXPECT_EQ(step(true).direction_step().beta, 0);
}

TEST_F(FusedStep, ComputesAlphaAndBetaFromTheRows) {
  EXPECT_TRUE(step().residual_step().active);
  EXPECT_EQ(step().residual_step().alpha, 2);
  EXPECT_TRUE(step().direction_step().proceed);
  EXPECT_EQ(step().direction_step().alpha, 2);
  EXPECT_EQ(step().direction_step().beta, 0.75);
}

TEST_F(FusedStep, OnlyUpdatesTheSolutionOnceTheToleranceIsMet) {
  now[0] = 10;  // exactly at the tolerance
  expect_only_the_pending_update();
  now[0] = 10.001;
  EXPECT_TRUE(step().direction_step().proceed);
}

TEST_F(FusedStep, HonoursTheAbsoluteTolerance) {
  auto s = step();
  s.absolute2 = 25;
  EXPECT_FALSE(s.direction_step().proceed);
  s.absolute2 = 24;
  EXPECT_TRUE(s.direction_step().proceed);
}

TEST_F(FusedStep, OnlyUpdatesTheSolutionInTheLastPass) {
  EXPECT_TRUE(step(false, true).direction_step().update);
  EXPECT_FALSE(step(false, true).direction_step().proceed);
}

TEST_F(FusedStep, OnlyUpdatesTheSolutionWhenTheNewResidualBreaksDown) {
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()}) {
    now = {25, bad, 0};
    expect_only_the_pending_update();
  }
  now = {std::numeric_limits<double>::quiet_NaN(), 1, 0};
  expect_only_the_pending_update();
}

TEST_F(FusedStep, DoesNothingAfterABadCurvature) {
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity()}) {
    before[2] = bad;
    expect_nothing_happens();
  }
}

TEST_F(FusedStep, DoesNothingAfterConvergence) {
  before = {9, 8, 4};
  expect_nothing_happens();
}

TEST_F(FusedStep, DoesNothingAfterAPassThatDidNothing) {
  before = {0, 0, 0};
  expect_nothing_happens();
}

}  // namespace
