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

TYPED_TEST(FusedPcg, SolvesForTinyRightHandSides) {
  // Squares of these residuals are below the smallest float, those of their sums are not.
  using Problem = PanelProblem<typename TypeParam::scalar, typename TypeParam::layout>;
  Problem problem(9, 17, RightHandSide::smooth);
  const auto expected = problem.fused();
  Values b = problem.b;
  for (double& value : b) value *= 0x1p-44;
  problem.set_rhs(b);
  auto tiny = problem.fused();
  EXPECT_TRUE(tiny.report.converged());
  EXPECT_EQ(tiny.report.iterations, expected.report.iterations);
  for (double& value : tiny.x) value *= 0x1p44;
  EXPECT_LE(relative_difference(tiny.x, expected.x), 1e-5);
}

TEST(FusedPcgOverHalos, RefusesColumnsThatNothingWouldUpdate) {
  Lamina::ColumnGraph graph;
  graph.num_owned = 3;
  graph.areas.assign(4, 1.0);
  graph.edges = {{0, 1, 1, 1}, {1, 2, 1, 1}, {2, 3, 1, 1}};
  const TEST_SPACE space;
  const Lamina::HelmholtzOperator<double, Memory> op(Lamina::ColumnMesh<Memory>(graph),
                                                     Lamina::VerticalGrid::graded(4, 0.1),
                                                     {.omega2 = 1, .lambda2 = 1});
  using Fused = Lamina::FusedPcg<Lamina::FusedHelmholtz<double, Memory>>;
  using Preconditioner = Lamina::LinePreconditioner<double, Memory>;
  using Plain = Lamina::Pcg<Lamina::HelmholtzOperator<double, Memory>, Preconditioner>;
  EXPECT_THROW(Fused(space, Lamina::FusedHelmholtz<double, Memory>(space, op)),
               Lamina::InvalidArgument);
  EXPECT_THROW(Plain(space, op, Preconditioner(space, op)), Lamina::InvalidArgument);
}

}  // namespace LaminaTest
