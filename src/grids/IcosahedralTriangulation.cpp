// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/grids/SphereTriangulation.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "SpherePoints.hpp"

namespace Lamina {
namespace {

using Point = Impl::SpherePoint;
using Corners = std::array<int, 3>;

/// The icosahedron with two corners at the poles. Corner 0 is the north pole, 1 to 5 and 6 to 10 are
/// the rings below, 11 is the south pole.
class Icosahedron {
 public:
  static constexpr int num_corners = 12, num_edges = 30, num_faces = 20;

  Icosahedron() {
    constexpr double pi = 3.14159265358979323846;
    const double height = 1 / std::sqrt(5.0), radius = 2 / std::sqrt(5.0);
    corners.front() = {0, 0, 1};
    for (int n = 0; n < 5; ++n) {
      const double upper = 2 * pi / 5 * n, lower = upper + pi / 5;
      corners[index(1 + n)] = {radius * std::cos(upper), radius * std::sin(upper), height};
      corners[index(6 + n)] = {radius * std::cos(lower), radius * std::sin(lower), -height};
    }
    corners.back() = {0, 0, -1};
    for (int n = 0; n < 5; ++n) {
      const int here = 1 + n, next = 1 + (n + 1) % 5;
      faces.push_back({0, here, next});
      faces.push_back({here, here + 5, next});
      faces.push_back({next, here + 5, next + 5});
      faces.push_back({here + 5, 11, next + 5});
    }
    for (const Corners& face : faces) {
      for (std::size_t n = 0; n < 3; ++n) {
        const auto edge = std::minmax(face[n], face[(n + 1) % 3]);
        if (std::find(edges.begin(), edges.end(), std::pair<int, int>(edge)) == edges.end()) {
          edges.emplace_back(edge);
        }
      }
    }
  }

  int edge_of(int a, int b) const {
    const std::pair<int, int> edge = std::minmax(a, b);
    return static_cast<int>(std::find(edges.begin(), edges.end(), edge) - edges.begin());
  }

  static std::size_t index(int n) { return static_cast<std::size_t>(n); }

  std::array<Point, num_corners> corners{};
  std::vector<Corners> faces;
  std::vector<std::pair<int, int>> edges;  // the lower corner first
};

/// Numbers points: first the corners, then those on edges, then those within faces.
class PointNumbers {
 public:
  PointNumbers(const Icosahedron& solid, int n) : m_solid(solid), m_n(n) {}

  /// The point of a face with so many steps of n to each of its corners, weights[0] + weights[1] +
  /// weights[2] = n.
  int operator()(int face, const std::array<int, 3>& weights) const {
    const Corners& corners = m_solid.faces[Icosahedron::index(face)];
    std::array<std::size_t, 3> used{};
    std::size_t count = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      if (weights[c] > 0) used[count++] = c;
    }
    if (count == 1) return corners[used[0]];
    if (count == 2) {
      const int a = corners[used[0]], b = corners[used[1]];
      const int towards_higher = weights[a < b ? used[1] : used[0]];
      return Icosahedron::num_corners + m_solid.edge_of(a, b) * (m_n - 1) + towards_higher - 1;
    }
    const int before = Icosahedron::num_corners + Icosahedron::num_edges * (m_n - 1);
    const int row = weights[0] - 1;  // rows within have n - 2, n - 3, ... points
    const int in_rows_before = row * (m_n - 2) - row * (row - 1) / 2;
    return before + face * ((m_n - 1) * (m_n - 2) / 2) + in_rows_before + weights[1] - 1;
  }

 private:
  const Icosahedron& m_solid;
  int m_n;
};

}  // namespace

SphereTriangulation icosahedral_triangulation(int n) {
  constexpr int most = 10362;  // 20 n^2 < 2^31
  LAMINA_REQUIRE(
      n >= 1 && n <= most, "icosahedral_triangulation",
      "expected 1 to " + std::to_string(most) + " parts of an edge, got " + std::to_string(n));
  using Impl::operator+, Impl::operator*;
  const Icosahedron solid;
  const PointNumbers number(solid, n);
  SphereTriangulation mesh;
  mesh.points.resize(10 * Icosahedron::index(n) * Icosahedron::index(n) + 2);
  mesh.triangles.reserve(20 * Icosahedron::index(n) * Icosahedron::index(n));
  for (int face = 0; face < Icosahedron::num_faces; ++face) {
    const auto& [a, b, c] = solid.faces[Icosahedron::index(face)];
    const Point &first = solid.corners[Icosahedron::index(a)],
                &second = solid.corners[Icosahedron::index(b)],
                &third = solid.corners[Icosahedron::index(c)];
    for (int i = 0; i <= n; ++i) {
      for (int j = 0; i + j <= n; ++j) {
        const int k = n - i - j, here = number(face, {i, j, k});
        mesh.points[Icosahedron::index(here)] =
            Impl::on_sphere(static_cast<double>(i) * first + static_cast<double>(j) * second +
                            static_cast<double>(k) * third);
        // The triangles towards the first and second corner from here, and the one beside it.
        if (k >= 1) {
          mesh.triangles.push_back(
              {here, number(face, {i + 1, j, k - 1}), number(face, {i, j + 1, k - 1})});
        }
        if (k >= 2) {
          mesh.triangles.push_back({number(face, {i + 1, j, k - 1}),
                                    number(face, {i + 1, j + 1, k - 2}),
                                    number(face, {i, j + 1, k - 1})});
        }
      }
    }
  }
  return mesh;
}

}  // namespace Lamina
