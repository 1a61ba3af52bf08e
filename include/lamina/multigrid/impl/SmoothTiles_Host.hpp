// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// A smoothing step on CPU cores, where levels are contiguous. The right-hand sides of a tile of columns stay
// in the second-level cache, where the lines are solved: x and f are read once, and the result is
// written once.

#include <lamina/helmholtz/impl/HelmholtzRows.hpp>
#include <lamina/lines/impl/LineTile_Host.hpp>
#include <lamina/multigrid/impl/CycleLevel.hpp>
#include <lamina/multigrid/impl/TileResidual_Host.hpp>
#include <lamina/sweeps/Sources.hpp>

#include <cstddef>
#include <cstdint>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

template <class Scalar>
using RowField = FieldView<Scalar, Kokkos::LayoutRight, Kokkos::HostSpace>;

/// f + N x of one column, where N = M - A is what enters it from its neighbours; f without memory is 0.
/// `Held`: see `TensorColumn`.
template <int Held, class Scalar>
void store_coupled(const TensorSystem<Scalar, Kokkos::HostSpace>& system,
                   const RowField<const Scalar>& f, const RowField<const Scalar>& x,
                   std::int64_t column, int slots, Scalar* to) {
  constexpr int lanes = lane_count<Scalar>;
  const int num_levels = system.topology.num_levels;
  const TensorColumn<Scalar, Held> rows(system, column, slots);
  const FieldSource<RowField<const Scalar>> source{x};
  const Scalar* const rhs = f.data() == nullptr ? nullptr : &f(column, 0);
  const auto store = [&]<class Value>(int k, const Value& inflow) {
    Value value = -inflow;
    if (rhs != nullptr) value += load<Value>(rhs + k);
    Impl::store(to + k, value);
  };
  int k = 0;
  for (; k + lanes <= num_levels; k += lanes) {
    if (rhs != nullptr) prefetch_line(rhs + k + host_prefetch_distance<Scalar>);
    store(k, rows.template inflows<Lanes<Scalar>>(source, k));
  }
  for (; k < num_levels; ++k) store(k, rows.template inflows<Scalar>(source, k));
}

