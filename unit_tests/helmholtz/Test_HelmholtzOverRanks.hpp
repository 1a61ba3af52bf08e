// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Grids of any cells over simulated ranks, whoever owns which column.

#include <lamina/grids/ColumnPartition.hpp>
#include <lamina/grids/HilbertOrder.hpp>
#include <lamina/grids/SphereGrids.hpp>
#include <lamina/grids/SphereTriangulation.hpp>

#include <distributed/SimulatedTransport.hpp>
#include <gtest/gtest.h>
#include <helmholtz/RankedProblem.hpp>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace LaminaTest {

inline Lamina::Partition scattered_columns(std::size_t num_columns, int num_ranks) {
  std::vector<int> owners;
  for (std::size_t n = 0; n < num_columns; ++n) {
    const double value = Reference::unit_value(n + 7 * static_cast<std::uint64_t>(num_ranks));
    owners.push_back(static_cast<int>((value + 1) / 2 * num_ranks));
  }
  return Lamina::Partition::from_owners(std::move(owners), num_ranks);
}

/// Those of the library where the graph has centres, and awkward ones.
inline std::vector<NamedPartition> partitions_of_columns(const Lamina::ColumnGraph& graph,
                                                         int num_ranks) {
  const std::size_t size = graph.areas.size();
  std::vector<NamedPartition> partitions{
      {"scattered", scattered_columns(size, num_ranks)},
      {"the last has all",
       Lamina::Partition::from_owners(std::vector<int>(size, num_ranks - 1), num_ranks)}};
  if (!graph.centres.points.empty()) {
    std::vector<double> weights;  // nobody has to work in the south
    for (const auto& point : graph.centres.points) weights.push_back(point[2] < 0 ? 0 : 1);
    partitions.push_back({"curve", Lamina::partition_along_curve(graph, num_ranks)});
    partitions.push_back(
        {"curve of the north", Lamina::partition_along_curve(graph, num_ranks, weights)});
  }
  if (Lamina::has_metis()) {
    partitions.push_back({"METIS", Lamina::partition_by_metis(graph, num_ranks)});
  }
  return partitions;
}

template <class Scalar, class Layout, class Solver = Fused>
void expect_one_solve_on_ranks(const Lamina::ColumnGraph& graph, int num_levels, int num_ranks) {
  SCOPED_TRACE(std::to_string(graph.areas.size()) + " columns on " + std::to_string(num_ranks));
  const auto partitions = partitions_of_columns(graph, num_ranks);
  run_on_ranks<Memory>(num_ranks, [&](const Lamina::Transport& transport) {
    constexpr double rounding = std::is_same_v<Scalar, double> ? 1e-12 : 1e-3;
    expect_one_solve<Scalar, Layout, Solver>(transport, graph, partitions, num_levels, {},
                                             {rounding, 1e-12});
  });
}

TEST(ColumnsOverRanks, SolvesAreThoseOfOneProcess) {
  using Kokkos::LayoutLeft, Kokkos::LayoutRight;
  using Lamina::along_hilbert_curve;
  const auto cubed =
      along_hilbert_curve(Lamina::voronoi_cells(Lamina::cubed_sphere_triangulation(4))).graph;
  const auto hexagons = Lamina::voronoi_cells(Lamina::icosahedral_triangulation(3));
  const auto triangles = Lamina::triangle_cells(Lamina::icosahedral_triangulation(2));
  const auto zone = along_hilbert_curve(Lamina::latitude_longitude(12, 7, -60, 75)).graph;
  for (int num_ranks = 1; num_ranks <= 7; ++num_ranks) {
    expect_one_solve_on_ranks<double, LayoutRight>(cubed, 5, num_ranks);
    expect_one_solve_on_ranks<double, LayoutLeft>(hexagons, 4, num_ranks);
    expect_one_solve_on_ranks<double, LayoutLeft, Plain>(triangles, 3, num_ranks);
    expect_one_solve_on_ranks<double, LayoutRight, Plain>(zone, 3, num_ranks);
  }
  expect_one_solve_on_ranks<float, LayoutRight>(cubed, 5, 3);
  expect_one_solve_on_ranks<float, LayoutLeft>(hexagons, 4, 5);
}

TEST(ColumnsOverRanks, GraphsWithoutRegularityToo) {
  const auto graph = irregular_graph(61, 0);
  for (const int num_ranks : {2, 3, 5, 7}) {
    expect_one_solve_on_ranks<double, Kokkos::LayoutRight>(graph, 4, num_ranks);
    expect_one_solve_on_ranks<double, Kokkos::LayoutLeft, Plain>(graph, 4, num_ranks);
  }
}

TEST(ColumnsOverRanks, RanksMayBeMoreThanColumns) {
  const auto twelve = Lamina::voronoi_cells(Lamina::icosahedral_triangulation(1));
  expect_one_solve_on_ranks<double, Kokkos::LayoutRight>(twelve, 4, 17);
  expect_one_solve_on_ranks<double, Kokkos::LayoutLeft, Plain>(twelve, 4, 17);
}

}  // namespace LaminaTest
