// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Coarser levels of an operator with any coefficients: which columns and edges make a coarser one, and the
// kernels that add up their coefficients. Functions that take a transport are collective where there is
// one; without it there is one process.

#include <lamina/core/Concepts.hpp>
#include <lamina/distributed/Transport.hpp>
#include <lamina/grids/LocalColumns.hpp>
#include <lamina/multigrid/ColumnHierarchy.hpp>
#include <lamina/multigrid/impl/CycleLevel.hpp>
#include <lamina/multigrid/impl/Tuning.hpp>
#include <lamina/sweeps/ColumnSystem.hpp>

#include <climits>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace Lamina::Impl {

/// Cell n of a field in the order of its memory.
struct CellPlace {
  int column, level;
};
template <class Layout>
KOKKOS_FORCEINLINE_FUNCTION CellPlace cell_place(std::int64_t n, int num_columns, int num_levels) {
  const int length = levels_contiguous<Layout> ? num_levels : num_columns;
  // Devices divide 64-bit numbers in some hundred instructions.
  const bool is_small = n <= INT_MAX;
  const int row = is_small ? static_cast<int>(n) / length : static_cast<int>(n / length);
  const int place = static_cast<int>(n - static_cast<std::int64_t>(row) * length);
  if constexpr (levels_contiguous<Layout>) return {row, place};
  return {place, row};
}

/// Levels that an item of a transfer between levels of multigrid takes: it reads the entries of P once for them.
template <class Layout, class Memory>
inline constexpr int transferred_levels = [] {
  if (levels_contiguous<Layout> == std::is_same_v<Memory, Kokkos::HostSpace>) {
    return levels_contiguous<Layout> ? CycleTuning::transferred_host_levels
                                     : CycleTuning::transferred_levels;
  }
  return 1;
}();
/// Items for so many columns.
template <class Layout, class Memory>
std::size_t transfer_items(int num_columns, std::size_t num_levels) {
  constexpr std::size_t levels = transferred_levels<Layout, Memory>;
  return static_cast<std::size_t>(num_columns) * ((num_levels + levels - 1) / levels);
}
/// The share of an item of columns, and the level that it begins with.
template <class Layout, class Memory>
KOKKOS_FORCEINLINE_FUNCTION CellPlace transfer_place(std::int64_t item, int num_columns,
                                                     int num_levels) {
  constexpr int levels = transferred_levels<Layout, Memory>;
  const CellPlace place = cell_place<Layout>(item, num_columns, (num_levels + levels - 1) / levels);
  return {place.column, place.level * levels};
}

template <class Layout, class Memory>
using WetCells = Kokkos::View<unsigned char**, Layout, Memory>;

/// 1 where an owned cell is coupled with another one.
template <class Coefficients, class Layout>
struct FindWetCells {
  ColumnSystem<Coefficients> system;
  WetCells<Layout, typename Coefficients::memory_space> wet;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const auto [column, level] =
        cell_place<Layout>(n, system.topology.num_owned, system.topology.num_levels);
    const auto row = system.coefficients.row(column, level);
    bool coupled = row.above != 0 || row.below != 0;
    for (int s = 0; s < static_cast<int>(system.topology.neighbours.extent(1)); ++s) {
      coupled |= system.topology.neighbours(column, s) != column &&
                 system.coefficients.coupling(column, s, level) != 0;
    }
    wet(column, level) = coupled ? 1 : 0;
  }
};

/// Counts owned cells whose couplings to other columns exceed `most` times their mass.
template <class Coefficients, class Layout>
struct CountStiffCells {
  using value_type = double;
  using Scalar = typename Coefficients::scalar_type;
  ColumnSystem<Coefficients> system;
  Scalar most;

