// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/impl/slices/BlockSlices.hpp>
#include <lamina/blocks/impl/slices/RemoteRows_Device.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/LoadOnce_Device.hpp>
#include <lamina/device/impl/Pack.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace Lamina::Impl {

/// How a kernel sweeps slices of `NumRhs` right-hand sides.
template <class Scalar, class OffDiagonal, int Size, bool FewRows, int NumRhs>
struct SliceSweep {
  using Tuning = BlockSliceTuning;
  static constexpr SliceShape shape{Size, FewRows};
  static constexpr int lanes = shape.lanes, components = shape.components(),
                       block_values = shape.block_values(), rows = shape.rows(),
                       places = shape.places();
  static constexpr bool early_blocks = FewRows || Tuning::early_blocks_of_many(Size);
  /// Right-hand sides whose x is loaded together: a wide load may reach into the second one.
  static constexpr int x_sides = NumRhs > 1 ? 2 : 1;
  /// Whether b is loaded before the products.
  static constexpr bool early_rhs = Tuning::early_rhs(FewRows, NumRhs);
  /// Steps whose loads are in flight together.
  static constexpr int batch =
      FewRows ? Tuning::batch_of_few(Size)
              : Tuning::batch_of_many(block_values * int{sizeof(OffDiagonal)} / 4, lanes);
  static constexpr int max_threads = SliceShape::slice_lanes * shape.max_splits();
  /// Teams on a multiprocessor, at least. For few rows and one right-hand side `SliceShape::splits`
  /// expects this number.
  /// For many rows a thread gets the registers of the larger part of the kernel, products or solve,
  /// and spare ones.
  static constexpr int min_teams = [] {
    if (FewRows) return Tuning::busy_threads_of(NumRhs) / max_threads;
    constexpr int x_words = 2 * x_sides * Size, sums = 2 * NumRhs * components,
                  products = batch * (block_values * int{sizeof(OffDiagonal)} / 4 + x_words) + sums,
                  solve = 2 * block_values + sums + 2 * components,
                  registers = std::max(products, solve) + Tuning::spare_registers(lanes, NumRhs);
    return std::clamp(65536 / max_threads / registers, Tuning::least_teams, Tuning::most_teams);
  }();

  /// Values that a team exchanges for one right-hand side, and bytes for all.
  static constexpr int exchange_values = max_threads * components,
                       exchange_bytes = NumRhs * exchange_values * int{sizeof(Scalar)};
};

/// The lane and the slice of a thread.
template <class Shape>
struct SlicePlace {
  int lane, split, slot, slice, row_of_slice;
  int row;  ///< -1: none

  template <class Sweep, class Team>
  KOKKOS_FORCEINLINE_FUNCTION SlicePlace(const Sweep& sweep, const Team& team) {
    const int rank = team.team_rank(), warp = rank / SliceShape::slice_lanes;
    lane = rank % SliceShape::slice_lanes;
    split = warp % sweep.splits;
    slot = Shape::shape.few_rows ? 0 : warp / sweep.splits;
    const int wanted = sweep.first + team.league_rank() * sweep.num_slots() + slot;
    slice = wanted < sweep.last ? wanted : sweep.first;
    const bool works = wanted < sweep.last && lane < Shape::rows * Shape::lanes;
    row_of_slice = works ? lane / Shape::lanes : 0;
    row = works ? sweep.slices.rows[static_cast<std::int64_t>(slice) * Shape::rows + row_of_slice]
                : -1;
  }
  KOKKOS_FORCEINLINE_FUNCTION int component() const {
    return lane % Shape::lanes * Shape::components;
  }
  /// Lanes without a row read the values of another lane.
  KOKKOS_FORCEINLINE_FUNCTION int place() const { return row < 0 ? 0 : lane; }
};

/// The steps of a slice that a lane has left.
template <class Shape, class OffDiagonal>
struct SliceSteps {
  static constexpr int rows = Shape::rows, batch = Shape::batch,
                       step_values = Shape::block_values * Shape::places;

  const int* columns;
  const OffDiagonal* values;
  int count;

