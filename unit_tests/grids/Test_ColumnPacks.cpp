// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/grids/ColumnMesh.hpp>
#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/grids/LocalColumns.hpp>
#include <lamina/grids/PeriodicPlane.hpp>
#include <lamina/grids/impl/ColumnPacks.hpp>
#include <lamina/problems/VoronoiPlane.hpp>

#include <gtest/gtest.h>
#include <helmholtz/MeshNeighbours.hpp>
#include <reference/Hash.hpp>
#include <support/Compare.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace LaminaTest {
namespace {

using Host = Kokkos::HostSpace;

void expect_packs_are_the_mesh(const Lamina::ColumnGraph& graph, int width) {
  expect_packs_hold(neighbours_of(graph), width);
}

TEST(ColumnPacks, AreThePanel) {
  for (const int width : {1, 2, 4}) {
    SCOPED_TRACE(width);
    expect_packs_are_the_mesh(Lamina::CubedSpherePanel(4, 4).graph(), width);
    expect_packs_are_the_mesh(Lamina::CubedSpherePanel(3, 8).graph(), width);
    expect_packs_are_the_mesh(Lamina::CubedSpherePanel(1, 16).graph(), width);
  }
}

TEST(ColumnPacks, AreThePeriodicPlane) {
  for (const int width : {1, 2, 4}) {
    SCOPED_TRACE(width);
    expect_packs_are_the_mesh(Lamina::periodic_plane(8, 8, 0.1, 0.2), width);
    expect_packs_are_the_mesh(Lamina::periodic_plane(5, 12, 0.1, 0.2), width);
  }
}

/// A part of a grid that has columns of others on all sides, numbered after its own: west, east,
/// north, south.
Lamina::ColumnGraph tile_with_halo(int num_rows, int length) {
  Lamina::ColumnGraph graph;
  graph.num_owned = num_rows * length;
  graph.areas.assign(static_cast<std::size_t>(graph.num_owned), 1.0);
  const auto couple = [&](int column, int other) {
    graph.edges.push_back({column, other, 1.0, 1.0});
  };
  const auto couple_with_halo = [&](int column, bool is_first) {
    const int halo = static_cast<int>(graph.areas.size());
    couple(is_first ? column : halo, is_first ? halo : column);
    graph.areas.push_back(1.0);
  };
  for (int row = 0; row < num_rows; ++row) couple_with_halo(row * length, false);
  for (int row = 0; row < num_rows; ++row) couple_with_halo(row * length + length - 1, true);
  for (int i = 0; i < length; ++i) couple_with_halo(i, false);
  for (int i = 0; i < length; ++i) couple_with_halo(graph.num_owned - length + i, true);
  for (int column = 0; column < graph.num_owned; ++column) {
    if (column % length + 1 < length) couple(column, column + 1);
    if (column + length < graph.num_owned) couple(column, column + length);
  }
  return graph;
}

TEST(ColumnPacks, AreATileWithHalo) {
  for (const int width : {2, 4}) {
    SCOPED_TRACE(width);
    expect_packs_are_the_mesh(tile_with_halo(8, 8), width);
    expect_packs_are_the_mesh(tile_with_halo(6, 12), width);
    expect_packs_are_the_mesh(tile_with_halo(16, 32), width);
  }
}

TEST(ColumnPacks, HaveEachEdgeOnceInTheSouthOrEast) {
  for (const int width : {2, 4}) {
    SCOPED_TRACE(width);
    for (const auto& graph :
         {Lamina::CubedSpherePanel(4, 4).graph(), Lamina::CubedSpherePanel(3, 8).graph(),
          Lamina::periodic_plane(8, 8, 0.1, 0.2), Lamina::periodic_plane(5, 12, 0.1, 0.2)}) {
      EXPECT_TRUE(each_edge_once(find_column_packs(neighbours_of(graph), width), width));
    }
  }
}

void expect_edges_are_the_mesh(const Lamina::ColumnGraph& graph) {
  const auto mesh = neighbours_of(graph);
  const auto edges = find_column_edges(mesh);
  ASSERT_EQ(edges.size(), mesh.columns.extent(0));
  std::vector<Couplings> found(edges.size());
  for (std::size_t column = 0; column < edges.size(); ++column) {
    EXPECT_LE(edges[column].edges.size(), Lamina::Impl::ListedEdges::most);
    for (const auto& [other, coupling] : edges[column].edges) {
      ASSERT_TRUE(other >= 0 && other < static_cast<int>(edges.size())) << "column " << column;
      found[column][other] += coupling;
      found[static_cast<std::size_t>(other)][static_cast<int>(column)] += coupling;
    }
  }
  for (std::size_t column = 0; column < edges.size(); ++column) {
    EXPECT_EQ(found[column], couplings_in_mesh(mesh, column)) << "column " << column;
  }
}

TEST(ColumnEdges, AreThoseOfTheMesh) {
  for (const int num_x : {1, 2, 5}) {
    for (const int num_y : {1, 2, 7}) {
      expect_edges_are_the_mesh(Lamina::CubedSpherePanel(num_x, num_y).graph());
    }
  }
}

TEST(ColumnEdges, OfPolygonsAreSharedOut) {
  const auto graph = Lamina::voronoi_plane(24, 26, 0.4);
  std::vector<int> later(graph.areas.size(), 0);
  for (const auto& edge : graph.edges)
    ++later[static_cast<std::size_t>(std::min(edge.first, edge.second))];
  EXPECT_GT(*std::max_element(later.begin(), later.end()), Lamina::Impl::ListedEdges::most);
  expect_edges_are_the_mesh(graph);
}

TEST(ColumnEdges, AreListedInAscendingOrder) {
  const auto edges = find_column_edges(neighbours_of(Lamina::CubedSpherePanel(5, 3).graph()));
  const auto neighbours = [&](std::size_t column) {
    std::vector<int> found;
    for (const auto& edge : edges[column].edges) found.push_back(edge.neighbour);
    return found;
  };
  ASSERT_EQ(edges.size(), 15u);
  EXPECT_EQ(neighbours(4), (std::vector{5, 7}));
  EXPECT_EQ(neighbours(5), std::vector{8}) << "the last one of its row";
  EXPECT_EQ(neighbours(13), std::vector{14}) << "in the last row";
}

TEST(ColumnEdges, AreNotToldOfOtherGraphs) {
  const auto complete = [](int columns) {
    Lamina::ColumnGraph graph;
    graph.areas.assign(static_cast<std::size_t>(columns), 1);
    for (int a = 0; a < columns; ++a) {
      for (int b = a + 1; b < columns; ++b) graph.edges.push_back({a, b, 1, 1});
    }
    return graph;
  };
  expect_edges_are_the_mesh(complete(7));
  EXPECT_TRUE(find_column_edges(neighbours_of(complete(11))).empty()) << "55 edges";

  auto mesh = neighbours_of(Lamina::CubedSpherePanel(5, 3).graph());
  const auto couplings = Kokkos::create_mirror(Host(), mesh.couplings);
  Kokkos::deep_copy(couplings, mesh.couplings);
  couplings(7, 0) *= 2;
  mesh.couplings = couplings;
  EXPECT_TRUE(find_column_edges(mesh).empty()) << "two couplings of one edge";
}

/// Each pack is in one pair, whose second pack is south of the first.
void expect_pairs_hold(const std::vector<Lamina::Impl::ColumnPack>& packs, int width) {
  ASSERT_FALSE(packs.empty());
  std::vector<int> found(packs.size(), 0);
  for (const int first : find_pack_pairs(packs, width)) {
    ASSERT_EQ(first % width, 0);
    const auto pack = static_cast<std::size_t>(first / width);
    ASSERT_LT(pack, packs.size());
    ++found[pack];
    ++found[static_cast<std::size_t>(packs[pack].neighbours[1] / width)];
  }
  EXPECT_EQ(found, std::vector<int>(packs.size(), 1));
}

TEST(ColumnPacks, GoIntoPairsWhereRowsDo) {
  for (const int width : {2, 4}) {
    SCOPED_TRACE(width);
    for (const auto& graph :
         {Lamina::CubedSpherePanel(4, 4).graph(), Lamina::CubedSpherePanel(2, 8).graph(),
          Lamina::periodic_plane(8, 8, 0.1, 0.2), Lamina::periodic_plane(12, 4, 0.1, 0.2)}) {
      expect_pairs_hold(find_column_packs(neighbours_of(graph), width), width);
    }
    for (const auto& graph :
         {Lamina::CubedSpherePanel(5, 4).graph(), Lamina::CubedSpherePanel(1, 16).graph(),
          Lamina::periodic_plane(3, 8, 0.1, 0.2)}) {
      const auto packs = find_column_packs(neighbours_of(graph), width);
      ASSERT_FALSE(packs.empty());
      EXPECT_TRUE(find_pack_pairs(packs, width).empty());
    }
  }
}

TEST(ColumnPacks, GoIntoPairsFromWhicheverEndRowsAreNumbered) {
  auto packs = find_column_packs(neighbours_of(Lamina::CubedSpherePanel(4, 4).graph()), 4);
  for (auto& pack : packs) {
    std::swap(pack.neighbours[0], pack.neighbours[1]);
    std::swap(pack.couplings[0], pack.couplings[1]);
  }
  ASSERT_TRUE(each_edge_once(packs, 4));
  EXPECT_EQ(find_pack_pairs(packs, 4), (std::vector{4, 12}));
}

TEST(ColumnPacks, GoIntoPairsBesideAHalo) {
  for (const int width : {2, 4}) {
    const auto packs = find_column_packs(neighbours_of(tile_with_halo(8, 8)), width);
    EXPECT_TRUE(each_edge_once(packs, width));
    expect_pairs_hold(packs, width);
    EXPECT_TRUE(
        find_pack_pairs(find_column_packs(neighbours_of(tile_with_halo(7, 8)), width), width)
            .empty());
  }
}

TEST(ColumnPacks, AreNotThereWhereAHaloIsOnTheWrongSide) {
  for (const std::size_t edge : {0u, 8u, 16u, 24u}) {  // in the west, east, north and south
    auto graph = tile_with_halo(8, 8);
    ASSERT_FALSE(find_column_packs(neighbours_of(graph), 4).empty());
    std::swap(graph.edges[edge].first, graph.edges[edge].second);
    EXPECT_TRUE(find_column_packs(neighbours_of(graph), 4).empty()) << edge;
  }
  const auto rows = Lamina::Partition::grid({3, 8}, {3, 1});
  auto graph = Lamina::local_periodic_plane(3, 8, rows, 1).graph;  // one row
  ASSERT_FALSE(find_column_packs(neighbours_of(graph), 4).empty());
  for (auto& edge : graph.edges) {
    if (edge.first >= graph.num_owned) std::swap(edge.first, edge.second);
  }
  EXPECT_TRUE(find_column_packs(neighbours_of(graph), 4).empty()) << "two packs in the south";
}

TEST(ColumnPacks, HaveNoEdgesWhereThereAreNone) {
  EXPECT_FALSE(Lamina::Impl::each_edge_once({}, 4));
}

TEST(ColumnPacks, TellWhereAnEdgeIsNorthOfBothItsColumns) {
  auto packs = find_column_packs(neighbours_of(Lamina::CubedSpherePanel(4, 8).graph()), 4);
  ASSERT_EQ(packs.size(), 8u);
  std::swap(packs[2].neighbours[0], packs[2].neighbours[1]);
  std::swap(packs[2].couplings[0], packs[2].couplings[1]);
  EXPECT_FALSE(each_edge_once(packs, 4));
}

TEST(ColumnPacks, TellWhereAnEdgeHasTwoCouplings) {
  auto packs = find_column_packs(neighbours_of(Lamina::CubedSpherePanel(4, 8).graph()), 4);
  ASSERT_EQ(packs.size(), 8u);
  packs[3].couplings[3][1] *= 2;
  EXPECT_FALSE(each_edge_once(packs, 4));
}

TEST(ColumnPacks, AreNotThereWhereRowsAreNoMultipleOfTheWidth) {
  EXPECT_TRUE(find_column_packs(neighbours_of(Lamina::CubedSpherePanel(4, 5).graph()), 2).empty());
  EXPECT_TRUE(find_column_packs(neighbours_of(Lamina::CubedSpherePanel(4, 6).graph()), 4).empty());
  EXPECT_TRUE(find_column_packs(neighbours_of(Lamina::CubedSpherePanel(3, 3).graph()), 2).empty());
}

TEST(ColumnPacks, AreNotThereForOtherGraphs) {
  Lamina::ColumnGraph star;  // one column with five neighbours
  star.num_owned = 6;
  star.areas.assign(6, 1.0);
  for (int i = 1; i < 6; ++i) star.edges.push_back({0, i, 1, 1});
  EXPECT_TRUE(find_column_packs(neighbours_of(star), 2).empty());
  EXPECT_TRUE(find_column_packs(neighbours_of(star), 1).empty());
}

/// A value of each column of a whole grid.
double value_of(std::int64_t column) {
  return Reference::unit_value(static_cast<std::uint64_t>(column));
}

/// The sum of coupling * (difference of values)^2 over all edges that `visit` is called for.
class EdgeSum {
 public:
  explicit EdgeSum(const std::vector<std::int64_t>& columns) : m_columns(columns) {}

