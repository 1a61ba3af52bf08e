// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/grids/ColumnMesh.hpp>
#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/grids/LocalColumns.hpp>
#include <lamina/grids/Plane.hpp>
#include <lamina/grids/impl/ColumnPacks.hpp>

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
  for (const int width : {2, 4}) {
    SCOPED_TRACE(width);
    expect_packs_are_the_mesh(Lamina::CubedSpherePanel(4, 4).graph(), width);
    expect_packs_are_the_mesh(Lamina::CubedSpherePanel(3, 8).graph(), width);
    expect_packs_are_the_mesh(Lamina::CubedSpherePanel(1, 16).graph(), width);
  }
}

TEST(ColumnPacks, AreThePeriodicPlane) {
  for (const int width : {2, 4}) {
    SCOPED_TRACE(width);
    expect_packs_are_the_mesh(Lamina::plane(8, 8, {}, 0.1, 0.2), width);
    expect_packs_are_the_mesh(Lamina::plane(5, 12, {}, 0.1, 0.2), width);
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
          Lamina::plane(8, 8, {}, 0.1, 0.2), Lamina::plane(5, 12, {}, 0.1, 0.2)}) {
      expect_packs_are_the_mesh(graph, width);
      expect_edges_are_the_mesh(graph, width);
    }
  }
}

std::vector<int> pairs_of(const std::vector<Lamina::Impl::ColumnPack>& packs, int width) {
  return find_pack_pairs(packs, width, static_cast<int>(packs.size()) * width);
}

/// Each pack is in one pair, whose second pack is south of the first.
void expect_pairs_hold(const std::vector<Lamina::Impl::ColumnPack>& packs, int width) {
  ASSERT_FALSE(packs.empty());
  std::vector<int> found(packs.size(), 0);
  for (const int first : pairs_of(packs, width)) {
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
          Lamina::plane(8, 8, {}, 0.1, 0.2), Lamina::plane(12, 4, {}, 0.1, 0.2)}) {
      expect_pairs_hold(find_column_packs(neighbours_of(graph), width), width);
    }
    for (const auto& graph :
         {Lamina::CubedSpherePanel(5, 4).graph(), Lamina::CubedSpherePanel(1, 16).graph(),
          Lamina::plane(3, 8, {}, 0.1, 0.2)}) {
      const auto packs = find_column_packs(neighbours_of(graph), width);
      ASSERT_FALSE(packs.empty());
      EXPECT_TRUE(pairs_of(packs, width).empty());
    }
  }
}

TEST(ColumnPacks, GoIntoPairsFromWhicheverEndRowsAreNumbered) {
  auto packs = find_column_packs(neighbours_of(Lamina::CubedSpherePanel(4, 4).graph()), 4);
  for (auto& pack : packs) {
    std::swap(pack.neighbours[0], pack.neighbours[1]);
    std::swap(pack.couplings[0], pack.couplings[1]);
  }
  EXPECT_EQ(pairs_of(packs, 4), (std::vector{4, 12}));
}

TEST(ColumnPacks, GoIntoPairsBesideAHalo) {
  for (const int width : {2, 4}) {
    const auto packs = find_column_packs(neighbours_of(tile_with_halo(8, 8)), width);
    expect_pairs_hold(packs, width);
    EXPECT_TRUE(
        pairs_of(find_column_packs(neighbours_of(tile_with_halo(7, 8)), width), width).empty());
  }
}

TEST(ColumnPacks, LeaveOutRowsWithoutAPartner) {
  const auto packs = find_column_packs(neighbours_of(Lamina::CubedSpherePanel(9, 8).graph()), 4);
  const auto pairs = pairs_of(packs, 4);
  EXPECT_EQ(pairs, (std::vector{0, 4, 16, 20, 32, 36, 48, 52})) << "the last row is left";
}

TEST(ColumnPacks, LeaveOutAHaloOnTheWrongSide) {
  struct Wrong {
    std::size_t edge;
    int first;  // column of the pack
  };
  for (const Wrong wrong : {Wrong{0, 0}, {8, 4}, {16, 0}, {24, 56}}) {  // west, east, north, south
    auto graph = tile_with_halo(8, 8);
    auto& edge = graph.edges[wrong.edge];
    std::swap(edge.first, edge.second);
    std::vector<int> expected(4);
    std::iota(expected.begin(), expected.end(), wrong.first);
    EXPECT_EQ(expect_some_packs_hold(neighbours_of(graph), 4), expected) << wrong.edge;
  }
  const auto rows = Lamina::Partition::grid({3, 8}, {3, 1});
  auto graph = Lamina::local_plane(3, 8, rows, 1).graph;  // one row
  ASSERT_FALSE(find_column_packs(neighbours_of(graph), 4).empty());
  for (auto& edge : graph.edges) {
    if (edge.first >= graph.num_owned) std::swap(edge.first, edge.second);
  }
  EXPECT_TRUE(find_column_packs(neighbours_of(graph), 4).empty()) << "two packs in the south";
}

