// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/grids/ColumnPartition.hpp>
#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/grids/HilbertOrder.hpp>
#include <lamina/grids/SphereGrids.hpp>
#include <lamina/grids/SphereTriangulation.hpp>
#include <lamina/problems/VoronoiPlane.hpp>

#include <gtest/gtest.h>
#include <support/MessageOf.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace LaminaTest {
namespace {

using Lamina::ColumnGraph;
using Lamina::InvalidArgument;
using Lamina::Partition;
using Lamina::PartitionQuality;

ColumnGraph hexagons(int n) { return Lamina::voronoi_cells(Lamina::icosahedral_triangulation(n)); }

/// The levels of a bowl: columns in the south are shallow, those beyond it have none.
std::vector<double> levels_of_a_bowl(const ColumnGraph& graph) {
  std::vector<double> levels;
  for (const auto& point : graph.centres.points) {
    levels.push_back(std::max(0.0, std::floor(40 * (point[2] + 0.8))));
  }
  return levels;
}

std::vector<double> weights_of_ranks(const Partition& partition,
                                     const std::vector<double>& weights) {
  std::vector<double> sums(static_cast<std::size_t>(partition.num_ranks()), 0);
  for (std::size_t column = 0; column < weights.size(); ++column) {
    sums[static_cast<std::size_t>(partition.owner(static_cast<std::int64_t>(column)))] +=
        weights[column];
  }
  return sums;
}

TEST(ColumnPartition, PiecesOfTheCurveAreEvenAndCompact) {
  for (const ColumnGraph& graph : {hexagons(16), Lamina::voronoi_plane(40, 32)}) {
    const auto size = static_cast<double>(graph.areas.size());
    for (const int num_ranks : {1, 2, 3, 6, 7}) {
      const auto partition = Lamina::partition_along_curve(graph, num_ranks);
      ASSERT_EQ(partition.num_ranks(), num_ranks);
      const auto quality = Lamina::partition_quality(graph, partition);
      EXPECT_LE(quality.imbalance, 1 + num_ranks / size);
      // A square of n columns has about 4 sqrt(n) columns around it; pieces may be twice as long. Of
      // scattered columns a rank needs nearly all others.
      const double piece = size / num_ranks;
      EXPECT_LE(quality.largest_halo_fraction, num_ranks == 1 ? 0 : 8 / std::sqrt(piece));
      EXPECT_LE(quality.most_items, piece + 1 + 8 * std::sqrt(piece));
    }
  }
}

TEST(ColumnPartition, PiecesOfTheCurveAreConsecutiveWhereColumnsAre) {
  const ColumnGraph graph = Lamina::along_hilbert_curve(hexagons(5)).graph;
  const auto partition = Lamina::partition_along_curve(graph, 4);
  for (std::int64_t column = 1; column < partition.num_items(); ++column) {
    EXPECT_GE(partition.owner(column), partition.owner(column - 1));
  }
}

TEST(ColumnPartition, WeightsAreShared) {
  const ColumnGraph graph = hexagons(12);
  const auto levels = levels_of_a_bowl(graph);
  double total = 0;
  for (const double level : levels) total += level;
  for (const int num_ranks : {2, 3, 5}) {
    const auto partition = Lamina::partition_along_curve(graph, num_ranks, levels);
    // The middle of a column decides: a rank has at most half a column too much at either end.
    for (const double weight : weights_of_ranks(partition, levels)) {
      EXPECT_NEAR(weight, total / num_ranks, 72) << "levels of a column";
    }
    const auto weighted = Lamina::partition_quality(graph, partition, levels);
    EXPECT_LE(weighted.imbalance, 1 + 72 * num_ranks / total);
    // The same as columns is not even: those without levels cost nothing.
    EXPECT_GE(Lamina::partition_quality(graph, partition).imbalance, 1.05);
  }
}

TEST(ColumnPartition, MetisSplitsTheGraph) {
  const ColumnGraph graph = hexagons(16);
  if (!Lamina::has_metis()) {
    EXPECT_EQ(message_of<InvalidArgument>([&] { (void)Lamina::partition_by_metis(graph, 2); }),
              "Lamina::partition_by_metis: expected a Lamina that was built with METIS");
    return;
  }
  const auto levels = levels_of_a_bowl(graph);
  for (const int num_ranks : {1, 2, 5, 8}) {
    const auto partition = Lamina::partition_by_metis(graph, num_ranks);
    const auto quality = Lamina::partition_quality(graph, partition);
    EXPECT_LE(quality.imbalance, 1.04);  // 3 % are METIS' own limit
    EXPECT_LE(quality.cut_edges,
              Lamina::partition_quality(graph, Lamina::partition_along_curve(graph, num_ranks))
                  .cut_edges);
    const auto again = Lamina::partition_by_metis(graph, num_ranks);
    for (std::int64_t c = 0; c < partition.num_items(); ++c) {
      ASSERT_EQ(partition.owner(c), again.owner(c));
    }
    const auto weighted = Lamina::partition_by_metis(graph, num_ranks, levels);
    EXPECT_LE(Lamina::partition_quality(graph, weighted, levels).imbalance, 1.04);
  }
}

TEST(ColumnPartition, MetisMayHaveMoreRanksThanColumns) {
  if (!Lamina::has_metis()) GTEST_SKIP() << "built without METIS";
  const ColumnGraph graph = Lamina::CubedSpherePanel(2, 1).graph();
  for (const int num_ranks : {2, 5}) {
    const auto partition = Lamina::partition_by_metis(graph, num_ranks);
    EXPECT_EQ(partition.num_ranks(), num_ranks);
    EXPECT_EQ(partition.owner(0), 0);
    EXPECT_EQ(partition.owner(1), 1);
  }
  EXPECT_EQ(Lamina::partition_by_metis(ColumnGraph(), 3).num_items(), 0);
  EXPECT_EQ(Lamina::partition_along_curve(ColumnGraph(), 3).num_items(), 0);
}

TEST(ColumnPartition, SaysWhatIsWrong) {
  const auto refusal = [](const auto& call) { return message_of<InvalidArgument>(call); };
  const ColumnGraph graph = hexagons(2);
  ColumnGraph halo = graph, far = graph, loop = graph;
  halo.num_owned = 3;
  far.edges[4].second = 42;
  loop.edges[4].second = loop.edges[4].first;
  const std::vector<double> few(3, 1.0);
  std::vector<double> bad(graph.areas.size(), 1.0);
  bad[7] = std::numeric_limits<double>::infinity();
  using Lamina::partition_along_curve, Lamina::partition_by_metis, Lamina::partition_quality;
  EXPECT_NE(refusal([&] { (void)partition_along_curve(halo, 2); }), "nothing was thrown");
  EXPECT_NE(refusal([&] { (void)partition_along_curve(graph, 0); }), "nothing was thrown");
  EXPECT_NE(refusal([&] { (void)partition_along_curve(graph, 2, few); }), "nothing was thrown");
  EXPECT_EQ(refusal([&] { (void)partition_quality(graph, Partition::blocks(41, 2)); }),
            "Lamina::partition_quality: argument partition: expected 42 items, got 41");
  const auto halves = Partition::blocks(42, 2);
  EXPECT_NE(refusal([&] { (void)partition_quality(far, halves); }), "nothing was thrown");
  EXPECT_EQ(refusal([&] { (void)partition_quality(graph, halves, few); }),
            "Lamina::PartitionQuality::of: weights: expected 42, got 3");
  EXPECT_EQ(refusal([&] { (void)partition_quality(graph, halves, bad); }),
            "Lamina::PartitionQuality::of: weights: expected finite values >= 0, got inf");
  if (!Lamina::has_metis()) return;
  EXPECT_NE(refusal([&] { (void)partition_by_metis(halo, 2); }), "nothing was thrown");
  EXPECT_NE(refusal([&] { (void)partition_by_metis(graph, 0); }), "nothing was thrown");
  EXPECT_EQ(refusal([&] { (void)partition_by_metis(far, 2); }),
            "Lamina::partition_by_metis: graph: expected edges of columns 0 to 41, got 42");
  EXPECT_NE(refusal([&] { (void)partition_by_metis(loop, 2); }), "nothing was thrown");
  EXPECT_NE(refusal([&] { (void)partition_by_metis(graph, 2, few); }), "nothing was thrown");
  EXPECT_EQ(refusal([&] { (void)partition_by_metis(graph, 2, bad); }),
            "Lamina::partition_by_metis: weights: expected finite values >= 0, got inf");
}

}  // namespace
}  // namespace LaminaTest
