// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/Pcg.hpp>
#include <lamina/multigrid/MultigridHelmholtz.hpp>

#include <gtest/gtest.h>
#include <multigrid/CycleAtTheEnd.hpp>
#include <multigrid/MultigridCase.hpp>
#include <multigrid/MultigridSystem.hpp>
#include <support/Compare.hpp>
#include <support/FieldTypes.hpp>
#include <support/ToolListener.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace LaminaTest {

template <class Type>
class MultigridHelmholtz : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Field = TestField<Scalar, typename Type::layout>;
  using System = MultigridSystem<Scalar>;
  using Model = Lamina::MultigridHelmholtz<Scalar, Memory>;
};
TYPED_TEST_SUITE(MultigridHelmholtz, FieldTypes, FieldTypeNames);

template <class Test>
void expect_plain_iterations(const typename Test::System& system) {
  using Field = typename Test::Field;
  const TEST_SPACE space;
  const int columns = system.num_columns(), levels = system.num_levels();
  const Field b(columns, levels, random_values(system.size(), 1)), plain(columns, levels),
      fused(columns, levels);
  Lamina::Pcg pcg(space, system.multigrid.finest(), system.multigrid);
  Lamina::FusedPcg fused_pcg(space, typename Test::Model(space, system.multigrid));
  const Lamina::StoppingCriteria criteria{.tolerance = 1e-4, .max_iterations = 30};
  const auto expected = pcg.solve(space, b.const_view(), plain.view(), criteria),
             report = fused_pcg.solve(space, b.const_view(), fused.view(), criteria);
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.iterations, expected.iterations);
  double largest = 0;
  for (const double value : plain.get()) largest = std::max(largest, std::abs(value));
  // The residual that both left, and what single precision leaves of the column's stiffness.
  EXPECT_TRUE(all_within(fused.get(), plain.get(), 1e-3, Values(system.size(), largest)));
}

TYPED_TEST(MultigridHelmholtz, IteratesAsThePlainSolverDoes) {
  for (const auto& [name, graph] : multigrid_graphs()) {
    SCOPED_TRACE(name);
    expect_plain_iterations<TestFixture>(typename TestFixture::System(graph, 6, 80));
    // One level of two steps, the second of which adds up the energy.
    expect_plain_iterations<TestFixture>(
        typename TestFixture::System(graph, 6, 0.3, {.max_levels = 1}));
  }
}

/// The host looks at a residual before it enqueues the cycle of it.
TYPED_TEST(MultigridHelmholtz, TakesNoCycleOfTheResidualThatEndsASolve) {
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  const typename TestFixture::System system(Lamina::CubedSpherePanel(7, 6).graph(), 6, 80);
  const Field b(system.num_columns(), 6, random_values(system.size(), 1)),
      x(system.num_columns(), 6);
  Lamina::FusedPcg pcg(space, typename TestFixture::Model(space, system.multigrid));
  const ToolListener listener;
  const auto report =
      pcg.solve(space, b.const_view(), x.view(), {.tolerance = 1e-4, .check_every = 1});
  EXPECT_TRUE(report.converged());
  EXPECT_GE(report.iterations, 3);
  const auto kernels = listener.heard().kernels;
  const auto passes = std::count_if(kernels.begin(), kernels.end(), [](const auto& kernel) {
    return kernel.label == "Lamina::FusedHelmholtz::measure";
  });
  EXPECT_EQ(passes, report.iterations) << "each measures along its direction";
}

TYPED_TEST(MultigridHelmholtz, DoesNothingOnceTheSolveIsOver) {
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  for (const auto& graph :
       {Lamina::CubedSpherePanel(7, 6).graph(), Lamina::voronoi_plane(10, 10)}) {
    for (const int num_levels : {4, 7}) {
      const typename TestFixture::System system(graph, num_levels, 80);
      const typename TestFixture::Model model(space, system.multigrid);
      const Field r(system.num_columns(), num_levels, random_values(system.size(), 2)),
          z(system.num_columns(), num_levels, Values(system.size(), 7));
      expect_no_cycle_at_the_end(space, model, r, z);
    }
  }
}

