// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/grids/Plane.hpp>
#include <lamina/grids/impl/CutColumns.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace Lamina {
namespace {

/// One direction of a plane: cells between two sides.
class PlaneDirection {
 public:
  PlaneDirection(const char* function, const char* sides, int num_cells, double length,
                 PlaneSide first, PlaneSide last)
      : m_num_cells(num_cells), m_first(first), m_last(last), m_cell(length / num_cells) {
    LAMINA_REQUIRE(
        (first == PlaneSide::periodic) == (last == PlaneSide::periodic), function,
        std::string("argument sides: ") + sides + ": expected both or none periodic, got one");
  }

  int num_cells() const { return m_num_cells; }
  double cell() const { return m_cell; }  ///< its length
  bool is_periodic() const { return m_first == PlaneSide::periodic; }
  bool has_next(std::int64_t i) const { return i + 1 < m_num_cells || wraps(); }
  bool has_before(std::int64_t i) const { return i > 0 || wraps(); }
  std::int64_t next(std::int64_t i) const { return (i + 1) % m_num_cells; }
  std::int64_t before(std::int64_t i) const { return (i + m_num_cells - 1) % m_num_cells; }
  /// Edges that neighbours share.
  int edges() const { return is_periodic() && m_num_cells == 2 ? 2 : 1; }
  bool has_value_before(std::int64_t i) const { return i == 0 && m_first == PlaneSide::dirichlet; }
  bool has_value_after(std::int64_t i) const {
    return i + 1 == m_num_cells && m_last == PlaneSide::dirichlet;
  }

 private:
  /// Whether the seam is an edge of its own.
  bool wraps() const { return is_periodic() && m_num_cells > 2; }

  int m_num_cells;
  PlaneSide m_first, m_last;
  double m_cell;
};

/// The cells of the plane, column num_y * i + j.
class PlaneCells {
 public:
  PlaneCells(const char* function, int num_x, int num_y, const PlaneSides& sides, double length_x,
             double length_y)
      : m_x(function, "west and east", num_x, length_x, sides.west, sides.east),
        m_y(function, "south and north", num_y, length_y, sides.south, sides.north),
        m_length_x(length_x),
        m_length_y(length_y) {
    LAMINA_REQUIRE(num_x >= 1 && num_y >= 1, function,
                   "expected at least 1 x 1 cells, got " + std::to_string(num_x) + " x " +
                       std::to_string(num_y));
    LAMINA_REQUIRE(num_x <= std::numeric_limits<int>::max() / num_y, function,
                   "expected fewer than 2^31 cells, got " + std::to_string(num_x) + " x " +
                       std::to_string(num_y));
    LAMINA_REQUIRE(
        std::isfinite(length_x) && std::isfinite(length_y) && length_x > 0 && length_y > 0,
        function,
        "expected positive, finite lengths, got " + std::to_string(length_x) + " and " +
            std::to_string(length_y));
  }

  std::int64_t num_columns() const {
    return static_cast<std::int64_t>(m_x.num_cells()) * m_y.num_cells();
  }
  double area(std::int64_t) const { return m_x.cell() * m_y.cell(); }
  /// Of columns of no points yet.
  ColumnCentres centres() const {
    return {.surface = ColumnCentres::Surface::plane,
            .points = {},
            .periods = {m_x.is_periodic() ? m_length_x : 0, m_y.is_periodic() ? m_length_y : 0}};
  }
  std::array<double, 3> centre(std::int64_t column) const {
    const int num_x = m_x.num_cells(), num_y = m_y.num_cells();
    const auto i = static_cast<double>(column / num_y), j = static_cast<double>(column % num_y);
    return {m_length_x / num_x * (i + 0.5), m_length_y / num_y * (j + 0.5), 0};
  }

  template <class Visit>
  void for_each_neighbour(std::int64_t column, const Visit& visit) const {
    const std::int64_t num_y = m_y.num_cells(), i = column / num_y, j = column % num_y;
    const auto along_x = [this] { return Impl::Flux{m_x.edges() * m_y.cell(), m_x.cell()}; };
    const auto along_y = [this] { return Impl::Flux{m_y.edges() * m_x.cell(), m_y.cell()}; };
    if (m_x.has_next(i)) visit(num_y * m_x.next(i) + j, true, along_x);
    if (m_y.has_next(j)) visit(num_y * i + m_y.next(j), true, along_y);
    if (m_x.has_before(i)) visit(num_y * m_x.before(i) + j, false, along_x);
    if (m_y.has_before(j)) visit(num_y * i + m_y.before(j), false, along_y);
  }
  template <class Visit>
  void for_each_boundary(std::int64_t column, const Visit& visit) const {
    const std::int64_t num_y = m_y.num_cells(), i = column / num_y, j = column % num_y;
    const Impl::Flux across_x{m_y.cell(), m_x.cell() / 2}, across_y{m_x.cell(), m_y.cell() / 2};
    if (m_x.has_value_before(i)) visit(across_x);
    if (m_x.has_value_after(i)) visit(across_x);
    if (m_y.has_value_before(j)) visit(across_y);
    if (m_y.has_value_after(j)) visit(across_y);
  }

 private:
  PlaneDirection m_x, m_y;
  double m_length_x, m_length_y;
};

}  // namespace

ColumnGraph plane(int num_x, int num_y, const PlaneSides& sides, double length_x, double length_y) {
  const PlaneCells cells("plane", num_x, num_y, sides, length_x, length_y);
  ColumnGraph graph = Impl::whole_graph(
      cells, std::vector<double>(static_cast<std::size_t>(cells.num_columns()), cells.area(0)));
  graph.centres = cells.centres();
  for (std::int64_t column = 0; column < cells.num_columns(); ++column) {
    graph.centres.points.push_back(cells.centre(column));
  }
  return graph;
}

LocalColumns local_plane(int num_x, int num_y, const Partition& partition, int rank,
                         const PlaneSides& sides, double length_x, double length_y) {
  constexpr const char* function = "local_plane";
  const PlaneCells cells(function, num_x, num_y, sides, length_x, length_y);
  LocalColumns local = Impl::cut_columns(function, cells, partition, rank);
  local.graph.centres = cells.centres();
  Impl::set_centres([&](std::int64_t column) { return cells.centre(column); }, local);
  return local;
}

}  // namespace Lamina
