// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/grids/SphereTriangulation.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "SpherePoints.hpp"

namespace Lamina {
namespace {

using Point = Impl::SpherePoint;

/// The cells on the faces of a cube of m x m x m steps.
class CubeFaces {
 public:
  explicit CubeFaces(int m) : m_m(m) {}

  int num_cells() const { return 6 * m_m * m_m; }

  /// Where (x, y) of a face is, in steps from a corner of the cube. Faces are +x, +y, +z, -x, -y, -z.
  std::array<double, 3> place(int face, double x, double y) const {
    const auto axis = static_cast<std::size_t>(face % 3);
    std::array<double, 3> place{};
    place[axis] = face < 3 ? m_m : 0;
    place[(axis + 1) % 3] = x;
    place[(axis + 2) % 3] = y;
    return place;
  }
  /// The centre of a cell, on the sphere. Angles between cells are equal.
  Point centre(int cell) const {
    constexpr double quarter = 0.78539816339744830962;
    const auto [face, i, j] = of(cell);
    Point point = place(face, i + 0.5, j + 0.5);
    for (double& value : point) value = std::tan(quarter * (2 * value / m_m - 1));
    return Impl::on_sphere(point);
  }
  /// The numbers of the four corners of a cell, among all points of the lattice.
  std::array<std::int64_t, 4> corners(int cell) const {
    const auto [face, i, j] = of(cell);
    return {number(face, i, j), number(face, i + 1, j), number(face, i, j + 1),
            number(face, i + 1, j + 1)};
  }

 private:
  std::array<int, 3> of(int cell) const {
    return {cell / (m_m * m_m), cell / m_m % m_m, cell % m_m};
  }
  std::int64_t number(int face, int x, int y) const {
    const auto corner = place(face, x, y);
    const std::int64_t side = m_m + 1;
    const auto step = [&](std::size_t d) { return static_cast<std::int64_t>(corner[d]); };
    return (step(0) * side + step(1)) * side + step(2);
  }

  int m_m;
};

/// Sorts cells around a corner counter-clockwise, seen from outside.
void sort_around(const std::vector<Point>& centres, std::vector<int>& cells) {
  using Impl::operator+, Impl::operator-, Impl::operator*;
  const auto at = [&](int cell) -> const Point& { return centres[static_cast<std::size_t>(cell)]; };
  Point corner{0, 0, 0};
  for (const int cell : cells) corner = corner + at(cell);
  corner = Impl::on_sphere(corner);
  const Point along = at(cells.front()) - Impl::dot(at(cells.front()), corner) * corner;
  const Point left = Impl::cross(corner, along);
  const auto angle = [&](int cell) {
    return std::atan2(Impl::dot(at(cell), left), Impl::dot(at(cell), along));
  };
  std::sort(cells.begin() + 1, cells.end(), [&](int a, int b) {
    const auto turn = [&](int cell) { return angle(cell) < 0 ? angle(cell) + 7 : angle(cell); };
    return turn(a) < turn(b);
  });
}

/// Adds the triangles of the cells around a corner: one, or two that are Delaunay's.
void add_triangles(const std::vector<int>& cells, SphereTriangulation& mesh) {
  using Impl::operator-;
  if (cells.size() == 3) {
    mesh.triangles.push_back({cells[0], cells[1], cells[2]});
    return;
  }
  const auto at = [&](std::size_t n) -> const Point& {
    return mesh.points[static_cast<std::size_t>(cells[n])];
  };
  const Point circle = Impl::circumcentre(at(0), at(1), at(2));
  // The fourth within the circle of the others: the other diagonal is the right one.
  const std::size_t first = Impl::dot(circle, at(3) - at(0)) > 0 ? 1 : 0;
  const auto cell = [&](std::size_t n) { return cells[(first + n) % 4]; };
  mesh.triangles.push_back({cell(0), cell(1), cell(2)});
  mesh.triangles.push_back({cell(0), cell(2), cell(3)});
}

}  // namespace

SphereTriangulation cubed_sphere_triangulation(int m) {
  constexpr int most = 13377;  // 12 m^2 < 2^31
  LAMINA_REQUIRE(
      m >= 2 && m <= most, "cubed_sphere_triangulation",
      "expected 2 to " + std::to_string(most) + " cells along a face, got " + std::to_string(m));
  const CubeFaces cube(m);
  SphereTriangulation mesh;
  mesh.points.reserve(static_cast<std::size_t>(cube.num_cells()));
  std::vector<std::pair<std::int64_t, int>> meetings;  // (corner, cell)
  meetings.reserve(4 * static_cast<std::size_t>(cube.num_cells()));
  for (int cell = 0; cell < cube.num_cells(); ++cell) {
    mesh.points.push_back(cube.centre(cell));
    for (const std::int64_t corner : cube.corners(cell)) meetings.emplace_back(corner, cell);
  }
  std::sort(meetings.begin(), meetings.end());
  mesh.triangles.reserve(2 * mesh.points.size());
  std::vector<int> around;
  for (std::size_t begin = 0, end = 0; begin < meetings.size(); begin = end) {
    around.clear();
    for (end = begin; end < meetings.size() && meetings[end].first == meetings[begin].first;
         ++end) {
      around.push_back(meetings[end].second);
    }
    sort_around(mesh.points, around);
    add_triangles(around, mesh);
  }
  return mesh;
}

}  // namespace Lamina
