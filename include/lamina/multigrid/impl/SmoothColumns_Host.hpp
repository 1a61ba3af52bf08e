// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// A smoothing step over any coefficients on CPU cores. The residuals of a tile of columns stay in the second-level
// cache, where the lines are solved.

#include <lamina/columns/impl/ColumnLines_Host.hpp>
#include <lamina/multigrid/impl/CycleLevel.hpp>
#include <lamina/multigrid/impl/TileResidual_Host.hpp>

#include <cstddef>
#include <cstdint>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

/// `ColumnTileRows` of M / weight.
template <class Coefficients, class Layout>
class WeightedColumnRows : public ColumnTileRows<Coefficients, Layout> {
  using Scalar = typename Coefficients::scalar_type;

 public:
  WeightedColumnRows(const ColumnSystem<Coefficients>& system, const TileColumns& tile,
                     Scalar weight)
      : ColumnTileRows<Coefficients, Layout>(system, tile), m_weight(weight) {}
  Scalar scale(int) const { return m_weight; }

 private:
  Scalar m_weight;
};

/// to = x + weight change over a tile, where `change` is in scratch.
/// \param stream  whether stores bypass the caches; then all rows are aligned to vectors
template <class Scalar, class Layout, class Memory>
void add_change(const TileColumns& tile, int num_levels,
                const ColumnStep<Scalar, Layout, Memory>& step,
                const FieldView<Scalar, Layout, Memory>& change, bool stream) {
  constexpr int lanes = lane_count<Scalar>;
  const int rows = levels_contiguous<Layout> ? tile.count : num_levels,
            cells = levels_contiguous<Layout> ? num_levels : tile.count;
  for (int row = 0; row < rows; ++row) {
    const int column = levels_contiguous<Layout> ? row : 0,
              level = levels_contiguous<Layout> ? 0 : row;
    const Scalar* const from = &step.x(tile.first + column, level);
    const Scalar* const added = &change(column, level);
    Scalar* const target = &step.to(tile.first + column, level);
    int i = 0;
    for (; i + lanes <= cells; i += lanes) {
      const Lanes<Scalar> value = load_lanes(from + i) + step.weight * load_lanes(added + i);
      if (stream) {
        stream_lanes(target + i, value);
      } else {
        store_lanes(target + i, value);
      }
    }
    for (; i < cells; ++i) target[i] = from[i] + step.weight * added[i];
  }
}

/// A step over the share of one worker.
template <class Coefficients, class Scalar, class Layout, class Memory>
void smooth_columns_share(const ColumnSystem<Coefficients>& system,
                          const ColumnStep<Scalar, Layout, Memory>& step,
                          const LineWorkspace<Scalar, Memory>& workspace, int worker,
                          TileStore store) {
  using Field = FieldView<Scalar, Layout, Memory>;
  const int num_levels = system.topology.num_levels;
  Scalar* const scratch = workspace.of_worker(worker, num_levels);
  // Behind the fields of the elimination. The solution takes the place of the residual.
  Scalar* const image_of_tile =
      scratch + 2 * static_cast<std::size_t>(num_levels) * tile_width<Scalar, Layout>;
  for_each_tile<Scalar, Layout>(
      worker, workspace.num_workers(), system.topology.num_owned, [&](const TileColumns& tile) {
        const auto change = tile_image<Scalar, Layout, Field>(image_of_tile, tile, num_levels);
        store_residual(system, step.x, step.f, {tile.first, tile.first + tile.count}, change, 0);
        ColumnTileRows<Coefficients, Layout> rows(system, tile);
        const std::int64_t next = tile.first + tile_width<Scalar, Layout>;
        solve_tile<false, Scalar, Layout>(
            TileColumns{0, tile.count}, num_levels, rows, as_const_field(change), change, scratch,
            TileStore::plain, [&](int part) { prefetch_tile<Layout>(step.f, next, part); });
        add_change(tile, num_levels, step, change, store == TileStore::stream);
      });
  if (store == TileStore::stream) finish_streaming();
}

/// The same where x is 0.
template <class Coefficients, class Scalar, class Layout, class Memory>
void first_smooth_columns_share(const ColumnSystem<Coefficients>& system,
                                const ColumnStep<Scalar, Layout, Memory>& step,
                                const LineWorkspace<Scalar, Memory>& workspace, int worker,
                                TileStore store) {
  const int num_levels = system.topology.num_levels;
  for_each_tile<Scalar, Layout>(
      worker, workspace.num_workers(), system.topology.num_owned, [&](const TileColumns& tile) {
        WeightedColumnRows<Coefficients, Layout> rows(system, tile, step.weight);
        const std::int64_t next = tile.first + tile_width<Scalar, Layout>;
        solve_tile<false, Scalar, Layout>(
            tile, num_levels, rows, step.f, step.to, workspace.of_worker(worker, num_levels), store,
            [&](int part) { prefetch_tile<Layout>(step.f, next, part); });
      });
  if (store != TileStore::plain) finish_streaming();
}

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
