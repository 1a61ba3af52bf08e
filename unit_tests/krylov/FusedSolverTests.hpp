// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What holds for the fused solvers alike, beyond `SolverTests`: test bodies over a choice of plan.

#include <krylov/SolverTests.hpp>
#include <support/FieldTypes.hpp>

namespace LaminaTest {

template <class Choice, class Type>
struct FusedSolverTests {
  using Scalar = typename Type::scalar;
  using Layout = typename Type::layout;
  using Problem = PanelProblem<Scalar, Layout>;
  using Field = typename Problem::Field;

  template <class AnyProblem>
  static Solved solve(const AnyProblem& problem, const StoppingCriteria& criteria = {},
                      const Values& guess = {}) {
    return problem.solve(Choice::plan(problem), criteria, guess);
  }

  static void works_on_padded_views() {
    for (const int size : {7, 31}) {  // devices fill up rows of 31
      SCOPED_TRACE(size);
      const Problem problem(size, 9, RightHandSide::rough);
      const auto expected = solve(problem);
      for (const auto& padding : {column_padding, level_padding, all_padding}) {
        const Field b(size * size, 9, problem.b, padding), x(size * size, 9, padding);
        auto plan = Choice::plan(problem);
        const auto report = plan.solve(TEST_SPACE(), b.const_view(), x.view());
        expect_same({report, x.get()}, expected, std::is_same_v<Scalar, double> ? 1e-9 : 1e-3);
        EXPECT_TRUE(x.surroundings_untouched());
      }
    }
  }

  static void solves_alike_in_both_layouts() {
    for (const int size : {7, 16}) {
      for (const int num_levels : {1, 9, 24}) {
        SCOPED_TRACE(std::to_string(size) + ", " + std::to_string(num_levels) + " levels");
        const PanelProblem<Scalar, Kokkos::LayoutLeft> left(size, num_levels, RightHandSide::rough);
        PanelProblem<Scalar, Kokkos::LayoutRight> right(size, num_levels, RightHandSide::rough);
        right.set_rhs(left.b);
        const Values guess = rounded<Scalar>(random_values(left.b.size(), 4));
        // |b| is summed in the order of the memory.
        expect_alike(solve(left, {}, guess), solve(right, {}, guess),
                     std::is_same_v<Scalar, double> ? 1e-9 : 1e-3);
      }
    }
  }

  static void leaves_the_solution_alone() {
    for (const int size : {5, 31}) {  // devices fill up rows of 31
      Problem problem(size, 3, RightHandSide::smooth);
      Values b = problem.b;
      b[7] = std::numeric_limits<double>::quiet_NaN();
      problem.set_rhs(b);
      const Values guess = rounded<Scalar>(random_values(b.size(), 4));
      EXPECT_EQ(solve(problem, {}, guess).x, guess) << size;
    }
  }

  static void error_is_that_of_the_tolerance() {
    // Thin levels, 64 x 64 x 128, where the printed form of the operator loses the mass term
    // in single precision (relative errors of 5e-4 and 4e-2).
    for (const double depth : {0.0157, 0.00157}) {
      const auto solved = solve(Problem(64, 128, RightHandSide::smooth, depth));
      const PanelProblem<double, Layout> problem(64, 128, RightHandSide::smooth, depth);
      const auto exact = solve(problem, {.tolerance = 1e-11});
      EXPECT_TRUE(solved.report.converged());
      EXPECT_TRUE(exact.report.converged());
      const double error = relative_difference(solved.x, exact.x);
      testing::Test::RecordProperty("relative_error_depth_" + std::to_string(depth),
                                    std::to_string(error * 1e6) + "e-6");
      EXPECT_LE(error, 1e-5) << "depth " << depth;
    }
  }

  static void solves_for_tiny_right_hand_sides() {
    // Squares of these residuals are below the smallest float, those of their sums are not.
    for (const int size : {9, 8}) {  // in packs of columns, and not
      SCOPED_TRACE(size);
      Problem problem(size, 17, RightHandSide::smooth);
      const auto expected = solve(problem);
      Values b = problem.b;
      for (double& value : b) value *= 0x1p-44;
      problem.set_rhs(b);
      auto tiny = solve(problem);
      EXPECT_TRUE(tiny.report.converged());
      EXPECT_EQ(tiny.report.iterations, expected.report.iterations);
      for (double& value : tiny.x) value *= 0x1p44;
      EXPECT_LE(relative_difference(tiny.x, expected.x), 1e-5);
    }
  }
};

#define LAMINA_FUSED_SOLVER_TESTS(Suite, Choice)                             \
  LAMINA_SOLVER_TESTS(Suite, Choice)                                         \
  TYPED_TEST(Suite, WorksOnPaddedViewsAndLeavesTheirSurroundingsAlone) {     \
    FusedSolverTests<Choice, TypeParam>::works_on_padded_views();            \
  }                                                                          \
  TYPED_TEST(Suite, SolvesAlikeInBothLayouts) {                              \
    FusedSolverTests<Choice, TypeParam>::solves_alike_in_both_layouts();     \
  }                                                                          \
  TYPED_TEST(Suite, LeavesTheSolutionAloneWhenTheRightHandSideIsNotFinite) { \
    FusedSolverTests<Choice, TypeParam>::leaves_the_solution_alone();        \
  }                                                                          \
  TYPED_TEST(Suite, SinglePrecisionOrDoubleTheErrorIsThatOfTheTolerance) {   \
    FusedSolverTests<Choice, TypeParam>::error_is_that_of_the_tolerance();   \
  }                                                                          \
  TYPED_TEST(Suite, SolvesForTinyRightHandSides) {                           \
    FusedSolverTests<Choice, TypeParam>::solves_for_tiny_right_hand_sides(); \
  }

}  // namespace LaminaTest
