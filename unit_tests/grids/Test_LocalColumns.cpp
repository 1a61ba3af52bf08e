// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/grids/LocalColumns.hpp>
#include <lamina/grids/Plane.hpp>

#include <distributed/HaloCase.hpp>
#include <distributed/SimulatedTransport.hpp>
#include <gtest/gtest.h>
#include <support/MessageOf.hpp>

#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using Host = Kokkos::HostSpace;
using Lamina::ColumnGraph;
using Lamina::CubedSpherePanel;
using Lamina::InvalidArgument;
using Lamina::LocalColumns;
using Lamina::no_item;
using Lamina::PanelEdge;
using Lamina::Partition;
using LaminaTest::message_of;

using Local = std::function<LocalColumns(const Partition&, int rank)>;

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

/// What a column has, whatever its number: for each neighbour the coupling and whether the column is
/// the first of the edge; area, boundary.
struct Column {
  std::map<std::int64_t, std::pair<double, bool>> edges;
  double area = 0, boundary = 0;
  bool operator==(const Column&) const = default;
};

/// The owned columns of a mesh by their numbers in the whole grid.
std::map<std::int64_t, Column> columns_of(const ColumnGraph& graph,
                                          const std::vector<std::int64_t>& numbers) {
  const Lamina::ColumnMesh<Host> mesh(graph);
  std::map<std::int64_t, Column> columns;
  for (std::size_t n = 0; n < index(mesh.num_owned()); ++n) {
    Column& column = columns[numbers[n]];
    column.area = mesh.areas()(n);
    column.boundary = mesh.boundary_couplings()(n);
    for (std::size_t slot = 0; slot < index(mesh.max_neighbours()); ++slot) {
      const double coupling = mesh.couplings()(n, slot);
      if (coupling == 0) continue;
      column.edges[numbers[index(mesh.neighbours()(n, slot))]] = {coupling,
                                                                  mesh.is_first()(n, slot)};
    }
  }
  return columns;
}

/// The sum of all couplings of each owned column, as operators add them.
std::map<std::int64_t, double> coupling_sums(const LocalColumns& local) {
  const Lamina::ColumnMesh<Host> mesh(local.graph);
  std::map<std::int64_t, double> sums;
  for (std::size_t n = 0; n < index(mesh.num_owned()); ++n) {
    double sum = mesh.boundary_couplings()(n);
    for (std::size_t slot = 0; slot < index(mesh.max_neighbours()); ++slot) {
      sum += mesh.couplings()(n, slot);
    }
    sums[local.columns[n]] = sum;
  }
  return sums;
}

/// Halo columns are where the header says.
void expect_aligned(const LocalColumns& local) {
  const auto& halo = local.halo;
  EXPECT_EQ(index(halo.num_local), local.columns.size());
  EXPECT_EQ(local.graph.areas.size(), local.columns.size());
  if (halo.peers.empty()) {
    EXPECT_EQ(halo.num_local, halo.num_owned);
    return;
  }
  EXPECT_EQ(halo.halo_begin, (halo.num_owned + 15) / 16 * 16);
  EXPECT_EQ(halo.num_local % 16, 0);
  for (const auto& peer : halo.peers) EXPECT_EQ(peer.receive.front() % 4, 0);
}

