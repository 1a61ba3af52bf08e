// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/distributed/HaloPattern.hpp>

#include <distributed/HaloCase.hpp>
#include <distributed/SimulatedTransport.hpp>
#include <gtest/gtest.h>
#include <support/MessageOf.hpp>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using Host = Kokkos::HostSpace;
using Lamina::HaloPattern;
using Lamina::InvalidArgument;
using Lamina::make_halo_pattern;
using Lamina::Transport;
using LaminaTest::HaloGraph;
using LaminaTest::RankItems;
using LaminaTest::run_on_ranks;

/// What the rank must receive: (owner, item, local number), found by looking at each place.
using Wanted = std::set<std::tuple<int, std::int64_t, int>>;
Wanted wanted_by(const RankItems& items, const Lamina::Partition& partition) {
  Wanted wanted;
  for (int local = static_cast<int>(items.owned.size()); local < items.size(); ++local) {
    const std::int64_t item = items.global(local);
    if (item != Lamina::no_item) wanted.insert({partition.owner(item), item, local});
  }
  return wanted;
}

void expect_pattern(const HaloPattern& pattern, const std::vector<RankItems>& all, int rank,
                    const Lamina::Partition& partition) {
  const RankItems& items = all[static_cast<std::size_t>(rank)];
  EXPECT_EQ(pattern.num_owned, static_cast<int>(items.owned.size()));
  EXPECT_EQ(pattern.num_local, items.size());
  EXPECT_EQ(pattern.num_parts, 1);
  std::map<int, std::vector<int>> receive, send;
  for (const auto& [owner, item, local] : wanted_by(items, partition)) {
    receive[owner].push_back(local);
  }
  for (std::size_t other = 0; other < all.size(); ++other) {
    for (const auto& [owner, item, local] : wanted_by(all[other], partition)) {
      if (owner != rank) continue;
      const auto at = std::find(items.owned.begin(), items.owned.end(), item);
      send[static_cast<int>(other)].push_back(static_cast<int>(at - items.owned.begin()));
    }
  }
  std::map<int, std::vector<int>> found_receive, found_send;
  int last = -1;
  for (const auto& peer : pattern.peers) {
    EXPECT_GT(peer.rank, last) << "peers are sorted";
    last = peer.rank;
    EXPECT_FALSE(peer.send.empty() && peer.receive.empty());
    if (!peer.receive.empty()) found_receive[peer.rank] = peer.receive;
    if (!peer.send.empty()) found_send[peer.rank] = peer.send;
  }
  EXPECT_EQ(found_receive, receive);
  EXPECT_EQ(found_send, send);
}

void expect_patterns(int nx, int ny, int num_ranks, bool mirrored) {
  const auto graph = HaloGraph::torus(nx, ny);
  for (const auto& [name, partition] : LaminaTest::awkward_partitions(nx, ny, num_ranks)) {
    SCOPED_TRACE(name + ", ranks " + std::to_string(num_ranks));
    std::vector<RankItems> all;
    for (int rank = 0; rank < num_ranks; ++rank) {
      all.push_back(rank_items(graph, partition, rank, mirrored));
    }
    run_on_ranks<Host>(num_ranks, [&, &partition = partition](const Transport& transport) {
      const RankItems& items = all[static_cast<std::size_t>(transport.rank())];
      const auto pattern = make_halo_pattern(transport, items.owned, items.halo);
      expect_pattern(pattern, all, transport.rank(), partition);
    });
  }
}

TEST(HaloPattern, IsThatOfABruteForceSearch) {
  for (const int num_ranks : {1, 2, 3, 4, 5, 9}) {
    expect_patterns(5, 4, num_ranks, false);
    expect_patterns(7, 1, num_ranks, false);
  }
}

TEST(HaloPattern, MayHoldOwnItemsSeveralTimes) {
  for (const int num_ranks : {1, 2, 3}) {
    expect_patterns(4, 3, num_ranks, true);
    expect_patterns(1, 3, num_ranks, true);
    expect_patterns(2, 2, num_ranks, true);
  }
}

TEST(HaloPattern, OfOneProcessCopiesWithinIt) {
  const auto transport = Lamina::make_loopback_transport();
  // A periodic line of three cells with a ghost cell at either end.
  const auto pattern = make_halo_pattern(*transport, {10, 11, 12}, {12, 10});
  EXPECT_EQ(pattern.halo_begin, 3);
  ASSERT_EQ(pattern.peers.size(), 1u);
  EXPECT_EQ(pattern.peers[0].rank, 0);
  EXPECT_EQ(pattern.peers[0].send, (std::vector<int>{0, 2}));
  EXPECT_EQ(pattern.peers[0].receive, (std::vector<int>{4, 3}));
  EXPECT_TRUE(make_halo_pattern(*transport, {}, {}).peers.empty());
  const auto unused = make_halo_pattern(*transport, {5}, {Lamina::no_item, Lamina::no_item});
  EXPECT_EQ(unused.halo_begin, 3);
  EXPECT_TRUE(unused.peers.empty());
}

