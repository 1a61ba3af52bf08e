// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Require.hpp>
#include <lamina/krylov/FusedRichardson.hpp>
#include <lamina/krylov/TrueResidual.hpp>
#include <lamina/multigrid/MultigridHelmholtz.hpp>

#include <distributed/SimulatedTransport.hpp>
#include <gtest/gtest.h>
#include <krylov/DiagonalSystem.hpp>
#include <multigrid/MultigridCase.hpp>
#include <multigrid/MultigridSystem.hpp>
#include <multigrid/RankSystem.hpp>
#include <support/Compare.hpp>
#include <support/FieldTypes.hpp>
#include <support/MessageOf.hpp>
#include <support/ToolExpectations.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

namespace LaminaTest {

template <class Type>
struct FusedRichardson : testing::Test {
  using Scalar = typename Type::scalar;
  using Field = TestField<Scalar, typename Type::layout>;
  using System = MultigridSystem<Scalar>;
  using Cycles = Lamina::FusedRichardson<Lamina::MultigridHelmholtz<Scalar, Memory>>;
  static constexpr bool is_double = std::is_same_v<Scalar, double>;

  static Cycles cycles_of(const System& system) {
    const TEST_SPACE space;
    return {space, Lamina::MultigridHelmholtz<Scalar, Memory>(space, system.multigrid)};
  }
};
TYPED_TEST_SUITE(FusedRichardson, FieldTypes, FieldTypeNames);

TYPED_TEST(FusedRichardson, AddsThePreconditionedResidual) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  const typename TestFixture::System system(Lamina::CubedSpherePanel(9, 14).graph(), 5, 80);
  const auto& op = system.multigrid.finest();
  const int columns = system.num_columns(), levels = system.num_levels();
  const Values b_values = rounded<Scalar>(random_values(system.size(), 1)),
               guess = rounded<Scalar>(random_values(system.size(), 2));
  const Field b(columns, levels, b_values, all_padding), r(columns, levels);
  Field z(columns, levels);
  auto cycles = TestFixture::cycles_of(system);
  Values expected = guess;
  for (const int count : {0, 1, 2, 5}) {
    Field x(columns, levels, guess, all_padding);
    for (const int check_every : {0, 2}) {
      x.set(guess);
      auto criteria = Lamina::StoppingCriteria::iterations(count);
      criteria.check_every = check_every;
      const auto report = cycles.solve(space, b.const_view(), x.view(), criteria);
      EXPECT_EQ(report.status, Lamina::SolveStatus::completed);
      EXPECT_EQ(report.iterations, count);
      const double left =
          Lamina::true_residual_norm(space, op, b.const_view(), x.const_view(), r.view());
      EXPECT_NEAR(report.residual_norm, left,
                  rounding<Scalar>(2000) * report.initial_residual_norm);
    }
    expected = guess;
    for (int n = 0; n < count; ++n) {
      z.set(expected);
      (void)Lamina::true_residual_norm(space, op, b.const_view(), z.const_view(), r.view());
      system.multigrid.solve(space, r.const_view(), z.view());
      const Values correction = z.get();
      for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += correction[i];
    }
    double largest = 0;
    for (const double value : expected) largest = std::max(largest, std::abs(value));
    EXPECT_TRUE(
        all_within(x.get(), expected, rounding<Scalar>(3000), Values(system.size(), largest)));
    EXPECT_TRUE(x.surroundings_untouched());
  }
}

TYPED_TEST(FusedRichardson, NeedsFewCyclesOfMultigrid) {
  using Field = typename TestFixture::Field;
  for (const auto& graph :
       {Lamina::CubedSpherePanel(24, 30).graph(), Lamina::voronoi_plane(20, 20)}) {
    const typename TestFixture::System system(graph, 6, 80);
    auto cycles = TestFixture::cycles_of(system);
    const Field b(system.num_columns(), 6, random_values(system.size(), 1)),
        x(system.num_columns(), 6);
    const auto report = cycles.solve(TEST_SPACE(), b.const_view(), x.view(),
                                     {.tolerance = TestFixture::is_double ? 1e-10 : 1e-4});
    EXPECT_TRUE(report.converged());
    EXPECT_LE(report.iterations, TestFixture::is_double ? 17 : 7);
    EXPECT_NEAR(report.initial_residual_norm / report.reference_norm, 1, 1e-6);
  }
}

