// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/problems/VoronoiPlane.hpp>

#include <gtest/gtest.h>
#include <support/MessageOf.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

namespace LaminaTest {
namespace {

std::vector<int> degrees(const Lamina::ColumnGraph& graph) {
  std::vector<int> result(graph.areas.size(), 0);
  for (const auto& edge : graph.edges) {
    ++result[static_cast<std::size_t>(edge.first)];
    ++result[static_cast<std::size_t>(edge.second)];
  }
  return result;
}

TEST(VoronoiPlane, IsMadeOfHexagonsWhereItIsRegular) {
  const auto graph = Lamina::voronoi_plane(6, 8, 0);
  ASSERT_EQ(graph.num_owned, 48);
  EXPECT_EQ(degrees(graph), std::vector<int>(48, 6));
  for (const auto& edge : graph.edges) {
    EXPECT_NEAR(edge.distance, 1.0 / 6, 1e-14);
    EXPECT_NEAR(edge.length, 1 / (6 * std::sqrt(3.0)), 1e-14);
  }
  for (const double area : graph.areas) EXPECT_NEAR(area, std::sqrt(0.75) / 36, 1e-14);
}

TEST(VoronoiPlane, CoversThePlaneWithCellsThatAgreeOnTheirEdges) {
  for (const double irregularity : {0.1, 0.3, 0.5}) {
    const auto graph = Lamina::voronoi_plane(64, 48, irregularity);
    EXPECT_NEAR(std::accumulate(graph.areas.begin(), graph.areas.end(), 0.0),
                std::sqrt(0.75) * 48 / 64, 1e-12);
    std::set<std::pair<int, int>> pairs;
    // The area of a cell is that of the triangles over its edges.
    std::vector<double> areas(graph.areas.size(), 0);
    for (const auto& edge : graph.edges) {
      EXPECT_TRUE(pairs.insert(std::minmax(edge.first, edge.second)).second);
      areas[static_cast<std::size_t>(edge.first)] += edge.length * edge.distance / 4;
      areas[static_cast<std::size_t>(edge.second)] += edge.length * edge.distance / 4;
    }
    for (std::size_t c = 0; c < areas.size(); ++c) EXPECT_NEAR(areas[c], graph.areas[c], 1e-9);
    const auto counts = degrees(graph);
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0), 6 * graph.num_owned);
    if (irregularity > 0.3) continue;
    EXPECT_GE(*std::min_element(counts.begin(), counts.end()), 4);
    EXPECT_LE(*std::max_element(counts.begin(), counts.end()), 8);
  }
}

TEST(VoronoiPlane, NumbersNeighboursNearEachOther) {
  const auto graph = Lamina::voronoi_plane(64, 64);
  int near = 0;
  for (const auto& edge : graph.edges) near += std::abs(edge.first - edge.second) <= 64;
  EXPECT_GT(near, 0.7 * static_cast<double>(graph.edges.size()));
}

TEST(VoronoiPlane, RefusesWhatItCannotMake) {
  const auto message = [](int num_x, int num_y, double irregularity) {
    return message_of<Lamina::InvalidArgument>(
        [&] { Lamina::voronoi_plane(num_x, num_y, irregularity); });
  };
  const std::string extents =
      "Lamina::voronoi_plane: expected at least 6 x 6 points, in an even number of rows, got ";
  EXPECT_EQ(message(5, 6, 0), extents + "5 x 6");
  EXPECT_EQ(message(6, 7, 0), extents + "6 x 7");
  EXPECT_EQ(message(1 << 20, 1 << 20, 0),
            "Lamina::voronoi_plane: expected fewer than 2^31 points, got 1048576 x 1048576");
  EXPECT_EQ(message(6, 6, 0.6),
            "Lamina::voronoi_plane: expected an irregularity in [0, 0.5], got 0.600000");
}

}  // namespace
}  // namespace LaminaTest
