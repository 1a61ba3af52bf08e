// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/ColumnMesh.hpp>
#include <lamina/multigrid/ColumnHierarchy.hpp>

#include <cstddef>
#include <optional>
#include <vector>

// How `ColumnHierarchy` finds aggregates, and what it makes of them. All of it is on the host.

namespace Lamina::Impl {

/// The couplings of each column, as compressed rows.
struct ColumnCouplings {
  std::vector<std::size_t> begin;  ///< (column), and the end
  std::vector<int> neighbours;
  std::vector<double> couplings;
  std::vector<double> boundary;  ///< (column): of all its boundary edges

  explicit ColumnCouplings(const ColumnGraph& graph);
  int num_columns() const { return static_cast<int>(boundary.size()); }
  /// visit(neighbour, coupling)
  template <class Visit>
  void for_each(int column, const Visit& visit) const {
    const auto c = static_cast<std::size_t>(column);
    for (std::size_t n = begin[c]; n < begin[c + 1]; ++n) visit(neighbours[n], couplings[n]);
  }
};

/// Which aggregate each column is part of. Aggregates are numbered by their first members.
struct Aggregates {
  std::vector<int> of_column{};
  int count = 0;
};

/// A grid whose column row_length * i + j is the j-th one of row i.
struct GridRows {
  int num_rows, row_length;
  int num_columns() const { return num_rows * row_length; }
  /// After coarsening by 2 x 2.
  GridRows coarser() const { return {half_of(num_rows), half_of(row_length)}; }
  static int half_of(int count) { return count > 1 ? count / 2 : 1; }
};

/// The rows of a graph that has all edges of a grid in rows, with or without those that close rows
/// or columns to rings, and no others. Nothing for other graphs, and, unless they are known to be
/// isotropic, where couplings along and across differ by more than a factor of 4 on average in a row
/// or column of the grid.
std::optional<GridRows> find_isotropic_rows(const ColumnGraph& graph, bool known_isotropic = false);

/// 2 x 2 columns. The last one of an odd number of rows or columns joins the two before it.
Aggregates pair_rows(const GridRows& rows);

/// Aggregates of about 4 columns, grown along strong couplings.
Aggregates grow_aggregates(const ColumnCouplings& couplings);

/// The columns that are the aggregates of the first columns of a graph, without edges.
ColumnGraph coarser_columns(const ColumnGraph& graph, const Aggregates& aggregates);
/// Adds the edges between them.
/// \param aggregates  (column): of all columns that have edges
void add_coarser_edges(const ColumnGraph& graph, const std::vector<int>& aggregates,
                       ColumnGraph& coarse);
/// The graph whose columns are the aggregates.
ColumnGraph coarser_graph(const ColumnGraph& graph, const Aggregates& aggregates);

/// See `ColumnHierarchy`.
ColumnTransfer smoothed_transfer(const ColumnCouplings& couplings, const Aggregates& aggregates);

}  // namespace Lamina::Impl