TYPED_TEST(FusedRichardson, AllocatesNothingAndTellsItsCosts) {
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  const typename TestFixture::System system(Lamina::CubedSpherePanel(12, 13).graph(), 5, 80);
  const Lamina::MultigridHelmholtz<typename TestFixture::Scalar, Memory> model(space,
                                                                               system.multigrid);
  Lamina::FusedRichardson cycles(space, model);
  const Field b(system.num_columns(), 5, random_values(system.size(), 1)),
      x(system.num_columns(), 5);
  const auto criteria = Lamina::StoppingCriteria::iterations(2);
  // Kokkos may allocate at its first sums.
  (void)cycles.solve(space, b.const_view(), x.view(), criteria);
  const ToolListener listener;
  (void)cycles.solve(space, b.const_view(), x.view(), criteria);
  const auto heard = listener.heard();
  expect_no_allocations(heard);
  expect_kernels_of_the_library(heard);
  const auto costs = model.kernel_costs();
  for (const char* label : {"residual", "add"}) {  // whose counts an iteration is known by
    EXPECT_TRUE(std::any_of(costs.begin(), costs.end(), [&](const auto& cost) {
      return cost.label.ends_with(std::string("::") + label) && cost.bytes > 0;
    })) << label;
  }
}

TYPED_TEST(FusedRichardson, GoesOnWhereTheResidualIsZero) {
  using Scalar = typename TestFixture::Scalar;
  using Layout = typename TypeParam::layout;
  const TEST_SPACE space;
  const Values one(7, 1.0), b_values = rounded<Scalar>(random_values(7, 3));
  const TestField<Scalar, Layout> b(7, 1, b_values), x(7, 1, Values(7, 0.5));
  Lamina::FusedRichardson identity(space, DiagonalSystem<Scalar, Layout>(one));
  // Looked at again long after the first iteration has found the solution.
  const auto report = identity.solve(space, b.const_view(), x.view(),
                                     {.tolerance = 0, .max_iterations = 9, .check_every = 4});
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.iterations, 4);
  EXPECT_EQ(report.residual_norm, 0);
  EXPECT_TRUE(all_within(x.get(), b_values, rounding<Scalar>(1)));
}

TYPED_TEST(FusedRichardson, EndsAsItShould) {
  using Scalar = typename TestFixture::Scalar;
  using Layout = typename TypeParam::layout;
  using Lamina::SolveStatus;
  const TEST_SPACE space;
  const TestField<Scalar, Layout> zero(5, 1), ones(5, 1, Values(5, 1.0));
  TestField<Scalar, Layout> x(5, 1);
  Lamina::FusedRichardson slow(space, DiagonalSystem<Scalar, Layout>(Values(5, 0.5))),
      growing(space, DiagonalSystem<Scalar, Layout>(Values(5, 3.0)));
  const auto solve = [&](auto& plan, const auto& b, const Lamina::StoppingCriteria& criteria) {
    x.set(Values(5, 2.5));
    return plan.solve(space, b.const_view(), x.view(), criteria);
  };
  auto report = solve(slow, zero, {});
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(x.get(), Values(5, 0.0));

  report = solve(slow, ones, {.tolerance = 1e-2});
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.iterations, 5) << "of 1/4 |b| at first, each half of the one before";

  EXPECT_EQ(solve(slow, ones, {.tolerance = 1e-6, .max_iterations = 3}).status,
            SolveStatus::max_iterations);
  EXPECT_EQ(solve(growing, ones, {}).status, SolveStatus::diverged);
  EXPECT_EQ(solve(slow, ones, {.stop_requested = [] { return true; }}).status,
            SolveStatus::interrupted);

  const TestField<Scalar, Layout> nan(5, 1, Values(5, std::nan(""))),
      tiny(5, 1, Values(5, std::is_same_v<Scalar, double> ? 1e-170 : 1e-36));
  for (const auto& b : {nan, tiny}) {
    EXPECT_EQ(solve(slow, b, {}).status, SolveStatus::breakdown_not_finite);
  }
}

/// A solve in double precision by cycles in `CycleScalar`, and its true residual, to be compared with the report's.
template <class VectorScalar, class CycleScalar, class Layout>
void expect_true_residual(double magnitude, double size_of_guess, int check_every) {
  SCOPED_TRACE(testing::Message() << magnitude << ", " << size_of_guess << ", " << check_every);
  const TEST_SPACE space;
  const auto graph = Lamina::CubedSpherePanel(20, 24).graph();
  const MultigridSystem<CycleScalar> system(graph, 6, 80);
  const Lamina::HelmholtzOperator<double, Memory> op(Lamina::ColumnMesh<Memory>(graph), system.grid,
                                                     system.equation);
  using Model = Lamina::MultigridHelmholtz<double, Memory, VectorScalar, CycleScalar>;
  Lamina::FusedRichardson cycles(space, Model(space, op, system.multigrid));
  Values rhs = random_values(system.size(), 1), guess = random_values(system.size(), 2);
  for (double& value : rhs) value *= magnitude;
  for (double& value : guess) value *= size_of_guess;
  using Field = TestField<double, Layout>;
  const Field b(system.num_columns(), 6, rhs), x(system.num_columns(), 6, guess),
      scratch(system.num_columns(), 6);
  const double tolerance = 1e-10;
  const auto report = cycles.solve(space, b.const_view(), x.view(),
                                   {.tolerance = tolerance, .check_every = check_every});
  EXPECT_TRUE(report.converged());
  const double left =
      Lamina::true_residual_norm(space, op, b.const_view(), x.const_view(), scratch.view());
  EXPECT_LE(left, 1.01 * tolerance * Lamina::two_norm(space, b.const_view()));
  EXPECT_LE(report.iterations, size_of_guess > magnitude ? 90 : 17 + check_every);
}

