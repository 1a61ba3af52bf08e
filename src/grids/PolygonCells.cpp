// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/core/impl/Index.hpp>
#include <lamina/grids/CellPolygons.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "SpherePoints.hpp"
#include "TriangulationSides.hpp"

namespace Lamina {
namespace {

using Impl::on_sphere, Impl::operator+, Impl::operator-, Impl::operator*;
using Point = Impl::SpherePoint;
using Surface = ColumnCentres::Surface;

constexpr const char* function = "polygon_cells";

using Impl::index;

double distance(const Point& a, const Point& b, Surface surface) {
  return surface == Surface::sphere ? Impl::arc(a, b) : Impl::norm(b - a);
}

/// A side of polygons, of one at the rim.
struct Side {
  int from, to;            // as the first polygon has it
  int first, second = -1;  // polygons
  bool turned = false;     // while they are matched: `from` was the higher end
};

/// All sides, by their ends.
std::vector<Side> halves_of(const CellPolygons& polygons) {
  std::vector<Side> halves;
  halves.reserve(polygons.corners.size());
  for (int cell = 0; cell < polygons.size(); ++cell) {
    const auto ends = polygons.of(cell);
    for (std::size_t n = 0; n < ends.size(); ++n) {
      const int from = ends[n], to = ends[(n + 1) % ends.size()];
      halves.push_back({std::min(from, to), std::max(from, to), cell, -1, from > to});
    }
  }
  std::sort(halves.begin(), halves.end(), [](const Side& a, const Side& b) {
    return std::pair(std::pair(a.from, a.to), a.first) <
           std::pair(std::pair(b.from, b.to), b.first);
  });
  return halves;
}

std::vector<Side> sides_between(const CellPolygons& polygons) {
  const std::vector<Side> halves = halves_of(polygons);
  std::vector<Side> sides;
  for (std::size_t n = 0; n < halves.size();) {
    std::size_t end = n + 1;
    while (end < halves.size() && halves[end].from == halves[n].from &&
           halves[end].to == halves[n].to) {
      ++end;
    }
    const Side &a = halves[n], &b = halves[end - 1];
    LAMINA_REQUIRE(end - n == 1 || (end - n == 2 && a.turned != b.turned && a.first != b.first),
                   function,
                   "polygons: expected one cell on either side of the line from point " +
                       std::to_string(a.from) + " to " + std::to_string(a.to) +
                       ", got another number, or two on one side");
    if (end - n == 2) {
      sides.push_back({a.turned ? a.to : a.from, a.turned ? a.from : a.to, a.first, b.first});
    }
    n = end;
  }
  return sides;
}

void require_polygons(const CellPolygons& polygons) {
  const auto num_points = static_cast<int>(polygons.points.size());
  for (int cell = 0; cell < polygons.size(); ++cell) {
    const auto ends = polygons.of(cell);
    LAMINA_REQUIRE(ends.size() >= 3, function,
                   "polygons: cell " + std::to_string(cell) + ": expected 3 corners or more, got " +
                       std::to_string(ends.size()));
    for (std::size_t n = 0; n < ends.size(); ++n) {
      LAMINA_REQUIRE(
          ends[n] >= 0 && ends[n] < num_points && ends[n] != ends[(n + 1) % ends.size()], function,
          "polygons: cell " + std::to_string(cell) + ": expected corners out of " +
              std::to_string(num_points) + " points, each once, got " + std::to_string(ends[n]));
    }
  }
}

std::vector<double> areas_of(const CellPolygons& polygons, Surface surface) {
  std::vector<double> areas;
  for (int cell = 0; cell < polygons.size(); ++cell) {
    areas.push_back(polygons.area(cell, surface));
    LAMINA_REQUIRE(areas.back() > 0 && std::isfinite(areas.back()), function,
                   "polygons: cell " + std::to_string(cell) +
                       ": expected a positive area within counter-clockwise corners, got " +
                       std::to_string(areas.back()));
  }
  return areas;
}

/// The point at the same distance from three points of a plane.
Point plane_circumcentre(const Point& a, const Point& b, const Point& c) {
  const Point p = b - a, q = c - a;
  const double pp = Impl::dot(p, p), qq = Impl::dot(q, q);
  const double twice = 2 * (p[0] * q[1] - p[1] * q[0]);
  return {a[0] + (q[1] * pp - p[1] * qq) / twice, a[1] + (p[0] * qq - q[0] * pp) / twice, 0};
}

std::vector<Point> circumcentres(const CellPolygons& polygons, Surface surface) {
  std::vector<Point> centres;
  for (int cell = 0; cell < polygons.size(); ++cell) {
    const auto ends = polygons.of(cell);
    const Point &a = polygons.points[index(ends[0])], &b = polygons.points[index(ends[1])],
                &c = polygons.points[index(ends[2])];
    centres.push_back(surface == Surface::sphere ? Impl::circumcentre(a, b, c)
                                                 : plane_circumcentre(a, b, c));
  }
  return centres;
}

/// Whether the line from the first centre at each side to the second one leads through it.
bool in_order(const CellPolygons& polygons, const std::vector<Side>& sides,
              const std::vector<Point>& centres, Surface surface) {
  return std::all_of(sides.begin(), sides.end(), [&](const Side& side) {
    const Point &from = polygons.points[index(side.from)], &to = polygons.points[index(side.to)];
    const Point step = centres[index(side.second)] - centres[index(side.first)], line = to - from;
    const Point up = surface == Surface::sphere ? from + to : Point{0, 0, 2};
    // The first cell is on the left of its side.
    return Impl::dot(step, Impl::cross(line, up)) > Impl::shortest_edge * Impl::dot(line, line);
  });
}

std::vector<Point> centroids(const CellPolygons& polygons, Surface surface) {
  std::vector<Point> centres;
  for (int cell = 0; cell < polygons.size(); ++cell) {
    const auto ends = polygons.of(cell);
    Point sum{0, 0, 0};
    double whole = 0;
    CellPolygons triangle{{}, {0, 3}, {0, 1, 2}};
    for (std::size_t n = 1; n + 1 < ends.size(); ++n) {
      triangle.points = {polygons.points[index(ends[0])], polygons.points[index(ends[n])],
                         polygons.points[index(ends[n + 1])]};
      const double area = triangle.area(0, surface);
      sum = sum + area * (triangle.points[0] + triangle.points[1] + triangle.points[2]);
      whole += 3 * area;
    }
    centres.push_back(surface == Surface::sphere ? on_sphere(sum) : (1 / whole) * sum);
  }
  return centres;
}

std::vector<Point> centres_of(const CellPolygons& polygons, const std::vector<Side>& sides,
                              Surface surface) {
  if (polygons.corners.size() == 3 * index(polygons.size())) {
    std::vector<Point> centres = circumcentres(polygons, surface);
    if (in_order(polygons, sides, centres, surface)) return centres;
  }
  return centroids(polygons, surface);
}

/// Where two cells share several sides in a row, these are one edge.
void merge_doubles(std::vector<ColumnGraph::Edge>& edges) {
  const auto ends = [](const ColumnGraph::Edge& edge) {
    return std::pair(edge.first, edge.second);
  };
  std::sort(edges.begin(), edges.end(), [&](const auto& a, const auto& b) {
    return std::pair(ends(a), a.length) < std::pair(ends(b), b.length);
  });
  std::size_t count = 0;
  for (const ColumnGraph::Edge& edge : edges) {
    if (count > 0 && ends(edges[count - 1]) == ends(edge)) {
      edges[count - 1].length += edge.length;
    } else {
      edges[count++] = edge;
    }
  }
  edges.resize(count);
}

}  // namespace

ColumnGraph polygon_cells(const CellPolygons& polygons, ColumnCentres centres) {
  require_polygons(polygons);
  const Surface surface = centres.surface;
  ColumnGraph graph;
  graph.areas = areas_of(polygons, surface);
  const std::vector<Side> sides = sides_between(polygons);
  if (centres.points.empty()) centres.points = centres_of(polygons, sides, surface);
  LAMINA_REQUIRE(centres.points.size() == graph.areas.size(), function,
                 "centres: expected " + std::to_string(graph.areas.size()) + " points, got " +
                     std::to_string(centres.points.size()));
  for (const Side& side : sides) {
    const double length =
        distance(polygons.points[index(side.from)], polygons.points[index(side.to)], surface);
    const double apart =
        distance(centres.points[index(side.first)], centres.points[index(side.second)], surface);
    if (length <= Impl::shortest_edge * apart) continue;
    LAMINA_REQUIRE(apart > Impl::shortest_edge * length, function,
                   "centres: expected cells apart from each other, got " +
                       std::to_string(side.first) + " and " + std::to_string(side.second) +
                       " in one place");
    const auto [first, second] = std::minmax(side.first, side.second);
    graph.edges.push_back({first, second, length, apart});
  }
  merge_doubles(graph.edges);
  graph.centres = std::move(centres);
  return graph;
}

}  // namespace Lamina
