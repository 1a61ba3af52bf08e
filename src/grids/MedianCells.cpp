// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/core/impl/Index.hpp>
#include <lamina/grids/MedianCells.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "SpherePoints.hpp"

namespace Lamina {
namespace {

using Impl::cross, Impl::dot, Impl::norm, Impl::on_sphere, Impl::operator+, Impl::operator-;
using Point = Impl::SpherePoint;

constexpr const char* function = "median_cells";

using Impl::index;

/// A side of a triangle, from one corner to the next.
struct Half {
  int from, to, triangle;
  double cotangent;  // of the angle that faces it

  std::pair<int, int> ends() const { return std::minmax(from, to); }
};

double cotangent(const Point& at_angle, const Point& a, const Point& b) {
  const Point p = a - at_angle, q = b - at_angle;
  return dot(p, q) / norm(cross(p, q));
}

void require_triangles(const SphereTriangulation& mesh) {
  const auto num_points = static_cast<int>(mesh.points.size());
  std::vector<bool> used(mesh.points.size(), false);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (const int corner : mesh.triangles[t]) {
      LAMINA_REQUIRE(corner >= 0 && corner < num_points, function,
                     "triangle " + std::to_string(t) + ": expected three points out of " +
                         std::to_string(num_points) + ", got " + std::to_string(corner));
      used[index(corner)] = true;
    }
    const auto& [a, b, c] = mesh.triangles[t];
    const double area =
        Impl::triangle_area(mesh.points[index(a)], mesh.points[index(b)], mesh.points[index(c)]);
    LAMINA_REQUIRE(area > 0, function,
                   "triangle " + std::to_string(t) +
                       ": expected a positive area within counter-clockwise corners, got " +
                       std::to_string(area));
  }
  const auto unused = std::find(used.begin(), used.end(), false);
  LAMINA_REQUIRE(unused == used.end(), function,
                 "point " + std::to_string(unused - used.begin()) +
                     ": expected a triangle at each point, got none");
}

/// All sides, those of one edge together.
std::vector<Half> halves_of(const SphereTriangulation& mesh) {
  std::vector<Half> halves;
  halves.reserve(3 * mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& corners = mesh.triangles[t];
    for (std::size_t n = 0; n < 3; ++n) {
      const int from = corners[n], to = corners[(n + 1) % 3], facing = corners[(n + 2) % 3];
      halves.push_back({from, to, static_cast<int>(t),
                        cotangent(mesh.points[index(facing)], mesh.points[index(from)],
                                  mesh.points[index(to)])});
    }
  }
  std::sort(halves.begin(), halves.end(), [](const Half& a, const Half& b) {
    return std::pair(a.ends(), a.triangle) < std::pair(b.ends(), b.triangle);
  });
  return halves;
}

/// The triangle at a point between two edges of it, counter-clockwise.
struct Sector {
  int first, second, triangle;  // numbers of the edges
};

/// Makes the cells edge by edge.
class CellBuilder {
 public:
  explicit CellBuilder(const SphereTriangulation& mesh)
      : m_mesh(mesh), m_edge_of_side(3 * mesh.triangles.size()) {
    add_areas();
    add_edges();
    add_polygons();
  }
  MedianCells take() { return std::move(m_cells); }

 private:
  const Point& point(int n) const { return m_mesh.points[index(n)]; }

  void add_areas() {
    ColumnGraph& graph = m_cells.graph;
    graph.centres.points = m_mesh.points;
    graph.areas.assign(m_mesh.points.size(), 0);
    for (const auto& corners : m_mesh.triangles) {
      const auto& [a, b, c] = corners;
      const double third = Impl::triangle_area(point(a), point(b), point(c)) / 3;
      for (const int corner : corners) graph.areas[index(corner)] += third;
    }
  }

  void add_edges() {
    const std::vector<Half> halves = halves_of(m_mesh);
    for (std::size_t n = 0; n < halves.size();) {
      const Half& half = halves[n];
      const bool paired = n + 1 < halves.size() && halves[n + 1].ends() == half.ends();
      const bool right = !(n + 2 < halves.size() && halves[n + 2].ends() == half.ends()) &&
                         !(paired && halves[n + 1].from == half.from);
      LAMINA_REQUIRE(right, function,
                     "triangles: expected at most one on either side of the edge of points " +
                         std::to_string(half.from) + " to " + std::to_string(half.to));
      add_edge(half, paired ? &halves[n + 1] : nullptr);
      n += paired ? 2 : 1;
    }
  }

