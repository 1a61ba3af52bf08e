// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/grids/PeriodicPlane.hpp>
#include <lamina/core/Require.hpp>

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

namespace {

TEST(PeriodicPlane, GivesEveryColumnItsFourNeighbours) {
  const int nx = 4, ny = 3;
  const auto graph = Lamina::periodic_plane(nx, ny, 8, 3);
  EXPECT_EQ(graph.num_owned, nx * ny);
  EXPECT_TRUE(graph.boundary_edges.empty());
  ASSERT_EQ(graph.edges.size(), 2u * nx * ny);

  std::vector<std::set<std::pair<int, double>>> neighbours(static_cast<std::size_t>(nx * ny));
  for (const auto& edge : graph.edges) {
    const double alpha = edge.length / edge.distance;
    neighbours[static_cast<std::size_t>(edge.first)].insert({edge.second, alpha});
    neighbours[static_cast<std::size_t>(edge.second)].insert({edge.first, alpha});
  }
  for (int i = 0; i < nx; ++i) {
    for (int j = 0; j < ny; ++j) {
      // Cells of 2 x 1: across x length 1 over distance 2, across y the inverse.
      const std::set<std::pair<int, double>> expected{{ny * ((i + 1) % nx) + j, 0.5},
                                                      {ny * ((i + nx - 1) % nx) + j, 0.5},
                                                      {ny * i + (j + 1) % ny, 2.0},
                                                      {ny * i + (j + ny - 1) % ny, 2.0}};
      EXPECT_EQ(neighbours[static_cast<std::size_t>(ny * i + j)], expected) << i << ", " << j;
    }
  }
  for (const double area : graph.areas) EXPECT_EQ(area, 2);
}

TEST(PeriodicPlane, RefusesSizesAndLengthsOutOfRange) {
  EXPECT_THROW(Lamina::periodic_plane(2, 3), Lamina::InvalidArgument);
  EXPECT_THROW(Lamina::periodic_plane(3, 2), Lamina::InvalidArgument);
  EXPECT_THROW(Lamina::periodic_plane(-3, 3), Lamina::InvalidArgument);
  EXPECT_THROW(Lamina::periodic_plane(65536, 65536), Lamina::InvalidArgument);
  EXPECT_THROW(Lamina::periodic_plane(3, 3, 0, 1), Lamina::InvalidArgument);
  EXPECT_THROW(Lamina::periodic_plane(3, 3, 1, -1), Lamina::InvalidArgument);
}

TEST(PeriodicPlane, RefusesLengthsThatAreNotFinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THROW(Lamina::periodic_plane(3, 3, infinity, 1), Lamina::InvalidArgument);
  EXPECT_THROW(Lamina::periodic_plane(3, 3, 1, infinity * 0), Lamina::InvalidArgument);
}

}  // namespace
