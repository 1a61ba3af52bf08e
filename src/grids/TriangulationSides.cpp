// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TriangulationSides.hpp"

#include <lamina/core/Require.hpp>
#include <lamina/core/impl/Index.hpp>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace Lamina::Impl {

std::string name_of(const TriangulationSide& side) {
  return std::to_string(side.from) + " to " + std::to_string(side.to);
}

std::vector<TriangulationSide> sides_of(const char* function, const SphereTriangulation& mesh) {
  const auto num_points = static_cast<int>(mesh.points.size());
  std::vector<TriangulationSide> halves;
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
      halves.push_back(from < to ? TriangulationSide{from, to, triangle, -1}
                                 : TriangulationSide{to, from, -1, triangle});
    }
  }
  std::sort(halves.begin(), halves.end(),
            [](const TriangulationSide& a, const TriangulationSide& b) {
              return std::pair(a.from, a.to) < std::pair(b.from, b.to);
            });
  std::vector<TriangulationSide> sides;
  for (std::size_t n = 0; n < halves.size(); n += 2) {
    const TriangulationSide& a = halves[n];
    const TriangulationSide b = n + 1 < halves.size() ? halves[n + 1] : TriangulationSide{-1, -1};
    const bool match = a.from == b.from && a.to == b.to && (a.left < 0) != (b.left < 0);
    LAMINA_REQUIRE(match, function,
                   "triangles: expected one on either side of the edge of points " + name_of(a));
    sides.push_back({a.from, a.to, std::max(a.left, b.left), std::max(a.right, b.right)});
  }
  return sides;
}

std::vector<SpherePoint> circumcentres_of(const SphereTriangulation& mesh) {
  std::vector<SpherePoint> centres;
  centres.reserve(mesh.triangles.size());
  for (const auto& [a, b, c] : mesh.triangles) {
    centres.push_back(
        circumcentre(mesh.points[index(a)], mesh.points[index(b)], mesh.points[index(c)]));
  }
  return centres;
}

SideCrossing crossing_at(const TriangulationSide& side, const SphereTriangulation& mesh,
                         const std::vector<SpherePoint>& centres) {
  const SpherePoint &from = mesh.points[index(side.from)], &to = mesh.points[index(side.to)];
  const SpherePoint &left = centres[index(side.left)], &right = centres[index(side.right)];
  const bool forward = dot(left - right, cross(from + to, to - from)) >= 0;
  return {arc(from, to), forward ? arc(right, left) : -arc(right, left)};
}

void require_delaunay(const char* function, const TriangulationSide& side,
                      const SideCrossing& crossing) {
  LAMINA_REQUIRE(crossing.across >= -shortest_edge * crossing.along, function,
                 "triangles: expected no point within the circle of another triangle, got one at "
                 "the edge of points " +
                     name_of(side));
}

}  // namespace Lamina::Impl
