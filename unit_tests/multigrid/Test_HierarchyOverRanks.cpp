// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Kokkos_Core.hpp>
#define TEST_SPACE Kokkos::DefaultHostExecutionSpace

#include <lamina/core/Require.hpp>

#include <gtest/gtest.h>
#include <multigrid/RankHierarchies.hpp>
#include <support/MessageOf.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace LaminaTest {
namespace {

using Lamina::Coarsening;
using Lamina::ColumnHierarchy;

double owned_area(const HierarchyLevel& level) {
  double sum = 0;
  for (int c = 0; c < level.graph.count_owned(); ++c) sum += level.graph.areas[index(c)];
  return sum;
}

TEST(HierarchyOverRanks, LevelsHaveTheAreaOfTheGridAndEndOnAllRanks) {
  for_each_hierarchy([](const auto& transport, const auto& graph, const auto& hierarchy) {
    double whole = 0;
    for (const double area : graph.areas) whole += area;
    std::int64_t finer = -1;
    for (const HierarchyLevel& level : hierarchy.levels()) {
      const double mine = owned_area(level);
      double area = mine;
      std::int64_t columns = level.graph.count_owned();
      if (level.is_shared) {
        area = 0;
        for (const double part : Lamina::Impl::gather_values(transport, mine)) area += part;
        columns = RankNumbers(transport, columns).total();
      }
      EXPECT_NEAR(area, whole, 1e-12 * whole);
      EXPECT_TRUE(finer < 0 || columns < finer || level.coarsening == Coarsening::gather);
      finer = columns;
    }
    EXPECT_TRUE(hierarchy.levels().back().graph.edges.empty()) << "coarsening did not end";
    const int count = hierarchy.num_levels();
    for (const int other : Lamina::Impl::gather_values(transport, count)) EXPECT_EQ(other, count);
  });
}

/// Edges of a level as the owner of a column has them, and as its neighbours do. Collective.
void expect_same_couplings(const Lamina::Transport& transport, const HierarchyLevel& level) {
  const auto numbers = numbers_of(transport, level);
  struct Seen {
    std::array<std::int64_t, 2> columns;
    std::array<double, 2> flux;
  };
  std::vector<Seen> seen;
  for (const auto& edge : level.graph.edges) {
    seen.push_back(
        {{numbers[index(edge.first)], numbers[index(edge.second)]}, {edge.length, edge.distance}});
  }
  std::map<std::array<std::int64_t, 2>, std::array<double, 2>> known;
  const std::vector<std::vector<Seen>> to_all(index(transport.size()), seen);
  for (const auto& list : Lamina::Impl::exchange_lists(transport, to_all)) {
    for (const auto& [columns, flux] : list) {
      const auto [entry, is_new] = known.emplace(columns, flux);
      EXPECT_EQ(entry->second, flux);
      EXPECT_FALSE(level.is_shared && known.count({columns[1], columns[0]}) > 0)
          << "not all ranks name the same column first";
    }
  }
}

/// Rows of P as the owner of a column has them, and as its neighbours do. Collective.
void expect_same_weights(const Lamina::Transport& transport, const HierarchyLevel& level,
                         const HierarchyLevel& coarser) {
  const auto coarse = numbers_of(transport, coarser);
  std::vector<std::array<std::int64_t, 3>> columns;
  for (const auto& row : level.transfer.columns) {
    auto& entries = columns.emplace_back();
    for (std::size_t n = 0; n < 3; ++n) entries[n] = coarse[index(row[n])];
  }
  auto weights = level.transfer.weights;
  const auto here = weights;
  const auto columns_here = columns;
  update_halo(transport, level.halo, weights);
  update_halo(transport, level.halo, columns);
  for (const auto& edge : level.graph.edges) {
    for (const int c : {edge.first, edge.second}) {
      EXPECT_EQ(here[index(c)], weights[index(c)]);
      for (std::size_t n = 0; n < 3; ++n) {
        if (here[index(c)][n] == 0) continue;
        EXPECT_EQ(columns_here[index(c)][n], columns[index(c)][n]);
      }
    }
  }
}

TEST(HierarchyOverRanks, AllRanksHaveTheSameCouplingsAndWeights) {
  for_each_hierarchy([](const auto& transport, const auto&, const auto& hierarchy) {
    const auto& levels = hierarchy.levels();
    for (std::size_t l = 0; l < levels.size(); ++l) {
      expect_same_couplings(transport, levels[l]);
      if (l + 1 < levels.size()) expect_same_weights(transport, levels[l], levels[l + 1]);
    }
  });
}

TEST(HierarchyOverRanks, IsThatOfOneProcessWhereRectanglesFit) {
  const Lamina::CubedSpherePanel panel(32, 16);
  const ColumnHierarchy alone(panel.graph());
  for (const auto& [gathered, num_shared] :
       {std::pair(8, 3), std::pair(32, 2), std::pair(1024, 1)}) {
    run_on_ranks<Memory>(
        4, [&, gathered = gathered, num_shared = num_shared](const Lamina::Transport& transport) {
          const auto partition = Lamina::Partition::grid({32, 16}, {2, 2});
          const ColumnHierarchy hierarchy(transport, panel.local(partition, transport.rank()),
                                          {.gathered_columns = gathered});
          int shared = 0;
          for (const HierarchyLevel& level : hierarchy.levels()) shared += level.is_shared ? 1 : 0;
          EXPECT_EQ(shared, num_shared);
          std::size_t next = 0;
          for (const HierarchyLevel& level : hierarchy.levels()) {
            const auto& expected = alone.levels()[next++].graph;
            if (level.is_shared) {
              EXPECT_EQ(RankNumbers(transport, level.graph.count_owned()).total(),
                        static_cast<std::int64_t>(expected.areas.size()));
              continue;
            }
            // In the order of one process.
            ASSERT_EQ(level.graph.areas.size(), expected.areas.size());
            for (std::size_t c = 0; c < expected.areas.size(); ++c) {
              EXPECT_NEAR(level.graph.areas[c], expected.areas[c], 1e-15);
            }
            ASSERT_EQ(level.graph.edges.size(), expected.edges.size());
            for (std::size_t e = 0; e < expected.edges.size(); ++e) {
              EXPECT_EQ(level.graph.edges[e].first, expected.edges[e].first);
              EXPECT_EQ(level.graph.edges[e].second, expected.edges[e].second);
              EXPECT_NEAR(level.graph.edges[e].length, expected.edges[e].length, 1e-14);
              EXPECT_NEAR(level.graph.edges[e].distance, expected.edges[e].distance, 1e-14);
            }
          }
          EXPECT_EQ(next, alone.levels().size());
        });
  }
}

// Rank 0 has a rectangle, the others have some or none.
TEST(HierarchyOverRanks, CoarsensInRowsWhereAllRanksCan) {
  const auto graph = Lamina::CubedSpherePanel(16, 16).graph();
  for (const bool all : {true, false}) {
    std::vector<int> owners;
    for (int c = 0; c < 256; ++c) owners.push_back(c < 128 ? 0 : c < (all ? 192 : 188) ? 1 : 2);
    const auto partition = Lamina::Partition::from_owners(owners, 3);
    run_on_ranks<Memory>(3, [&](const Lamina::Transport& transport) {
      const ColumnHierarchy hierarchy(transport,
                                      Lamina::local_columns(graph, partition, transport.rank()),
                                      {.gathered_columns = 16});
      const auto expected = all ? Coarsening::rows : Coarsening::growth;
      ASSERT_GE(hierarchy.num_levels(), 3);
      EXPECT_EQ(hierarchy.levels()[1].coarsening, expected);
      EXPECT_EQ(hierarchy.levels()[2].coarsening, expected);
    });
  }
}

TEST(HierarchyOverRanks, RefusesParametersThatRanksHaveNotAlike) {
  const auto graph = Lamina::CubedSpherePanel(6, 6).graph();
  run_on_ranks<Memory>(2, [&](const Lamina::Transport& transport) {
    const auto local =
        Lamina::local_columns(graph, Lamina::Partition::blocks(36, 2), transport.rank());
    EXPECT_EQ(message_of<Lamina::InvalidArgument>([&] {
                const ColumnHierarchy wrong(transport, local,
                                            {.gathered_columns = 8 + transport.rank()});
              }),
              "Lamina::ColumnHierarchy: gathered_columns: expected the same on all ranks, got 8 on "
              "rank 0 and 9 on rank 1");
    EXPECT_EQ(message_of<Lamina::InvalidArgument>([&] {
                const ColumnHierarchy wrong(transport, local, {.use_rows = transport.rank() == 0});
              }),
              "Lamina::ColumnHierarchy: use_rows: expected the same on all ranks, got 1 on rank 0 "
              "and 0 on rank 1");
  });
}

TEST(HierarchyOverRanks, RefusesHalosThatDoNotFit) {
  const auto graph = Lamina::CubedSpherePanel(6, 6).graph();
  const auto refusal = [&](const auto& spoil) {
    std::string message;
    run_on_ranks<Memory>(2, [&](const Lamina::Transport& transport) {
      auto local = Lamina::local_columns(graph, Lamina::Partition::blocks(36, 2), transport.rank());
      if (transport.rank() == 1) spoil(local);
      const std::string mine =
          message_of<Lamina::RankFailure>([&] { const ColumnHierarchy wrong(transport, local); });
      if (transport.rank() == 0) message = mine;
    });
    return message;
  };
  using Local = Lamina::LocalColumns;
  EXPECT_EQ(refusal([](Local& local) { local.halo.peers[0].rank = 5; }),
            "rank 1: Lamina::ColumnHierarchy: pattern: expected peers by ascending rank below 2, "
            "got 5 after -1");
  EXPECT_EQ(refusal([](Local& local) { local.halo.peers[0].send[0] = 1000; }),
            "rank 1: Lamina::ColumnHierarchy: send: expected local numbers from 0 to below 18, got "
            "1000");
  EXPECT_EQ(refusal([](Local& local) { local.halo.peers[0].send.pop_back(); }),
            "rank 0: Lamina::ColumnHierarchy: pattern: expected 6 items from rank 1, which sends "
            "5");
  EXPECT_EQ(refusal([](Local& local) { local.halo.peers.clear(); }),
            "rank 1: Lamina::ColumnHierarchy: local: expected messages with all halo columns that "
            "have edges, got none with column 32");
}

TEST(HierarchyOverRanks, KnowsCentresOnlyWhereAllRanksDo) {
  const auto graph = Lamina::voronoi_plane(9, 8);
  for (const bool all : {true, false}) {
    run_on_ranks<Memory>(3, [&](const Lamina::Transport& transport) {
      auto local = Lamina::local_columns(graph, Lamina::Partition::blocks(72, 3), transport.rank());
      if (!all && transport.rank() == 1) local.graph.centres.points.clear();
      const ColumnHierarchy hierarchy(transport, local, {.gathered_columns = 0});
      for (const HierarchyLevel& level : hierarchy.levels()) {
        EXPECT_EQ(level.graph.centres.points.size(), all ? level.graph.areas.size() : 0);
        EXPECT_EQ(level.graph.centres.surface, Lamina::ColumnCentres::Surface::plane);
      }
    });
  }
}

}  // namespace
}  // namespace LaminaTest
