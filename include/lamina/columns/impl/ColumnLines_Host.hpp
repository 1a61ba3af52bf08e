// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The line preconditioner of any operator on CPU cores: one worker takes a share of the tiles of
// columns.

#include <lamina/columns/impl/LineRow.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/lines/impl/LineTile_Host.hpp>
#include <lamina/lines/impl/LineWorkspace.hpp>

#include <algorithm>
#include <cstdint>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

/// Rows of a tile of columns in vector lanes, see `solve_tile`.
template <class Coefficients, class Layout>
class ColumnTileRows {
  using Scalar = typename Coefficients::scalar_type;
  using Vector = Lanes<Scalar>;
  static constexpr int lanes = lane_count<Scalar>;
  static constexpr int groups = tile_groups<Scalar, Layout>;

 public:
  ColumnTileRows(const ColumnSystem<Coefficients>& system, const TileColumns& tile)
      : m_system(system), m_tile(tile) {}

  /// Rows of one level after the other: where columns are contiguous, so are stored coefficients.
  void stage(int first_level, int num_levels) {
    for (int l = 0; l < num_levels; ++l) {
      for (int i = 0; i < groups * lanes; ++i) {
        const int column = static_cast<int>(m_tile.first) + std::min(i, m_tile.count - 1);
        const auto held = hold_column<0>(m_system.coefficients, column);
        m_rows[l][i / lanes].set(i % lanes, line_row(held, m_system, first_level + l));
      }
    }
  }
  int level(int l) const { return l; }
  LineRow<Vector> row(int l, int g) const { return m_rows[l][g].row; }
  Scalar scale(int) const { return 1; }
  Vector inverse_scale(int) const { return Vector{} + Scalar(1); }

 private:
  struct Lane {
    LineRow<Vector> row{};
    void set(int lane, const LineRow<Scalar>& values) {
      row.lower[lane] = values.lower;
      row.row_sum[lane] = values.row_sum;
      row.upper[lane] = values.upper;
    }
  };
  const ColumnSystem<Coefficients>& m_system;
  TileColumns m_tile;
  Lane m_rows[extent_of<lanes>][extent_of<groups>];
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