TEST(FusedRichardsonInMixedPrecision, ReachesTheResidualOfDoublePrecision) {
  expect_true_residual<float, float, Kokkos::LayoutLeft>(1, 0, 0);
  expect_true_residual<float, float, Kokkos::LayoutRight>(1e-60, 0, 3);
  expect_true_residual<float, float, Kokkos::LayoutRight>(1, 1e40, 0);  // beyond the range of float
  expect_true_residual<double, float, Kokkos::LayoutRight>(1, 0, 0);
  expect_true_residual<double, float, Kokkos::LayoutLeft>(1e60, 0, 4);
}

TEST(FusedRichardsonOverRanks, IteratesAsOneProcessDoes) {
  const TEST_SPACE space;
  const Lamina::CubedSpherePanel panel(32, 32);
  const MultigridSystem<double> alone(panel.graph(), 4, 80);
  using Field = TestField<double, Kokkos::LayoutRight>;
  using Model = Lamina::MultigridHelmholtz<double, Memory>;
  const Values b = random_values(alone.size(), 1);
  const Field rhs(alone.num_columns(), 4, b), x(alone.num_columns(), 4);
  Lamina::FusedRichardson cycles(space, Model(space, alone.multigrid));
  const Lamina::StoppingCriteria criteria{.tolerance = 1e-9};
  const auto expected = cycles.solve(space, rhs.const_view(), x.view(), criteria);
  const Values solution = x.get();
  double largest = 0;
  for (const double value : solution) largest = std::max(largest, std::abs(value));
  for (const int ranks : {1, 2, 4}) {
    run_on_ranks<Memory>(ranks, [&](const Lamina::Transport& transport) {
      const auto partition = Lamina::Partition::grid({32, 32}, {ranks, 1});
      const RankSystem<double> system(transport, panel.local(partition, transport.rank()),
                                      alone.grid, alone.equation, {.gathered_columns = 64});
      Lamina::FusedRichardson shared(space, Model(space, system.multigrid));
      Values start = system.of_rank(b);  // NaN in halo columns
      const Field part(system.num_columns(), 4, start);
      for (double& value : start) value *= 0;
      Field result(system.num_columns(), 4, start);
      const auto report = shared.solve(space, part.const_view(), result.view(), criteria);
      EXPECT_TRUE(report.converged());
      EXPECT_EQ(report.iterations, expected.iterations);
      EXPECT_NEAR(report.residual_norm, expected.residual_norm, 1e-6 * expected.residual_norm);
      EXPECT_TRUE(all_within(system.of_all(result.get(), b.size()), solution, 1e-11,
                             Values(b.size(), largest)));
      // One rank alone asks for the end.
      result.set(start);
      const bool asks = transport.rank() == ranks - 1;
      const auto ended =
          shared.solve(space, part.const_view(), result.view(),
                       {.tolerance = 1e-9, .stop_requested = [asks] { return asks; }});
      EXPECT_EQ(ended.status, Lamina::SolveStatus::interrupted);
    });
  }
}

TEST(FusedRichardsonArguments, AreChecked) {
  const TEST_SPACE space;
  const MultigridSystem<double> system(Lamina::CubedSpherePanel(3, 2).graph(), 4, 80);
  Lamina::FusedRichardson cycles(
      space, Lamina::MultigridHelmholtz<double, Memory>(space, system.multigrid));
  const TestField<double, Kokkos::LayoutLeft> b(6, 4), x(6, 3);
  EXPECT_EQ(message_of<Lamina::InvalidArgument>(
                [&] { (void)cycles.solve(space, b.const_view(), x.view()); }),
            "Lamina::FusedRichardson::solve: argument x: expected 4 levels, got 3");
  EXPECT_EQ(message_of<Lamina::InvalidArgument>(
                [&] { (void)cycles.solve(space, b.const_view(), b.view()); }),
            "Lamina::FusedRichardson::solve: arguments b and x: expected memory of their own, got "
            "Views that overlap");
}

}  // namespace LaminaTest
