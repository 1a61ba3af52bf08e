// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/distributed/Partition.hpp>

#include <gtest/gtest.h>
#include <support/MessageOf.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using Lamina::InvalidArgument;
using Lamina::Partition;
using Lamina::PartitionQuality;
using LaminaTest::message_of;

/// Each item has one owner, and lists and numbers of items agree with it.
void expect_consistent(const Partition& partition, std::int64_t num_items, int num_ranks) {
  ASSERT_EQ(partition.num_items(), num_items);
  ASSERT_EQ(partition.num_ranks(), num_ranks);
  std::vector<std::vector<std::int64_t>> items(static_cast<std::size_t>(num_ranks));
  for (std::int64_t item = 0; item < num_items; ++item) {
    const int owner = partition.owner(item);
    ASSERT_GE(owner, 0);
    ASSERT_LT(owner, num_ranks);
    items[static_cast<std::size_t>(owner)].push_back(item);
  }
  for (int rank = 0; rank < num_ranks; ++rank) {
    const auto& expected = items[static_cast<std::size_t>(rank)];
    EXPECT_EQ(partition.items(rank), expected) << "rank " << rank;
    EXPECT_EQ(partition.num_items(rank), static_cast<std::int64_t>(expected.size()));
  }
}

TEST(Partition, OfBlocksIsContiguousAndEven) {
  for (const std::int64_t num_items : {0, 1, 2, 3, 7, 64, 101}) {
    for (const int num_ranks : {1, 2, 3, 8, 9}) {
      const auto partition = Partition::blocks(num_items, num_ranks);
      expect_consistent(partition, num_items, num_ranks);
      int last = 0;
      for (std::int64_t item = 0; item < num_items; ++item) {
        EXPECT_GE(partition.owner(item), last);
        last = partition.owner(item);
      }
      for (int rank = 0; rank < num_ranks; ++rank) {
        EXPECT_GE(partition.num_items(rank), num_items / num_ranks);
        EXPECT_LE(partition.num_items(rank), (num_items + num_ranks - 1) / num_ranks);
      }
    }
  }
}

TEST(Partition, OfAGridHasRectangles) {
  const auto partition = Partition::grid({6, 4}, {3, 2});
  expect_consistent(partition, 24, 6);
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 4; ++j) EXPECT_EQ(partition.owner(4 * i + j), 2 * (i / 2) + j / 2);
  }
  for (const std::int64_t nx : {0, 1, 5, 17}) {
    for (const std::int64_t ny : {0, 1, 3, 32}) {
      for (const int align : {1, 2, 16}) {
        expect_consistent(Partition::grid({nx, ny}, {2, 3}, {align, align}), nx * ny, 6);
      }
    }
  }
}

TEST(Partition, OfAGridIsCutAtMultiples) {
  // 40 columns are 2.5 times 16: two whole pieces, and the rest.
  const auto aligned = Partition::grid({40, 1}, {3, 1}, {16, 1});
  EXPECT_EQ(aligned.num_items(0), 16);
  EXPECT_EQ(aligned.num_items(1), 16);
  EXPECT_EQ(aligned.num_items(2), 8);
  // Four ranks would leave one without cells: cuts are anywhere.
  const auto even = Partition::grid({40, 1}, {4, 1}, {16, 1});
  for (int rank = 0; rank < 4; ++rank) EXPECT_EQ(even.num_items(rank), 10);
}

TEST(Partition, OfAHugeGridHasNoTable) {
  const std::int64_t side = 655360;
  const auto partition = Partition::grid({side, side}, {1024, 64}, {2, 16});
  EXPECT_EQ(partition.num_items(), side * side);
  EXPECT_EQ(partition.num_items(5), 640 * 10240);
  EXPECT_EQ(partition.owner(side * side - 1), 1024 * 64 - 1);
  EXPECT_EQ(partition.owner(side * 640 + 10239), 64);
  EXPECT_EQ(Partition::blocks(std::int64_t(1) << 62, 3).num_items(2),
            ((std::int64_t(1) << 62) + 2) / 3);
}

TEST(Partition, AlongAnOrderCutsTheWeights) {
  const std::vector<int> order{3, 1, 4, 0, 2, 5};
  const auto equal = Partition::along_order(order, {}, 3);
  expect_consistent(equal, 6, 3);
  EXPECT_EQ(equal.items(0), (std::vector<std::int64_t>{1, 3}));
  EXPECT_EQ(equal.items(1), (std::vector<std::int64_t>{0, 4}));
  EXPECT_EQ(equal.items(2), (std::vector<std::int64_t>{2, 5}));
  // Item 3 alone weighs as much as all others.
  const auto heavy = Partition::along_order(order, {1, 1, 1, 5, 1, 1}, 2);
  EXPECT_EQ(heavy.items(0), (std::vector<std::int64_t>{3}));
  // Weights of 0 count as equal ones.
  expect_consistent(Partition::along_order(order, std::vector<double>(6, 0.0), 4), 6, 4);
  EXPECT_EQ(Partition::along_order(order, std::vector<double>(6, 0.0), 3).items(0), equal.items(0));
  expect_consistent(Partition::along_order({}, {}, 2), 0, 2);
  expect_consistent(Partition::along_order({0}, {}, 5), 1, 5);
}