/// Parts together are the whole, and peers agree.
void expect_parts(const ColumnGraph& whole, const Local& local_of, const Partition& partition) {
  std::vector<std::int64_t> all_numbers;
  for (std::int64_t n = 0; n < partition.num_items(); ++n) all_numbers.push_back(n);
  const auto expected = columns_of(whole, all_numbers);

  std::vector<LocalColumns> parts;
  std::set<std::int64_t> found;
  std::map<std::int64_t, double> sums;
  for (int rank = 0; rank < partition.num_ranks(); ++rank) {
    parts.push_back(local_of(partition, rank));
    const LocalColumns& local = parts.back();
    expect_aligned(local);
    const std::vector<std::int64_t> owned(local.columns.begin(),
                                          local.columns.begin() + local.graph.num_owned);
    EXPECT_EQ(owned, partition.items(rank));
    for (const auto& [number, column] : columns_of(local.graph, local.columns)) {
      EXPECT_TRUE(column == expected.at(number)) << "to the last bit: " << number;
      EXPECT_TRUE(found.insert(number).second) << number;
    }
    sums.merge(coupling_sums(local));
  }
  EXPECT_EQ(found.size(), expected.size());

  for (const LocalColumns& local : parts) {
    const auto num_owned = index(local.graph.num_owned);
    ASSERT_EQ(local.graph.halo_coupling_sums.size(), local.columns.size() - num_owned);
    for (std::size_t n = num_owned; n < local.columns.size(); ++n) {
      const std::int64_t column = local.columns[n];
      const double sum = local.graph.halo_coupling_sums[n - num_owned];
      EXPECT_EQ(sum, column == no_item ? 0 : sums.at(column)) << "to the last bit: " << column;
      EXPECT_EQ(local.graph.areas[n], column == no_item ? 1 : expected.at(column).area);
    }
  }

  // The pattern is the one that ranks find by asking each other.
  LaminaTest::run_on_ranks<Host>(partition.num_ranks(), [&](const Lamina::Transport& transport) {
    const LocalColumns& local = parts[index(transport.rank())];
    const auto end_of_owned = local.columns.begin() + local.graph.num_owned;
    const auto pattern = make_halo_pattern(transport, {local.columns.begin(), end_of_owned},
                                           {end_of_owned, local.columns.end()});
    EXPECT_EQ(local.halo.num_owned, pattern.num_owned);
    EXPECT_EQ(local.halo.halo_begin, pattern.halo_begin);
    EXPECT_EQ(local.halo.num_local, pattern.num_local);
    ASSERT_EQ(local.halo.peers.size(), pattern.peers.size());
    for (std::size_t n = 0; n < pattern.peers.size(); ++n) {
      EXPECT_EQ(local.halo.peers[n].rank, pattern.peers[n].rank);
      EXPECT_EQ(local.halo.peers[n].send, pattern.peers[n].send);
      EXPECT_EQ(local.halo.peers[n].receive, pattern.peers[n].receive);
    }
  });
}

void expect_parts_on_ranks(const ColumnGraph& whole, const Local& local_of, int nx, int ny) {
  for (const int num_ranks : {1, 2, 3, 4, 9}) {
    for (const auto& [name, partition] : LaminaTest::awkward_partitions(nx, ny, num_ranks)) {
      SCOPED_TRACE(name + ", ranks " + std::to_string(num_ranks));
      expect_parts(whole, local_of, partition);
    }
  }
}

TEST(LocalColumns, OfAPanelAreItsParts) {
  for (const auto& [nx, ny] : std::vector<std::pair<int, int>>{{1, 1}, {2, 1}, {5, 7}, {16, 20}}) {
    for (const PanelEdge edge : {PanelEdge::zero_flux, PanelEdge::dirichlet}) {
      const CubedSpherePanel panel(nx, ny);
      expect_parts_on_ranks(
          panel.graph(edge),
          [&](const Partition& partition, int rank) { return panel.local(partition, rank, edge); },
          nx, ny);
    }
  }
}

TEST(LocalColumns, OfAPlaneAreItsParts) {
  for (const auto& [nx, ny] : std::vector<std::pair<int, int>>{{3, 3}, {4, 5}, {9, 8}}) {
    expect_parts_on_ranks(
        Lamina::plane(nx, ny, {}, 2, 3),
        [&, nx = nx, ny = ny](const Partition& partition, int rank) {
          return Lamina::local_plane(nx, ny, partition, rank, {}, 2, 3);
        },
        nx, ny);
  }
}

