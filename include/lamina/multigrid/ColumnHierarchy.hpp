// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/ColumnMesh.hpp>

#include <array>
#include <vector>

namespace Lamina {

/// How `ColumnHierarchy` makes coarser levels.
struct HierarchyParameters {
  /// Whether grids in rows are coarsened by 2 x 2 columns. Otherwise all aggregates are grown.
  bool use_rows = true;
};

/// How a level was made from the next finer one.
enum class Coarsening {
  none,   ///< the finest level
  rows,   ///< 2 x 2 columns of a grid in rows
  growth  ///< aggregates of about 4 columns, grown along strong couplings
};

/// The prolongation P from a coarser level: x_c = sum over slots s of
/// weights[c][s] y_{columns[c][s]}. Unused slots have weight 0 and the column of the first slot.
struct ColumnTransfer {
  static constexpr int max_entries = 3;                    ///< of a row of P
  std::vector<std::array<int, max_entries>> columns{};     ///< [fine column]: coarse columns
  std::vector<std::array<double, max_entries>> weights{};  ///< of them
};

/// One level of a `ColumnHierarchy`.
struct HierarchyLevel {
  ColumnGraph graph{};
  Coarsening coarsening = Coarsening::none;
  /// The column of the next coarser level that each column is part of. Empty on the coarsest level.
  std::vector<int> aggregates{};
  ColumnTransfer transfer{};  ///< from the next coarser level. Empty on the coarsest level
};

/// Coarser and coarser horizontal grids of one finest grid, for multigrid with vertical lines. The
/// levels of columns stay as they are. Each level is a graph of columns like the finest one.
///
/// \par Aggregates
/// A column of a coarser level is made of about four neighbouring columns.
/// - A grid in rows, where column row_length * i + j is next to j + 1 and i + 1, is coarsened by 2 x
///   2, if couplings along and across each row differ by a factor of at most 4 on average. Rows may
///   close to a ring. The last one of an odd number joins the two before it.
/// - On other graphs aggregates are grown along strong couplings, so that they stay compact.
///   Aggregates never join columns that no edges connect.
///
/// Coarsening ends where no column has a neighbour.
///
/// Coarser columns are numbered in the order of their first member: an order that keeps neighbours
/// close is kept.
///
/// \par Coarse grids
/// Areas are sums. Centres are area-weighted means, on the sphere again. An edge is as long as all
/// edges between both aggregates together, and its distance is that of both centres. Without
/// `ColumnGraph::centres` the coupling is half the sum of the couplings, which is right for cells of
/// similar shape. The distance of a boundary edge grows with the square root of the area.
///
/// \par Transfers
/// Prolongation is piecewise constant, smoothed once: P = (I - 0.66 D^-1 L) P_0 with the horizontal
/// Laplacian L and its diagonal D. Rows keep their own aggregate and the two largest other entries.
/// They are scaled such that the sum of a row stays as it was. Restriction is the transpose.
///
/// \par Cost
/// The constructor works on the host, in a time proportional to the number of edges. It is serial,
/// and its result depends on nothing but the graph.
class ColumnHierarchy {
 public:
  /// \throws InvalidArgument for a graph that `ColumnMesh` refuses, for example with an edge whose
  ///   length or distance is not positive, a graph with halo columns, and centres that are not those
  ///   of all columns.
  explicit ColumnHierarchy(const ColumnGraph& graph, const HierarchyParameters& parameters = {});

  /// From the finest to the coarsest level; at least one.
  const std::vector<HierarchyLevel>& levels() const { return m_levels; }
  int num_levels() const { return static_cast<int>(m_levels.size()); }

 private:
  std::vector<HierarchyLevel> m_levels;
};

}  // namespace Lamina