/// Iterations of a solve in double precision with a cycle in `CycleScalar`, whose true residual is checked.
template <class VectorScalar, class CycleScalar>
int iterations_of(const MultigridSystem<CycleScalar>& system, const Lamina::ColumnGraph& graph,
                  double tolerance, double magnitude = 1) {
  const TEST_SPACE space;
  using Model = Lamina::MultigridHelmholtz<double, Memory, VectorScalar, CycleScalar>;
  const Lamina::HelmholtzOperator<double, Memory> op(Lamina::ColumnMesh<Memory>(graph), system.grid,
                                                     system.equation);
  const int columns = system.num_columns(), levels = system.num_levels();
  Values rhs = random_values(system.size(), 1);
  for (double& value : rhs) value *= magnitude;
  const TestField<double, Kokkos::LayoutRight> b(columns, levels, rhs), x(columns, levels),
      image(columns, levels);
  Lamina::FusedPcg pcg(space, [&] {
    if constexpr (std::is_same_v<CycleScalar, double>) {
      return Model(space, system.multigrid);
    } else {
      return Model(space, op, system.multigrid);
    }
  }());
  const auto report = pcg.solve(space, b.const_view(), x.view(), {.tolerance = tolerance});
  EXPECT_TRUE(report.converged());
  op.apply(space, x.const_view(), image.view());
  const Values ax = image.get();
  double residual2 = 0, rhs2 = 0;
  for (std::size_t i = 0; i < ax.size(); ++i) {
    residual2 += std::pow((rhs[i] - ax[i]) / magnitude, 2);
    rhs2 += std::pow(rhs[i] / magnitude, 2);
  }
  EXPECT_LE(std::sqrt(residual2), 1.01 * tolerance * std::sqrt(rhs2)) << "true residual";
  return report.iterations;
}

TEST(MultigridHelmholtzInMixedPrecision, NeedsAsManyIterationsAsDouble) {
  const auto iterations = [](const Lamina::ColumnGraph& graph, double tolerance) {
    return iterations_of<float>(MultigridSystem<float>(graph, 6, 80), graph, tolerance);
  };
  EXPECT_LE(iterations(Lamina::CubedSpherePanel(32, 32).graph(), 1e-5), 5);
  EXPECT_LE(iterations(Lamina::CubedSpherePanel(32, 32).graph(), 1e-10), 10);
  EXPECT_LE(iterations(Lamina::voronoi_plane(20, 20), 1e-5), 6);
  EXPECT_LE(iterations(Lamina::voronoi_plane(20, 20), 1e-10), 12);
}

/// Devices may take polygons in packs of levels, which may have more of them than fields.
TEST(MultigridHelmholtzInMixedPrecision, TakesAnyNumberOfLevels) {
  const auto graph = Lamina::voronoi_plane(20, 20);
  for (const int num_levels : {1, 3, 4, 7, 16, 127, 128, 130, 195}) {
    SCOPED_TRACE(num_levels);
    const MultigridSystem<float> system(graph, num_levels, 80);
    EXPECT_LE(iterations_of<float>(system, graph, 1e-8), 10);
    EXPECT_LE(iterations_of<double>(system, graph, 1e-8), 10);
  }
}

TEST(MultigridHelmholtzWithSingleCycle, NeedsTheIterationsOfADoubleCycle) {
  for (const auto& graph :
       {Lamina::CubedSpherePanel(32, 32).graph(), Lamina::voronoi_plane(20, 20)}) {
    const MultigridSystem<float> short_system(graph, 6, 80);
    const MultigridSystem<double> system(graph, 6, 80);
    EXPECT_TRUE(Lamina::suits_single_cycle(system.multigrid.finest().rounding_error()));
    for (const double tolerance : {1e-5, 1e-10, 1e-12}) {
      SCOPED_TRACE(tolerance);
      EXPECT_EQ(iterations_of<double>(short_system, graph, tolerance),
                iterations_of<double>(system, graph, tolerance));
    }
  }
}

/// Entries of such right-hand sides, or their squares, are no numbers of single precision, or will not be.
TEST(MultigridHelmholtzWithSingleCycle, ScalesWhatSinglePrecisionCannotHold) {
  const auto graph = Lamina::CubedSpherePanel(16, 16).graph();
  const MultigridSystem<float> system(graph, 6, 80);
  const int expected = iterations_of<double>(system, graph, 1e-10);
  for (const double magnitude : {1e-200, 1e-36, 1e-14, 1e-8, 1e20, 1e36, 1e200}) {
    SCOPED_TRACE(magnitude);
    EXPECT_EQ(iterations_of<double>(system, graph, 1e-10, magnitude), expected);
  }
}

