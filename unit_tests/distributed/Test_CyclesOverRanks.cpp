// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Kokkos_Core.hpp>
#define TEST_SPACE Kokkos::DefaultExecutionSpace

#include <lamina/distributed/MpiTransport.hpp>
#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/Pcg.hpp>
#include <lamina/multigrid/MultigridHelmholtz.hpp>
#include <lamina/problems/VoronoiPlane.hpp>

#include <gtest/gtest.h>
#include <multigrid/MultigridSystem.hpp>
#include <multigrid/RankSystem.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>

namespace LaminaTest {
namespace {

TEST_SPACE space() { return {}; }

/// Solves on all ranks, of which some have no columns, as one process does.
template <class Scalar, class Layout>
void expect_multigrid_solve(const Lamina::Transport& transport, const Lamina::ColumnGraph& graph,
                            int num_x, int num_y, int gathered) {
  constexpr int num_levels = 6;
  constexpr bool is_double = std::is_same_v<Scalar, double>;
  using Field = TestField<Scalar, Layout>;
  using Model = Lamina::MultigridHelmholtz<Scalar, Memory>;
  const Lamina::StoppingCriteria criteria{.tolerance = is_double ? 1e-9 : 1e-4,
                                          .max_iterations = 40};
  const MultigridSystem<Scalar> alone(graph, num_levels, 80);
  const Values b = random_values(alone.size(), 5);
  const Field rhs(alone.num_columns(), num_levels, b), x(alone.num_columns(), num_levels);
  Lamina::FusedPcg alone_pcg(space(), Model(space(), alone.multigrid));
  const auto expected = alone_pcg.solve(space(), rhs.const_view(), x.view(), criteria);
  const Values solution = x.get();
  double largest = 0;
  for (const double value : solution) largest = std::max(largest, std::abs(value));
  const auto partition = Lamina::Partition::grid({num_x, num_y}, {transport.size(), 1});
  const RankSystem<Scalar> system(transport,
                                  Lamina::local_columns(graph, partition, transport.rank()),
                                  alone.grid, alone.equation, {.gathered_columns = gathered});
  const Field part(system.num_columns(), num_levels, system.of_rank(b));
  Lamina::FusedPcg fused(space(), Model(space(), system.multigrid));
  Lamina::Pcg plain(space(), system.multigrid.finest(), system.multigrid,
                    system.multigrid.decomposition());
  for (const bool is_fused : {true, false, true}) {
    const Field result(system.num_columns(), num_levels);
    const auto report = is_fused ? fused.solve(space(), part.const_view(), result.view(), criteria)
                                 : plain.solve(space(), part.const_view(), result.view(), criteria);
    EXPECT_TRUE(report.converged());
    EXPECT_LE(report.iterations, expected.iterations + 1);
    EXPECT_TRUE(all_within(system.of_all(result.get(), b.size()), solution, is_double ? 1e-7 : 1e-2,
                           Values(b.size(), largest)));
  }
}

TEST(CyclesOverRanks, SolveAsThoseOfOneProcess) {
  using Left = Kokkos::LayoutLeft;
  using Right = Kokkos::LayoutRight;
  const auto transport = Lamina::make_transport(MPI_COMM_WORLD, space(), {.self_test = false});
  const auto panel = Lamina::CubedSpherePanel(33, 20).graph();
  for (const int gathered : {0, 50, 1024}) {
    SCOPED_TRACE(gathered);
    expect_multigrid_solve<double, Left>(*transport, panel, 33, 20, gathered);
    expect_multigrid_solve<double, Right>(*transport, panel, 33, 20, gathered);
    expect_multigrid_solve<float, Left>(*transport, panel, 33, 20, gathered);
    expect_multigrid_solve<float, Right>(*transport, panel, 33, 20, gathered);
    expect_multigrid_solve<double, Right>(*transport, Lamina::voronoi_plane(13, 16), 13, 16,
                                          gathered);
  }
  const auto pair = Lamina::CubedSpherePanel(2, 1).graph();
  expect_multigrid_solve<double, Left>(*transport, pair, 2, 1, 1024);
}

TEST(CyclesOverRanks, NotANumberOnOneRankEndsAll) {
  const auto transport = Lamina::make_transport(MPI_COMM_WORLD, space(), {.self_test = false});
  const auto graph = Lamina::CubedSpherePanel(12, 8).graph();
  const auto partition = Lamina::Partition::blocks(96, transport->size());
  const RankSystem<double> system(
      *transport, Lamina::local_columns(graph, partition, transport->rank()),
      Lamina::VerticalGrid::graded(5, 0.0157), {.omega2 = omega2_of(graph, 80), .lambda2 = 3e-2});
  Lamina::FusedPcg pcg(space(),
                       Lamina::MultigridHelmholtz<double, Memory>(space(), system.multigrid));
  Values b = random_values(5 * 96, 1);
  const TestField<double, Kokkos::LayoutRight> good(system.num_columns(), 5, system.of_rank(b)),
      x(system.num_columns(), 5);
  b.back() = std::numeric_limits<double>::quiet_NaN();  // of the last rank
  const TestField<double, Kokkos::LayoutRight> bad(system.num_columns(), 5, system.of_rank(b));
  EXPECT_EQ(pcg.solve(space(), bad.const_view(), x.view()).status,
            Lamina::SolveStatus::breakdown_not_finite);
  Kokkos::deep_copy(x.view(), 0.0);
  EXPECT_TRUE(pcg.solve(space(), good.const_view(), x.view()).converged())
      << "the plan is as good as new";
}

}  // namespace
}  // namespace LaminaTest
