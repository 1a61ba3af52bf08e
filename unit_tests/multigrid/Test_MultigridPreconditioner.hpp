// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Require.hpp>
#include <lamina/helmholtz/LinePreconditioner.hpp>
#include <lamina/krylov/Pcg.hpp>
#include <lamina/multigrid/MultigridPreconditioner.hpp>
#include <lamina/multigrid/impl/SmoothingWeights.hpp>

#include <gtest/gtest.h>
#include <helmholtz/HelmholtzCase.hpp>
#include <multigrid/MultigridCase.hpp>
#include <multigrid/MultigridSystem.hpp>
#include <support/Compare.hpp>
#include <support/FieldTypes.hpp>
#include <support/MessageOf.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace LaminaTest {

template <class Type>
class MultigridPreconditioner : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Layout = typename Type::layout;
  using System = MultigridSystem<Scalar>;
  using Field = TestField<Scalar, Layout>;

  /// B r
  static Values solve(const System& system, const Values& r, const Padding& padding = {}) {
    const TEST_SPACE space;
    const int columns = system.num_columns(), levels = system.num_levels();
    const Field in(columns, levels, r, padding),
        out(columns, levels, Values(r.size(), 77), padding);
    system.multigrid.solve(space, in.const_view(), out.view());
    EXPECT_TRUE(out.surroundings_untouched());
    EXPECT_EQ(in.get(), rounded<Scalar>(r)) << "the right-hand side was changed";
    return out.get();
  }
};
TYPED_TEST_SUITE(MultigridPreconditioner, FieldTypes, FieldTypeNames);