TEST(HaloPattern, BeginsItsHaloAfterUnusedPlaces) {
  const auto pattern = make_halo_pattern(*Lamina::make_loopback_transport(), {0, 1},
                                         {Lamina::no_item, 1, Lamina::no_item});
  EXPECT_EQ(pattern.num_owned, 2);
  EXPECT_EQ(pattern.halo_begin, 3);
  EXPECT_EQ(pattern.num_local, 5);
}

/// The message that all ranks get where rank r has these lists.
std::string refusal(const std::vector<RankItems>& lists) {
  std::set<std::string> messages;
  run_on_ranks<Host>(static_cast<int>(lists.size()), [&](const Transport& transport) {
    const auto& [owned, halo] = lists[static_cast<std::size_t>(transport.rank())];
    messages.insert(LaminaTest::message_of<Lamina::RankFailure>(
        [&, &owned = owned, &halo = halo] { (void)make_halo_pattern(transport, owned, halo); }));
  });
  return messages.size() == 1 ? *messages.begin() : "not the same on all ranks";
}

TEST(HaloPattern, SaysOnAllRanksWhatIsWrongOnOne) {
  const std::string prefix = "Lamina::make_halo_pattern: ";
  EXPECT_EQ(refusal({{{0}, {1}}, {{1}, {0}}}), "nothing was thrown");
  EXPECT_EQ(refusal({{{0}, {}}, {{1}, {}}, {{2, -3}, {}}}),
            "rank 2: " + prefix + "owned: expected numbers >= 0, got -3");
  EXPECT_EQ(refusal({{{0}, {}}, {{1}, {-2}}}),
            "rank 1: " + prefix + "halo: expected numbers >= 0 or no_item, got -2");
  // The rank that looks items up says it: 7 is odd.
  EXPECT_EQ(refusal({{{7}, {}}, {{7, 8}, {}}}),
            "rank 1: " + prefix + "item 7: expected one owner, got it from ranks 0 and 1");
  EXPECT_EQ(refusal({{{0}, {}}, {{1}, {5}}}),
            "rank 1: " + prefix + "halo: item 5: expected an owner, got none");
}

TEST(HaloPattern, IsSplitIntoPartsThatKeepTheOrder) {
  const auto graph = HaloGraph::torus(6, 5);
  const auto part_of = [](std::int64_t item) { return static_cast<int>(item % 3); };
  for (const auto& [name, partition] : LaminaTest::awkward_partitions(6, 5, 4)) {
    run_on_ranks<Host>(4, [&, &partition = partition](const Transport& transport) {
      const auto items = rank_items(graph, partition, transport.rank());
      const auto whole = make_halo_pattern(transport, items.owned, items.halo);
      std::vector<int> parts;
      for (int local = 0; local < items.size(); ++local) {
        const std::int64_t item = items.global(local);
        parts.push_back(item == Lamina::no_item ? 99 : part_of(item));
      }
      const auto split = split_into_parts(whole, parts, 4);  // the last one is empty
      EXPECT_EQ(split.num_parts, 4);
      ASSERT_EQ(split.peers.size(), whole.peers.size());
      for (std::size_t n = 0; n < split.peers.size(); ++n) {
        const auto expect = [&](const std::vector<int>& all, const std::vector<int>& sorted,
                                const std::vector<int>& offsets) {
          ASSERT_EQ(offsets.size(), 5u);
          for (std::size_t part = 0; part < 4; ++part) {
            std::vector<int> expected;
            for (const int item : all) {
              if (part_of(items.global(item)) == static_cast<int>(part)) expected.push_back(item);
            }
            const std::vector<int> found(sorted.begin() + offsets[part],
                                         sorted.begin() + offsets[part + 1]);
            EXPECT_EQ(found, expected);
          }
          EXPECT_EQ(all.size(), sorted.size());
        };
        expect(whole.peers[n].send, split.peers[n].send, split.peers[n].send_parts);
        expect(whole.peers[n].receive, split.peers[n].receive, split.peers[n].receive_parts);
      }
    });
  }
}

TEST(HaloPattern, RefusesPartsOutOfRange) {
  const auto pattern =
      make_halo_pattern(*Lamina::make_loopback_transport(), {10, 11, 12}, {12, 10});
  const auto refusal_of = [&](const std::vector<int>& parts, int num_parts) {
    return LaminaTest::message_of<InvalidArgument>(
        [&] { (void)split_into_parts(pattern, parts, num_parts); });
  };
  EXPECT_EQ(refusal_of({0, 0, 0, 0}, 1),
            "Lamina::split_into_parts: argument parts: expected 5 items, got 4");
  EXPECT_EQ(refusal_of({0, 0, 2, 0, 0}, 2),
            "Lamina::split_into_parts: parts: expected 0 to 1, got 2");
  EXPECT_EQ(refusal_of({}, 0), "Lamina::split_into_parts: num_parts: expected at least 1, got 0");
  EXPECT_EQ(refusal_of({0, 5, 1, 1, 0}, 2), "nothing was thrown");  // item 1 is not sent
}

}  // namespace