/// `HelmholtzTileRows` of M / weight.
template <class Scalar>
class WeightedTileRows : public HelmholtzTileRows<Scalar, Kokkos::LayoutRight> {
  using Base = HelmholtzTileRows<Scalar, Kokkos::LayoutRight>;
  static constexpr int groups = tile_groups<Scalar, Kokkos::LayoutRight>;

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

/// to = keep x + change over a tile; with `WithEnergy` returns <f, to>. `change` is in scratch.
/// \param stream  whether stores bypass the caches; then all rows are aligned to vectors
template <bool WithEnergy, class Scalar>
double add_tile(const TileColumns& tile, int num_levels, Scalar keep,
                const RowField<const Scalar>& f, const RowField<const Scalar>& x,
                const RowField<Scalar>& change, const RowField<Scalar>& to, bool stream) {
  constexpr int lanes = lane_count<Scalar>;
  LaneSums<Scalar> sums;
  double sum = 0;
  for (int row = 0; row < tile.count; ++row) {
    const std::int64_t column = tile.first + row;
    [[maybe_unused]] const Scalar* const rhs = WithEnergy ? &f(column, 0) : nullptr;
    const Scalar* const from = &x(column, 0);
    const Scalar* const added = &change(row, 0);
    Scalar* const target = &to(column, 0);
    int k = 0;
    for (; k + lanes <= num_levels; k += lanes) {
      const Lanes<Scalar> value = keep * load_lanes(from + k) + load_lanes(added + k);
      if (stream) {
        stream_lanes(target + k, value);
      } else {
        store_lanes(target + k, value);
      }
      if constexpr (WithEnergy) add_product<Scalar>(sums, load_lanes(rhs + k), value);
    }
    for (; k < num_levels; ++k) {
      target[k] = keep * from[k] + added[k];
      if constexpr (WithEnergy) add_product(sum, rhs[k], target[k]);
    }
  }
  return sum + sums.total();
}

/// x = weight M^-1 f over the share of one worker.
template <class Scalar>
void first_smooth_share(const CycleLevel<Scalar, Kokkos::HostSpace>& level, Scalar weight,
                        const RowField<const Scalar>& f, const RowField<Scalar>& x, int worker,
                        TileStore store) {
  using Layout = Kokkos::LayoutRight;
  const auto& topology = level.system.topology;
  for_each_tile<Scalar, Layout>(
      worker, level.lines.num_workers(), topology.num_owned, [&](const TileColumns& tile) {
        WeightedTileRows<Scalar> rows(level.system.coefficients, tile, weight);
        const std::int64_t next = tile.first + tile_width<Scalar, Layout>;
        solve_tile<false, Scalar, Layout>(tile, topology.num_levels, rows, f, x,
                                          level.lines.of_worker(worker, topology.num_levels), store,
                                          [&](int step) { prefetch_tile<Layout>(f, next, step); });
      });
  if (store != TileStore::plain) finish_streaming();
}

/// to = keep x + weight M^-1 (f + N x) over the share of one worker, see `store_coupled`; with `WithEnergy`
/// returns <f, to>.
template <bool WithEnergy, class Scalar>
double smooth_share(const CycleLevel<Scalar, Kokkos::HostSpace>& level, Scalar keep, Scalar weight,
                    const RowField<const Scalar>& f, const RowField<const Scalar>& x,
                    const RowField<Scalar>& to, int worker, TileStore store) {
  using Layout = Kokkos::LayoutRight;
  const auto& topology = level.system.topology;
  const int num_levels = topology.num_levels;
  const std::size_t slots = topology.neighbours.extent(1);
  Scalar* const scratch = level.lines.of_worker(worker, num_levels);
  // Behind the fields of the elimination. The solution takes the place of the right-hand side.
  Scalar* const image_of_tile =
      scratch + 2 * static_cast<std::size_t>(num_levels) * tile_width<Scalar, Layout>;
  const bool reads_f = f.data() != nullptr;
  double energy = 0;
  for_each_tile<Scalar, Layout>(
      worker, level.lines.num_workers(), level.system.topology.num_owned,
      [&](const TileColumns& tile) {
        const auto change =
            tile_image<Scalar, Layout, RowField<Scalar>>(image_of_tile, tile, num_levels);
        for (int row = 0; row < tile.count; ++row) {
          const std::int64_t column = tile.first + row;
          const int used = used_slots(topology, column);
          const auto store_row = slots >= quadrilateral && used <= quadrilateral
                                     ? store_coupled<quadrilateral, Scalar>
                                 : used <= most_held ? store_coupled<most_held, Scalar>
                                                     : store_coupled<0, Scalar>;
          store_row(level.system, f, x, column, used, &change(row, 0));
        }
        WeightedTileRows<Scalar> rows(level.system.coefficients, tile, weight);
        // What the next tile is the first one to read: f, and the last of its neighbours.
        const std::int64_t next = tile.first + tile_width<Scalar, Layout>;
        const bool has_next = slots > 0 && next < topology.num_owned;
        const std::int64_t ahead = has_next ? topology.neighbours(next, slots - 1) : next;
        solve_tile<false, Scalar, Layout>(TileColumns{0, tile.count}, num_levels, rows,
                                          RowField<const Scalar>(change), change, scratch,
                                          TileStore::plain, [&](int part) {
                                            if (reads_f) prefetch_tile<Layout>(f, next, part);
                                            prefetch_tile<Layout>(x, ahead, part);
                                          });
        energy += add_tile<WithEnergy, Scalar>(tile, num_levels, keep, f, x, change, to,
                                               store == TileStore::stream);
      });
  if (store == TileStore::stream) finish_streaming();
  return energy;
}

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
