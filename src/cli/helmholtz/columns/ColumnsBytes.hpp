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
#include <type_traits>

namespace Lamina::Cli {

/// Bytes a cell that `ColumnNullSpace` needs on the host for a while, see there.
constexpr double host_bytes_of_null_space = 28;

/// The layout of the vectors of `FusedPcg`, which values of coefficients lie best in.
template <ExecutionSpace Execution, class LayoutType>
using ColumnsLayout = std::conditional_t<runs_on_host<Execution>, LayoutType, Kokkos::LayoutLeft>;

/// What decides on the memory of a solve with bottoms or coefficients.
struct ColumnsSize {
  ColumnGridSize grid;
  double num_edges;
  bool mixed, multigrid;
  bool gathers = false;  ///< over ranks, each of which has all of a coarse level
};

/// Bytes that a solve allocates in the memory of its space, at most.
/// \tparam Scalar  of fields
template <ExecutionSpace Execution, class Scalar, class LayoutType>
double columns_solve_bytes(const ColumnsSize& size) {
  using Memory = typename Execution::memory_space;
  const auto columns = static_cast<double>(size.grid.num_columns()),
             cells = static_cast<double>(size.grid.num_cells());
  // Mass, vertical couplings and row sums, and those of edges.
  const double values = 3 * cells + size.num_edges * size.grid.num_levels;
  const double sizes = sizeof(Scalar) + (size.mixed ? sizeof(float) : 0);
  const double fields = 3 + 4;  // ours, and those of a plan
  // Volumes, and lists of cells; on the host also while components are looked for.
  const double of_null_space = runs_on_host<Execution> ? 16 + host_bytes_of_null_space : 16;
  // The edges of each column, of two operators; rounding of the sizes of tables, and partial sums.
  // Devices also have lists of edges and neighbours.
  const double slots =
      size.grid.max_neighbours +
      (runs_on_host<Execution> ? 0.0 : 2.0 * std::max(4, size.grid.max_neighbours));
  const double of_edges = 2 * sizeof(int) * columns * slots, fixed = 1 << 18;
  using Coefficients = StoredCoefficients<Scalar, Memory, ColumnsLayout<Execution, LayoutType>>;
  const double of_lines =
      ColumnLinePreconditioner<Coefficients>::required_bytes(Execution(), size.grid);
  double bytes = ColumnMesh<Memory>::required_bytes(size.grid) + values * sizes + of_edges + fixed +
                 of_lines + cells * (fields * sizeof(Scalar) + of_null_space);
  if (!size.multigrid) return bytes;
  // Three fields on the finest level, a third of its coefficients and 6 fields on the others, line solves of
  // all; and tables: meshes, members, edges, transfers.
  constexpr double of_column = 400, of_edge = 64;
  const double levels = runs_on_host<Execution> ? 1 + std::log2(std::max(columns, 1.0)) : 2;
  const bool turned = !std::is_same_v<LayoutType, ColumnsLayout<Execution, LayoutType>>;
  if (size.gathers) {
    // Coefficients, fields and rows of all columns of such a level, and what is coarser.
    constexpr double of_cell = 16, of_gathered_column = 2000;
    const double gathered = HierarchyParameters().gathered_columns;
    bytes += gathered * (of_gathered_column + of_cell * size.grid.num_levels * sizeof(Scalar));
  }
  return bytes + levels * of_lines + of_column * columns + of_edge * size.num_edges +
         (3 * cells + (values + 6 * cells) / 2 + (turned ? 2 * cells : 0)) * sizeof(Scalar);
}

}  // namespace Lamina::Cli