  void add_edge(const Half& half, const Half* other) {
    for (const Half* side : {&half, other}) {
      if (side == nullptr) continue;
      const auto& corners = m_mesh.triangles[index(side->triangle)];
      const auto place = std::find(corners.begin(), corners.end(), side->from) - corners.begin();
      m_edge_of_side[3 * index(side->triangle) + static_cast<std::size_t>(place)] =
          static_cast<int>(m_middles.size());
    }
    m_middles.push_back(on_sphere(point(half.from) + point(half.to)));
    constexpr double least = 1e-9;
    const double coupling = (half.cotangent + (other == nullptr ? 0 : other->cotangent)) / 2;
    if (!(coupling > least)) {
      ++m_cells.num_left_out;
      return;
    }
    const auto [first, second] = half.ends();
    const double distance = Impl::arc(point(first), point(second));
    m_cells.graph.edges.push_back({first, second, coupling * distance, distance});
  }

  /// Points: middles of edges, centroids of triangles, the points of the triangulation.
  void add_polygons() {
    CellPolygons& polygons = m_cells.polygons;
    polygons.points = m_middles;
    for (const auto& [a, b, c] : m_mesh.triangles) {
      polygons.points.push_back(on_sphere(point(a) + point(b) + point(c)));
    }
    polygons.points.insert(polygons.points.end(), m_mesh.points.begin(), m_mesh.points.end());
    const std::vector<std::vector<Sector>> fans = fans_of();
    std::vector<int> corners;
    for (std::size_t p = 0; p < fans.size(); ++p) {
      corners.clear();
      const auto& fan = fans[p];
      const auto middle = static_cast<int>(p + m_middles.size() + m_mesh.triangles.size());
      for (std::size_t n = 0; n < fan.size(); ++n) {
        corners.push_back(fan[n].first);
        corners.push_back(fan[n].triangle + static_cast<int>(m_middles.size()));
        const Sector& next = fan[(n + 1) % fan.size()];
        if (next.first == fan[n].second) continue;
        corners.push_back(fan[n].second);  // the rim
        corners.push_back(middle);
      }
      polygons.add(corners);
    }
  }

  /// The triangles at each point in order around it, at a rim from its one edge to the other.
  std::vector<std::vector<Sector>> fans_of() const {
    std::vector<std::vector<Sector>> fans(m_mesh.points.size());
    for (std::size_t t = 0; t < m_mesh.triangles.size(); ++t) {
      for (std::size_t n = 0; n < 3; ++n) {
        fans[index(m_mesh.triangles[t][n])].push_back(
            {m_edge_of_side[3 * t + n], m_edge_of_side[3 * t + (n + 2) % 3], static_cast<int>(t)});
      }
    }
    for (auto& fan : fans) put_in_order(fan);
    return fans;
  }

  static void put_in_order(std::vector<Sector>& fan) {
    for (std::size_t n = 0; n < fan.size(); ++n) {
      const auto begin = fan.begin() + static_cast<std::ptrdiff_t>(n);
      auto next = n == 0 ? fan.end() : std::find_if(begin, fan.end(), [&](const Sector& s) {
        return s.first == fan[n - 1].second;
      });
      if (next == fan.end()) {  // a fan begins: at a rim, where there is one
        next = std::find_if(begin, fan.end(), [&](const Sector& s) {
          return std::none_of(begin, fan.end(),
                              [&](const Sector& other) { return other.second == s.first; });
        });
      }
      if (next != fan.end()) std::swap(*begin, *next);
    }
  }

  const SphereTriangulation& m_mesh;
  MedianCells m_cells;
  std::vector<int> m_edge_of_side;  // side n of triangle t at 3 t + n
  std::vector<Point> m_middles;     // of the edges
};

}  // namespace

MedianCells median_cells(const SphereTriangulation& mesh) {
  require_triangles(mesh);
  return CellBuilder(mesh).take();
}

}  // namespace Lamina
