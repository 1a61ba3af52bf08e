// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <krylov/SolverTests.hpp>
#include <support/FieldTypes.hpp>

namespace LaminaTest {

LAMINA_SOLVER_TESTS(Pcg, PlainChoice)

TYPED_TEST(Pcg, TakesFieldsThatStartAtAnyAddress) {
  using Scalar = typename TypeParam::scalar;
  using Problem = PanelProblem<Scalar, typename TypeParam::layout>;
  const Problem problem(6, 5, RightHandSide::rough);
  const auto expected = problem.plain();
  // One value into an allocation: wide accesses do not fit.
  const Kokkos::View<Scalar*, Memory> storage("LaminaTest::storage", problem.b.size() + 1);
  const Lamina::FieldView<Scalar, typename TypeParam::layout, Memory> x(storage.data() + 1, 36, 5);
  auto plan = problem.plain_plan();
  const auto report = plan.solve(TEST_SPACE(), problem.b_field().const_view(), x);
  const auto solution = problem.guess();
  Kokkos::deep_copy(solution.view(), x);
  expect_same({report, solution.get()}, expected, std::is_same_v<Scalar, double> ? 1e-9 : 1e-3);
}

TYPED_TEST(Pcg, ReportsAnIndefinitePreconditioner) {
  using Scalar = typename TypeParam::scalar;
  using Layout = typename TypeParam::layout;
  const DiagonalSystem<Scalar, Layout> system({1, 2, 3});
  const TestField<Scalar, Layout> b(3, 1, {1, 1, 1}), x(3, 1, {4, 5, 6});
  Lamina::Pcg plan(TEST_SPACE(), system, ScalingPreconditioner<Scalar>{-1});
  const auto report = plan.solve(TEST_SPACE(), b.const_view(), x.view());
  EXPECT_EQ(report.status, SolveStatus::breakdown_indefinite);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(x.get(), (Values{4, 5, 6}));
}

TYPED_TEST(Pcg, ReportsAPreconditionerWithAZeroPivot) {
  using Scalar = typename TypeParam::scalar;
  using Layout = typename TypeParam::layout;
  const TEST_SPACE space;
  const DiagonalSystem<Scalar, Layout> system({1, 2, 3});
  const TestField<Scalar, Layout> b(3, 1, {1, 1, 1}), x(3, 1), diagonal(3, 1, {1, 0, 3}),
      none(3, 1);
  const Lamina::LineSolver lines(
      space, Lamina::SymmetricTridiagonal{diagonal.const_view(), none.const_view()});
  Lamina::Pcg plan(space, system, lines);
  EXPECT_EQ(plan.solve(space, b.const_view(), x.view()).status, SolveStatus::breakdown_zero_pivot);
  EXPECT_EQ(lines.first_bad_column(space), 1);
}

TYPED_TEST(Pcg, UsesItsPreconditioner) {
  // M = A makes one step of it, and without one there are as many steps as different eigenvalues.
  using Scalar = typename TypeParam::scalar;
  using Layout = typename TypeParam::layout;
  const TEST_SPACE space;
  const DiagonalSystem<Scalar, Layout> system({1, 2, 4});
  const TestField<Scalar, Layout> b(3, 1, {1, 1, 1}), x(3, 1), y(3, 1), diagonal(3, 1, {1, 2, 4}),
      none(3, 1);
  const Lamina::LineSolver lines(
      space, Lamina::SymmetricTridiagonal{diagonal.const_view(), none.const_view()});
  Lamina::Pcg with(space, system, lines);
  Lamina::Pcg without(space, system, Lamina::IdentityPreconditioner());
  EXPECT_EQ(with.solve(space, b.const_view(), x.view()).iterations, 1);
  EXPECT_EQ(without.solve(space, b.const_view(), y.view()).iterations, 3);
}

}  // namespace LaminaTest
