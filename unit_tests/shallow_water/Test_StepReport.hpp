// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// A report tells what became of a step. Steps too long for their scheme end with a fault in it, not
// with NaN in silence.

#include <shallow_water/WaterCase.hpp>

#include <cmath>

namespace LaminaTest {

TEST(StepReport, TellsABreakdownFromIterationsThatDidNotConverge) {
  using Lamina::SolveStatus;
  Lamina::StepReport report;
  EXPECT_TRUE(report.succeeded());
  EXPECT_FALSE(report.broke_down());
  EXPECT_FALSE(report.fault.exists());
  report.status = SolveStatus::max_iterations;
  EXPECT_FALSE(report.succeeded());
  EXPECT_FALSE(report.broke_down());
  for (const auto status : {SolveStatus::breakdown_not_finite, SolveStatus::breakdown_indefinite,
                            SolveStatus::diverged, SolveStatus::stagnated}) {
    report.status = status;
    EXPECT_FALSE(report.succeeded()) << to_string(status);
    EXPECT_TRUE(report.broke_down()) << to_string(status);
  }
}

template <class Type>
struct UnstableSteps : testing::Test {
  using Case = WaterCase<typename Type::scalar, typename Type::layout>;
  static constexpr int n = 16;

  /// Steps until a report tells of a breakdown; all before are `completed`.
  template <class Plan>
  static Lamina::StepReport run_until_fault(Plan& plan, typename Case::State& state, int& steps) {
    Lamina::StepReport report;
    for (steps = 0; steps < 500 && !report.broke_down();) {
      report = plan.step(TEST_SPACE(), state);
      ++steps;
    }
    return report;
  }

  template <class Plan>
  static void expect_fault(Plan& plan, int every) {
    auto state = Case::vortex(n, 0.2, 0.1);
    int steps = 0;
    const auto report = run_until_fault(plan, state, steps);
    ASSERT_TRUE(report.broke_down()) << steps;
    ASSERT_TRUE(report.fault.exists());
    EXPECT_EQ(report.status, report.fault.status);
    EXPECT_EQ(steps % every, 0) << steps;
    // It is where the report says.
    const auto found = Lamina::find_fault(TEST_SPACE(), state);
    EXPECT_EQ(found.status, report.fault.status);
    EXPECT_EQ(found.i, report.fault.i);
    EXPECT_EQ(found.j, report.fault.j);
    const auto y = Case::get(state);
    const auto cell = static_cast<std::size_t>(n * found.i + found.j);
    EXPECT_FALSE(std::isfinite(y.height[cell]) && y.height[cell] > 0 && std::isfinite(y.u[cell]) &&
                 std::isfinite(y.v[cell]));
  }
};
TYPED_TEST_SUITE(UnstableSteps, FieldTypes, FieldTypeNames);

TYPED_TEST(UnstableSteps, AreReportedByEveryScheme) {
  using Case = typename TestFixture::Case;
  const int n = TestFixture::n;
  typename Case::Leapfrog leapfrog(n, 0.5 / n, coriolis);
  TestFixture::expect_fault(leapfrog, 20);
  typename Case::RungeKutta3 rk3(n, 1.0 / n, coriolis);
  TestFixture::expect_fault(rk3, 20);
  // Its iterations break down soon after; here the state is looked at before they can.
  typename Case::SemiImplicit implicit(n, 30.0 / n, coriolis,
                                       {.newton = Lamina::StoppingCriteria::iterations(2),
                                        .cg = Lamina::StoppingCriteria::iterations(3),
                                        .reference_height = Lamina::ReferenceHeight::one});
  implicit.check_every(1);
  TestFixture::expect_fault(implicit, 1);
}

TYPED_TEST(UnstableSteps, AreFoundAfterAsManyStepsAsOneAsksFor) {
  using Case = typename TestFixture::Case;
  const int n = TestFixture::n;
  for (const int every : {1, 7}) {
    typename Case::Leapfrog leapfrog(n, 0.5 / n, coriolis);
    leapfrog.check_every(every);
    TestFixture::expect_fault(leapfrog, every);
    typename Case::RungeKutta3 rk3(n, 1.0 / n, coriolis);
    rk3.check_every(every);
    TestFixture::expect_fault(rk3, every);
  }
  // The count begins with the call.
  typename Case::RungeKutta3 rk3(n, 1.0 / n, coriolis);
  auto state = Case::vortex(n);
  for (int step = 0; step < 15; ++step) (void)rk3.step(TEST_SPACE(), state);
  rk3.check_every(20);
  TestFixture::expect_fault(rk3, 20);
}

TYPED_TEST(UnstableSteps, AreNotLookedForWhereNobodyAsks) {
  using Case = typename TestFixture::Case;
  const int n = TestFixture::n;
  typename Case::Leapfrog leapfrog(n, 0.5 / n, coriolis);
  leapfrog.check_every(0);
  auto state = Case::vortex(n, 0.2, 0.1);
  for (int step = 0; step < 400; ++step) {
    ASSERT_TRUE(leapfrog.step(TEST_SPACE(), state).succeeded());
  }
  EXPECT_TRUE(Lamina::find_fault(TEST_SPACE(), state).exists());
}

TYPED_TEST(UnstableSteps, AreNotSeenInStableOnes) {
  using Case = typename TestFixture::Case;
  const int n = TestFixture::n;
  typename Case::RungeKutta3 rk3(n, 0.1 / n, coriolis);
  rk3.check_every(3);
  auto state = Case::vortex(n, 0.2, 0.1);
  for (int step = 0; step < 45; ++step) {
    const auto report = rk3.step(TEST_SPACE(), state);
    EXPECT_TRUE(report.succeeded());
    EXPECT_FALSE(report.fault.exists());
  }
}

TYPED_TEST(UnstableSteps, AreLookedForAfterNoNegativeNumberOfSteps) {
  using Case = typename TestFixture::Case;
  typename Case::Leapfrog leapfrog(4, 0.01, coriolis);
  EXPECT_THROW(leapfrog.check_every(-1), Lamina::InvalidArgument);
}

}  // namespace LaminaTest
