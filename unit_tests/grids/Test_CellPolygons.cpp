// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/grids/CellPolygons.hpp>
#include <lamina/grids/GridQuality.hpp>
#include <lamina/grids/SphereGrids.hpp>

#include <gtest/gtest.h>
#include <support/MessageOf.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace LaminaTest {
namespace {

using Lamina::CellPolygons;
using Lamina::ColumnCentres;
using Lamina::ColumnGraph;
using Lamina::polygon_cells;
using Surface = ColumnCentres::Surface;

/// Graph and polygons are of one grid: areas, and edges by their ends, lengths and distances.
void expect_same_grid(const ColumnGraph& found, const ColumnGraph& expected, double tolerance) {
  ASSERT_EQ(found.areas.size(), expected.areas.size());
  for (std::size_t c = 0; c < expected.areas.size(); ++c) {
    EXPECT_NEAR(found.areas[c], expected.areas[c], tolerance * expected.areas[c]) << c;
  }
  std::map<std::pair<int, int>, ColumnGraph::Edge> edges;
  for (const auto& edge : expected.edges) {
    edges[std::minmax(edge.first, edge.second)] = edge;
  }
  ASSERT_EQ(found.edges.size(), edges.size());
  for (const auto& edge : found.edges) {
    ASSERT_TRUE(edges.contains(std::minmax(edge.first, edge.second)));
    const auto& other = edges[std::minmax(edge.first, edge.second)];
    EXPECT_NEAR(edge.length, other.length, tolerance * other.distance);
    EXPECT_NEAR(edge.distance, other.distance, tolerance * other.distance);
  }
}

TEST(CellPolygons, AreThoseOfTheGraphs) {
  for (const auto& mesh :
       {Lamina::icosahedral_triangulation(5), Lamina::cubed_sphere_triangulation(6)}) {
    const ColumnGraph cells = Lamina::voronoi_cells(mesh);
    expect_same_grid(polygon_cells(Lamina::voronoi_polygons(mesh), cells.centres), cells, 1e-11);
  }
  const auto mesh = Lamina::icosahedral_triangulation(5);
  // Centres of triangles are computed.
  expect_same_grid(polygon_cells(Lamina::triangle_polygons(mesh)), Lamina::triangle_cells(mesh),
                   1e-11);
  const Lamina::CubedSpherePanel panel(5, 4);
  const auto polygons = Lamina::panel_polygons(panel);
  for (int c = 0; c < panel.num_columns(); ++c) {
    const double area = panel.areas()[static_cast<std::size_t>(c)];
    EXPECT_NEAR(polygons.area(c, Surface::sphere), area, 1e-13 * area);
  }
}

TEST(CellPolygons, HaveTheCornersThatTheyShould) {
  const auto hexagons = Lamina::voronoi_polygons(Lamina::icosahedral_triangulation(4));
  std::array<int, 7> counts{};
  for (int c = 0; c < hexagons.size(); ++c) ++counts.at(hexagons.of(c).size());
  EXPECT_EQ(counts[5], 12);
  EXPECT_EQ(counts[6], 150);
  EXPECT_EQ(hexagons.max_corners(), 6);
  EXPECT_EQ(hexagons.points.size(), 320u);
  // Each corner is at the same distance from the centres of its cells.
  const auto cubes = Lamina::voronoi_polygons(Lamina::cubed_sphere_triangulation(4));
  EXPECT_EQ(cubes.size(), 96);
  for (int c = 0; c < cubes.size(); ++c) {
    EXPECT_GE(cubes.of(c).size(), 4u);
    EXPECT_LE(cubes.of(c).size(), 6u);
  }
  EXPECT_EQ(polygon_cells(cubes).edges.size() - cubes.points.size() + 2, 96u) << "Euler";
}

TEST(CellPolygons, OfParallelsCloseAtThePoles) {
  const auto globe = Lamina::latitude_longitude_polygons(8, 4);
  EXPECT_EQ(globe.points.size(), 3u * 8 + 2);
  EXPECT_EQ(globe.of(0).size(), 3u);
  EXPECT_EQ(globe.of(31).size(), 3u);
  EXPECT_EQ(globe.of(8).size(), 4u);
  double sum = 0;
  for (int c = 0; c < globe.size(); ++c) {
    EXPECT_GT(globe.area(c, Surface::sphere), 0);
    sum += globe.area(c, Surface::sphere);
  }
  EXPECT_NEAR(sum, 16 * std::acos(0.0) / 2, 1e-12);
  const auto graph = Lamina::latitude_longitude(8, 4);
  EXPECT_EQ(polygon_cells(globe, graph.centres).edges.size(), graph.edges.size());
  EXPECT_EQ(Lamina::latitude_longitude_polygons(8, 4, -60, 60).points.size(), 5u * 8);
  EXPECT_THROW(Lamina::latitude_longitude_polygons(8, 1), Lamina::InvalidArgument);
  // The last parallel is the pole, whatever rounding makes of the sum of rows.
  for (int south = -899; south < 0; ++south) {
    EXPECT_EQ(Lamina::latitude_longitude_polygons(3, 2, 0.1 * south, 90).points.size(), 7u);
  }
}

/// A square of two by two squares.
CellPolygons plane_polygons() {
  CellPolygons polygons;
  for (const int y : {0, 1, 2}) {
    for (const int x : {0, 1, 2}) polygons.points.push_back({1.0 * x, 1.0 * y, 0});
  }
  for (const int corner : {0, 1, 3, 4}) {
    polygons.add(std::array{corner, corner + 1, corner + 4, corner + 3});
  }
  return polygons;
}

TEST(CellPolygons, OfAPlaneBecomeColumns) {
  ColumnCentres plane;
  plane.surface = Surface::plane;
  const ColumnGraph graph = polygon_cells(plane_polygons(), plane);
  EXPECT_EQ(graph.areas, (std::vector<double>{1, 1, 1, 1}));
  EXPECT_EQ(graph.edges.size(), 4u);
  for (const auto& edge : graph.edges) {
    EXPECT_EQ(edge.length, 1);
    EXPECT_EQ(edge.distance, 1);
  }
  EXPECT_EQ(graph.centres.points[3], (std::array<double, 3>{1.5, 1.5, 0}));
  EXPECT_EQ(Lamina::grid_quality(graph).most_skew, -1);
}

TEST(CellPolygons, ShareSeveralSidesAsOneEdge) {
  CellPolygons polygons = plane_polygons();
  // The lower cells as one, with a point in the middle of its upper side.
  polygons.corners = {0, 1, 2, 5, 4, 3, 3, 4, 5, 8, 7, 6};
  polygons.offsets = {0, 6, 12};
  ColumnCentres plane;
  plane.surface = Surface::plane;
  const ColumnGraph graph = polygon_cells(polygons, plane);
  ASSERT_EQ(graph.edges.size(), 1u);
  EXPECT_EQ(graph.edges[0].length, 2);
  EXPECT_EQ(graph.edges[0].distance, 1);
}

TEST(CellPolygons, AreTurnedWhereTheyAreClockwise) {
  CellPolygons polygons = plane_polygons();
  const auto before = polygons.corners;
  polygons.turn_counter_clockwise(Surface::plane);
  EXPECT_EQ(polygons.corners, before);
  std::swap(polygons.corners[0], polygons.corners[2]);
  EXPECT_EQ(polygons.area(0, Surface::plane), -1);
  polygons.turn_counter_clockwise(Surface::plane);
  EXPECT_EQ(polygons.area(0, Surface::plane), 1);
}

TEST(CellPolygons, TakeCentroidsWhereCircumcentresAreOutOfOrder) {
  // Two obtuse triangles with a common long side: their circumcentres are beyond it.
  CellPolygons polygons;
  polygons.points = {{-2, 0, 0}, {2, 0, 0}, {0, 0.5, 0}, {0, -0.5, 0}};
  polygons.add(std::array{0, 1, 2});
  polygons.add(std::array{1, 0, 3});
  ColumnCentres plane;
  plane.surface = Surface::plane;
  const ColumnGraph graph = polygon_cells(polygons, plane);
  EXPECT_NEAR(graph.centres.points[0][1], 0.5 / 3, 1e-15);
  EXPECT_NEAR(graph.edges.at(0).distance, 1.0 / 3, 1e-15);
}

TEST(CellPolygons, SayWhatIsWrong) {
  ColumnCentres plane;
  plane.surface = Surface::plane;
  const auto problem = [&](const auto& spoil) {
    CellPolygons polygons = plane_polygons();
    ColumnCentres centres = plane;
    spoil(polygons, centres);
    return message_of<Lamina::InvalidArgument>([&] { polygon_cells(polygons, centres); });
  };
  EXPECT_EQ(problem([](CellPolygons& p, ColumnCentres&) { p.corners[2] = 9; }),
            "Lamina::polygon_cells: polygons: cell 0: expected corners out of 9 points, each once, "
            "got 9");
  EXPECT_EQ(problem([](CellPolygons& p, ColumnCentres&) {
              p.add(std::array{0, 1});
            }),
            "Lamina::polygon_cells: polygons: cell 4: expected 3 corners or more, got 2");
  EXPECT_EQ(problem([](CellPolygons& p, ColumnCentres&) { std::swap(p.corners[0], p.corners[2]); }),
            "Lamina::polygon_cells: polygons: cell 0: expected a positive area within "
            "counter-clockwise corners, got -1.000000");
  EXPECT_EQ(problem([](CellPolygons& p, ColumnCentres&) {
              p.add(std::array{0, 1, 4, 3});
            }),
            "Lamina::polygon_cells: polygons: expected one cell on either side of the line from "
            "point 0 to 1, got another number, or two on one side");
  EXPECT_EQ(problem([](CellPolygons&, ColumnCentres& c) { c.points.resize(3); }),
            "Lamina::polygon_cells: centres: expected 4 points, got 3");
  EXPECT_EQ(problem([](CellPolygons&, ColumnCentres& c) { c.points.resize(4); }),
            "Lamina::polygon_cells: centres: expected cells apart from each other, got 0 and 1 in "
            "one place");
}

}  // namespace
}  // namespace LaminaTest