/// Rows of columns, each beside the next one of a list.
Lamina::ColumnGraph rows_in_order(const std::vector<int>& rows, int length) {
  Lamina::ColumnGraph graph;
  graph.areas.assign(rows.size() * static_cast<std::size_t>(length), 1.0);
  for (std::size_t n = 0; n < rows.size(); ++n) {
    for (int i = 0; i < length; ++i) {
      const int column = rows[n] * length + i;
      if (i + 1 < length) graph.edges.push_back({column, column + 1, 1, 1});
      if (n + 1 < rows.size()) graph.edges.push_back({column, rows[n + 1] * length + i, 1, 1});
    }
  }
  return graph;
}

TEST(ColumnPacks, LeaveOutAnEdgeThatWouldBeSouthOfBothItsColumns) {
  // Rows 0 and 1 both take row 3 to be in their south, before row 3 can choose.
  const auto graph = rows_in_order({0, 3, 1, 2, 4, 5}, 8);
  for (const int width : {2, 4}) {
    const auto rest = expect_some_packs_hold(neighbours_of(graph), width);
    EXPECT_EQ(rest, (std::vector{8, 9, 10, 11, 12, 13, 14, 15}));
    expect_edges_are_the_mesh(graph, width);
  }
}

TEST(ColumnPacks, AreNotThereWhereRowsAreNoMultipleOfTheWidth) {
  EXPECT_TRUE(find_column_packs(neighbours_of(Lamina::CubedSpherePanel(4, 5).graph()), 2).empty());
  EXPECT_TRUE(find_column_packs(neighbours_of(Lamina::CubedSpherePanel(4, 6).graph()), 4).empty());
  EXPECT_TRUE(find_column_packs(neighbours_of(Lamina::CubedSpherePanel(3, 3).graph()), 2).empty());
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

/// Each edge of a grid is in a list on one rank, and all columns are in packs. On a panel with an even
/// number of rows on each rank there are pairs, too.
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
    double sum = 0, sum_of_columns = 0;
    int count = 0, count_of_columns = 0;
    for (int rank = 0; rank < partition.num_ranks(); ++rank) {
      SCOPED_TRACE(testing::Message() << "rank " << rank << " of " << partition.num_ranks());
      const Lamina::LocalColumns local = local_of(partition, rank);
      const auto neighbours = neighbours_of(local.graph);
      expect_packs_hold(neighbours, width);
      if (is_panel) expect_pairs_hold(find_column_packs(neighbours, width), width);
      const EdgeSum over_packs = sum_over_edges(listed_edges(neighbours, width), local.columns);
      sum += over_packs.sum();
      count += over_packs.count();
      const EdgeSum over_columns =
          sum_over_edges(find_column_edges(neighbours, {}, width), local.columns);
      sum_of_columns += over_columns.sum();
      count_of_columns += over_columns.count();
    }
    EXPECT_EQ(count, expected.count());
    EXPECT_EQ(count_of_columns, expected.count());
    const double tolerance = rounding<double>(expected.count()) * expected.sum();
    EXPECT_NEAR(sum, expected.sum(), tolerance);
    EXPECT_NEAR(sum_of_columns, expected.sum(), tolerance);
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
  expect_split(Lamina::plane(8, 16, {}, 0.1, 0.2), Lamina::Partition::from_owners(owners, 2), false,
               [&](const Lamina::Partition& partition, int rank) {
                 return Lamina::local_plane(8, 16, partition, rank, {}, 0.1, 0.2);
               });
}

TEST(ColumnPacks, OfAPlaneOnManyRanksHaveEachEdgeOnce) {
  for (const int num_rows : {3, 4, 8}) {
    // Also one row on each rank, two ranks beside each other twice, and a rank beside itself.
    for (const std::array<int, 2> ranks : {std::array{1, 1}, {2, 1}, {num_rows, 1}, {2, 2}}) {
      const int length = 16;
      expect_split(Lamina::plane(num_rows, length, {}, 0.1, 0.2),
                   Lamina::Partition::grid({num_rows, length}, ranks), false,
                   [&](const Lamina::Partition& partition, int rank) {
                     return Lamina::local_plane(num_rows, length, partition, rank, {}, 0.1, 0.2);
                   });
    }
  }
}

}  // namespace
}  // namespace LaminaTest
