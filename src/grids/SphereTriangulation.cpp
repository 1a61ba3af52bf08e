// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/core/impl/Index.hpp>
#include <lamina/grids/SphereTriangulation.hpp>

#include <algorithm>
#include <cstddef>

#include "SpherePoints.hpp"
#include "TriangulationSides.hpp"

namespace Lamina {
namespace {

using Point = Impl::SpherePoint;
using Impl::circumcentres_of, Impl::crossing_at, Impl::require_delaunay, Impl::sides_of;
using Impl::triangle_area;
using Crossing = Impl::SideCrossing;
using Side = Impl::TriangulationSide;

using Impl::index;

}  // namespace

ColumnGraph voronoi_cells(const SphereTriangulation& mesh) {
  const std::vector<Side> sides = sides_of("voronoi_cells", mesh);
  const std::vector<Point> corners = circumcentres_of(mesh);
  ColumnGraph graph;
  graph.centres.points = mesh.points;
  graph.areas.assign(mesh.points.size(), 0);
  for (const Side& side : sides) {
    const Crossing crossing = crossing_at(side, mesh, corners);
    require_delaunay("voronoi_cells", side, crossing);
    const Point &left = corners[index(side.left)], &right = corners[index(side.right)];
    graph.areas[index(side.from)] += triangle_area(mesh.points[index(side.from)], right, left);
    graph.areas[index(side.to)] += triangle_area(mesh.points[index(side.to)], left, right);
    if (!crossing.is_edge()) continue;
    graph.edges.push_back({side.from, side.to, crossing.across, crossing.along});
  }
  return graph;
}

ColumnGraph triangle_cells(const SphereTriangulation& mesh) {
  const std::vector<Side> sides = sides_of("triangle_cells", mesh);
  ColumnGraph graph;
  graph.centres.points = circumcentres_of(mesh);
  graph.areas.reserve(mesh.triangles.size());
  for (const auto& [a, b, c] : mesh.triangles) {
    graph.areas.push_back(
        triangle_area(mesh.points[index(a)], mesh.points[index(b)], mesh.points[index(c)]));
  }
  for (const Side& side : sides) {
    const Crossing crossing = crossing_at(side, mesh, graph.centres.points);
    require_delaunay("triangle_cells", side, crossing);
    LAMINA_REQUIRE(crossing.is_edge(), "triangle_cells",
                   "triangles: expected centres apart from each other, got two in one place at the "
                   "edge of points " +
                       Impl::name_of(side));
    graph.edges.push_back({std::min(side.left, side.right), std::max(side.left, side.right),
                           crossing.along, crossing.across});
  }
  return graph;
}

}  // namespace Lamina
