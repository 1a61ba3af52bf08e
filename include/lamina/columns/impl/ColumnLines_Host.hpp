// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The line preconditioner of any operator on CPU cores: one worker takes a share of the tiles of
// columns.

#include <lamina/columns/impl/LineRow.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/lines/impl/LineTile_Host.hpp>
#include <lamina/lines/impl/LineWorkspace.hpp>
#include <lamina/sweeps/impl/Cells_Host.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

/// Coefficients of a column or of a level that give rows of line solves in lanes.
template <class Cells, class Vector>
concept LineCells = requires(const Cells& cells) {
  { cells.template line_mass<Vector>(0) } -> std::same_as<Vector>;
};

/// The same whose rows are factors of the column times profiles.
template <class Cells>
concept TensorCells = requires(const Cells& cells) {
  cells.factors();
};
struct NoFactors {};

/// Rows of a tile of columns in vector lanes, see `solve_tile`.
template <class Coefficients, class Layout>
class ColumnTileRows {
  using Scalar = typename Coefficients::scalar_type;
  using Vector = Lanes<Scalar>;
  static constexpr int lanes = lane_count<Scalar>;
  static constexpr int groups = tile_groups<Scalar, Layout>;

 public:
  ColumnTileRows(const ColumnSystem<Coefficients>& system, const TileColumns& tile)
      : m_system(system), m_tile(tile) {
    if constexpr (TensorCells<Cells>) gather_factors();
  }

  /// Rows of one level after the other: where columns are contiguous, so are stored coefficients.
  void stage(int first_level, int num_levels) {
    if constexpr (TensorCells<Cells>) {
      if (first_level + num_levels <= m_whole) return stage_products(first_level, num_levels);
    }
    if constexpr (LineCells<CellsOfLevel<Coefficients>, Vector>) {
      if (m_tile.count == groups * lanes) return stage_levels(first_level, num_levels);
    } else if constexpr (TensorCells<Cells> || LineCells<Cells, Vector>) {
      if (num_levels == lanes) return stage_columns(first_level);
    }
    stage_cells(first_level, num_levels);
  }
  int level(int l) const { return l; }
  LineRow<Vector> row(int l, int g) const {
    return {m_lower[g][l], m_row_sum[g][l], m_upper[g][l]};
  }
  Scalar scale(int) const { return 1; }
  Vector inverse_scale(int) const { return Vector{} + Scalar(1); }

 private:
  using Cells = CellsOfColumn<Coefficients, 0>;

  /// Lanes beyond the last column of the tile repeat it.
  int column(int i) const { return static_cast<int>(m_tile.first) + std::min(i, m_tile.count - 1); }

