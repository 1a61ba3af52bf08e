// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/grids/GridQuality.hpp>
#include <lamina/grids/Plane.hpp>
#include <lamina/grids/SphereGrids.hpp>
#include <lamina/problems/VoronoiPlane.hpp>

#include <gtest/gtest.h>
#include <support/MessageOf.hpp>

#include <cmath>

namespace LaminaTest {
namespace {

using Lamina::grid_quality;

TEST(GridQuality, FindsNoSkewCellsAmongVoronoiCells) {
  EXPECT_LT(grid_quality(Lamina::plane(8, 5, {}, 2, 1)).largest_skewness, 1e-14);
  EXPECT_LT(grid_quality(Lamina::voronoi_plane(12, 10, 0.5)).largest_skewness, 1e-9);
  for (const auto& graph : {Lamina::cubed_sphere(8), Lamina::icosahedral_hexagons(8),
                            Lamina::latitude_longitude(16, 8)}) {
    const auto quality = grid_quality(graph);
    EXPECT_EQ(quality.largest_skewness, 0) << "cells on a sphere bulge";
    EXPECT_EQ(quality.most_skew, -1);
  }
}

TEST(GridQuality, FallsWithTheSizeOfTriangles) {
  const auto coarse = grid_quality(Lamina::icosahedral_triangles(8)),
             fine = grid_quality(Lamina::icosahedral_triangles(16));
  EXPECT_GT(fine.largest_skewness, 0);
  EXPECT_LT(fine.largest_skewness, 0.03);
  EXPECT_LT(fine.largest_skewness, 0.6 * coarse.largest_skewness);
  EXPECT_LT(fine.mean_skewness, 0.6 * coarse.mean_skewness);
  EXPECT_LE(fine.mean_skewness, fine.largest_skewness);
}

/// At the corner of a cube angles are 120 degrees, at any size.
TEST(GridQuality, StaysOnAPanel) {
  const auto coarse = grid_quality(Lamina::CubedSpherePanel(32, 32).graph()),
             fine = grid_quality(Lamina::CubedSpherePanel(256, 256).graph());
  EXPECT_GT(fine.largest_skewness, coarse.largest_skewness);
  EXPECT_GT(fine.mean_skewness, coarse.mean_skewness);
  EXPECT_NEAR(fine.largest_skewness, 2 / std::sqrt(3.0) - 1, 0.01);
  const auto skew = Lamina::CubedSpherePanel(256, 256).graph(Lamina::PanelEdge::dirichlet);
  EXPECT_NEAR(grid_quality(skew).largest_skewness, 2 / std::sqrt(3.0) - 1, 0.01);
}

TEST(GridQuality, RefusesEdgesToNowhere) {
  auto graph = Lamina::plane(4, 3);
  graph.edges[0].second = 12;
  EXPECT_EQ(message_of<Lamina::InvalidArgument>([&] { grid_quality(graph); }),
            "Lamina::grid_quality: graph: expected edges of columns 0 to 12 - 1, got 12");
}

}  // namespace
}  // namespace LaminaTest
