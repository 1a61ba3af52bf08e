// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// A smoothing step on CPU cores. The residual of a tile of columns stays in the second-level cache,
// where the lines are solved: x and f are read once, and the result is written once.

#include <lamina/helmholtz/impl/HelmholtzRows.hpp>
#include <lamina/lines/impl/LineTile_Host.hpp>
#include <lamina/multigrid/impl/CycleLevel.hpp>
#include <lamina/sweeps/Sources.hpp>
#include <lamina/sweeps/impl/Traversal_Host.hpp>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

/// f - A x of a tile of columns, in scratch.
template <class In, class Out>
struct StoreTileResidual {
  static constexpr int num_sums = 0;
  static constexpr bool stores = true;
  In f;
  Out residual;
  std::int64_t first;  // column of the tile

  template <class Value, class Sums>
  void operator()(std::int64_t column, int level, const Value&, const Value& image, Sums&) const {
    Impl::write(residual, column - first, level, Impl::read<Value>(f, column, level) - image);
  }
  void prefetch(std::int64_t column, int level, std::int64_t ahead) const {
    Impl::prefetch_line(&f(column, level) + ahead);
  }
};

/// `HelmholtzTileRows` of M / weight.
template <class Scalar, class Layout>
class WeightedTileRows : public HelmholtzTileRows<Scalar, Layout> {
  using Base = HelmholtzTileRows<Scalar, Layout>;
  static constexpr int groups = tile_groups<Scalar, Layout>;

 public:
  WeightedTileRows(const TensorCoefficients<Scalar, Kokkos::HostSpace>& coefficients,
                   const TileColumns& tile, Scalar weight)
      : Base(coefficients, tile) {
    for (int g = 0; g < groups; ++g) m_scale[g] = weight * Base::scale(g);
  }
  const Lanes<Scalar>& scale(int g) const { return m_scale[g]; }

 private:
  Lanes<Scalar> m_scale[extent_of<groups>];
};

/// to = x + change, over a tile; with `WithEnergy` returns <f, to>. `change` is in scratch.
/// \param stream  whether stores bypass the caches; then all rows are aligned to vectors
template <bool WithEnergy, class Layout, class In, class Out>
double add_tile(const TileColumns& tile, int num_levels, const In& f, const In& x,
                const Out& change, const Out& to, bool stream) {
  using Scalar = typename Out::value_type;
  constexpr int lanes = lane_count<Scalar>;
  const int length = levels_contiguous<Layout> ? num_levels : tile.count;
  const int rows = levels_contiguous<Layout> ? tile.count : num_levels;
  LaneSums<Scalar> sums;
  double sum = 0;
  for (int row = 0; row < rows; ++row) {
    const int column = levels_contiguous<Layout> ? row : 0;
    const int level = levels_contiguous<Layout> ? 0 : row;
    const Scalar* const rhs = &f(tile.first + column, level);
    const Scalar* const from = &x(tile.first + column, level);
    const Scalar* const added = &change(column, level);
    Scalar* const target = &to(tile.first + column, level);
    int i = 0;
    for (; i + lanes <= length; i += lanes) {
      const Lanes<Scalar> value = load_lanes(from + i) + load_lanes(added + i);
      if (stream) {
        stream_lanes(target + i, value);
      } else {
        store_lanes(target + i, value);
      }
      if constexpr (WithEnergy) add_product<Scalar>(sums, load_lanes(rhs + i), value);
    }
    for (; i < length; ++i) {
      target[i] = from[i] + added[i];
      if constexpr (WithEnergy) add_product(sum, rhs[i], target[i]);
    }
  }
  return sum + sums.total();
}

/// x = weight M^-1 f over the share of one worker.
template <class Scalar, class Layout>
void first_smooth_share(const CycleLevel<Scalar, Kokkos::HostSpace>& level, Scalar weight,
                        const FieldView<const Scalar, Layout, Kokkos::HostSpace>& f,
                        const FieldView<Scalar, Layout, Kokkos::HostSpace>& x, int worker,
                        TileStore store) {
  const auto& topology = level.system.topology;
  for_each_tile<Scalar, Layout>(
      worker, level.lines.num_workers(), topology.num_owned, [&](const TileColumns& tile) {
        WeightedTileRows<Scalar, Layout> rows(level.system.coefficients, tile, weight);
        const std::int64_t next = tile.first + tile_width<Scalar, Layout>;
        solve_tile<false, Scalar, Layout>(tile, topology.num_levels, rows, f, x,
                                          level.lines.of_worker(worker, topology.num_levels), store,
                                          [&](int step) { prefetch_tile<Layout>(f, next, step); });
      });
  if (store != TileStore::plain) finish_streaming();
}

/// to = x + weight M^-1 (f - A x) over the share of one worker; with `WithEnergy` returns <f,
/// to>.
template <bool WithEnergy, class Scalar, class Layout>
double smooth_share(const CycleLevel<Scalar, Kokkos::HostSpace>& level, Scalar weight,
                    const FieldView<const Scalar, Layout, Kokkos::HostSpace>& f,
                    const FieldView<const Scalar, Layout, Kokkos::HostSpace>& x,
                    const FieldView<Scalar, Layout, Kokkos::HostSpace>& to, int worker,
                    TileStore store) {
  using In = FieldView<const Scalar, Layout, Kokkos::HostSpace>;
  using Out = FieldView<Scalar, Layout, Kokkos::HostSpace>;
  using Sink = StoreTileResidual<In, Out>;
  using Traversal =
      HostTraversal<TensorCoefficients<Scalar, Kokkos::HostSpace>, Layout, FieldSource<In>, Sink>;
  const auto& topology = level.system.topology;
  const int num_levels = topology.num_levels;
  Scalar* const scratch = level.lines.of_worker(worker, num_levels);
  // Behind the fields of the elimination. The solution takes the place of the residual.
  Scalar* const image_of_tile =
      scratch + 2 * static_cast<std::size_t>(num_levels) * tile_width<Scalar, Layout>;
  double energy = 0;
  for_each_tile<Scalar, Layout>(
      worker, level.lines.num_workers(), topology.num_owned, [&](const TileColumns& tile) {
        const Out change = tile_image<Scalar, Layout, Out>(image_of_tile, tile, num_levels);
        const FieldSource<In> source{x};
        const Sink sink{f, change, tile.first};
        Traversal(level.system, source, sink).sweep({tile.first, tile.first + tile.count});
        WeightedTileRows<Scalar, Layout> rows(level.system.coefficients, tile, weight);
        solve_tile<false, Scalar, Layout>(TileColumns{0, tile.count}, num_levels, rows, In(change),
                                          change, scratch, TileStore::plain, [](int) {});
        energy += add_tile<WithEnergy, Layout>(tile, num_levels, f, x, change, to,
                                               store == TileStore::stream);
      });
  if (store == TileStore::stream) finish_streaming();
  return energy;
}

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
