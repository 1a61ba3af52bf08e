// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/grids/SphereTriangulation.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "SpherePoints.hpp"

namespace Lamina {
namespace {

using Impl::arc, Impl::circumcentre, Impl::cross, Impl::dot, Impl::triangle_area;
using Point = Impl::SpherePoint;

// Edges of cells that are shorter than so many distances are none.
constexpr double shortest_edge = 1e-9;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// An edge of triangles, from the lower point to the higher one.
struct Side {
  int from, to;
  int left = -1, right = -1;  // triangles
};

std::string name_of(const Side& side) {
  return std::to_string(side.from) + " to " + std::to_string(side.to);
}

std::vector<Side> sides_of(const char* function, const SphereTriangulation& mesh) {
  const auto num_points = static_cast<int>(mesh.points.size());
  std::vector<Side> halves;
  halves.reserve(3 * mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& corners = mesh.triangles[t];
    for (std::size_t n = 0; n < 3; ++n) {
      const int from = corners[n], to = corners[(n + 1) % 3];
      LAMINA_REQUIRE(from >= 0 && from < num_points && from != to, function,
                     "triangle " + std::to_string(t) + ": expected three points out of " +
                         std::to_string(num_points) + ", got " + std::to_string(from) + ", then " +
                         std::to_string(to));
      const auto triangle = static_cast<int>(t);
      halves.push_back(from < to ? Side{from, to, triangle, -1} : Side{to, from, -1, triangle});
    }
  }
  std::sort(halves.begin(), halves.end(), [](const Side& a, const Side& b) {
    return std::pair(a.from, a.to) < std::pair(b.from, b.to);
  });
  std::vector<Side> sides;
  for (std::size_t n = 0; n < halves.size(); n += 2) {
    const Side& a = halves[n];
    const Side b = n + 1 < halves.size() ? halves[n + 1] : Side{-1, -1};
    const bool match = a.from == b.from && a.to == b.to && (a.left < 0) != (b.left < 0);
    LAMINA_REQUIRE(match, function,
                   "triangles: expected one on either side of the edge of points " + name_of(a));
    sides.push_back({a.from, a.to, std::max(a.left, b.left), std::max(a.right, b.right)});
  }
  return sides;
}

std::vector<Point> circumcentres_of(const SphereTriangulation& mesh) {
  std::vector<Point> centres;
  centres.reserve(mesh.triangles.size());
  for (const auto& [a, b, c] : mesh.triangles) {
    centres.push_back(circumcentre(mesh.points[at(a)], mesh.points[at(b)], mesh.points[at(c)]));
  }
  return centres;
}

/// Both arcs at a side of triangles.
struct Crossing {
  double along;   ///< between the points
  double across;  ///< between the centres, from the right to the left; < 0: not Delaunay's
};

Crossing crossing_at(const Side& side, const SphereTriangulation& mesh,
                     const std::vector<Point>& centres) {
  using Impl::operator+, Impl::operator-;
  const Point &from = mesh.points[at(side.from)], &to = mesh.points[at(side.to)];
  const Point &left = centres[at(side.left)], &right = centres[at(side.right)];
  const bool forward = dot(left - right, cross(from + to, to - from)) >= 0;
  return {arc(from, to), forward ? arc(right, left) : -arc(right, left)};
}

void require_delaunay(const char* function, const Side& side, const Crossing& crossing) {
  LAMINA_REQUIRE(crossing.across >= -shortest_edge * crossing.along, function,
                 "triangles: expected no point within the circle of another triangle, got one at "
                 "the edge of points " +
                     name_of(side));
}

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
    const Point &left = corners[at(side.left)], &right = corners[at(side.right)];
    graph.areas[at(side.from)] += triangle_area(mesh.points[at(side.from)], right, left);
    graph.areas[at(side.to)] += triangle_area(mesh.points[at(side.to)], left, right);
    if (crossing.across <= shortest_edge * crossing.along) continue;
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
        triangle_area(mesh.points[at(a)], mesh.points[at(b)], mesh.points[at(c)]));
  }
  for (const Side& side : sides) {
    const Crossing crossing = crossing_at(side, mesh, graph.centres.points);
    require_delaunay("triangle_cells", side, crossing);
    LAMINA_REQUIRE(crossing.across > shortest_edge * crossing.along, "triangle_cells",
                   "triangles: expected centres apart from each other, got two in one place at the "
                   "edge of points " +
                       name_of(side));
    graph.edges.push_back({std::min(side.left, side.right), std::max(side.left, side.right),
                           crossing.along, crossing.across});
  }
  return graph;
}

}  // namespace Lamina
