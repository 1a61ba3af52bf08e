// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/grids/HilbertOrder.hpp>
#include <lamina/grids/impl/HilbertCurve.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace Lamina {
namespace {

using Point = std::array<double, 3>;

constexpr int bits = 28;  // of a coordinate; with that of the face they fill 59 of 64

/// The number of a point of the square from -1 to 1 along the curve.
std::uint64_t place_on_square(double x, double y) {
  const double most = (1 << bits) - 1;
  const auto cell = [most](double value) {
    return static_cast<std::uint32_t>(std::clamp((value + 1) / 2 * most, 0.0, most));
  };
  return Impl::hilbert_index(cell(x), cell(y), bits);
}

/// The number of a point of the sphere along a closed curve over the faces +x, +y, +z, -x, -y, -z of a
/// cube. On each it leads along one edge, from a corner of the cube to the next, where the next face
/// begins. Within a face angles are equal, not lengths.
std::uint64_t place_on_sphere(const Point& point) {
  std::size_t axis = 0;
  for (std::size_t other = 1; other < 3; ++other) {
    if (std::abs(point[other]) > std::abs(point[axis])) axis = other;
  }
  const std::size_t face = axis + (point[axis] > 0 ? 0 : 3);
  // Directions of the edge, and from it into the face, along axes axis + 1 and axis + 2.
  constexpr int along[] = {1, 1, -1, -1, -1, 1}, into[] = {1, -1, -1, -1, 1, 1};
  constexpr double quarter = 0.78539816339744830962;
  const auto angle = [&](std::size_t other) {
    return std::atan2(point[other % 3], std::abs(point[axis])) / quarter;
  };
  return (static_cast<std::uint64_t>(face) << (2 * bits)) +
         place_on_square(along[face] * angle(axis + 1), into[face] * angle(axis + 2));
}

/// The number of each point of a plane.
std::vector<std::uint64_t> places_on_plane(const std::vector<Point>& points) {
  Point low{0, 0, 0}, high{0, 0, 0};
  for (std::size_t d = 0; d < 2 && !points.empty(); ++d) {
    const auto by_coordinate = [d](const Point& a, const Point& b) { return a[d] < b[d]; };
    const auto [least, most] = std::minmax_element(points.begin(), points.end(), by_coordinate);
    low[d] = (*least)[d];
    high[d] = (*most)[d];
  }
  const double width = std::max({high[0] - low[0], high[1] - low[1], 1e-300});
  std::vector<std::uint64_t> places;
  places.reserve(points.size());
  for (const Point& point : points) {
    places.push_back(
        place_on_square(2 * (point[0] - low[0]) / width - 1, 2 * (point[1] - low[1]) / width - 1));
  }
  return places;
}

std::vector<std::uint64_t> places_of(const ColumnCentres& centres) {
  if (centres.surface == ColumnCentres::Surface::plane) return places_on_plane(centres.points);
  std::vector<std::uint64_t> places;
  places.reserve(centres.points.size());
  for (const Point& point : centres.points) places.push_back(place_on_sphere(point));
  return places;
}

/// \throws InvalidArgument unless there are centres, no halo columns, and edges between columns only
void require_whole(const ColumnGraph& graph) {
  const char* const function = "along_hilbert_curve";
  const std::size_t size = graph.areas.size();
  LAMINA_REQUIRE(graph.centres.points.size() == size, function,
                 "graph: expected centres of " + std::to_string(size) + " columns, got " +
                     std::to_string(graph.centres.points.size()));
  LAMINA_REQUIRE(static_cast<std::size_t>(graph.count_owned()) == size, function,
                 "graph: expected no halo columns, got " +
                     std::to_string(static_cast<int>(size) - graph.count_owned()));
  const auto require_column = [&](int column) {
    LAMINA_REQUIRE(column >= 0 && static_cast<std::size_t>(column) < size, function,
                   "graph: expected edges of columns 0 to " + std::to_string(size) + " - 1, got " +
                       std::to_string(column));
  };
  for (const ColumnGraph::Edge& edge : graph.edges) {
    require_column(edge.first);
    require_column(edge.second);
  }
  for (const ColumnGraph::BoundaryEdge& edge : graph.boundary_edges) require_column(edge.column);
}

}  // namespace

OrderedColumns along_hilbert_curve(const ColumnGraph& graph) {
  require_whole(graph);
  const std::size_t size = graph.areas.size();
  const std::vector<std::uint64_t> places = places_of(graph.centres);
  std::vector<int> original(size), number(size);
  for (std::size_t c = 0; c < size; ++c) original[c] = static_cast<int>(c);
  std::stable_sort(original.begin(), original.end(), [&](int a, int b) {
    return places[static_cast<std::size_t>(a)] < places[static_cast<std::size_t>(b)];
  });

  OrderedColumns ordered{.graph = graph, .original = std::move(original)};
  for (std::size_t c = 0; c < size; ++c) {
    const auto old = static_cast<std::size_t>(ordered.original[c]);
    number[old] = static_cast<int>(c);
    ordered.graph.areas[c] = graph.areas[old];
    ordered.graph.centres.points[c] = graph.centres.points[old];
  }
  for (auto& edge : ordered.graph.edges) {
    edge.first = number[static_cast<std::size_t>(edge.first)];
    edge.second = number[static_cast<std::size_t>(edge.second)];
  }
  for (auto& edge : ordered.graph.boundary_edges) {
    edge.column = number[static_cast<std::size_t>(edge.column)];
  }
  return ordered;
}

}  // namespace Lamina
