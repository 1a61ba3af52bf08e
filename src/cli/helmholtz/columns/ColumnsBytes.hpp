// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/columns/ColumnLinePreconditioner.hpp>
#include <lamina/columns/StoredCoefficients.hpp>
#include <lamina/core/Concepts.hpp>
#include <lamina/grids/ColumnMesh.hpp>
#include <lamina/multigrid/ColumnHierarchy.hpp>

#include <algorithm>
#include <cmath>

namespace Lamina::Cli {

/// Bytes a cell that `ColumnNullSpace` needs on the host for a while, see there.
constexpr double host_bytes_of_null_space = 28;

/// What decides on the memory of a solve with bottoms or coefficients.
struct ColumnsSize {
  ColumnGridSize grid;
  double num_edges;
  bool mixed, multigrid;
  double gathered_columns = 0;  ///< over ranks, each of which has all of a coarse level
  bool stored = true;           ///< a value for each cell and edge; otherwise profiles
  bool weighted = true;         ///< volumes are kept, which only parts without mass need
};

/// Bytes of coefficients, those that are stored and those of a column.
template <ExecutionSpace Execution, class Scalar>
double coefficient_bytes(const ColumnsSize& size) {
  const auto columns = static_cast<double>(size.grid.num_columns()),
             cells = static_cast<double>(size.grid.num_cells());
  const double sizes = sizeof(Scalar) + (size.mixed ? sizeof(float) : 0),
               operators = size.mixed ? 2 : 1, slots = size.grid.max_neighbours;
  // Devices also have lists of edges and neighbours, and those of packs of columns.
  const double listed = runs_on_host<Execution> ? 0.0 : 2 * std::max(4.0, slots);
  if (size.stored) {
    // Mass, vertical couplings and row sums, those of edges, and the edges of each column.
    return (3 * cells + size.num_edges * size.grid.num_levels) * sizes +
           operators * sizeof(int) * columns * (slots + listed);
  }
  // Factors and couplings of columns, bottoms, cuts; profiles, twice. On the host also copies of tables.
  constexpr double of_lists = 24;  // of bottoms, as they are given
  const double of_column =
      (6 + 2 * slots + listed) * sizes + operators * (4 + slots + listed) * sizeof(int) + of_lists;
  // A value for each cell below which a column has fewer neighbours than above: of all, at most.
  return of_column * columns + (8.0 * size.grid.num_levels + cells) * sizes;
}

/// Bytes that a solve allocates in the memory of its space, at most.
/// \tparam Scalar  of fields
template <ExecutionSpace Execution, class Scalar>
double columns_solve_bytes(const ColumnsSize& size) {
  using Memory = typename Execution::memory_space;
  const auto columns = static_cast<double>(size.grid.num_columns()),
             cells = static_cast<double>(size.grid.num_cells());
  const double fields = 3 + 4;  // ours, and those of a plan
  // Lists of cells, and volumes; on the host also while components are looked for.
  const double of_null_space =
      8.0 + (size.weighted ? 8 : 0) + (runs_on_host<Execution> ? host_bytes_of_null_space : 0);
  // Rounding of the sizes of tables, and partial sums, for which devices have room for all their teams: of sweeps in
  // one precision or two, and of cycles.
  const double of_sums = 5 << 20, sums = 1.0 + (size.mixed ? 1 : 0) + (size.multigrid ? 1 : 0);
  const double fixed = runs_on_host<Execution> ? 1 << 18 : sums * of_sums;
  using Coefficients = StoredCoefficients<Scalar, Memory, SweepLayout<Execution>>;
  const double of_lines =
      ColumnLinePreconditioner<Coefficients>::required_bytes(Execution(), size.grid);
  double bytes = ColumnMesh<Memory>::required_bytes(size.grid) +
                 coefficient_bytes<Execution, Scalar>(size) + fixed + of_lines +
                 cells * (fields * sizeof(Scalar) + of_null_space);
  if (!size.multigrid) return bytes;
  // Three fields on the finest level, a third of what is stored for it and 6 fields on the others, line solves of
  // all; and tables: meshes, members, edges, transfers. On a device levels are filled up to packs of 4, the finest one has fields, inverse
  // pivots and values of its own, and the others have pivots.
  constexpr bool on_host = runs_on_host<Execution>;
  const int of_cycle = size.grid.num_levels + (on_host ? 0 : 3);
  const double cycle_cells = columns * of_cycle,
               values = 3 * cycle_cells + size.num_edges * of_cycle,
               finest = on_host ? 3 * cycle_cells : 7 * cycle_cells + values;
  constexpr double of_column = 400, of_edge = 64;
  const double levels = on_host ? 1 + std::log2(std::max(columns, 1.0)) : 2;
  // Coefficients, fields and rows of all columns of a gathered level, and what is coarser.
  constexpr double of_cell = 16, of_gathered_column = 2000;
  bytes += size.gathered_columns * (of_gathered_column + of_cell * of_cycle * sizeof(Scalar));
  return bytes + levels * of_lines + of_column * columns + of_edge * size.num_edges +
         (finest + (values + 7 * cycle_cells) / 2) * sizeof(Scalar);
}

}  // namespace Lamina::Cli
