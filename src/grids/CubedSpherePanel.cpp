// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/core/Require.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

namespace Lamina {
namespace {

using Point = std::array<double, 3>;

constexpr int most_on_a_side = 1 << 30;

constexpr double degrees = 180.0 / 3.14159265358979323846;

/// Gnomonic coordinate of position `half_cells / 2` cells from the lower edge, exact at the centre.
double gnomonic(int half_cells, int cells) {
  return (static_cast<double>(half_cells) - cells) / cells;
}

Point on_sphere(double x, double y) {
  const double norm = std::sqrt(1 + x * x + y * y);
  return {x / norm, y / norm, 1 / norm};
}

/// Length of the great-circle arc between two points; accurate for short arcs too.
double arc(const Point& a, const Point& b) {
  const Point cross{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                    a[0] * b[1] - a[1] * b[0]};
  return std::atan2(std::sqrt(cross[0] * cross[0] + cross[1] * cross[1] + cross[2] * cross[2]),
                    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
}

/// Solid angle of the rectangle between the panel's centre and (x, y).
double solid_angle(double x, double y) { return std::atan(x * y / std::sqrt(1 + x * x + y * y)); }

/// value(0), ..., value(size - 1)
template <class Value>
auto list_of(int size, const Value& value) {
  std::vector<decltype(value(0))> list;
  list.reserve(static_cast<std::size_t>(size));
  for (int i = 0; i < size; ++i) list.push_back(value(i));
  return list;
}

double longitude_of(double x) { return degrees * std::atan(x); }
double latitude_of(double x, double y) { return degrees * std::atan(y / std::sqrt(1 + x * x)); }

}  // namespace

CubedSpherePanel::CubedSpherePanel(int num_x, int num_y) : m_num_x(num_x), m_num_y(num_y) {
  LAMINA_REQUIRE(num_x >= 1 && num_y >= 1, "CubedSpherePanel",
                 "expected at least 1 x 1 cells, got " + std::to_string(num_x) + " x " +
                     std::to_string(num_y));
  // Positions are counted in half cells.
  LAMINA_REQUIRE(num_x < most_on_a_side && num_y < most_on_a_side, "CubedSpherePanel",
                 "expected fewer than 2^30 cells a side, got " + std::to_string(num_x) + " x " +
                     std::to_string(num_y));
  LAMINA_REQUIRE(num_x <= std::numeric_limits<int>::max() / num_y, "CubedSpherePanel",
                 "expected fewer than 2^31 cells, got " + std::to_string(num_x) + " x " +
                     std::to_string(num_y));
}

std::vector<double> CubedSpherePanel::areas() const {
  const auto corners = [this](int p) {
    return list_of(m_num_y + 1, [&](int q) {
      return solid_angle(gnomonic(2 * p, m_num_x), gnomonic(2 * q, m_num_y));
    });
  };
  std::vector<double> areas;
  areas.reserve(static_cast<std::size_t>(num_columns()));
  auto west = corners(0);
  for (int i = 0; i < m_num_x; ++i) {
    auto east = corners(i + 1);
    for (std::size_t j = 0; j + 1 < east.size(); ++j) {
      areas.push_back(east[j + 1] - west[j + 1] - east[j] + west[j]);
    }
    west = std::move(east);
  }
  return areas;
}

double CubedSpherePanel::longitude(int i, int) const {
  return longitude_of(gnomonic(2 * i + 1, m_num_x));
}
double CubedSpherePanel::latitude(int i, int j) const {
  return latitude_of(gnomonic(2 * i + 1, m_num_x), gnomonic(2 * j + 1, m_num_y));
}
double CubedSpherePanel::corner_longitude(int p, int) const {
  return longitude_of(gnomonic(2 * p, m_num_x));
}
double CubedSpherePanel::corner_latitude(int p, int q) const {
  return latitude_of(gnomonic(2 * p, m_num_x), gnomonic(2 * q, m_num_y));
}

ColumnGraph CubedSpherePanel::graph(PanelEdge edge) const {
  // The point at a position counted in half cells: corners are even, centres odd.
  const auto point = [this](int half_x, int half_y) {
    return on_sphere(gnomonic(half_x, m_num_x), gnomonic(half_y, m_num_y));
  };

  ColumnGraph graph;
  graph.num_owned = num_columns();
  graph.areas = areas();
  graph.edges.reserve(2 * static_cast<std::size_t>(num_columns()));
  for (int i = 0; i < m_num_x; ++i) {
    for (int j = 0; j < m_num_y; ++j) {
      const Point centre = point(2 * i + 1, 2 * j + 1);
      if (i + 1 < m_num_x) {
        graph.edges.push_back({column(i, j), column(i + 1, j),
                               arc(point(2 * i + 2, 2 * j), point(2 * i + 2, 2 * j + 2)),
                               arc(centre, point(2 * i + 3, 2 * j + 1))});
      }
      if (j + 1 < m_num_y) {
        graph.edges.push_back({column(i, j), column(i, j + 1),
                               arc(point(2 * i, 2 * j + 2), point(2 * i + 2, 2 * j + 2)),
                               arc(centre, point(2 * i + 1, 2 * j + 3))});
      }
      if (edge == PanelEdge::zero_flux) continue;
      const auto add_boundary = [&](const Point& from, const Point& to, const Point& middle) {
        graph.boundary_edges.push_back({column(i, j), arc(from, to), arc(centre, middle)});
      };
      for (int side : {0, 2}) {  // west and south, east and north
        if (i == (side == 0 ? 0 : m_num_x - 1)) {
          add_boundary(point(2 * i + side, 2 * j), point(2 * i + side, 2 * j + 2),
                       point(2 * i + side, 2 * j + 1));
        }
        if (j == (side == 0 ? 0 : m_num_y - 1)) {
          add_boundary(point(2 * i, 2 * j + side), point(2 * i + 2, 2 * j + side),
                       point(2 * i + 1, 2 * j + side));
        }
      }
    }
  }
  return graph;
}

}  // namespace Lamina