  void stage_cells(int first_level, int num_levels) {
    for (int l = 0; l < num_levels; ++l) {
      for (int i = 0; i < groups * lanes; ++i) {
        const auto held = hold_column<0>(m_system.coefficients, column(i));
        const LineRow<Scalar> row = line_row(held, m_system, first_level + l);
        m_lower[i / lanes][l][i % lanes] = row.lower;
        m_row_sum[i / lanes][l][i % lanes] = row.row_sum;
        m_upper[i / lanes][l][i % lanes] = row.upper;
      }
    }
  }
  /// As many levels as there are lanes: those of each column, transposed.
  void stage_columns(int first_level) {
    for (int g = 0; g < groups; ++g) {
      for (int i = 0; i < lanes; ++i) {
        const int n = g * lanes + i;
        const Cells cells(m_system.coefficients, column(n), 0);
        const CellRow<Vector> row = cells.template row<Vector>(first_level);
        if constexpr (TensorCells<Cells>) {
          set_row(g, i, row, cells.template line_mass<Vector>(first_level, m_columns[n]));
        } else {
          if constexpr (requires { cells.prefetch_line_rows(0, 0); }) {
            cells.prefetch_line_rows(first_level,
                                     std::int64_t{groups} * lanes * m_system.topology.num_levels);
          }
          set_row(g, i, row, cells.template line_mass<Vector>(first_level));
        }
      }
      transpose_lanes<Scalar>(m_lower[g]);
      transpose_lanes<Scalar>(m_row_sum[g]);
      transpose_lanes<Scalar>(m_upper[g]);
    }
  }
  void stage_levels(int first_level, int num_levels) {
    for (int l = 0; l < num_levels; ++l) {
      const CellsOfLevel<Coefficients> cells(m_system.coefficients, first_level + l);
      for (int g = 0; g < groups; ++g) {
        const std::int64_t first = m_tile.first + g * lanes;
        set_row(g, l, cells.template row<Vector>(first), cells.template line_mass<Vector>(first));
      }
    }
  }
  void gather_factors() {
    for (int i = 0; i < groups * lanes; ++i) {
      const auto factors = m_columns[i] = Cells(m_system.coefficients, column(i), 0).factors();
      m_factors[i / lanes].mass[i % lanes] = factors.mass;
      m_factors[i / lanes].vertical[i % lanes] = factors.vertical;
      m_factors[i / lanes].horizontal[i % lanes] = factors.horizontal;
      m_whole = std::min(m_whole, factors.whole);
    }
  }
  void stage_products(int first_level, int num_levels) {
    for (int l = 0; l < num_levels; ++l) {
      const auto at = m_system.coefficients.profile(first_level + l);
      for (int g = 0; g < groups; ++g) {
        const Factors& of = m_factors[g];
        set_row(g, l, CellRow<Vector>{Vector{}, of.vertical * at.above, of.vertical * at.below},
                of.mass * at.mass + of.horizontal * at.horizontal);
      }
    }
  }
  void set_row(int g, int l, const CellRow<Vector>& row, const Vector& sum) {
    m_lower[g][l] = -row.below;
    m_row_sum[g][l] = sum;
    m_upper[g][l] = -row.above;
  }

  struct Factors {
    Vector mass, vertical, horizontal;
  };

  const ColumnSystem<Coefficients>& m_system;
  TileColumns m_tile;
  int m_whole = std::numeric_limits<int>::max();  // levels of all columns that are products
  std::conditional_t<TensorCells<Cells>, Factors[extent_of<groups>], NoFactors> m_factors;
  std::conditional_t<TensorCells<Cells>, ColumnFactors<Scalar>[extent_of<groups * lanes>],
                     NoFactors>
      m_columns;
  // (group, level)
  Vector m_lower[extent_of<groups>][extent_of<lanes>],
      m_row_sum[extent_of<groups>][extent_of<lanes>], m_upper[extent_of<groups>][extent_of<lanes>];
};

/// z = M^-1 r over the share of one worker; returns <r, z> where it is wanted.
template <bool WithEnergy, class Coefficients, class Scalar, class Layout>
double solve_line_share(const ColumnSystem<Coefficients>& system,
                        const FieldView<const Scalar, Layout, Kokkos::HostSpace>& r,
                        const FieldView<Scalar, Layout, Kokkos::HostSpace>& z,
                        const LineWorkspace<Scalar, Kokkos::HostSpace>& workspace, int worker,
                        TileStore store) {
  double energy = 0;
  const int num_levels = system.topology.num_levels;
  for_each_tile<Scalar, Layout>(
      worker, workspace.num_workers(), system.topology.num_owned, [&](const TileColumns& tile) {
        ColumnTileRows<Coefficients, Layout> rows(system, tile);
        const std::int64_t next = tile.first + tile_width<Scalar, Layout>;
        energy += solve_tile<WithEnergy, Scalar, Layout>(
            tile, num_levels, rows, r, z, workspace.of_worker(worker, num_levels), store,
            [&](int step) { prefetch_tile<Layout>(r, next, step); });
      });
  if (store != TileStore::plain) finish_streaming();
  return energy;
}

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
