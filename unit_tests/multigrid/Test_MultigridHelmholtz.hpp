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

#include <cmath>
#include <cstddef>

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

TYPED_TEST(MultigridHelmholtz, DoesNothingOnceTheSolveIsOver) {
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  const typename TestFixture::System system(Lamina::CubedSpherePanel(7, 6).graph(), 4, 80);
  const typename TestFixture::Model model(space, system.multigrid);
  const Field r(system.num_columns(), system.num_levels(), random_values(system.size(), 2)),
      z(system.num_columns(), system.num_levels(), Values(system.size(), 7));
  expect_no_cycle_at_the_end(space, model, r, z);
}

TEST(MultigridHelmholtzInMixedPrecision, NeedsAsManyIterationsAsDouble) {
  const TEST_SPACE space;
  const auto iterations = [&](const Lamina::ColumnGraph& graph, double tolerance) {
    const MultigridSystem<float> system(graph, 6, 80);
    const Lamina::ColumnMesh<Memory> mesh(graph);
    const Lamina::HelmholtzOperator<double, Memory> op(mesh, system.grid, system.equation);
    const int columns = system.num_columns(), levels = system.num_levels();
    const TestField<double, Kokkos::LayoutRight> b(columns, levels,
                                                   random_values(system.size(), 1)),
        x(columns, levels), image(columns, levels);
    Lamina::FusedPcg pcg(
        space, Lamina::MultigridHelmholtz<double, Memory, float>(space, op, system.multigrid));
    const auto report = pcg.solve(space, b.const_view(), x.view(), {.tolerance = tolerance});
    EXPECT_TRUE(report.converged());
    op.apply(space, x.const_view(), image.view());
    const Values ax = image.get(), rhs = b.get();
    double residual2 = 0, rhs2 = 0;
    for (std::size_t i = 0; i < ax.size(); ++i) {
      residual2 += (rhs[i] - ax[i]) * (rhs[i] - ax[i]);
      rhs2 += rhs[i] * rhs[i];
    }
    EXPECT_LE(std::sqrt(residual2), 1.01 * tolerance * std::sqrt(rhs2)) << "true residual";
    return report.iterations;
  };
  EXPECT_LE(iterations(Lamina::CubedSpherePanel(32, 32).graph(), 1e-5), 5);
  EXPECT_LE(iterations(Lamina::CubedSpherePanel(32, 32).graph(), 1e-10), 10);
  EXPECT_LE(iterations(Lamina::voronoi_plane(20, 20), 1e-5), 6);
  EXPECT_LE(iterations(Lamina::voronoi_plane(20, 20), 1e-10), 12);
}

}  // namespace LaminaTest