inline double product(const Values& a, const Values& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

TYPED_TEST(MultigridPreconditioner, IsSymmetricAndPositive) {
  using Scalar = typename TestFixture::Scalar;
  for (const auto& [name, graph] : multigrid_graphs()) {
    for (const double stiffness : {0.1, 80.0, 1e5}) {
      for (const int steps : {1, 2, 3}) {
        SCOPED_TRACE(testing::Message() << name << ", " << stiffness << ", " << steps << " steps");
        const typename TestFixture::System system(graph, 5, stiffness, {.steps = steps});
        const Values x = rounded<Scalar>(random_values(system.size(), 1)),
                     y = rounded<Scalar>(random_values(system.size(), 2));
        const Values bx = this->solve(system, x), by = this->solve(system, y);
        const double xx = product(x, bx), yy = product(y, by);
        EXPECT_GT(xx, 0);
        EXPECT_GT(yy, 0);
        // Each of about 30 operations of a cycle rounds once.
        EXPECT_NEAR(product(y, bx), product(x, by), rounding<Scalar>(300) * std::sqrt(xx * yy));
      }
    }
  }
}

/// x_n = x_{n-1} + weight_n M^-1 (f - A x_{n-1}) from x_0 = 0.
template <class Scalar>
Values smoothed(const MultigridSystem<Scalar>& system, const std::vector<double>& weights,
                const Values& f) {
  using Field = TestField<Scalar, Kokkos::LayoutRight>;
  const TEST_SPACE space;
  const auto& op = system.multigrid.finest();
  const Lamina::LinePreconditioner<Scalar, Memory> lines(space, op);
  const int columns = system.num_columns(), levels = system.num_levels();
  Values x(f.size(), 0.0);
  for (const double weight : weights) {
    const Field from(columns, levels, x), image(columns, levels), z(columns, levels);
    op.apply(space, from.const_view(), image.view());
    Values r = image.get();
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = f[i] - r[i];
    const Field residual(columns, levels, r);
    lines.solve(space, residual.const_view(), z.view());
    const Values step = z.get();
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += weight * step[i];
  }
  return x;
}

TYPED_TEST(MultigridPreconditioner, OfOneLevelTakesItsChebyshevSteps) {
  using Scalar = typename TestFixture::Scalar;
  const auto graph = Lamina::CubedSpherePanel(7, 6).graph();
  for (const double stiffness : {0.3, 1.0, 3.0, 80.0}) {
    SCOPED_TRACE(stiffness);
    const typename TestFixture::System system(graph, 5, stiffness, {.max_levels = 1});
    const auto weights = Lamina::Impl::coarsest_weights(
        Lamina::Impl::largest_stiffness(graph, system.equation.omega2));
    const Values f = rounded<Scalar>(random_values(system.size(), 1));
    EXPECT_TRUE(
        all_within(this->solve(system, f), smoothed(system, weights, f), rounding<Scalar>(3000)));
  }
}

TYPED_TEST(MultigridPreconditioner, TakesPaddedViewsAndGivesTheSame) {
  const typename TestFixture::System system(Lamina::CubedSpherePanel(9, 7).graph(), 11, 80);
  const Values r = random_values(system.size(), 3), z = this->solve(system, r);
  for (const auto& padding : {column_padding, level_padding, all_padding}) {
    EXPECT_EQ(this->solve(system, r, padding), z);
  }
}

TYPED_TEST(MultigridPreconditioner, SolvesAColumnWithoutNeighbours) {
  using Scalar = typename TestFixture::Scalar;
  const typename TestFixture::System system(Lamina::CubedSpherePanel(1, 1).graph(), 64, 80);
  const HelmholtzCase<Scalar> twin(Lamina::CubedSpherePanel(1, 1).graph(), system.grid,
                                   system.equation);
  const Values z = this->solve(system, rounded<Scalar>(twin.volumes()));
  EXPECT_TRUE(all_within(z, Values(64, 1.0), rounding<Scalar>(128)));
}

TYPED_TEST(MultigridPreconditioner, TwoDimensionsAreOneVerticalModeOfThree) {
  // What does not depend on the level stays so, and is the solution of a single level.
  using Scalar = typename TestFixture::Scalar;
  for (const auto& graph :
       {Lamina::CubedSpherePanel(20, 17).graph(), Lamina::voronoi_plane(12, 12)}) {
    const typename TestFixture::System flat(graph, 1, 80), deep(graph, 19, 80);
    const Values g = random_values(flat.size(), 4);
    Values flat_r, deep_r;
    for (const double value : g) {
      flat_r.push_back(value * flat.grid.volume(0));
      for (int k = 0; k < 19; ++k) deep_r.push_back(value * deep.grid.volume(k));
    }
    const Values flat_z = this->solve(flat, rounded<Scalar>(flat_r)),
                 deep_z = this->solve(deep, rounded<Scalar>(deep_r));
    Values expected;
    double largest = 0;
    for (const double value : flat_z) {
      expected.insert(expected.end(), 19, value);
      largest = std::max(largest, std::abs(value));
    }
    EXPECT_TRUE(
        all_within(deep_z, expected, rounding<Scalar>(1000), Values(deep_z.size(), largest)));
  }
}

/// Devices have kernels of their own.
TYPED_TEST(MultigridPreconditioner, OfADeviceIsThatOfCpuCores) {
  using Scalar = typename TestFixture::Scalar;
  using HostField = Kokkos::View<Scalar**, Kokkos::LayoutRight, Kokkos::HostSpace>;
  const Kokkos::DefaultHostExecutionSpace host;
  for (const auto& [m, is_panel, num_levels, steps] :
       {std::tuple(33, true, 9, 1), std::tuple(72, true, 16, 3), std::tuple(40, true, 128, 2),
        std::tuple(30, false, 7, 1), std::tuple(40, false, 16, 3), std::tuple(24, false, 131, 2),
        std::tuple(20, false, 201, 2)}) {
    SCOPED_TRACE(testing::Message() << m << " columns a side, " << num_levels << " levels, "
                                    << steps << " steps" << (is_panel ? "" : ", polygons"));
    const auto graph =
        is_panel ? Lamina::CubedSpherePanel(m, m).graph() : Lamina::voronoi_plane(m, m);
    const typename TestFixture::System system(graph, num_levels, 80, {.steps = steps});
    const Lamina::MultigridPreconditioner<Scalar, Kokkos::HostSpace> twin(
        host, Lamina::ColumnHierarchy(graph), system.grid, system.equation, {.steps = steps});
    const Values r = rounded<Scalar>(random_values(system.size(), 6));
    const HostField in("LaminaTest::in", m * m, num_levels),
        out("LaminaTest::out", m * m, num_levels);
    std::transform(r.begin(), r.end(), in.data(), [](double x) { return static_cast<Scalar>(x); });
    twin.solve(host, in, out);
    host.fence();
    const Values z = this->solve(system, r);
    const Values expected(out.data(), out.data() + r.size());
    const double largest =
        std::abs(*std::max_element(expected.begin(), expected.end(),
                                   [](double a, double b) { return std::abs(a) < std::abs(b); }));
    EXPECT_TRUE(all_within(z, expected, rounding<Scalar>(300), Values(z.size(), largest)));
  }
}

TEST(MultigridPacks, AreTakenOfPolygonsOnADevice) {
  const auto packed = [](const Lamina::ColumnGraph& graph, int num_levels) {
    return MultigridSystem<float>(graph, num_levels, 80).multigrid.packed_levels();
  };
  constexpr bool on_device = !Lamina::runs_on_host<TEST_SPACE>;
  const auto polygons = Lamina::voronoi_plane(20, 20),
             panel = Lamina::CubedSpherePanel(16, 16).graph();
  EXPECT_EQ(packed(polygons, 127), on_device ? 128 : 0);
  EXPECT_EQ(packed(polygons, 16), on_device ? 16 : 0);
  EXPECT_EQ(packed(polygons, 130), on_device ? 132 : 0);
  EXPECT_EQ(packed(panel, 16), 0);
}

/// Iterations of `Pcg` from a random right-hand side, to 1e-5 and to 1e-10.
template <class System>
std::pair<int, int> iterations_of(const System& system) {
  const TEST_SPACE space;
  const TestField<double, Kokkos::LayoutRight> b(system.num_columns(), system.num_levels(),
                                                 random_values(system.size(), 5)),
      x(system.num_columns(), system.num_levels());
  Lamina::Pcg pcg(space, system.multigrid.finest(), system.multigrid);
  const auto count = [&](double tolerance) {
    Kokkos::deep_copy(x.view(), 0.0);
    const auto report =
        pcg.solve(space, b.const_view(), x.view(), {.tolerance = tolerance, .max_iterations = 100});
    EXPECT_TRUE(report.converged());
    return report.iterations;
  };
  const int few = count(1e-5);
  return {few, count(1e-10)};
}

TEST(MultigridConvergence, OfPanelsDoesNotDependOnSizeOrLevels) {
  const auto expect_few = [](int m, int num_levels, double omega2_factor = 1) {
    SCOPED_TRACE(testing::Message() << m << " columns a side, " << num_levels << " levels");
    const auto equation = paper_parameters(m);
    const MultigridSystem<double> system(
        Lamina::CubedSpherePanel(m, m).graph(),
        Lamina::VerticalGrid::graded(num_levels, paper_depth),
        {.omega2 = omega2_factor * equation.omega2, .lambda2 = equation.lambda2});
    const auto [few, many] = iterations_of(system);
    EXPECT_LE(few, 5);
    EXPECT_LE(many, 9 + (omega2_factor > 1));
  };
  for (const int m : {16, 17, 31, 32, 33, 63, 64, 65, 100, 127, 128}) expect_few(m, 1);
  for (const int m : {16, 17, 33}) expect_few(m, 8);
  for (const int m : {16, 31}) expect_few(m, 64);
  for (const double factor : {0.01, 100.0, 1e6}) expect_few(32, 2, factor);
}

TEST(MultigridConvergence, OfOtherMeshesIsHardlySlower) {
  const auto expect = [](const Lamina::ColumnGraph& graph, int num_levels, int most_few,
                         int most_many) {
    const auto [few, many] = iterations_of(MultigridSystem<double>(graph, num_levels, 80));
    EXPECT_LE(few, most_few) << num_levels << " levels, " << graph.areas.size() << " columns";
    EXPECT_LE(many, most_many) << num_levels << " levels, " << graph.areas.size() << " columns";
  };
  for (const int m : {17, 32, 64}) expect(Lamina::plane(m, m), 1, 5, 9);
  for (const int m : {20, 50, 100}) expect(Lamina::voronoi_plane(m, m), 1, 6, 11);
  expect(Lamina::voronoi_plane(20, 20), 20, 6, 11);
  expect(Lamina::CubedSpherePanel(64, 64).graph(Lamina::PanelEdge::dirichlet), 1, 5, 9);
  expect(Lamina::CubedSpherePanel(96, 16).graph(), 1, 6, 11);
  expect(disconnected_graph(), 3, 6, 11);
}

TEST(MultigridPreconditionerArguments, AreChecked) {
  const TEST_SPACE space;
  const Lamina::ColumnHierarchy hierarchy(Lamina::CubedSpherePanel(4, 4).graph());
  const auto grid = Lamina::VerticalGrid::graded(3, 0.1);
  const auto refusal = [&](const Lamina::MultigridParameters& parameters) {
    return message_of<Lamina::InvalidArgument>([&] {
      const Lamina::MultigridPreconditioner<double, Memory> wrong(space, hierarchy, grid,
                                                                  {1.0, 1.0}, parameters);
    });
  };
  EXPECT_EQ(refusal({.steps = 0}),
            "Lamina::MultigridPreconditioner: steps: expected 1 to 3, got 0");
  EXPECT_EQ(refusal({.steps = 4}),
            "Lamina::MultigridPreconditioner: steps: expected 1 to 3, got 4");
  EXPECT_EQ(refusal({.max_levels = 0}),
            "Lamina::MultigridPreconditioner: max_levels: expected at least 1, got 0");
  const Lamina::MultigridPreconditioner<double, Memory> multigrid(space, hierarchy, grid,
                                                                  {1.0, 1.0}, {.max_levels = 1});
  EXPECT_EQ(multigrid.num_used_levels(), 1);
  const TestField<double, Kokkos::LayoutLeft> r(16, 3), z(16, 4);
  EXPECT_EQ(message_of<Lamina::InvalidArgument>(
                [&] { multigrid.solve(space, r.const_view(), z.view()); }),
            "Lamina::MultigridPreconditioner::solve: argument z: expected 3 levels, got 4");
  EXPECT_EQ(message_of<Lamina::InvalidArgument>(
                [&] { multigrid.solve(space, r.const_view(), r.view()); }),
            "Lamina::MultigridPreconditioner::solve: arguments r and z: expected memory of their "
            "own, got Views that overlap");
}

}  // namespace LaminaTest