  KOKKOS_FUNCTION void operator()(std::int64_t n, double& count) const {
    const auto [column, level] =
        cell_place<Layout>(n, system.topology.num_owned, system.topology.num_levels);
    Scalar sum = 0;
    for (int s = 0; s < static_cast<int>(system.topology.neighbours.extent(1)); ++s) {
      sum += system.coefficients.coupling(column, s, level);
    }
    if (sum > most * system.coefficients.row(column, level).mass) count += 1;
  }
};

/// Where a kernel finds the coupling of an edge; column -1: nowhere, as both columns are of the halo.
struct EdgePlace {
  int column = -1, slot = -1;
};

/// sums(e) = the couplings of edge e at all levels
template <class Coefficients>
struct SumEdges {
  using Memory = typename Coefficients::memory_space;
  ColumnSystem<Coefficients> system;
  Kokkos::View<const EdgePlace*, Memory> places;
  Kokkos::View<double*, Memory> sums;

  KOKKOS_FUNCTION void operator()(std::int64_t e) const {
    const EdgePlace at = places(static_cast<std::size_t>(e));
    double sum = 0;
    for (int k = 0; at.column >= 0 && k < system.topology.num_levels; ++k) {
      sum += static_cast<double>(system.coefficients.coupling(at.column, at.slot, k));
    }
    sums(static_cast<std::size_t>(e)) = sum;
  }
};

/// The part of a row's mass that is a coupling to walls, where coefficients tell it.
template <class Coefficients>
KOKKOS_FORCEINLINE_FUNCTION typename Coefficients::scalar_type wall_of(
    const Coefficients& coefficients, int column, int level) {
  if constexpr (requires { coefficients.wall(column, level); }) {
    return coefficients.wall(column, level);
  } else {
    return 0;
  }
}

/// sums(c) = the couplings of owned column c to walls, at all levels
template <class Coefficients>
struct SumWalls {
  ColumnSystem<Coefficients> system;
  Kokkos::View<double*, typename Coefficients::memory_space> sums;

  KOKKOS_FUNCTION void operator()(std::int64_t c) const {
    double sum = 0;
    for (int k = 0; k < system.topology.num_levels; ++k) {
      sum += static_cast<double>(wall_of(system.coefficients, static_cast<int>(c), k));
    }
    sums(static_cast<std::size_t>(c)) = sum;
  }
};

/// What a coarser level is made of, as lists by coarse column and by coarse edge, or by rows of these.
struct CoarseLists {
  std::vector<int> begin_members{0}, members;
  std::vector<double>
      wall_factors;  ///< of each member: walls are further away from a coarse column
  std::vector<int> begin_edges{0};
  std::vector<EdgePlace> edges;
  std::vector<double> factors;  ///< distance of an edge over that of the coarse one
};
template <class Memory>
struct CoarseTables {
  Kokkos::View<const int*, Memory> begin_members, members, begin_edges;
  Kokkos::View<const EdgePlace*, Memory> edges;
  Kokkos::View<const double*, Memory> factors, wall_factors;
};