TEST(Partition, FromOwnersMayLeaveRanksEmpty) {
  const auto partition = Partition::from_owners({3, 0, 0, 3, 1}, 5);
  expect_consistent(partition, 5, 5);
  EXPECT_EQ(partition.num_items(2), 0);
  expect_consistent(Partition::from_owners({}, 3), 0, 3);
}

TEST(Partition, SaysWhatIsWrong) {
  const auto refusal = [](const auto& call) { return message_of<InvalidArgument>(call); };
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(refusal([] { (void)Partition::blocks(-1, 2); }),
            "Lamina::Partition::blocks: num_items: expected a number >= 0, got -1");
  EXPECT_EQ(refusal([] { (void)Partition::blocks(1, 0); }),
            "Lamina::Partition::blocks: ranks: expected at least one, and fewer than 2^31, got 0");
  EXPECT_EQ(refusal([] {
              (void)Partition::grid({1, -1}, {1, 1});
            }),
            "Lamina::Partition::grid: cells: expected numbers >= 0, got -1");
  EXPECT_EQ(refusal([] {
              (void)Partition::grid({1, 1}, {1, 1}, {0, 1});
            }),
            "Lamina::Partition::grid: align: expected numbers >= 1, got 0");
  EXPECT_NE(refusal([] { (void)Partition::grid({1, 1}, {65536, 65536}); }), "nothing was thrown");
  const std::int64_t large = std::int64_t(1) << 40;
  EXPECT_NE(refusal([&] { (void)Partition::grid({large, large}, {1, 1}); }), "nothing was thrown");
  EXPECT_EQ(refusal([] {
              (void)Partition::along_order({0, 2, 2}, {}, 2);
            }),
            "Lamina::Partition::along_order: order: expected each of 3 items once, got 2");
  EXPECT_NE(refusal([] { (void)Partition::along_order({0, 3}, {}, 2); }), "nothing was thrown");
  EXPECT_EQ(refusal([] {
              (void)Partition::along_order({0, 1}, {1}, 2);
            }),
            "Lamina::Partition::along_order: weights: expected 2, got 1");
  EXPECT_NE(refusal([&] { (void)Partition::along_order({0}, {nan}, 2); }), "nothing was thrown");
  EXPECT_EQ(refusal([] {
              (void)Partition::along_order({0, 1}, {1e308, 1e308}, 2);
            }),
            "Lamina::Partition::along_order: weights: expected a finite sum, got inf");
  EXPECT_EQ(refusal([] {
              (void)Partition::from_owners({0, 2}, 2);
            }),
            "Lamina::Partition::from_owners: owners: expected ranks 0 to 1, got 2");
  const auto partition = Partition::blocks(3, 2);
  EXPECT_EQ(refusal([&] { (void)partition.owner(3); }),
            "Lamina::Partition::owner: item: expected 0 to 2, got 3");
  EXPECT_EQ(refusal([&] { (void)partition.items(2); }),
            "Lamina::Partition::items: rank: expected 0 to 1, got 2");
  EXPECT_EQ(refusal([&] { (void)partition.num_items(-1); }),
            "Lamina::Partition::num_items: rank: expected 0 to 1, got -1");
}

TEST(PartitionQuality, CountsCutsPeersAndHalos) {
  // A ring of 8 items, in two halves: both cuts are between the same ranks.
  std::vector<std::pair<std::int64_t, std::int64_t>> ring;
  for (int n = 0; n < 8; ++n) ring.emplace_back(n, (n + 1) % 8);
  const auto halves = PartitionQuality::of(Partition::blocks(8, 2), ring);
  EXPECT_EQ(halves.imbalance, 1);
  EXPECT_EQ(halves.cut_edges, 2);
  EXPECT_EQ(halves.most_peers, 1);
  EXPECT_EQ(halves.largest_halo_fraction, 0.5);
  EXPECT_EQ(halves.most_items, 6);
  // Rank 1 owns the middle item of a star alone, and rank 3 nothing.
  const auto star = PartitionQuality::of(Partition::from_owners({1, 0, 0, 2, 2}, 4),
                                         {{0, 1}, {2, 0}, {0, 3}, {4, 0}});
  EXPECT_EQ(star.cut_edges, 4);
  EXPECT_EQ(star.most_peers, 2);
  EXPECT_EQ(star.largest_halo_fraction, 4);
  EXPECT_EQ(star.imbalance, 2 * 4 / 5.0);
  EXPECT_EQ(star.most_items, 5);
  EXPECT_EQ(PartitionQuality::of(Partition::blocks(0, 3), {}).imbalance, 1);
  EXPECT_THROW(PartitionQuality::of(Partition::blocks(2, 1), {{0, 2}}), InvalidArgument);
}

TEST(PartitionQuality, WeighsItems) {
  const auto halves = Partition::blocks(4, 2);
  EXPECT_EQ(PartitionQuality::of(halves, {}, {3, 2, 1, 0}).imbalance, 5 * 2 / 6.0);
  EXPECT_EQ(PartitionQuality::of(halves, {}, {0, 0, 0, 0}).imbalance, 1);
  EXPECT_THROW(PartitionQuality::of(halves, {}, {1, 2, 3}), InvalidArgument);
  EXPECT_THROW(PartitionQuality::of(halves, {}, {1, 2, 3, -1}), InvalidArgument);
}

}  // namespace