  template <class Scalar>
  KOKKOS_FORCEINLINE_FUNCTION SliceSteps(const SlicedRows<Scalar, OffDiagonal>& slices,
                                         const SlicePlace<Shape>& at) {
    const std::int64_t begin = slices.offsets[at.slice];
    count = at.row >= 0 ? static_cast<int>(slices.offsets[at.slice + 1] - begin) : 0;
    columns = slices.columns + begin * rows + at.row_of_slice;
    values = slices.values + begin * step_values;
    skip(at.split * batch);
  }
  KOKKOS_FORCEINLINE_FUNCTION void skip(int steps) {
    count -= steps;
    columns += static_cast<std::int64_t>(steps) * rows;
    values += static_cast<std::int64_t>(steps) * step_values;
  }
  /// Columns of the batch that begins after so many steps. -1: there is none.
  KOKKOS_FORCEINLINE_FUNCTION void load_columns(int after, int (&to)[extent_of<batch>]) const {
    for (int u = 0; u < batch; ++u) {
      to[u] = after + u < count ? columns[(after + u) * rows] : -1;
    }
  }
};

/// The first part of a sweep: q = b - O x for the rows of the slices [first, last). One warp takes a
/// slice, or `splits` warps of a team share its steps.
///
/// Columns are loaded a batch of steps ahead. Blocks and entries of x of a whole batch are loaded
/// together. Blocks of few rows, and of some sizes, are loaded a batch ahead, too. The blocks of
/// the first batch are loaded while the kernel of the colour before still runs: no kernel writes
/// them.
///
/// Rows of b and x hold `NumRhs` consecutive right-hand sides. A block in registers serves all of
/// them. `XWidth`: entries of x that are loaded at once, at a multiple of their bytes. `Remote`:
/// rows of other ranks.
template <class Scalar, class OffDiagonal, int Size, bool FewRows, int XWidth, int NumRhs,
          class Remote>
struct SliceProducts {
  using Shape = SliceSweep<Scalar, OffDiagonal, Size, FewRows, NumRhs>;
  using Place = SlicePlace<Shape>;
  using Steps = SliceSteps<Shape, OffDiagonal>;
  static constexpr int components = Shape::components, block_values = Shape::block_values,
                       places = Shape::places, x_sides = Shape::x_sides, batch = Shape::batch;
  static constexpr bool early_blocks = Shape::early_blocks, early_rhs = Shape::early_rhs;
  static_assert(NumRhs % x_sides == 0 && x_sides * Size % XWidth == 0);
  /// The values of a lane, for each right-hand side.
  using Sums = Scalar[extent_of<NumRhs>][extent_of<components>];

  SlicedRows<Scalar, OffDiagonal> slices;
  BlockVector<const Scalar> b;
  BlockVector<Scalar> x;
  int first, last, splits;
  Remote remote;

  /// Slices of a team.
  KOKKOS_FUNCTION int num_slots() const {
    return FewRows ? 1 : Shape::max_threads / SliceShape::slice_lanes / splits;
  }