TEST(LocalColumns, OfAnyGraphAreItsParts) {
  // A panel in another order, with edges that no grid has.
  ColumnGraph whole = CubedSpherePanel(6, 5).graph(PanelEdge::dirichlet);
  for (auto& edge : whole.edges) {
    edge.first = (7 * edge.first) % 30;
    edge.second = (7 * edge.second) % 30;
  }
  whole.edges.push_back({0, 29, 0.1, 0.7});
  whole.edges.push_back({3, 17, 0.3, 0.9});
  const Local local_of = [&](const Partition& partition, int rank) {
    return local_columns(whole, partition, rank);
  };
  expect_parts_on_ranks(whole, local_of, 6, 5);
  expect_parts(
      {}, [](const Partition& p, int rank) { return local_columns({}, p, rank); },
      Partition::blocks(0, 3));
}

TEST(LocalColumns, OfAWholePanelHaveRowsAsPacks) {
  // 32 x 32 columns on two ranks: each halo is one row, which begins at a pack.
  const auto local = CubedSpherePanel(32, 32).local(Partition::grid({32, 32}, {2, 1}), 1);
  ASSERT_EQ(local.halo.peers.size(), 1u);
  EXPECT_EQ(local.halo.halo_begin, 512);
  EXPECT_EQ(local.halo.num_local, 544);
  for (int n = 0; n < 32; ++n) {
    EXPECT_EQ(local.halo.peers[0].send[index(n)], n);
    EXPECT_EQ(local.halo.peers[0].receive[index(n)], 512 + n);
    EXPECT_EQ(local.columns[index(512 + n)], 15 * 32 + n);
  }
}

TEST(LocalColumns, RefuseOtherPartitionsAndGraphs) {
  const auto refusal = [](const auto& call) { return message_of<InvalidArgument>(call); };
  EXPECT_EQ(refusal([] { (void)CubedSpherePanel(3, 4).local(Partition::blocks(11, 2), 0); }),
            "Lamina::CubedSpherePanel::local: argument partition: expected 12 items, got 11");
  EXPECT_EQ(refusal([] { (void)CubedSpherePanel(3, 4).local(Partition::blocks(12, 2), 2); }),
            "Lamina::Partition::items: rank: expected 0 to 1, got 2");
  EXPECT_EQ(refusal([] { (void)Lamina::local_plane(3, 4, Partition::blocks(11, 2), 0); }),
            "Lamina::local_plane: argument partition: expected 12 items, got 11");
  EXPECT_EQ(refusal([] { (void)Lamina::local_plane(0, 4, Partition::blocks(8, 2), 0); }),
            "Lamina::local_plane: expected at least 1 x 1 cells, got 0 x 4");
  ColumnGraph graph;
  graph.areas = {1, 1};
  graph.edges = {{0, 2, 1, 1}};
  EXPECT_EQ(refusal([&] { (void)local_columns(graph, Partition::blocks(2, 1), 0); }),
            "Lamina::local_columns: whole: expected edges of columns 0 to 1, got 2");
  graph.num_owned = 1;
  EXPECT_EQ(refusal([&] { (void)local_columns(graph, Partition::blocks(2, 1), 0); }),
            "Lamina::local_columns: argument whole: expected 2 owned columns, got 1");
}

TEST(LocalColumns, KnowTheirEdgesInTheWholeGrid) {
  const ColumnGraph whole = CubedSpherePanel(5, 4).graph();
  for (int rank = 0; rank < 3; ++rank) {
    const auto local = Lamina::local_columns(whole, Partition::blocks(20, 3), rank);
    const auto edges = Lamina::edges_of_rank(whole, local);
    ASSERT_EQ(edges.size(), local.graph.edges.size());
    for (std::size_t e = 0; e < edges.size(); ++e) {
      const auto& mine = local.graph.edges[e];
      const auto& same = whole.edges[index(edges[e])];
      EXPECT_EQ(local.columns[index(mine.first)], same.first);
      EXPECT_EQ(local.columns[index(mine.second)], same.second);
    }
  }
  const auto other =
      Lamina::local_columns(CubedSpherePanel(4, 5).graph(), Partition::blocks(20, 3), 1);
  EXPECT_EQ(message_of<InvalidArgument>([&] { Lamina::edges_of_rank(whole, other); }).substr(0, 68),
            "Lamina::edges_of_rank: local: expected edges of the whole graph, got");
}

}  // namespace
