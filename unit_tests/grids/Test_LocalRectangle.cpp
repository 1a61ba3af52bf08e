// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/distributed/HaloExchange.hpp>
#include <lamina/grids/LocalRectangle.hpp>
#include <lamina/grids/impl/LineRun.hpp>

#include <distributed/SimulatedTransport.hpp>
#include <gtest/gtest.h>
#include <support/MessageOf.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace {

using Lamina::HaloPattern;
using Lamina::InvalidArgument;
using Lamina::Partition;
using Lamina::Rectangle;
using Lamina::Impl::LineRun;
using LaminaTest::message_of;

using Host = Kokkos::HostSpace;

std::size_t index(int i) { return static_cast<std::size_t>(i); }

/// Strips of so many columns on as many ranks, some of which have none.
std::vector<Partition> partitions(int num_columns, int num_ranks) {
  std::vector<int> last(index(num_columns), num_ranks - 1), backwards, outer;
  for (int column = 0; column < num_columns; ++column) {
    backwards.push_back(num_ranks - 1 - column * num_ranks / num_columns);
    outer.push_back(2 * column < num_columns ? 0 : num_ranks - 1);
  }
  return {Partition::blocks(num_columns, num_ranks), Partition::from_owners(last, num_ranks),
          Partition::from_owners(backwards, num_ranks), Partition::from_owners(outer, num_ranks)};
}

TEST(LocalRectangle, HaloColumnsAreThoseBesideTheStrip) {
  for (const int num_columns : {1, 2, 7, 12}) {
    for (const int num_ranks : {1, 2, 3, 5}) {
      for (const Partition& partition : partitions(num_columns, num_ranks)) {
        LaminaTest::run_on_ranks<Host>(num_ranks, [&](const Lamina::Transport& transport) {
          const auto local = Lamina::local_rectangle({num_columns, 9}, partition, transport.rank());
          ASSERT_EQ(local.owned, (Rectangle{local.halo.num_owned, 9}));
          const Kokkos::View<double*, Host> numbers("LaminaTest::numbers",
                                                    index(local.halo.num_local));
          for (int i = 0; i < local.owned.nx; ++i) {
            EXPECT_EQ(partition.owner(local.first + i), transport.rank());
            numbers(index(i)) = local.first + i;
          }
          const Lamina::HaloExchange<Host> halo(transport, local.halo, sizeof(double));
          const Kokkos::DefaultHostExecutionSpace space;
          halo.start(space, numbers);
          halo.finish(space);
          const int last = local.first + local.owned.nx - 1;
          EXPECT_EQ(local.before >= 0, local.owned.nx > 0 && local.first > 0);
          EXPECT_EQ(local.behind >= 0, local.owned.nx > 0 && last + 1 < num_columns);
          if (local.before >= 0) {
            EXPECT_EQ(numbers(index(local.before)), local.first - 1);
          }
          if (local.behind >= 0) {
            EXPECT_EQ(numbers(index(local.behind)), last + 1);
          }
        });
      }
    }
  }
}

TEST(LocalRectangle, RefusesWhatIsNoStrip) {
  EXPECT_EQ(message_of<InvalidArgument>([] {
              Lamina::local_rectangle({4, 0}, Partition::blocks(4, 2), 0);
            }),
            "Lamina::local_rectangle: argument rectangle: expected extents >= 1, got 4 x 0");
  EXPECT_THROW(Lamina::local_rectangle({4, 3}, Partition::blocks(5, 2), 0), InvalidArgument);
  EXPECT_THROW(Lamina::local_rectangle({4, 3}, Partition::blocks(4, 2), 2), InvalidArgument);
  const auto mixed = Partition::from_owners({0, 1, 0, 1}, 3);
  for (const int rank : {0, 1, 2}) {
    EXPECT_EQ(message_of<InvalidArgument>([&] {
                Lamina::local_rectangle({4, 3}, mixed, rank);
              }),
              "Lamina::local_rectangle: partition: expected consecutive lines on each rank, got "
              "others on rank 0");
  }
}

/// Lines of two ranks of a period: both neighbours are the same rank, and there is one message.
TEST(LineRun, OfTwoRanksOfAPeriodIsOneMessage) {
  const auto partition = Partition::blocks(5, 2);
  const auto run = LineRun::of("here", partition, 5, 0, true);
  EXPECT_EQ(run.before, 1);
  EXPECT_EQ(run.behind, 1);
  EXPECT_EQ(run.shortest, 2);
  const auto peers = run.peers(1, run.count, 0, run.count + 1);
  ASSERT_EQ(peers.size(), 1);
  EXPECT_EQ(peers[0].rank, 1);
  EXPECT_EQ(peers[0].receive, (std::vector<int>{0, run.count + 1}));
  EXPECT_EQ(peers[0].send, (std::vector<int>{run.count, 1}));
}

TEST(LineRun, OfOneRankOfAPeriodIsBesideItself) {
  const auto run = LineRun::of("here", Partition::blocks(5, 1), 5, 0, true);
  const auto peers = run.peers(1, 5, 0, 6);
  ASSERT_EQ(peers.size(), 1);
  EXPECT_EQ(peers[0].rank, 0);
  EXPECT_EQ(peers[0].receive, (std::vector<int>{0, 6}));
  EXPECT_EQ(peers[0].send, (std::vector<int>{5, 1}));
}

TEST(LineRun, SkipsRanksWithoutLines) {
  const auto partition = Partition::from_owners({0, 0, 3, 3}, 4);
  const auto run = LineRun::of("here", partition, 4, 0, true);
  EXPECT_EQ(run.before, 3);
  EXPECT_EQ(run.behind, 3);
  const auto empty = LineRun::of("here", partition, 4, 1, true);
  EXPECT_EQ(empty.count, 0);
  EXPECT_TRUE(empty.peers(1, 0, 0, 1).empty());
  EXPECT_EQ(empty.shortest, 2);
}

}  // namespace
