// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Kokkos_Core.hpp>
#define TEST_SPACE Kokkos::DefaultHostExecutionSpace

#include <lamina/blocks/LocalBlockRows.hpp>

#include <distributed/RankBlocks.hpp>
#include <distributed/SimulatedTransport.hpp>
#include <gtest/gtest.h>
#include <support/MessageOf.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace LaminaTest {
namespace {

using Lamina::LocalBlockRows;
using Lamina::OwnBlockRows;
using Lamina::Transport;

std::size_t at(std::int64_t n) { return static_cast<std::size_t>(n); }

std::vector<int> colours_of(const Lamina::ColourOrdering& ordering) {
  std::vector<int> colours(at(ordering.num_rows()));
  for (int colour = 0; colour < ordering.num_colours(); ++colour) {
    for (int n = ordering.offsets()[at(colour)]; n < ordering.offsets()[at(colour) + 1]; ++n) {
      colours[at(ordering.old_rows()[at(n)])] = colour;
    }
  }
  return colours;
}

/// What a user has who knows his own rows only, the last one first.
OwnBlockRows own_rows(const Lamina::BlockGraph& graph, const Lamina::ColourOrdering& ordering,
                      const Lamina::Partition& partition, int rank) {
  const auto colours = colours_of(ordering);
  OwnBlockRows own;
  own.rows = partition.items(rank);
  std::reverse(own.rows.begin(), own.rows.end());
  own.offsets.push_back(0);
  for (const std::int64_t row : own.rows) {
    own.colours.push_back(colours[at(row)]);
    own.places.push_back(ordering.new_rows()[at(row)]);
    own.columns.push_back(row);
    for (auto k = graph.offsets[at(row)]; k < graph.offsets[at(row) + 1]; ++k) {
      own.columns.push_back(graph.columns[at(k)]);
    }
    own.offsets.push_back(static_cast<std::int64_t>(own.columns.size()));
  }
  return own;
}

/// Every list of a rank, from its definition.
void expect_order(const LocalBlockRows& local, const Lamina::BlockGraph& graph,
                  const Lamina::ColourOrdering& whole, const Lamina::Partition& partition,
                  int rank) {
  const auto colours = colours_of(whole);
  const auto& ordering = local.ordering;
  const auto global = [&](int column) {
    return local.numbers[at(column < local.num_owned() ? ordering.old_rows()[at(column)] : column)];
  };
  ASSERT_EQ(ordering.num_colours(), whole.num_colours());
  ASSERT_EQ(ordering.num_rows(), partition.num_items(rank));
  std::vector<std::tuple<int, bool, int>> rows;  // colour, needed by nobody, place
  for (int n = 0; n < local.num_owned(); ++n) {
    const std::int64_t row = global(n);
    EXPECT_EQ(partition.owner(row), rank);
    bool inner = true;
    for (auto k = graph.offsets[at(row)]; k < graph.offsets[at(row) + 1]; ++k) {
      inner = inner && partition.owner(graph.columns[at(k)]) == rank;
    }
    const int colour = colours[at(row)];
    EXPECT_GE(n, ordering.offsets()[at(colour)]);
    EXPECT_LT(n, ordering.offsets()[at(colour) + 1]);
    EXPECT_EQ(inner, n >= ordering.boundary_end(colour));
    rows.emplace_back(colour, inner, whole.new_rows()[at(row)]);
  }
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
  std::vector<std::tuple<int, int, std::int64_t>> halo;  // owner, colour, number
  for (int n = local.num_owned(); n < local.halo.num_local; ++n) {
    halo.emplace_back(partition.owner(global(n)), colours[at(global(n))], global(n));
  }
  EXPECT_TRUE(std::is_sorted(halo.begin(), halo.end()));
  for (int a = 0; a < local.halo.num_local; ++a) {
    for (int b = 0; b < a; ++b) {
      EXPECT_EQ(ordering.place(a) < ordering.place(b),
                whole.new_rows()[at(global(a))] < whole.new_rows()[at(global(b))]);
    }
  }
  for (int colour = 0; colour < whole.num_colours(); ++colour) {
    EXPECT_EQ(ordering.colour_rows(colour), whole.colour_rows(colour));
  }
}

TEST(LocalBlockRows, AreInOrderOnAwkwardPartitions) {
  const auto graph = Lamina::FreudenthalMesh(4, 3, 3).graph();
  const auto ordering = Lamina::ColourOrdering::greedy(graph);
  for (const int num_ranks : {1, 2, 3, 5, 9}) {
    for (const auto& [name, partition] : partitions_of_rows(ordering, num_ranks)) {
      SCOPED_TRACE(name + " on " + std::to_string(num_ranks));
      run_on_ranks<Memory>(num_ranks, [&, &partition = partition](const Transport& transport) {
        const int rank = transport.rank();
        const auto cut = local_block_rows(graph, ordering, partition, rank);
        expect_order(cut, graph, ordering, partition, rank);
        const auto own = own_rows(graph, ordering, partition, rank);
        const auto built = make_local_block_rows(transport, own);
        expect_order(built, graph, ordering, partition, rank);
        ASSERT_EQ(built.halo.peers.size(), cut.halo.peers.size());
        for (std::size_t n = 0; n < cut.halo.peers.size(); ++n) {
          EXPECT_EQ(built.halo.peers[n].rank, cut.halo.peers[n].rank);
          EXPECT_EQ(built.halo.peers[n].send, cut.halo.peers[n].send);
          EXPECT_EQ(built.halo.peers[n].send_parts, cut.halo.peers[n].send_parts);
          EXPECT_EQ(built.halo.peers[n].receive, cut.halo.peers[n].receive);
          EXPECT_EQ(built.halo.peers[n].receive_parts, cut.halo.peers[n].receive_parts);
        }
        for (std::size_t k = 0; k < own.columns.size(); ++k) {
          EXPECT_EQ(built.numbers[at(built.columns[k])], own.columns[k]);
        }
      });
    }
  }
}

/// Halo rows hold the global numbers of their rows after an exchange, in either order of vectors.
TEST(LocalBlockRows, ExchangeWhatTheyName) {
  const auto graph = Lamina::FreudenthalMesh(4, 3, 3).graph();
  const auto ordering = Lamina::ColourOrdering::greedy(graph);
  for (const auto order : {Lamina::VectorOrder::user, Lamina::VectorOrder::colour}) {
    run_on_ranks<Memory>(4, [&](const Transport& transport) {
      const auto local =
          local_block_rows(graph, ordering, Lamina::Partition::blocks(36, 4), transport.rank());
      const Lamina::HaloExchange<Memory> halo(transport, local.halo_in(order), sizeof(double));
      const Kokkos::View<double*, Memory> x("LaminaTest::x", at(local.halo.num_local));
      for (int n = 0; n < local.num_owned(); ++n) {
        const int old = order == Lamina::VectorOrder::user ? n : local.ordering.old_rows()[at(n)];
        x(n) = static_cast<double>(local.numbers[at(old)]);
      }
      for (int colour = 0; colour < local.ordering.num_colours(); ++colour) {
        halo.start_part(TEST_SPACE(), colour, x);
        halo.finish(TEST_SPACE());
      }
      for (int n = local.num_owned(); n < local.halo.num_local; ++n) {
        EXPECT_EQ(x(n), static_cast<double>(local.numbers[at(n)]));
      }
    });
  }
}

/// A row may name one that does not name it. Both are swept beside those that have to do with one rank alone.
TEST(LocalBlockRows, NeedNoSymmetry) {
  run_on_ranks<Memory>(2, [&](const Transport& transport) {
    const bool first = transport.rank() == 0;
    const auto local =
        make_local_block_rows(transport, first ? OwnBlockRows{{10}, {0}, {0, 2}, {10, 20}}
                                               : OwnBlockRows{{20}, {1}, {0, 1}, {20}});
    EXPECT_EQ(local.num_halo(), first ? 1 : 0);
    const auto count = [&](int colour) {
      return local.ordering.boundary_end(colour) - local.ordering.offsets()[at(colour)];
    };
    EXPECT_EQ(count(0), first ? 1 : 0);
    EXPECT_EQ(count(1), first ? 0 : 1);
  });
}

TEST(LocalBlockRows, RefuseWhatDoesNotFit) {
  const auto message = [](const OwnBlockRows& of_rank_1) {
    return message_of<Lamina::RankFailure>([&] {
      run_on_ranks<Memory>(2, [&](const Transport& transport) {
        const OwnBlockRows of_rank_0{{0, 1}, {0, 1}, {0, 1, 2}, {1, 2}};
        make_local_block_rows(transport, transport.rank() == 0 ? of_rank_0 : of_rank_1);
      });
    });
  };
  EXPECT_EQ(message({{2}, {0}, {0}, {}}),
            "rank 1: Lamina::make_local_block_rows: argument offsets: expected 2 entries, got 1");
  EXPECT_EQ(message({{2}, {0}, {0, 2}, {1}}),
            "rank 1: Lamina::make_local_block_rows: offsets: expected ascending entries from 0 to "
            "1, the number of columns");
  EXPECT_EQ(message({{2}, {-1}, {0, 1}, {1}}),
            "rank 1: Lamina::make_local_block_rows: colours: expected values >= 0, got -1");
  EXPECT_EQ(message({{2}, {1}, {0, 1}, {1}}),
            "rank 0: Lamina::make_local_block_rows: colours: expected different colours of the "
            "coupled rows 1 and 2, got 1 for both");
  EXPECT_EQ(message({{2}, {0}, {0, 1}, {0}, {0}}).substr(0, 80),
            "rank 0: Lamina::make_local_block_rows: places: expected another place for each r");
  EXPECT_EQ(message({{3}, {0}, {0, 0}, {}}),
            "rank 0: Lamina::make_halo_pattern: halo: item 2: expected an owner, got none");
}

}  // namespace
}  // namespace LaminaTest
