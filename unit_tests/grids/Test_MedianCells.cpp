// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/grids/GridQuality.hpp>
#include <lamina/grids/MedianCells.hpp>

#include <gtest/gtest.h>
#include <support/MessageOf.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <numbers>
#include <numeric>
#include <utility>

namespace LaminaTest {
namespace {

using Lamina::MedianCells, Lamina::SphereTriangulation;
constexpr auto sphere = Lamina::ColumnCentres::Surface::sphere;

TEST(MedianCells, AreAsLargeAsTheirTriangles) {
  const MedianCells cells = Lamina::median_cells(Lamina::icosahedral_triangulation(8));
  const double area = std::accumulate(cells.graph.areas.begin(), cells.graph.areas.end(), 0.0);
  EXPECT_NEAR(area, 4 * std::numbers::pi, 1e-12);
  ASSERT_EQ(cells.polygons.size(), 642);
  for (int c = 0; c < cells.polygons.size(); ++c) {
    const double here = cells.graph.areas[static_cast<std::size_t>(c)];
    EXPECT_NEAR(cells.polygons.area(c, sphere), here, 0.01 * here);
    EXPECT_EQ(cells.polygons.of(c).size() % 2, 0u);
  }
  EXPECT_EQ(cells.num_left_out, 0);
}

/// On triangles that are Delaunay's the couplings are those of Voronoi cells, but for the curvature.
TEST(MedianCells, CoupleAsVoronoiCellsDo) {
  double previous = 1;
  for (const int n : {8, 16}) {
    const auto mesh = Lamina::icosahedral_triangulation(n);
    std::map<std::pair<int, int>, double> couplings;
    for (const auto& edge : Lamina::voronoi_cells(mesh).edges) {
      couplings[std::minmax(edge.first, edge.second)] = edge.length / edge.distance;
    }
    const MedianCells cells = Lamina::median_cells(mesh);
    ASSERT_EQ(cells.graph.edges.size(), couplings.size());
    double largest = 0;
    for (const auto& edge : cells.graph.edges) {
      largest = std::max(
          largest, std::abs(edge.length / edge.distance - couplings.at({edge.first, edge.second})));
    }
    EXPECT_LT(largest, 0.3 * previous);
    previous = largest;
  }
  EXPECT_LT(previous, 0.01);
}

/// A hemisphere: half of an octahedron's triangles.
SphereTriangulation pyramid() {
  return {{{1, 0, 0}, {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, 1}},
          {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}}};
}

TEST(MedianCells, EndAtARim) {
  const MedianCells cells = Lamina::median_cells(pyramid());
  EXPECT_EQ(cells.graph.edges.size(), 8u);
  EXPECT_EQ(cells.polygons.of(4).size(), 8u);
  for (int c = 0; c < 4; ++c) {
    EXPECT_EQ(cells.polygons.of(c).size(), 6u) << "three middles, two centroids, the point";
    EXPECT_NEAR(cells.graph.areas[static_cast<std::size_t>(c)], std::numbers::pi / 3, 1e-14);
    EXPECT_NEAR(cells.polygons.area(c, sphere), std::numbers::pi / 3, 1e-14);
  }
}

TEST(MedianCells, LeaveOutEdgesBetweenObtuseAngles) {
  SphereTriangulation mesh;
  for (const auto& [x, y] : {std::pair{-0.2, 0.0}, {0.2, 0.0}, {0.0, 0.05}, {0.0, -0.05}}) {
    const double length = std::hypot(x, y, 1);
    mesh.points.push_back({x / length, y / length, 1 / length});
  }
  mesh.triangles = {{0, 1, 2}, {1, 0, 3}};
  const MedianCells cells = Lamina::median_cells(mesh);
  EXPECT_EQ(cells.num_left_out, 1);
  EXPECT_EQ(cells.graph.edges.size(), 4u);
  EXPECT_GT(Lamina::grid_quality(cells.graph).largest_skewness, 0.5);
}

TEST(MedianCells, RefuseWhatIsNoTriangulation) {
  const auto problem = [](const auto& spoil) {
    SphereTriangulation mesh = pyramid();
    spoil(mesh);
    return message_of<Lamina::InvalidArgument>([&] { Lamina::median_cells(mesh); });
  };
  EXPECT_EQ(problem([](SphereTriangulation& mesh) { mesh.triangles[1][1] = 5; }),
            "Lamina::median_cells: triangle 1: expected three points out of 5, got 5");
  EXPECT_EQ(problem([](SphereTriangulation& mesh) {
              mesh.points.push_back({0, 0, -1});
            }),
            "Lamina::median_cells: point 5: expected a triangle at each point, got none");
  EXPECT_EQ(problem([](SphereTriangulation& mesh) {
              mesh.triangles.push_back({0, 1, 4});
            }),
            "Lamina::median_cells: triangles: expected at most one on either side of the edge of "
            "points 0 to 1");
  EXPECT_EQ(problem([](SphereTriangulation& mesh) {
              std::swap(mesh.triangles[0][0], mesh.triangles[0][1]);
            }).substr(0, 55),
            "Lamina::median_cells: triangle 0: expected a positive a");
}

}  // namespace
}  // namespace LaminaTest
