// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/impl/slices/BlockSlices.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/AsyncCopy_Device.hpp>
#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/LoadOnce_Device.hpp>
#include <lamina/device/impl/OverlappedTeams_Device.hpp>
#include <lamina/device/impl/Pack.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
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

/// x_i = D_i^-1 (b_i - O_i x) for the rows of the slices [first, last). One warp takes a slice, or
/// `splits` warps of a team share its steps and add up their sums.
///
/// Columns are loaded a batch of steps ahead. Blocks and entries of x of a whole batch are loaded
/// together. Blocks of few rows, and of some sizes, are loaded a batch ahead, too. The blocks of
/// the first batch are loaded while the kernel of the colour before still runs: no kernel writes
/// them.
///
/// Rows of b and x hold `NumRhs` consecutive right-hand sides. A block in registers serves all of
/// them. `XWidth`: entries of x that are loaded at once, at a multiple of their bytes.
// traffic: that of `PointImplicitSolver::sweep_colour`, with b and x of each right-hand side, and
// with row numbers instead of offsets; also the padding of slices, of which at least the columns
// are read
template <class Scalar, class OffDiagonal, int Size, bool FewRows, int XWidth, int NumRhs>
struct SweepSlices {
  using Shape = SliceSweep<Scalar, OffDiagonal, Size, FewRows, NumRhs>;
  static constexpr int lanes = Shape::lanes, components = Shape::components,
                       block_values = Shape::block_values, rows = Shape::rows,
                       places = Shape::places, x_sides = Shape::x_sides, batch = Shape::batch,
                       max_threads = Shape::max_threads, min_teams = Shape::min_teams,
                       exchange_values = Shape::exchange_values,
                       exchange_bytes = Shape::exchange_bytes;
  static constexpr bool early_blocks = Shape::early_blocks, early_rhs = Shape::early_rhs;
  static_assert(NumRhs % x_sides == 0 && x_sides * Size % XWidth == 0);

  SlicedRows<Scalar, OffDiagonal> slices;
  BlockVector<const Scalar> b;
  BlockVector<Scalar> x;
  int first, last, splits;

