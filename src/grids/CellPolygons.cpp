// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/impl/Index.hpp>
#include <lamina/grids/CellPolygons.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "SpherePoints.hpp"
#include "TriangulationSides.hpp"

namespace Lamina {
namespace {

using Point = Impl::SpherePoint;

constexpr double radian = 3.14159265358979323846 / 180;

using Impl::index;

/// A triangle at a point, which it meets from the first side of the point to the second one,
/// counter-clockwise.
struct Sector {
  int first, second;  // the points at the other ends of these sides
  int triangle;
};

/// The triangles at each point, in order around it.
std::vector<std::vector<Sector>> fans_of(const SphereTriangulation& mesh) {
  std::vector<std::vector<Sector>> fans(mesh.points.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& corners = mesh.triangles[t];
    for (std::size_t n = 0; n < 3; ++n) {
      fans[index(corners[n])].push_back(
          {corners[(n + 1) % 3], corners[(n + 2) % 3], static_cast<int>(t)});
    }
  }
  for (auto& fan : fans) {
    for (std::size_t n = 1; n < fan.size(); ++n) {
      const auto next = std::find_if(fan.begin() + static_cast<std::ptrdiff_t>(n), fan.end(),
                                     [&](const Sector& s) { return s.first == fan[n - 1].second; });
      if (next != fan.end()) std::swap(fan[n], *next);
    }
  }
  return fans;
}

/// Circumcentres that coincide across an edge of triangles get one number, the lowest.
std::vector<int> numbers_of(const SphereTriangulation& mesh, const std::vector<Point>& centres) {
  std::vector<int> parent(centres.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](int n) {
    while (parent[index(n)] != n) n = parent[index(n)] = parent[index(parent[index(n)])];
    return n;
  };
  for (const auto& side : Impl::sides_of("voronoi_polygons", mesh)) {
    const Impl::SideCrossing crossing = Impl::crossing_at(side, mesh, centres);
    Impl::require_delaunay("voronoi_polygons", side, crossing);
    if (crossing.is_edge()) continue;
    const int left = root(side.left), right = root(side.right);
    parent[index(std::max(left, right))] = std::min(left, right);
  }
  for (std::size_t n = 0; n < parent.size(); ++n) parent[n] = root(static_cast<int>(n));
  return parent;
}

/// Leaves out points that no cell has.
void drop_unused_points(CellPolygons& polygons) {
  std::vector<int> number(polygons.points.size(), -1);
  for (const int corner : polygons.corners) number[index(corner)] = 0;
  int count = 0;
  for (std::size_t n = 0; n < number.size(); ++n) {
    if (number[n] < 0) continue;
    polygons.points[index(count)] = polygons.points[n];
    number[n] = count++;
  }
  polygons.points.resize(index(count));
  for (int& corner : polygons.corners) corner = number[index(corner)];
}

}  // namespace

int CellPolygons::max_corners() const {
  std::size_t most = 0;
  for (int cell = 0; cell < size(); ++cell) most = std::max(most, of(cell).size());
  return static_cast<int>(most);
}

double CellPolygons::area(int cell, ColumnCentres::Surface surface) const {
  const std::span<const int> ends = of(cell);
  double sum = 0;
  for (std::size_t n = 1; n + 1 < ends.size(); ++n) {
    const Point &a = points[index(ends[0])], &b = points[index(ends[n])],
                &c = points[index(ends[n + 1])];
    sum += surface == ColumnCentres::Surface::sphere
               ? Impl::triangle_area(a, b, c)
               : ((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1])) / 2;
  }
  return sum;
}

void CellPolygons::turn_counter_clockwise(ColumnCentres::Surface surface) {
  for (int cell = 0; cell < size(); ++cell) {
    if (area(cell, surface) >= 0) continue;
    std::reverse(corners.begin() + offsets[index(cell)],
                 corners.begin() + offsets[index(cell) + 1]);
  }
}

CellPolygons voronoi_polygons(const SphereTriangulation& mesh) {
  CellPolygons polygons;
  polygons.points = Impl::circumcentres_of(mesh);
  const std::vector<int> numbers = numbers_of(mesh, polygons.points);
  std::vector<int> ends;
  for (const auto& fan : fans_of(mesh)) {
    ends.clear();
    for (const Sector& sector : fan) {
      const int number = numbers[index(sector.triangle)];
      if (ends.empty() || ends.back() != number) ends.push_back(number);
    }
    while (ends.size() > 1 && ends.back() == ends.front()) ends.pop_back();
    polygons.add(ends);
  }
  drop_unused_points(polygons);
  return polygons;
}

CellPolygons triangle_polygons(const SphereTriangulation& mesh) {
  (void)Impl::sides_of("triangle_polygons", mesh);
  CellPolygons polygons;
  polygons.points = mesh.points;
  for (const auto& triangle : mesh.triangles) polygons.add(triangle);
  return polygons;
}

CellPolygons panel_polygons(const CubedSpherePanel& panel) {
  CellPolygons polygons;
  const int row = panel.num_y() + 1;
  for (int p = 0; p <= panel.num_x(); ++p) {
    for (int q = 0; q <= panel.num_y(); ++q) {
      const double longitude = radian * panel.corner_longitude(p, q),
                   latitude = radian * panel.corner_latitude(p, q), ring = std::cos(latitude);
      polygons.points.push_back(
          {ring * std::cos(longitude), ring * std::sin(longitude), std::sin(latitude)});
    }
  }
  for (int i = 0; i < panel.num_x(); ++i) {
    for (int j = 0; j < panel.num_y(); ++j) {
      const int corner = row * i + j;
      polygons.add(std::array{corner, corner + row, corner + row + 1, corner + 1});
    }
  }
  return polygons;
}

}  // namespace Lamina
