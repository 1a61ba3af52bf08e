// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/krylov/FusedStep.hpp>

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace {

using Row = std::array<double, 4>;  // <r, r>, <r, z>, <p, q>, <z, A z>

constexpr double bad_values[] = {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                                 std::numeric_limits<double>::infinity()};

/// Three passes of a solve: the first one, the one before and the present one.
class FusedStep : public testing::Test {
 public:
  using Step = Lamina::FusedStep<Kokkos::HostSpace>;
  double reference = 100;
  Row first{90, 10, 5, 5}, before{50, 8, 4, 4}, now{25, 6, 0, 5.25}, next{};

  Step step(bool is_first = false, bool is_last = false) {
    return {.reference = &reference,
            .before = is_first ? first.data() : before.data(),
            .now = is_first ? first.data() : now.data(),
            .next = next.data(),
            .is_first = is_first,
            .is_last = is_last,
            .tolerance2 = 0.1,
            .absolute2 = 0};
  }
};

// --- FusedPcg ---

TEST_F(FusedStep, FirstIterationTakesThePreconditionedResidual) {
  const auto iteration = step(true).iteration();
  EXPECT_TRUE(iteration.proceed);
  EXPECT_EQ(iteration.beta, 0);
  EXPECT_EQ(iteration.alpha, 2);
  EXPECT_EQ(iteration.alpha_before, 0);
  EXPECT_EQ(iteration.curvature, 5);
}

TEST_F(FusedStep, IterationFollowsFromTheRows) {
  const auto iteration = step().iteration();
  EXPECT_TRUE(iteration.proceed);
  EXPECT_EQ(iteration.beta, 0.75);
  EXPECT_EQ(iteration.curvature, 5.25 - 0.75 * 0.75 * 4);
  EXPECT_EQ(iteration.alpha, 6 / iteration.curvature);
  EXPECT_EQ(iteration.alpha_before, 2);
}

TEST_F(FusedStep, NoIterationOnceTheToleranceIsMet) {
  now[0] = 10;  // exactly at the tolerance
  EXPECT_FALSE(step().iteration().proceed);
  EXPECT_FALSE(step().residual_left(now.data()));
  now[0] = 10.001;
  EXPECT_TRUE(step().iteration().proceed);
}

TEST_F(FusedStep, NoIterationOnceTheAbsoluteToleranceIsMet) {
  auto s = step();
  s.absolute2 = 25;
  EXPECT_FALSE(s.iteration().proceed);
  s.absolute2 = 24;
  EXPECT_TRUE(s.iteration().proceed);
}

TEST_F(FusedStep, NoIterationWithoutAReference) {
  reference = std::numeric_limits<double>::quiet_NaN();
  for (const double tolerance2 : {0.1, 0.0}) {
    auto s = step();
    s.tolerance2 = tolerance2;
    EXPECT_FALSE(s.residual_left(now.data()));
    EXPECT_FALSE(s.iteration().proceed);
  }
}

TEST_F(FusedStep, NoIterationAboveTheRange) {
  auto s = step();
  s.largest2 = 24;
  EXPECT_FALSE(s.iteration().proceed);
  s.largest2 = 25;
  EXPECT_TRUE(s.iteration().proceed);
}

TEST_F(FusedStep, RangeIsAskedForInTheFirstPassOnly) {
  using Steps = Lamina::FusedSteps<Kokkos::HostSpace>;
  std::array<double, 4 * Steps::num_rows> rows{};
  for (const double initial : {1e-3, 1e3}) {
    rows[0] = rows[4] = initial;
    const Steps steps{.rows = rows.data(),
                      .reference = &reference,
                      .max_iterations = 9,
                      .tolerance2 = 0,
                      .absolute2 = 0,
                      .smallest2 = 1e-2,
                      .largest2 = 1e2};
    EXPECT_FALSE(steps.step(0).residual_left(steps.row(0)));
    EXPECT_TRUE(steps.step(1).residual_left(steps.row(1)));
  }
}

TEST_F(FusedStep, NoIterationAfterABreakdown) {
  for (const double bad : bad_values) {
    now = {bad, 6, 0, 5.25};
    EXPECT_FALSE(step().iteration().proceed);
    now = {25, bad, 0, 5.25};
    EXPECT_FALSE(step().iteration().proceed);
    now = {25, 6, 0, bad};
    EXPECT_FALSE(step().iteration().proceed);
  }
  // An operator that is not positive shows in the curvature that is left.
  now = {25, 6, 0, 0.75 * 0.75 * 4};
  EXPECT_FALSE(step().iteration().proceed);
  EXPECT_EQ(step().iteration().curvature, 0);
}

TEST_F(FusedStep, NoIterationAfterAPassThatDidNothing) {
  now = {0, 0, 0, 0};
  EXPECT_FALSE(step().iteration().proceed);
}

TEST_F(FusedStep, DirectionsAndUpdatesStartAnewWhereTheResidualWasRecomputed) {
  using Steps = Lamina::FusedSteps<Kokkos::HostSpace>;
  std::array<double, 4 * Steps::num_rows> rows{};
  Steps steps{.rows = rows.data(), .reference = &reference, .max_iterations = 20};
  EXPECT_TRUE(steps.step(0).is_first);
  EXPECT_FALSE(steps.step(1).updated);
  EXPECT_TRUE(steps.step(2).updated);
  steps.begin = steps.fresh = 7;
  EXPECT_FALSE(steps.updates(7));
  EXPECT_TRUE(steps.updates(8));
  EXPECT_FALSE(steps.updates(9));
  EXPECT_TRUE(steps.step(7).updated) << "also after a single iteration";
  EXPECT_FALSE(steps.step(8).is_first);
  const auto first = steps.step(7);
  for (int n = 0; n < 4; ++n) {
    steps.row(6)[n] = -1;  // a breakdown before it has left its mark
    steps.row(7)[n] = 50;
  }
  const auto iteration = first.iteration();
  EXPECT_TRUE(iteration.proceed);
  EXPECT_EQ(iteration.beta, 0);
  EXPECT_EQ(iteration.alpha_before, 0);
  EXPECT_EQ(iteration.curvature, 50);
}

// --- FusedPcgStored ---

TEST_F(FusedStep, StartsWithoutAStep) {
  EXPECT_TRUE(step(true).residual_step().proceed);
  EXPECT_EQ(step(true).residual_step().alpha, 0);
  EXPECT_TRUE(step(true).direction_step().proceed);
  EXPECT_EQ(step(true).direction_step().alpha, 0);
  EXPECT_EQ(step(true).direction_step().beta, 0);
}

TEST_F(FusedStep, ComputesAlphaAndBetaFromTheRows) {
  EXPECT_TRUE(step().residual_step().proceed);
  EXPECT_EQ(step().residual_step().alpha, 2);
  EXPECT_TRUE(step().direction_step().proceed);
  EXPECT_EQ(step().direction_step().alpha, 2);
  EXPECT_EQ(step().direction_step().beta, 0.75);
}

TEST_F(FusedStep, OnlyTheResidualGoesOnOnceTheToleranceIsMet) {
  now[0] = 10;  // exactly at the tolerance
  EXPECT_TRUE(step().residual_step().proceed);
  EXPECT_FALSE(step().direction_step().proceed);
  now[0] = 10.001;
  EXPECT_TRUE(step().direction_step().proceed);
}

TEST_F(FusedStep, OnlyTheResidualGoesOnWhenTheNewOneBreaksDown) {
  for (const double bad : bad_values) {
    now = {25, bad, 0, 0};
    EXPECT_TRUE(step().residual_step().proceed);
    EXPECT_FALSE(step().direction_step().proceed);
  }
}

TEST_F(FusedStep, NothingGoesOnAfterABadCurvature) {
  for (const double bad : bad_values) {
    before[2] = bad;
    EXPECT_FALSE(step().residual_step().proceed);
    EXPECT_FALSE(step().direction_step().proceed);
  }
}

TEST_F(FusedStep, NothingGoesOnAfterTheEnd) {
  for (const Row& row : {Row{9, 8, 4, 4}, Row{0, 0, 0, 0}}) {
    before = row;
    EXPECT_FALSE(step().residual_step().proceed);
    EXPECT_FALSE(step().direction_step().proceed);
  }
}

}  // namespace
