// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/HaloPattern.hpp>
#include <lamina/distributed/Transport.hpp>
#include <lamina/grids/ColumnMesh.hpp>
#include <lamina/grids/LocalColumns.hpp>

#include <array>
#include <vector>

namespace Lamina {

/// How `ColumnHierarchy` makes coarser levels.
struct HierarchyParameters {
  /// Whether grids in rows are coarsened by 2 x 2 columns. Otherwise all aggregates are grown.
  bool use_rows = true;
  /// Over several ranks, the same on all of them: a coarser level of at most so many columns of all
  /// ranks is on each of them.
  int gathered_columns = 1024;
};

/// How a level was made from the next finer one.
enum class Coarsening {
  none,    ///< the finest level
  rows,    ///< 2 x 2 columns of a grid in rows
  growth,  ///< aggregates of about 4 columns, grown along strong couplings
  gather   ///< the same columns, of all ranks
};

/// The prolongation P from a coarser level: x_c = sum over slots s of
/// weights[c][s] y_{columns[c][s]}. Unused slots have weight 0 and any column that there is, and so
/// do all slots of places without a column.
struct ColumnTransfer {
  static constexpr int max_entries = 3;                    ///< of a row of P
  std::vector<std::array<int, max_entries>> columns{};     ///< [fine column]: coarse columns
  std::vector<std::array<double, max_entries>> weights{};  ///< of them
};

/// What one of several ranks restricts to the next coarser level: rows of values, one for each
/// column that it has a share of. Ranks exchange rows. The rows of a column are added up in their
/// order.
struct RestrictedRows {
  std::vector<int> columns{};      ///< (row): a column of the next coarser level, or -1
  int own_begin = 0, own_end = 0;  ///< rows that this rank restricts to. It receives the others
  HaloPattern exchange{};          ///< of rows
};

/// One level of a `ColumnHierarchy`.
struct HierarchyLevel {
  ColumnGraph graph{};
  Coarsening coarsening = Coarsening::none;
  /// The column of the next coarser level that each owned column is part of. Empty on the coarsest
  /// level.
  std::vector<int> aggregates{};
  /// From the next coarser level, to columns of the halo, too. Empty on the coarsest level.
  ColumnTransfer transfer{};
  bool is_shared = false;  ///< each of several ranks has columns of its own, and a halo
  HaloPattern halo{};      ///< of a shared level
  RestrictedRows rows{};   ///< of a shared level, but for the coarsest one
};

/// Coarser and coarser horizontal grids of one finest grid, for multigrid with vertical lines. The
/// levels of columns stay as they are. Each level is a graph of columns like the finest one.
///
/// \par Aggregates
/// A column of a coarser level is made of about four neighbouring columns.
/// - A grid in rows, where column row_length * i + j is next to j + 1 and i + 1, is coarsened by 2
///   x 2, if couplings along and across each row differ by a factor of at most 4 on average. Rows
///   may close to a ring. The last one of an odd number joins the two before it.
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
/// `ColumnGraph::centres` the coupling is half the sum of the couplings, which is right for cells
/// of similar shape. The distance of a boundary edge grows with the square root of the area.
///
/// \par Transfers
/// Prolongation is piecewise constant, smoothed once: P = (I - 0.66 D^-1 L) P_0 with the horizontal
/// Laplacian L and its diagonal D. Rows keep their own aggregate and the two largest other entries.
/// They are scaled such that the sum of a row stays as it was. Restriction is the transpose.
///
/// \par Several ranks
/// Each rank aggregates its own columns: by 2 x 2 where those of all ranks are grids in rows, and
/// by growth on all ranks otherwise. Aggregates are those of one process where that coarsens in
/// rows, too, and all rectangles begin at a multiple of 2, 4, 8, ... up to the level that is
/// gathered. Coarser levels are shared like the finest one: a rank has its own columns and a halo,
/// which holds the columns that its prolongation takes values from. From some level on every rank
/// has all columns of all ranks: where there are at most `gathered_columns`, or where ranks cannot
/// go on alone as they have hardly two neighbouring columns. Then all ranks do the same with it:
/// results come by one exchange, and none is needed on the way back. Columns of such a level are in
/// the order of the whole grid.
///
/// \par Cost
/// The constructor works on the host, in a time proportional to the number of edges. It is serial,
/// and the result for one process depends on nothing but the graph; over several ranks it depends
/// on their columns, too. It keeps the mesh of its finest level, some 100 bytes a column. A level that is
/// gathered as ranks cannot go on has as many columns on each rank as all ranks together have: with
/// columns scattered over ranks it is the finest grid.
class ColumnHierarchy {
 public:
  /// \throws InvalidArgument for a graph that `ColumnMesh` refuses, for example with an edge whose
  ///   length or distance is not positive, a graph with halo columns, and centres that are not
  ///   those of all columns.
  explicit ColumnHierarchy(ColumnGraph graph, const HierarchyParameters& parameters = {});

  /// The hierarchy of one of several ranks. Collective.
  /// \param local  the columns of this rank, as `local_columns` cuts them from a grid. Centres are
  ///   used where all ranks have them
  /// \param parameters  the same on all ranks
  /// \throws InvalidArgument as above, where the graph, the numbers of columns and the pattern of
  ///   the halo do not have the same extents, and for a pattern that does not fit those of other
  ///   ranks, or leaves out halo columns that have edges: on several ranks it is `RankFailure`, on
  ///   all of them. `InvalidArgument` on all ranks where they have other parameters.
  ColumnHierarchy(const Transport& transport, const LocalColumns& local,
                  const HierarchyParameters& parameters = {});

  /// From the finest to the coarsest level; at least one.
  const std::vector<HierarchyLevel>& levels() const { return m_levels; }
  int num_levels() const { return static_cast<int>(m_levels.size()); }

  /// \cond
  /// That of the finest level, for cycles of the library.
  const ColumnMesh<Kokkos::HostSpace>& finest_mesh() const { return m_finest_mesh; }
  /// \endcond

 private:
  /// Makes the levels below the last one, which is no shared one.
  void coarsen_whole(ColumnGraph graph, const HierarchyParameters& parameters);
  void coarsen(const HierarchyParameters& parameters);

  ColumnMesh<Kokkos::HostSpace> m_finest_mesh;
  std::vector<HierarchyLevel> m_levels;
};

}  // namespace Lamina
