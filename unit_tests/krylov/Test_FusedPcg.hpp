// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <krylov/SolverTests.hpp>
#include <support/FieldTypes.hpp>

namespace LaminaTest {

LAMINA_SOLVER_TESTS(FusedPcg, FusedChoice)

TYPED_TEST(FusedPcg, WorksOnPaddedViewsAndLeavesTheirSurroundingsAlone) {
  using Problem = PanelProblem<typename TypeParam::scalar, typename TypeParam::layout>;
  using Field = typename Problem::Field;
  const Problem problem(7, 9, RightHandSide::rough);
  const auto expected = problem.fused();
  for (const auto& padding : {column_padding, level_padding, all_padding}) {
    const Field b(49, 9, problem.b, padding), x(49, 9, padding);
    auto plan = problem.fused_plan();
    const auto report = plan.solve(TEST_SPACE(), b.const_view(), x.view());
    expect_same({report, x.get()}, expected,
                std::is_same_v<typename TypeParam::scalar, double> ? 1e-9 : 1e-3);
    EXPECT_TRUE(x.surroundings_untouched());
  }
}

TYPED_TEST(FusedPcg, LeavesTheSolutionAloneWhenTheRightHandSideIsNotFinite) {
  using Problem = PanelProblem<typename TypeParam::scalar, typename TypeParam::layout>;
  Problem problem(5, 3, RightHandSide::smooth);
  Values b = problem.b;
  b[7] = std::numeric_limits<double>::quiet_NaN();
  problem.set_rhs(b);
  const Values guess(b.size(), 0.5);
  EXPECT_EQ(problem.fused({}, guess).x, guess);
}

TYPED_TEST(FusedPcg, SinglePrecisionOrDoubleTheErrorIsThatOfTheTolerance) {
  // Thin levels, 64 x 64 x 128, where the printed form of the operator loses the mass term
  // in single precision (relative errors of 5e-4 and 4e-2).
  using Scalar = typename TypeParam::scalar;
  using Layout = typename TypeParam::layout;
  for (const double depth : {0.0157, 0.00157}) {
    const auto solved = PanelProblem<Scalar, Layout>(64, 128, RightHandSide::smooth, depth).fused();
    const PanelProblem<double, Layout> problem(64, 128, RightHandSide::smooth, depth);
    const auto exact = problem.fused({.tolerance = 1e-11});
    EXPECT_TRUE(solved.report.converged());
    EXPECT_TRUE(exact.report.converged());
    const double error = relative_difference(solved.x, exact.x);
    this->RecordProperty("relative_error_depth_" + std::to_string(depth),
                         std::to_string(error * 1e6) + "e-6");
    EXPECT_LE(error, 1e-5) << "depth " << depth;
  }
}

}  // namespace LaminaTest