  /// A team of few rows takes one slice.
  int threads() const { return FewRows ? SliceShape::slice_lanes * splits : max_threads; }
  int num_teams() const {
    const int slots = num_slots();
    return (last - first + slots - 1) / slots;
  }
  /// Slices of a team.
  KOKKOS_FUNCTION int num_slots() const {
    return FewRows ? 1 : max_threads / SliceShape::slice_lanes / splits;
  }
  /// Of the values that lanes exchange, and for few rows of the inverses of a slice.
  std::size_t scratch_bytes() const {
    constexpr int inverses = block_values * places * int{sizeof(Scalar)} + async_unit;
    if (FewRows) return exchange_bytes + inverses;
    return exchanges() ? exchange_bytes : 0;
  }
  KOKKOS_FUNCTION bool exchanges() const { return FewRows || splits > 1 || lanes > 1; }

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    team.let_next_begin();
    const Place at(*this, team);
    if constexpr (FewRows) {
      take_of_few(team, at);
    } else {
      take_of_many(team, at);
    }
  }

 private:
  /// The lane and the slice of a thread.
  struct Place {
    int lane, split, slot, slice, row_of_slice;
    int row;  ///< -1: none

    template <class Team>
    KOKKOS_FORCEINLINE_FUNCTION Place(const SweepSlices& sweep, const Team& team) {
      const int rank = team.team_rank(), warp = rank / SliceShape::slice_lanes;
      lane = rank % SliceShape::slice_lanes;
      split = warp % sweep.splits;
      slot = FewRows ? 0 : warp / sweep.splits;
      const int wanted = sweep.first + team.league_rank() * sweep.num_slots() + slot;
      slice = wanted < sweep.last ? wanted : sweep.first;
      const bool works = wanted < sweep.last && lane < rows * lanes;
      row_of_slice = works ? lane / lanes : 0;
      row = works ? sweep.slices.rows[static_cast<std::int64_t>(slice) * rows + row_of_slice] : -1;
    }
    KOKKOS_FORCEINLINE_FUNCTION int component() const { return lane % lanes * components; }
    /// Lanes without a row read the values of another lane.
    KOKKOS_FORCEINLINE_FUNCTION int place() const { return row < 0 ? 0 : lane; }
  };

  /// The steps of a slice that a lane has left.
  struct Steps {
    const int* columns;
    const OffDiagonal* values;
    int count;

    KOKKOS_FORCEINLINE_FUNCTION Steps(const SlicedRows<Scalar, OffDiagonal>& slices,
                                      const Place& at) {
      const std::int64_t begin = slices.offsets[at.slice];
      count = at.row >= 0 ? static_cast<int>(slices.offsets[at.slice + 1] - begin) : 0;
      columns = slices.columns + begin * rows + at.row_of_slice;
      values = slices.values + begin * (block_values * places);
      skip(at.split * batch);
    }
    KOKKOS_FORCEINLINE_FUNCTION void skip(int steps) {
      count -= steps;
      columns += static_cast<std::int64_t>(steps) * rows;
      values += static_cast<std::int64_t>(steps) * (block_values * places);
    }
    /// Columns of the batch that begins after so many steps. -1: there is none.
    KOKKOS_FORCEINLINE_FUNCTION void load_columns(int after, int (&to)[extent_of<batch>]) const {
      for (int u = 0; u < batch; ++u) {
        to[u] = after + u < count ? columns[(after + u) * rows] : -1;
      }
    }
  };

  /// The values of a lane, for each right-hand side.
  using Sums = Scalar[extent_of<NumRhs>][extent_of<components>];

  /// x = D^-1 q, by the lanes of the first split. Inverses are loaded when blocks no longer need
  /// the registers.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void take_of_many(const Team& team, const Place& at) const {
    Sums q;
    Scalar inverse[extent_of<block_values>];
    products(team, at, q);
    if (at.split == 0) {
      const Scalar* const from = inverses_of(at.slice) + at.place();
      for (int n = 0; n < block_values; ++n) load_once<1>(from + n * places, inverse + n);
    }
    const Scalar* const row_q = exchanged(team, at, q);
    if (at.row < 0 || at.split != 0) return;
    LAMINA_DEVICE_UNROLL()
    for (int r = 0; r < NumRhs; ++r) {
      Scalar y[extent_of<components>] = {};
      LAMINA_DEVICE_UNROLL()
      for (int c = 0; c < Size; ++c) {
        const Scalar q_c = lanes == 1 ? q[r][c % components] : row_q[r * exchange_values + c];
        for (int p = 0; p < components; ++p) y[p] += inverse[c * components + p] * q_c;
      }
      Scalar* const to = x.row(at.row) + r * Size + at.component();
      for (int p = 0; p < components; ++p) to[p] = y[p];
    }
  }
  /// The same with one component to a lane. Inverses are copied to scratch while the kernel of the
  /// colour before still runs.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void take_of_few(const Team& team, const Place& at) const {
    const Scalar* const inverse = copy_async_range(
        team, static_cast<char*>(team.scratch()) + exchange_bytes, inverses_of(at.slice),
        block_values * places, inverses_of(slices.num_slices));
    close_copies();
    Sums q;
    products(team, at, q);
    wait_for_copies<0>();
    const Scalar* const row_q = exchanged(team, at, q);
    if (at.row < 0 || at.split != 0) return;
    for (int r = 0; r < NumRhs; ++r) {
      Scalar y = 0;
      for (int c = 0; c < Size; ++c) {
        y += inverse[c * places + at.lane] * row_q[r * exchange_values + c];
      }
      x.row(at.row)[r * Size + at.component()] = y;
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION const Scalar* inverses_of(std::int64_t slice) const {
    return slices.inverses + slice * (block_values * places);
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
          reinterpret_cast<const Pack<Scalar, XWidth>*>(x.row(column) + first_side * Size);
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

  /// Adds up the parts of all splits, for the first split. Returns the q of all lanes of a row in
  /// scratch, for the first right-hand side. The next one follows after `exchange_values` values.
  /// All threads of a team call it.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION const Scalar* exchanged(const Team& team, const Place& at,
                                                      Sums& q) const {
    if (!exchanges()) return nullptr;
    constexpr int slice_values = SliceShape::slice_lanes * components;
    const int split_values = num_slots() * slice_values;
    Scalar* const slot = static_cast<Scalar*>(team.scratch()) + at.slot * slice_values;
    Scalar* const mine = slot + at.split * split_values + at.lane * components;
    for_all_sums([&](int r, int p) { mine[r * exchange_values + p] = q[r][p]; });
    team.team_barrier();
    if (splits > 1) {
      if (at.split == 0) {
        for_all_sums([&](int r, int p) {
          Scalar* const value = mine + r * exchange_values + p;
          for (int s = 1; s < splits; ++s) q[r][p] += value[s * split_values];
          *value = q[r][p];
        });
      }
      if (lanes > 1) team.team_barrier();
    }
    return slot + at.row_of_slice * Size;
  }
  template <class Call>
  KOKKOS_FORCEINLINE_FUNCTION static void for_all_sums(const Call& call) {
    LAMINA_DEVICE_UNROLL()
    for (int r = 0; r < NumRhs; ++r) {
      LAMINA_DEVICE_UNROLL()
      for (int p = 0; p < components; ++p) call(r, p);
    }
  }
};

/// Launches a kernel for as many right-hand sides as it takes, and for one where rows of x are not
/// aligned for two entries.
template <class Space, class Scalar, class OffDiagonal>
void launch_slices(const char* label, const Space& space,
                   const SlicedRows<Scalar, OffDiagonal>& slices, int first, int last, int splits,
                   const BlockVector<const Scalar>& b, const BlockVector<Scalar>& x, int num_rhs,
                   LaunchGraph<Space>* graph) {
  if (first == last) return;
  with_slice_shape(slices.shape, [&]<int Size, bool FewRows>() {
    int side = 0;
    const auto launch = [&]<int XWidth, int NumRhs>() {
      using Kernel = SweepSlices<Scalar, OffDiagonal, Size, FewRows, XWidth, NumRhs>;
      for (; num_rhs - side >= NumRhs; side += NumRhs) {
        const std::int64_t component = std::int64_t{side} * Size;
        const Kernel kernel{
            slices, from_component(b, component), from_component(x, component), first, last,
            splits};
        launch_teams<Kernel::max_threads, Kernel::min_teams>(
            label, space, kernel.num_teams(), kernel.threads(), kernel.scratch_bytes(), kernel,
            KernelStart::overlapped, graph);
      }
    };
    if (num_rhs > 1 && x.rows_begin_at_multiples_of(2)) {
      if constexpr (SliceShape{Size, FewRows}.max_rhs() >= 8) launch.template operator()<2, 8>();
      launch.template operator()<2, 4>();
      launch.template operator()<2, 2>();
    }
    constexpr int width = SliceShape::x_width(Size, FewRows, pack_width<Scalar>);
    if (x.rows_begin_at_multiples_of(width)) launch.template operator()<width, 1>();
    launch.template operator()<1, 1>();
  });
}

}  // namespace Lamina::Impl