/// The residual falls far below the smallest number of single precision, and at last to 0.
TEST(MultigridHelmholtzWithSingleCycle, GoesOnUntilNoResidualIsLeft) {
  const TEST_SPACE space;
  const auto graph = Lamina::CubedSpherePanel(16, 16).graph();
  const MultigridSystem<float> system(graph, 6, 80);
  const Lamina::HelmholtzOperator<double, Memory> op(Lamina::ColumnMesh<Memory>(graph), system.grid,
                                                     system.equation);
  const TestField<double, Kokkos::LayoutRight> b(256, 6, random_values(system.size(), 1)),
      x(256, 6);
  Lamina::FusedPcg pcg(space, Lamina::MultigridHelmholtz<double, Memory, double, float>(
                                  space, op, system.multigrid));
  const auto some =
      pcg.solve(space, b.const_view(), x.view(), Lamina::StoppingCriteria::iterations(60));
  EXPECT_EQ(some.status, Lamina::SolveStatus::completed);
  EXPECT_LT(some.residual_norm, 1e-60);
  const TestField<double, Kokkos::LayoutRight> y(256, 6);
  const auto all =
      pcg.solve(space, b.const_view(), y.view(), Lamina::StoppingCriteria::iterations(400));
  EXPECT_EQ(all.status, Lamina::SolveStatus::converged);
  EXPECT_EQ(all.residual_norm, 0);
  EXPECT_EQ(all.restarts, 0);
}

/// Iterations of cycles in both precisions while `suits_single_cycle` holds.
/// \return the number of the first system of which it does not
template <class SystemOf>
int last_that_suits(const Lamina::ColumnGraph& graph, const SystemOf& equation_of) {
  for (int n = 0;; ++n) {
    SCOPED_TRACE(n);
    const auto& [grid, equation] = equation_of(n);
    const MultigridSystem<double> system(graph, grid, equation);
    if (!Lamina::suits_single_cycle(system.multigrid.finest().rounding_error())) return n;
    EXPECT_LE(iterations_of<double>(MultigridSystem<float>(graph, grid, equation), graph, 1e-7),
              iterations_of<double>(system, graph, 1e-7) + 1);
  }
}

TEST(MultigridHelmholtzWithSingleCycle, SuitsUntilLittleIsLeftOfTheMassTerm) {
  const auto graph = Lamina::CubedSpherePanel(24, 24).graph();
  const double omega2 = omega2_of(graph, 80);
  // Layers become thin.
  EXPECT_GT(
      last_that_suits(graph,
                      [&](int n) {
                        return std::pair(
                            Lamina::VerticalGrid::graded(12, 1e-2 * std::pow(0.5, n)),
                            Lamina::HelmholtzParameters{.omega2 = omega2, .lambda2 = 3.32e-2});
                      }),
      3);
  // Couplings between columns become strong, of which a single level has no others.
  EXPECT_GT(last_that_suits(graph,
                            [&](int n) {
                              return std::pair(
                                  Lamina::VerticalGrid::graded(1, 1e-2),
                                  Lamina::HelmholtzParameters{.omega2 = omega2 * std::pow(10, n),
                                                              .lambda2 = 0});
                            }),
            3);
}

TEST(MultigridHelmholtzWithSingleCycle, DoesNothingOnceTheSolveIsOver) {
  using Field = TestField<double, Kokkos::LayoutLeft>;
  const TEST_SPACE space;
  const auto graph = Lamina::CubedSpherePanel(7, 6).graph();
  const MultigridSystem<float> system(graph, 4, 80);
  const Lamina::HelmholtzOperator<double, Memory> op(Lamina::ColumnMesh<Memory>(graph), system.grid,
                                                     system.equation);
  const Lamina::MultigridHelmholtz<double, Memory, double, float> model(space, op,
                                                                        system.multigrid);
  const Field r(system.num_columns(), system.num_levels(),
                rounded<float>(random_values(system.size(), 2))),
      z(system.num_columns(), system.num_levels(), Values(system.size(), 7));
  expect_no_cycle_at_the_end(space, model, r, z);
}

TEST(MultigridHelmholtzWithSingleCycle, RefusesAnOperatorOfOtherExtents) {
  const TEST_SPACE space;
  const auto graph = Lamina::CubedSpherePanel(7, 6).graph();
  const MultigridSystem<float> system(graph, 4, 80), other(graph, 5, 80);
  const Lamina::HelmholtzOperator<double, Memory> op(Lamina::ColumnMesh<Memory>(graph), other.grid,
                                                     system.equation);
  using Model = Lamina::MultigridHelmholtz<double, Memory, double, float>;
  EXPECT_THROW(Model(space, op, system.multigrid), Lamina::InvalidArgument);
}

}  // namespace LaminaTest
