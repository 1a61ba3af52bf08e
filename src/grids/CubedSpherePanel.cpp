// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/grids/impl/CutColumns.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "SpherePoints.hpp"

namespace Lamina {
namespace {

using Impl::arc;
using Point = Impl::SpherePoint;

constexpr int most_on_a_side = 1 << 30;

constexpr double degrees = 180.0 / 3.14159265358979323846;

/// Gnomonic coordinate of position `half_cells / 2` cells from the lower edge, exact at the centre.
double gnomonic(int half_cells, int cells) {
  return (static_cast<double>(half_cells) - cells) / cells;
}

// These are not inlined. A compiler contracts products and sums where it likes, other ones in each
// place. All ranks, and the whole grid, must get the same bits.
[[gnu::noinline]] Point on_sphere(double x, double y) {
  const double norm = std::sqrt(1 + x * x + y * y);
  return {x / norm, y / norm, 1 / norm};
}

/// Solid angle of the rectangle between the panel's centre and (x, y).
[[gnu::noinline]] double solid_angle(double x, double y) {
  return std::atan(x * y / std::sqrt(1 + x * x + y * y));
}

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

/// The cells of a panel and their fluxes. Positions are counted in half cells: corners are even,
/// centres odd.
class PanelCells {
 public:
  PanelCells(const CubedSpherePanel& panel, PanelEdge edge)
      : m_num_x(panel.num_x()), m_num_y(panel.num_y()), m_edge(edge) {}

  std::int64_t num_columns() const { return static_cast<std::int64_t>(m_num_x) * m_num_y; }
  double area(std::int64_t column) const {
    const auto corner = [this](int half_x, int half_y) {
      return solid_angle(gnomonic(half_x, m_num_x), gnomonic(half_y, m_num_y));
    };
    const int x = 2 * i_of(column), y = 2 * j_of(column);
    return corner(x + 2, y + 2) - corner(x, y + 2) - corner(x + 2, y) + corner(x, y);
  }

  Point centre(std::int64_t column) const {
    return point(2 * i_of(column) + 1, 2 * j_of(column) + 1);
  }

  template <class Visit>
  void for_each_neighbour(std::int64_t column, const Visit& visit) const {
    const int i = i_of(column), j = j_of(column);
    if (i + 1 < m_num_x) visit(column + m_num_y, true, [=, this] { return flux_to_east(i, j); });
    if (j + 1 < m_num_y) visit(column + 1, true, [=, this] { return flux_to_north(i, j); });
    if (i > 0) visit(column - m_num_y, false, [=, this] { return flux_to_east(i - 1, j); });
    if (j > 0) visit(column - 1, false, [=, this] { return flux_to_north(i, j - 1); });
  }

  template <class Visit>
  void for_each_boundary(std::int64_t column, const Visit& visit) const {
    if (m_edge == PanelEdge::zero_flux) return;
    const int i = i_of(column), j = j_of(column), x = 2 * i, y = 2 * j;
    const Point centre = point(x + 1, y + 1);
    for (const int side : {0, 2}) {  // west and south, east and north
      if (i == (side == 0 ? 0 : m_num_x - 1)) {
        visit(flux(centre, point(x + side, y), point(x + side, y + 2), point(x + side, y + 1)));
      }
      if (j == (side == 0 ? 0 : m_num_y - 1)) {
        visit(flux(centre, point(x, y + side), point(x + 2, y + side), point(x + 1, y + side)));
      }
    }
  }

 private:
  int i_of(std::int64_t column) const { return static_cast<int>(column / m_num_y); }
  int j_of(std::int64_t column) const { return static_cast<int>(column % m_num_y); }
  Point point(int half_x, int half_y) const {
    return on_sphere(gnomonic(half_x, m_num_x), gnomonic(half_y, m_num_y));
  }
  /// Through the arc from one corner to another, to the point beyond it.
  static Impl::Flux flux(const Point& centre, const Point& from, const Point& to,
                         const Point& beyond) {
    return {arc(from, to), arc(centre, beyond)};
  }
  Impl::Flux flux_to_east(int i, int j) const {
    const int x = 2 * i, y = 2 * j;
    return flux(point(x + 1, y + 1), point(x + 2, y), point(x + 2, y + 2), point(x + 3, y + 1));
  }
  Impl::Flux flux_to_north(int i, int j) const {
    const int x = 2 * i, y = 2 * j;
    return flux(point(x + 1, y + 1), point(x, y + 2), point(x + 2, y + 2), point(x + 1, y + 3));
  }

  int m_num_x, m_num_y;
  PanelEdge m_edge;
};

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
  const PanelCells cells(*this, edge);
  ColumnGraph graph = Impl::whole_graph(cells, areas());
  graph.centres.points = list_of(num_columns(), [&](int column) { return cells.centre(column); });
  return graph;
}

LocalColumns CubedSpherePanel::local(const Partition& partition, int rank, PanelEdge edge) const {
  const PanelCells cells(*this, edge);
  LocalColumns local = Impl::cut_columns("CubedSpherePanel::local", cells, partition, rank);
  Impl::set_centres([&](std::int64_t column) { return cells.centre(column); }, local);
  return local;
}

}  // namespace Lamina
