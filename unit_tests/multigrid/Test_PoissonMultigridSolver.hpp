// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Require.hpp>
#include <lamina/krylov/FusedRichardson.hpp>
#include <lamina/krylov/TrueResidual.hpp>
#include <lamina/multigrid/MultigridPoisson.hpp>
#include <lamina/multigrid/PoissonMultigridSolver.hpp>

#include <gtest/gtest.h>
#include <multigrid/PoissonMultigridCase.hpp>
#include <support/FieldTypes.hpp>
#include <support/MessageOf.hpp>
#include <support/ToolExpectations.hpp>

#include <cmath>
#include <limits>
#include <type_traits>

namespace LaminaTest {

template <class Type>
struct PoissonMultigridSolver : testing::Test {
  using Scalar = typename Type::scalar;
  using Case = PoissonMultigridCase<Scalar, typename Type::layout>;
  using Solver = Lamina::PoissonMultigridSolver<Scalar, Memory>;
};
TYPED_TEST_SUITE(PoissonMultigridSolver, FieldTypes, FieldTypeNames);

TYPED_TEST(PoissonMultigridSolver, IteratesAsTheTwinDoes) {
  using Scalar = typename TestFixture::Scalar;
  const bool is_double = std::is_same_v<Scalar, double>;
  for (const Rectangle& rectangle : {Rectangle{1, 1}, {6, 6}, {33, 20}, {64, 64}}) {
    SCOPED_TRACE(testing::Message() << rectangle.nx << " x " << rectangle.ny);
    const typename TestFixture::Case c(rectangle);
    typename TestFixture::Solver solver(c.space, c.multigrid);
    const Values b_values = rounded<Scalar>(random_field(rectangle, 1)),
                 guess = rounded<Scalar>(random_field(rectangle, 2));
    const auto b = c.field(b_values, all_padding), x = c.field(guess, all_padding);
    const int count = rectangle.cells() > 1 ? 3 : 1;
    const auto report = solver.solve(c.space, b.const_view(), x.view(),
                                     Lamina::StoppingCriteria::iterations(count));
    const Reference::PoissonMultigrid twin(rectangle.nx, rectangle.ny, poisson_weights(2));
    Values expected = guess;
    for (int n = 0; n < count; ++n) twin.cycle(b_values, expected);
    EXPECT_EQ(report.status, Lamina::SolveStatus::completed);
    EXPECT_EQ(report.iterations, count);
    EXPECT_TRUE(all_within(x.get(), expected, is_double ? 1e-12 : 1e-4));
    EXPECT_TRUE(x.surroundings_untouched());
    const auto scratch = c.field();
    const double left =
        Lamina::true_residual_norm(c.space, c.op, b.const_view(), x.const_view(), scratch.view());
    EXPECT_NEAR(report.residual_norm, left,
                (is_double ? 1e-10 : 1e-2) * report.initial_residual_norm);
  }
}

TYPED_TEST(PoissonMultigridSolver, HasTheIteratesOfFusedRichardson) {
  using Scalar = typename TestFixture::Scalar;
  const typename TestFixture::Case c({33, 20});
  typename TestFixture::Solver solver(c.space, c.multigrid);
  Lamina::FusedRichardson cycles(c.space,
                                 Lamina::MultigridPoisson<Scalar, Memory>(c.space, c.multigrid));
  const auto b = c.field(random_field(c.rectangle, 1), all_padding);
  const Values guess = rounded<Scalar>(random_field(c.rectangle, 2));
  const auto x = c.field(guess, all_padding), expected = c.field(guess);
  const auto criteria = Lamina::StoppingCriteria::iterations(3);
  (void)solver.solve(c.space, b.const_view(), expected.view(), criteria);
  const auto report = cycles.solve(c.space, b.const_view(), x.view(), criteria);
  EXPECT_EQ(report.iterations, 3);
  EXPECT_TRUE(all_within(x.get(), expected.get(), std::is_same_v<Scalar, double> ? 1e-12 : 1e-4));
  EXPECT_NE(x.get(), guess);
}

TYPED_TEST(PoissonMultigridSolver, NeedsFewCycles) {
  const double tolerance = std::is_same_v<typename TestFixture::Scalar, double> ? 1e-10 : 1e-4;
  for (const int n : {3, 16, 31, 64, 97, 200}) {
    for (const int steps : {2, 3}) {
      const typename TestFixture::Case c(Rectangle::square(n), steps);
      typename TestFixture::Solver solver(c.space, c.multigrid);
      const auto b = c.field(random_square(n, 3)), x = c.field();
      const auto report = solver.solve(c.space, b.const_view(), x.view(), {.tolerance = tolerance});
      EXPECT_TRUE(report.converged()) << n;
      EXPECT_EQ(report.initial_residual_norm, report.reference_norm) << "of x = 0 both are |b|";
      EXPECT_LE(report.iterations, steps == 2 ? 12 : 9) << n;
    }
  }
}

TYPED_TEST(PoissonMultigridSolver, EndsWhereThereIsNothingToDo) {
  using Scalar = typename TestFixture::Scalar;
  const typename TestFixture::Case c({9, 12});
  typename TestFixture::Solver solver(c.space, c.multigrid);
  const auto zero = c.field(), x = c.field(random_field(c.rectangle, 4));
  auto report = solver.solve(c.space, zero.const_view(), x.view());
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(x.get(), Values(c.size(), 0.0));

  Values values = random_field(c.rectangle, 5);
  values[7] = std::numeric_limits<Scalar>::quiet_NaN();
  report = solver.solve(c.space, c.field(values).const_view(), x.view());
  EXPECT_EQ(report.status, Lamina::SolveStatus::breakdown_not_finite);
}

TYPED_TEST(PoissonMultigridSolver, AllocatesNothingAndTellsItsCosts) {
  const typename TestFixture::Case c({33, 40});
  typename TestFixture::Solver solver(c.space, c.multigrid);
  const auto b = c.field(random_field(c.rectangle, 6)), x = c.field();
  const auto criteria = Lamina::StoppingCriteria::iterations(2);
  (void)solver.solve(c.space, b.const_view(), x.view(), criteria);
  const ToolListener listener;
  (void)solver.solve(c.space, b.const_view(), x.view(), criteria);
  c.multigrid.solve(c.space, b.const_view(), x.view());
  c.multigrid.full_multigrid(c.space, b.const_view(), x.view());
  const auto heard = listener.heard();
  expect_no_allocations(heard);
  expect_kernels_of_the_library(heard);
  expect_costs_of_kernels(solver.kernel_costs(), heard);
}

TEST(PoissonMultigridSolverArguments, AreChecked) {
  const PoissonMultigridCase<double, Kokkos::LayoutLeft> c({5, 4});
  Lamina::PoissonMultigridSolver solver(c.space, c.multigrid);
  const TestField<double, Kokkos::LayoutLeft> b(5, 4), x(5, 3);
  EXPECT_EQ(message_of<Lamina::InvalidArgument>(
                [&] { (void)solver.solve(c.space, b.const_view(), x.view()); }),
            "Lamina::PoissonMultigridSolver::solve: argument x: expected 4 levels, got 3");
  EXPECT_EQ(message_of<Lamina::InvalidArgument>(
                [&] { (void)solver.solve(c.space, b.const_view(), b.view()); }),
            "Lamina::PoissonMultigridSolver::solve: arguments b and x: expected memory of their "
            "own, got Views that overlap");
}

}  // namespace LaminaTest
