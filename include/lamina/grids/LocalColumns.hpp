// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/HaloPattern.hpp>
#include <lamina/distributed/Partition.hpp>
#include <lamina/grids/ColumnMesh.hpp>

#include <cstdint>
#include <vector>

namespace Lamina {

/// The columns of one rank: those that it owns, by ascending number in the whole grid, and all
/// their neighbours as halo columns.
///
/// Halo columns begin at a multiple of 16, and those of each rank at a multiple of 4, by ascending
/// rank and number. The number of all columns is a multiple of 16, too, where there are halo
/// columns: then levels of a field in LayoutLeft begin at a cache line. Places without a column
/// have area 1 and no neighbours. Fields may hold anything finite there, and solvers may change it:
/// no other column depends on it.
///
/// Nothing is communicated: each rank finds from the partition what its peers need.
struct LocalColumns {
  ColumnGraph graph;  ///< with `halo_coupling_sums`, and centres where the grid has them
  HaloPattern halo;   ///< of the same local numbers
  std::vector<std::int64_t> columns{};  ///< the number in the whole grid, or `no_item`
};

/// The part of a grid that a rank has. `CubedSpherePanel::local` and `local_plane` need no
/// whole grid.
///
/// \param whole  without halo columns
/// \throws InvalidArgument for a graph with halo columns or edges of columns that it has not, and
///   for a partition of another number of items or ranks.
LocalColumns local_columns(const ColumnGraph& whole, const Partition& partition, int rank);

/// The edges of the columns of a rank as edges of the grid that they were cut from: for values of edges, as
/// `StoredCoefficients` takes them.
/// \return  for each of `local.graph.edges` its place in `whole.edges`
/// \throws InvalidArgument where one of them is no edge of `whole`.
std::vector<int> edges_of_rank(const ColumnGraph& whole, const LocalColumns& local);

}  // namespace Lamina