/// Mass and vertical couplings are sums over the members, those to walls have factors. Mass of a cell without
/// couplings is not counted.
template <class Coefficients, class Layout>
struct CoarsenCells {
  using Scalar = typename Coefficients::scalar_type;
  using Memory = typename Coefficients::memory_space;
  Coefficients coefficients;
  WetCells<Layout, Memory> wet;
  CoarseTables<Memory> tables;
  Kokkos::View<Scalar**, Layout, Memory> mass, vertical, walls;  // the last may be empty

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const auto [column, level] =
        cell_place<Layout>(n, static_cast<int>(mass.extent(0)), static_cast<int>(mass.extent(1)));
    Scalar mass_sum = 0, vertical_sum = 0, wall_sum = 0;
    for (int m = tables.begin_members(column); m < tables.begin_members(column + 1); ++m) {
      const int member = tables.members(m);
      if (wet(member, level) == 0) continue;
      const auto row = coefficients.row(member, level);
      const Scalar wall = wall_of(coefficients, member, level);
      const auto factor = static_cast<Scalar>(tables.wall_factors(m));
      mass_sum += row.mass - (1 - factor) * wall;
      vertical_sum += row.above;
      wall_sum += factor * wall;
    }
    mass(column, level) = mass_sum;
    vertical(column, level) = vertical_sum;
    if (walls.extent(0) > 0) walls(column, level) = wall_sum;
  }
};
template <class Coefficients, class Layout>
struct CoarsenEdges {
  using Scalar = typename Coefficients::scalar_type;
  using Memory = typename Coefficients::memory_space;
  Coefficients coefficients;
  CoarseTables<Memory> tables;
  Kokkos::View<Scalar**, Layout, Memory> horizontal;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const auto [edge, level] = cell_place<Layout>(n, static_cast<int>(horizontal.extent(0)),
                                                  static_cast<int>(horizontal.extent(1)));
    double sum = 0;
    for (int i = tables.begin_edges(edge); i < tables.begin_edges(edge + 1); ++i) {
      const EdgePlace at = tables.edges(i);
      sum +=
          tables.factors(i) * static_cast<double>(coefficients.coupling(at.column, at.slot, level));
    }
    horizontal(edge, level) = static_cast<Scalar>(sum);
  }
};

/// \throws InvalidArgument unless the neighbours are those of the mesh of `graph`, and for a wrong number
///   of centres.
void require_graph_of(
    const ColumnGraph& graph,
    const Kokkos::View<const int**, Kokkos::LayoutLeft, Kokkos::HostSpace>& neighbours);
/// The couplings of a graph's edges in the tables of its mesh.
std::vector<EdgePlace> find_edge_places(const ColumnGraph& graph);

/// [column][level]: whether a cell is coupled with another one.
using WetTable = std::vector<std::vector<bool>>;

/// Halo columns are as wet as their owners say.
void share_wet(const Transport* transport, const HaloPattern& halo, WetTable& wet);

/// The columns with wet cells, open edges with their summed couplings, and such walls.
struct WetGraph {
  LocalColumns local;        ///< without a pattern and numbers on one process
  std::vector<int> columns;  ///< of it, in the full graph
  std::vector<int> edges;    ///< the same
};
/// \param wall_sums  of all columns; those of the halo are not read
WetGraph find_wet_graph(const LocalColumns& all, const WetTable& wet,
                        const std::vector<double>& coupling_sums,
                        const std::vector<double>& wall_sums);

/// The lists of the level that is made from `fine`, by its columns and edges. Those of a level that is on
/// every rank have what this rank adds to it: an edge between ranks is counted by that of its first column.
/// \param columns,  places  of the columns and edges of `fine` in the tables of the kernels
CoarseLists list_coarse(const HierarchyLevel& fine, const HierarchyLevel& coarse,
                        const std::vector<int>& columns, const std::vector<EdgePlace>& places);
/// The edges of these lists that are made of some.
std::vector<int> listed_edges(const CoarseLists& lists);
/// The lists of rows of columns and of edges. Rows of other ranks have empty ones.
CoarseLists lists_of_rows(const CoarseLists& lists, const RestrictedRows& of_columns,
                          const RestrictedRows& of_edges);

/// Wet where a member is.
WetTable coarsen_wet(const Transport* transport, const HierarchyLevel& fine,
                     const HierarchyLevel& coarse, const WetTable& wet, int num_levels);

/// The prolongation, with weights towards coarse columns that are dry where the fine one is wet given to
/// its own aggregate. Without this rule conjugate gradients take two to four times as many iterations over
/// steep bottoms.
ColumnTransfer keep_to_wet(const HierarchyLevel& fine, const WetTable& wet,
                           const WetTable& coarse_wet);
/// The same for all columns of the full graph: dry ones get nothing.
ColumnTransfer spread_transfer(const ColumnTransfer& transfer, const std::vector<int>& columns,
                               std::size_t num_columns);

}  // namespace Lamina::Impl
