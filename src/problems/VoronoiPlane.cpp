// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/core/impl/SplitMix.hpp>
#include <lamina/grids/impl/HilbertCurve.hpp>
#include <lamina/problems/VoronoiPlane.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace Lamina {
namespace {

struct Point {
  double x, y;
  friend Point operator+(Point a, Point b) { return {a.x + b.x, a.y + b.y}; }
  friend Point operator-(Point a, Point b) { return {a.x - b.x, a.y - b.y}; }
  friend Point operator*(double factor, Point a) { return {factor * a.x, factor * a.y}; }
};
double dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }
double cross(Point a, Point b) { return a.x * b.y - a.y * b.x; }

/// A convex polygon around the origin, its corners counter-clockwise. Side n leads from corner n to
/// the next one, and to neighbour `beyond`.
struct Corner {
  Point at;
  int beyond;
};
using Polygon = std::vector<Corner>;

/// The part of the polygon that is nearer to the origin than to `other`.
Polygon nearer_part(const Polygon& polygon, Point other, int name) {
  const auto beyond_bisector = [&](Point q) { return dot(q, other) - dot(other, other) / 2; };
  Polygon part;
  for (std::size_t n = 0; n < polygon.size(); ++n) {
    const Corner &first = polygon[n], &second = polygon[(n + 1) % polygon.size()];
    const double a = beyond_bisector(first.at), b = beyond_bisector(second.at);
    if (a <= 0) part.push_back(first);
    if ((a <= 0) == (b <= 0)) continue;
    const Point crossing = first.at + a / (a - b) * (second.at - first.at);
    // The side that leaves the part continues along the bisector, the one that enters as it was.
    part.push_back({crossing, a <= 0 ? name : first.beyond});
  }
  return part;
}

/// Points of the lattice, of distance 1, in rows of num_x.
class Lattice {
 public:
  Lattice(int num_x, int num_y, double irregularity)
      : m_num_x(num_x), m_num_y(num_y), m_irregularity(irregularity) {}

  int num_points() const { return m_num_x * m_num_y; }
  /// The point of this lattice index, which may lie outside of the plane.
  Point at(int i, int j) const {
    const auto seed = 2 * static_cast<std::uint64_t>(id(i, j));
    return {i + 0.5 * (j % 2 != 0) + m_irregularity * Impl::unit_hash(seed),
            std::sqrt(0.75) * j + m_irregularity * Impl::unit_hash(seed + 1)};
  }
  int id(int i, int j) const { return (j + m_num_y) % m_num_y * m_num_x + (i + m_num_x) % m_num_x; }
  /// The Voronoi cell of a point, seen from there.
  Polygon cell(int i, int j) const {
    Polygon cell{{{-2, -2}, -1}, {{2, -2}, -1}, {{2, 2}, -1}, {{-2, 2}, -1}};
    constexpr int reach = 3;  // farther points are more than twice as far as any corner
    for (int dj = -reach; dj <= reach; ++dj) {
      for (int di = -reach; di <= reach; ++di) {
        if (di == 0 && dj == 0) continue;
        cell = nearer_part(cell, at(i + di, j + dj) - at(i, j), id(i + di, j + dj));
      }
    }
    return cell;
  }
  /// The points along a Hilbert curve.
  std::vector<int> order() const {
    constexpr int bits = 16;
    const double scale = ((1 << bits) - 1) / static_cast<double>(std::max(m_num_x, m_num_y) + 2);
    const auto cell_of = [&](double x) { return static_cast<std::uint32_t>(scale * (x + 1)); };
    std::vector<std::pair<std::uint64_t, int>> places;
    for (int j = 0; j < m_num_y; ++j) {
      for (int i = 0; i < m_num_x; ++i) {
        const Point point = at(i, j);
        places.emplace_back(Impl::hilbert_index(cell_of(point.x), cell_of(point.y), bits),
                            id(i, j));
      }
    }
    std::sort(places.begin(), places.end());
    std::vector<int> order;
    for (const auto& place : places) order.push_back(place.second);
    return order;
  }

 private:
  int m_num_x, m_num_y;
  double m_irregularity;
};

void require_arguments(int num_x, int num_y, double irregularity) {
  const std::string extents = std::to_string(num_x) + " x " + std::to_string(num_y);
  LAMINA_REQUIRE(num_x >= 6 && num_y >= 6 && num_y % 2 == 0, "voronoi_plane",
                 "expected at least 6 x 6 points, in an even number of rows, got " + extents);
  LAMINA_REQUIRE(num_x <= std::numeric_limits<int>::max() / num_y, "voronoi_plane",
                 "expected fewer than 2^31 points, got " + extents);
  LAMINA_REQUIRE(irregularity >= 0 && irregularity <= 0.5, "voronoi_plane",
                 "expected an irregularity in [0, 0.5], got " + std::to_string(irregularity));
}

}  // namespace

ColumnGraph voronoi_plane(int num_x, int num_y, double irregularity) {
  require_arguments(num_x, num_y, irregularity);
  const Lattice lattice(num_x, num_y, irregularity);
  const std::vector<int> order = lattice.order();
  std::vector<int> column_of(order.size());
  for (std::size_t n = 0; n < order.size(); ++n) {
    column_of[static_cast<std::size_t>(order[n])] = static_cast<int>(n);
  }
  const double unit = 1.0 / num_x;
  ColumnGraph graph;
  graph.num_owned = lattice.num_points();
  graph.centres = {.surface = ColumnCentres::Surface::plane,
                   .points = {},
                   .periods = {1, unit * std::sqrt(0.75) * num_y}};
  for (const int id : order) {
    const Polygon cell = lattice.cell(id % num_x, id / num_x);
    double twice_area = 0;
    for (std::size_t n = 0; n < cell.size(); ++n) {
      const Point a = cell[n].at, side = cell[(n + 1) % cell.size()].at - a;
      const double length = std::hypot(side.x, side.y), height = cross(a, side) / length;
      twice_area += cross(a, side);
      // Both cells see their common side; the first of them tells of it.
      if (id < cell[n].beyond && length >= 1e-6) {
        graph.edges.push_back({column_of[static_cast<std::size_t>(id)],
                               column_of[static_cast<std::size_t>(cell[n].beyond)], unit * length,
                               unit * 2 * height});
      }
    }
    graph.areas.push_back(unit * unit * twice_area / 2);
    const Point centre = unit * lattice.at(id % num_x, id / num_x);
    graph.centres.points.push_back({centre.x, centre.y, 0});
  }
  return graph;
}

}  // namespace Lamina