  void add(int column, int other, double coupling) {
    if (coupling == 0) return;
    const double jump = value(column) - value(other);
    m_sum += coupling * jump * jump;
    ++m_count;
  }
  double sum() const { return m_sum; }
  int count() const { return m_count; }

 private:
  double value(int column) const { return value_of(m_columns[static_cast<std::size_t>(column)]); }

  const std::vector<std::int64_t>& m_columns;
  double m_sum = 0;
  int m_count = 0;
};

/// As kernels do: the south and east sides of packs.
EdgeSum sum_over_packs(const std::vector<Lamina::Impl::ColumnPack>& packs, int width,
                       const std::vector<std::int64_t>& columns) {
  constexpr std::size_t south = 1, east = 3;
  EdgeSum sum(columns);
  for (std::size_t pack = 0; pack < packs.size(); ++pack) {
    const int first = static_cast<int>(pack) * width;
    for (int i = 0; i < width; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const int to_east = i + 1 < width ? first + i + 1 : packs[pack].neighbours[east];
      sum.add(first + i, packs[pack].neighbours[south] + i, packs[pack].couplings[south][at]);
      sum.add(first + i, to_east, packs[pack].couplings[east][at]);
    }
  }
  return sum;
}

EdgeSum sum_over_edges(const std::vector<Lamina::Impl::ListedEdges>& edges,
                       const std::vector<std::int64_t>& columns) {
  EdgeSum sum(columns);
  for (std::size_t column = 0; column < edges.size(); ++column) {
    for (const auto& edge : edges[column].edges) {
      sum.add(static_cast<int>(column), edge.neighbour, edge.coupling);
    }
  }
  return sum;
}

/// Each edge of a grid is on one rank, and packs are found on all of them. On a panel with an even
/// number of rows on each rank, pairs and edges are found, too.
template <class LocalOf>
void expect_split(const Lamina::ColumnGraph& whole, const Lamina::Partition& partition,
                  bool is_panel, const LocalOf& local_of) {
  std::vector<std::int64_t> all(whole.areas.size());
  std::iota(all.begin(), all.end(), 0);
  EdgeSum expected(all);
  for (const auto& edge : whole.edges) {
    expected.add(edge.first, edge.second, edge.length / edge.distance);
  }
  for (const int width : {2, 4}) {
    double packs_sum = 0, edges_sum = 0;
    int packs_count = 0, edges_count = 0;
    for (int rank = 0; rank < partition.num_ranks(); ++rank) {
      SCOPED_TRACE(testing::Message() << "rank " << rank << " of " << partition.num_ranks());
      const Lamina::LocalColumns local = local_of(partition, rank);
      const auto neighbours = neighbours_of(local.graph);
      expect_packs_hold(neighbours, width);
      const auto packs = find_column_packs(neighbours, width);
      EXPECT_TRUE(each_edge_once(packs, width));
      const EdgeSum over_packs = sum_over_packs(packs, width, local.columns);
      packs_sum += over_packs.sum();
      packs_count += over_packs.count();
      if (!is_panel) continue;
      expect_pairs_hold(packs, width);
      const auto edges = find_column_edges(neighbours);
      EXPECT_EQ(edges.size(), neighbours.columns.extent(0));
      const EdgeSum over_edges = sum_over_edges(edges, local.columns);
      edges_sum += over_edges.sum();
      edges_count += over_edges.count();
    }
    EXPECT_EQ(packs_count, expected.count());
    const double tolerance = rounding<double>(expected.count()) * expected.sum();
    EXPECT_NEAR(packs_sum, expected.sum(), tolerance);
    if (!is_panel) continue;
    EXPECT_EQ(edges_count, expected.count());
    EXPECT_NEAR(edges_sum, expected.sum(), tolerance);
  }
}

TEST(ColumnPacks, OfAPanelOnManyRanksHaveEachEdgeOnce) {
  const Lamina::CubedSpherePanel panel(256, 256);
  const auto whole = panel.graph();
  for (const std::array<int, 2> ranks :
       {std::array{2, 1}, {4, 1}, {8, 1}, {1, 2}, {2, 2}, {2, 4}, {4, 2}}) {
    expect_split(
        whole, Lamina::Partition::grid({256, 256}, ranks), true,
        [&](const Lamina::Partition& partition, int rank) { return panel.local(partition, rank); });
  }
}

TEST(ColumnPacks, OfRowsOnBothSidesOfASeamHaveEachEdgeOnce) {
  // The last row is north of the first one, but is found after it.
  std::vector<int> owners(8 * 16, 1);
  std::fill_n(owners.begin(), 16, 0);
  std::fill_n(owners.end() - 16, 16, 0);
  expect_split(Lamina::periodic_plane(8, 16, 0.1, 0.2), Lamina::Partition::from_owners(owners, 2),
               false, [&](const Lamina::Partition& partition, int rank) {
                 return Lamina::local_periodic_plane(8, 16, partition, rank, 0.1, 0.2);
               });
}

TEST(ColumnPacks, OfAPlaneOnManyRanksHaveEachEdgeOnce) {
  for (const int num_rows : {3, 4, 8}) {
    // Also one row on each rank, two ranks beside each other twice, and a rank beside itself.
    for (const std::array<int, 2> ranks : {std::array{1, 1}, {2, 1}, {num_rows, 1}, {2, 2}}) {
      const int length = 16;
      expect_split(Lamina::periodic_plane(num_rows, length, 0.1, 0.2),
                   Lamina::Partition::grid({num_rows, length}, ranks), false,
                   [&](const Lamina::Partition& partition, int rank) {
                     return Lamina::local_periodic_plane(num_rows, length, partition, rank, 0.1,
                                                         0.2);
                   });
    }
  }
}

}  // namespace
}  // namespace LaminaTest