  /// The part of q = b - O x that the steps of this split give. The first split adds b.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void products(const Team& team, const Place& at, Sums& q) const {
    Steps steps(slices, at);
    int columns[extent_of<batch>];
    OffDiagonal blocks[extent_of<batch>][extent_of<block_values>];
    steps.load_columns(0, columns);
    if constexpr (early_blocks) load_blocks(steps, at, columns, blocks);
    team.wait_for_previous();
    remote.await(team);
    Sums sums = {};
    if constexpr (early_rhs) load_rhs(at, q);
    while (steps.count > 0) {
      int next[extent_of<batch>];
      steps.load_columns(splits * batch, next);
      if constexpr (!early_blocks) load_blocks(steps, at, columns, blocks);
      LAMINA_DEVICE_UNROLL()
      for (int r = 0; r < NumRhs; r += x_sides) add_products(columns, blocks, r, sums);
      for (int u = 0; u < batch; ++u) columns[u] = next[u];
      steps.skip(splits * batch);
      if constexpr (early_blocks) load_blocks(steps, at, columns, blocks);
    }
    if constexpr (!early_rhs) load_rhs(at, q);
    for_all_sums([&](int r, int p) { q[r][p] -= scale(at, p) * sums[r][p]; });
  }
  template <class Call>
  KOKKOS_FORCEINLINE_FUNCTION static void for_all_sums(const Call& call) {
    LAMINA_DEVICE_UNROLL()
    for (int r = 0; r < NumRhs; ++r) {
      LAMINA_DEVICE_UNROLL()
      for (int p = 0; p < components; ++p) call(r, p);
    }
  }

 private:
  /// q = b in the first split, 0 in others.
  KOKKOS_FORCEINLINE_FUNCTION void load_rhs(const Place& at, Sums& q) const {
    const bool loads = at.split == 0 && at.row >= 0;
    const Scalar* const from = b.row(loads ? at.row : 0) + at.component();
    for_all_sums([&](int r, int p) { q[r][p] = loads ? from[r * Size + p] : Scalar(0); });
  }
  /// Adds the products of a batch for `x_sides` right-hand sides from `first_side` on.
  KOKKOS_FORCEINLINE_FUNCTION void add_products(
      const int (&columns)[extent_of<batch>],
      const OffDiagonal (&blocks)[extent_of<batch>][extent_of<block_values>], int first_side,
      Sums& sums) const {
    XValues x_values[extent_of<batch>];
    LAMINA_DEVICE_UNROLL()
    for (int u = 0; u < batch; ++u) load_x(columns[u], first_side, x_values[u]);
    LAMINA_DEVICE_UNROLL()
    for (int u = 0; u < batch; ++u) {
      LAMINA_DEVICE_UNROLL()
      for (int n = 0; n < block_values; ++n) {
        const auto value = static_cast<Scalar>(blocks[u][n]);
        for (int s = 0; s < x_sides; ++s) {
          sums[first_side + s][n % components] += value * x_values[u][s * Size + n / components];
        }
      }
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION static void load_blocks(
      const Steps& steps, const Place& at, const int (&columns)[extent_of<batch>],
      OffDiagonal (&blocks)[extent_of<batch>][extent_of<block_values>]) {
    for (int u = 0; u < batch; ++u) {
      if (columns[u] >= 0) {
        load_units<16 / int{sizeof(OffDiagonal)}, 0>(steps.values + u * (block_values * places),
                                                     at.lane, blocks[u]);
      } else {
        for (int n = 0; n < block_values; ++n) blocks[u][n] = OffDiagonal(0.0F);
      }
    }
  }
  using XValues = Scalar[extent_of<x_sides * Size>];
  KOKKOS_FORCEINLINE_FUNCTION void load_x(int column, int first_side, XValues& values) const {
    if (column >= 0) {
      const auto* const from =
          reinterpret_cast<const Pack<Scalar, XWidth>*>(remote.row(x, column) + first_side * Size);
      for (int c = 0; c < x_sides * Size; c += XWidth) {
        const Pack<Scalar, XWidth> pack = from[c / XWidth];
        for (int k = 0; k < XWidth; ++k) values[c + k] = pack[k];
      }
    } else {
      for (int c = 0; c < x_sides * Size; ++c) values[c] = 0;
    }
  }
  /// Loads the units of a lane, see `SlicedRows::values`.
  template <int Width, int First>
  KOKKOS_FORCEINLINE_FUNCTION static void load_units(
      const OffDiagonal* from, int lane, OffDiagonal (&block)[extent_of<block_values>]) {
    constexpr int end = First + (block_values - First) / Width * Width;
    for (int n = First; n < end; n += Width) {
      load_once<Width>(from + n * places + lane * Width, block + n);
    }
    if constexpr (end < block_values) load_units<Width / 2, end>(from, lane, block);
  }
  KOKKOS_FORCEINLINE_FUNCTION Scalar scale(const Place& at, int p) const {
    if constexpr (row_scaled<OffDiagonal>) {
      return at.row < 0
                 ? Scalar(0)
                 : static_cast<Scalar>(slices.row_scales[static_cast<std::int64_t>(at.row) * Size +
                                                         at.component() + p]);
    } else {
      return Scalar(1);
    }
  }
};

}  // namespace Lamina::Impl
