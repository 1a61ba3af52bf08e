// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/multigrid/impl/Aggregates.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace Lamina::Impl {
namespace {

/// Sums of couplings, and how many there are.
struct MeanCoupling {
  double sum = 0;
  int count = 0;
  void add(double coupling) {
    sum += coupling;
    ++count;
  }
};

/// Couplings along and across one row or column of a grid.
struct LineCouplings {
  MeanCoupling along, across;
  bool isotropic() const {
    constexpr double largest_ratio = 4;
    if (along.count == 0 || across.count == 0) return false;
    const double ratio = along.sum / along.count / (across.sum / across.count);
    return ratio <= largest_ratio && ratio >= 1 / largest_ratio;
  }
};

/// The edges of a graph as those of a grid in rows.
class RowEdges {
 public:
  explicit RowEdges(const GridRows& rows)
      : m_rows(rows),
        m_of_row(static_cast<std::size_t>(rows.num_rows)),
        m_of_column(static_cast<std::size_t>(rows.row_length)) {}

  /// False for an edge that is none of such a grid.
  bool add(const ColumnGraph::Edge& edge) {
    const auto [low, high] = std::minmax(edge.first, edge.second);
    const int row = low / m_rows.row_length, place = low % m_rows.row_length;
    const int other_row = high / m_rows.row_length, other_place = high % m_rows.row_length;
    const double coupling = edge.length / edge.distance;
    if (row == other_row) {
      const int step = other_place - place;
      if (step != 1 && step != m_rows.row_length - 1) return false;
      ++(step == 1 ? m_along : m_closing_rows);
      add_along(m_of_row, row, coupling);
      add_across(m_of_column, place, other_place, coupling);
      return true;
    }
    const int step = other_row - row;
    if (place != other_place || (step != 1 && step != m_rows.num_rows - 1)) return false;
    ++(step == 1 ? m_across : m_closing_columns);
    add_along(m_of_column, place, coupling);
    add_across(m_of_row, row, other_row, coupling);
    return true;
  }

  bool complete() const {
    const std::int64_t rows = m_rows.num_rows, length = m_rows.row_length;
    return m_along == rows * (length - 1) && m_across == (rows - 1) * length &&
           (m_closing_rows == 0 || m_closing_rows == rows) &&
           (m_closing_columns == 0 || m_closing_columns == length);
  }
  bool isotropic() const {
    const auto is_isotropic = [](const LineCouplings& line) { return line.isotropic(); };
    return std::all_of(m_of_row.begin(), m_of_row.end(), is_isotropic) &&
           std::all_of(m_of_column.begin(), m_of_column.end(), is_isotropic);
  }

 private:
  using Lines = std::vector<LineCouplings>;
  static void add_along(Lines& lines, int line, double coupling) {
    lines[static_cast<std::size_t>(line)].along.add(coupling);
  }
  static void add_across(Lines& lines, int line, int next, double coupling) {
    lines[static_cast<std::size_t>(line)].across.add(coupling);
    lines[static_cast<std::size_t>(next)].across.add(coupling);
  }

  GridRows m_rows;
  Lines m_of_row, m_of_column;
  std::int64_t m_along = 0, m_across = 0, m_closing_rows = 0, m_closing_columns = 0;
};

}  // namespace

std::optional<GridRows> find_isotropic_rows(const ColumnGraph& graph, bool known_isotropic) {
  const int size = static_cast<int>(graph.areas.size());
  std::vector<int> lengths;  // of a row, as the neighbours of column 0 tell
  for (const auto& edge : graph.edges) {
    const auto [low, high] = std::minmax(edge.first, edge.second);
    if (low == 0 && high > 1 && size % high == 0) lengths.push_back(high);
  }
  for (const int length : lengths) {
    RowEdges edges({size / length, length});
    const bool in_rows = std::all_of(graph.edges.begin(), graph.edges.end(),
                                     [&](const auto& edge) { return edges.add(edge); });
    if (in_rows && edges.complete() && (known_isotropic || edges.isotropic())) {
      return GridRows{size / length, length};
    }
  }
  return {};
}

Aggregates pair_rows(const GridRows& rows) {
  const GridRows coarser = rows.coarser();
  Aggregates aggregates{.of_column = {}, .count = coarser.num_columns()};
  aggregates.of_column.reserve(static_cast<std::size_t>(rows.num_columns()));
  for (int i = 0; i < rows.num_rows; ++i) {
    for (int j = 0; j < rows.row_length; ++j) {
      aggregates.of_column.push_back(coarser.row_length * std::min(i / 2, coarser.num_rows - 1) +
                                     std::min(j / 2, coarser.row_length - 1));
    }
  }
  return aggregates;
}

}  // namespace Lamina::Impl
