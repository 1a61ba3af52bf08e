// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/grids/PeriodicPlane.hpp>
#include <lamina/grids/impl/CutColumns.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace Lamina {
namespace {

/// The cells of the plane, column num_y * i + j.
class PlaneCells {
 public:
  PlaneCells(const char* function, int num_x, int num_y, double length_x, double length_y)
      : m_num_x(num_x), m_num_y(num_y), m_width(length_x / num_x), m_height(length_y / num_y) {
    LAMINA_REQUIRE(num_x >= 3 && num_y >= 3, function,
                   "expected at least 3 x 3 cells, got " + std::to_string(num_x) + " x " +
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

  std::int64_t num_columns() const { return static_cast<std::int64_t>(m_num_x) * m_num_y; }
  double area(std::int64_t) const { return m_width * m_height; }

  template <class Visit>
  void for_each_neighbour(std::int64_t column, const Visit& visit) const {
    const std::int64_t i = column / m_num_y, j = column % m_num_y;
    const auto cell = [this](std::int64_t p, std::int64_t q) {
      return m_num_y * (p % m_num_x) + q % m_num_y;
    };
    const auto along_x = [this] { return Impl::Flux{m_height, m_width}; };
    const auto along_y = [this] { return Impl::Flux{m_width, m_height}; };
    visit(cell(i + 1, j), true, along_x);
    visit(cell(i, j + 1), true, along_y);
    visit(cell(i + m_num_x - 1, j), false, along_x);
    visit(cell(i, j + m_num_y - 1), false, along_y);
  }
  template <class Visit>
  void for_each_boundary(std::int64_t, const Visit&) const {}

 private:
  int m_num_x, m_num_y;
  double m_width, m_height;
};

}  // namespace

ColumnGraph periodic_plane(int num_x, int num_y, double length_x, double length_y) {
  const PlaneCells cells("periodic_plane", num_x, num_y, length_x, length_y);
  ColumnGraph graph = Impl::whole_graph(
      cells, std::vector<double>(static_cast<std::size_t>(cells.num_columns()), cells.area(0)));
  graph.centres = {
      .surface = ColumnCentres::Surface::plane, .points = {}, .periods = {length_x, length_y}};
  for (int i = 0; i < num_x; ++i) {
    for (int j = 0; j < num_y; ++j) {
      graph.centres.points.push_back(
          {length_x / num_x * (i + 0.5), length_y / num_y * (j + 0.5), 0});
    }
  }
  return graph;
}

LocalColumns local_periodic_plane(int num_x, int num_y, const Partition& partition, int rank,
                                  double length_x, double length_y) {
  constexpr const char* function = "local_periodic_plane";
  return Impl::cut_columns(function, PlaneCells(function, num_x, num_y, length_x, length_y),
                           partition, rank);
}

}  // namespace Lamina
