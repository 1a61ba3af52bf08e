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
#include <cstdint>

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
  bool in_packs = false;  ///< fused sweeps of profiles without bottoms, which devices take in packs
  bool weighted = true;   ///< volumes are kept, which only parts without mass need
};

/// Bytes of the values of a cell, or an edge, of all operators.
template <class Scalar>
double value_bytes(const ColumnsSize& size) {
  return sizeof(Scalar) + (size.mixed ? sizeof(float) : 0);
}
inline double num_operators(const ColumnsSize& size) { return size.mixed ? 2 : 1; }
/// Devices also have lists of edges and neighbours of a column, and those of packs of columns.
template <ExecutionSpace Execution>
double num_listed(const ColumnsSize& size) {
  return runs_on_host<Execution> ? 0 : 2 * std::max(4, size.grid.max_neighbours);
}
/// Bytes that profiles have of a column: factors, couplings, bottoms and cuts. On the host also copies of tables.
template <ExecutionSpace Execution, class Scalar>
double profile_column_bytes(const ColumnsSize& size) {
  const double slots = size.grid.max_neighbours, listed = num_listed<Execution>(size);
  return (6 + 2 * slots + listed) * value_bytes<Scalar>(size) +
         num_operators(size) * (4 + slots + listed) * sizeof(int);
}

/// Bytes of coefficients, those that are stored and those of a column.
template <ExecutionSpace Execution, class Scalar>
double coefficient_bytes(const ColumnsSize& size) {
  const auto columns = static_cast<double>(size.grid.num_columns()),
             cells = static_cast<double>(size.grid.num_cells());
  const double sizes = value_bytes<Scalar>(size);
  if (size.stored) {
    // Mass, vertical couplings and row sums, those of edges, and the edges of each column.
    return (3 * cells + size.num_edges * size.grid.num_levels) * sizes +
           num_operators(size) * sizeof(int) * columns *
               (size.grid.max_neighbours + num_listed<Execution>(size));
  }
  // Beside those of columns profiles, twice.
  constexpr double of_lists = 24;  // of bottoms, as they are given
  const double of_column = profile_column_bytes<Execution, Scalar>(size) + of_lists;
  // A value for each cell below which a column has fewer neighbours than above: of all, at most.
  return of_column * columns + (8.0 * size.grid.num_levels + cells) * sizes;
}

/// Bytes of padded rows, where `FusedPcg` has them: a second set of what there is of each column, with line
/// solves and the order, and longer fields, of which the solution is one more. With multigrid there are none.
/// \param of_lines  bytes of line solves by the number of columns
template <ExecutionSpace Execution, class Scalar, class LineBytes>
double padded_rows_bytes(const ColumnsSize& size, const LineBytes& of_lines) {
  const std::int64_t columns = size.grid.num_columns(),
                     num_places = runs_on_host<Execution> || !size.in_packs || size.multigrid
                                      ? columns
                                      : size.grid.num_padded_columns();
  if (num_places == columns) return 0;
  const auto places = static_cast<double>(num_places);
  constexpr double fields = 4;  // of a plan
  const double of_fields = (fields + 1) * places - fields * static_cast<double>(columns);
  return places *
             (profile_column_bytes<Execution, Scalar>(size) + num_operators(size) * sizeof(int)) +
         of_lines(num_places) + of_fields * size.grid.num_levels * sizeof(Scalar);
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
  const auto lines_of = [&](std::int64_t num_columns) {
    return ColumnLinePreconditioner<Coefficients>::required_bytes(
        Execution(), {.row_length = num_columns, .num_levels = size.grid.num_levels});
  };
  const double of_lines = lines_of(size.grid.num_columns());
  double bytes = ColumnMesh<Memory>::required_bytes(size.grid) +
                 coefficient_bytes<Execution, Scalar>(size) +
                 padded_rows_bytes<Execution, Scalar>(size, lines_of) + fixed + of_lines +
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
