// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/impl/BlockSlices.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/AsyncCopy_Device.hpp>
#include <lamina/device/impl/LoadOnce_Device.hpp>
#include <lamina/device/impl/OverlappedTeams_Device.hpp>
#include <lamina/device/impl/Pack.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace Lamina::Impl {

/// Copies block rows to their slices. A work item is a place of a slice.
template <class Scalar, class OffDiagonal>
struct FillSlices {
  BlockRows<Scalar, OffDiagonal> matrix;
  const Scalar* inverses;
  SlicedRows<Scalar, OffDiagonal> slices;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const SliceShape& shape = slices.shape;
    const std::int64_t slice = n / shape.places();
    const auto place = static_cast<int>(n % shape.places());
    if (place >= shape.rows() * shape.lanes) return;
    const int row_of_slice = place / shape.lanes, lane = place % shape.lanes;
    const int row = slices.rows[slice * shape.rows() + row_of_slice];
    const std::int64_t begin = row < 0 ? 0 : matrix.offsets[row],
                       count = row < 0 ? 0 : matrix.offsets[row + 1] - begin;
    for (std::int64_t step = slices.offsets[slice]; step < slices.offsets[slice + 1]; ++step) {
      const std::int64_t k = step - slices.offsets[slice];
      if (lane == 0) {
        slices.columns[step * shape.rows() + row_of_slice] =
            k < count ? matrix.columns[begin + k] : -1;
      }
      if (k < count) copy_block(step, place, lane, begin + k);
    }
    if (row >= 0) copy_inverse(slice, place, lane, row);
  }

 private:
  KOKKOS_FUNCTION void copy_block(std::int64_t step, int place, int lane, std::int64_t k) const {
    const SliceShape& shape = slices.shape;
    const int components = shape.components(), count = shape.block_values();
    const OffDiagonal* const block = matrix.off_diagonal + k * matrix.block_values();
    OffDiagonal* const to = slices.values + step * count * shape.places();
    for (int n = 0; n < count; ++n) {
      to[place_of_value<OffDiagonal>(n, count, shape.places(), place)] =
          block[n / components * shape.size + lane * components + n % components];
    }
  }
  KOKKOS_FUNCTION void copy_inverse(std::int64_t slice, int place, int lane, int row) const {
    const SliceShape& shape = slices.shape;
    const int components = shape.components(), count = shape.block_values();
    const Scalar* const block = inverses + row * matrix.block_values();
    for (int n = 0; n < count; ++n) {
      slices.inverses[(slice * count + n) * shape.places() + place] =
          block[n / components * shape.size + lane * components + n % components];
    }
  }
};

/// x_i = D_i^-1 (b_i - O_i x) for the rows of the slices [first, last). One warp takes a slice, or
/// `splits` warps of a team share its steps and add up their sums.
///
/// Columns are loaded a batch of steps ahead. Blocks and entries of x of a whole batch are loaded
/// together. Blocks of few rows, and of some sizes, are loaded a batch ahead, too. The blocks of
/// the first batch are loaded while the kernel of the colour before still runs: no kernel writes
/// them. `XWidth`: entries of x that are loaded at once, at a multiple of their bytes.
// traffic: that of `PointImplicitSolver::sweep_colour`, with row numbers instead of offsets; also
// the padding of slices, of which at least the columns are read
template <class Scalar, class OffDiagonal, int Size, bool FewRows, int XWidth>
struct SweepSlices {
  using Tuning = BlockSliceTuning;
  static constexpr SliceShape shape{Size, FewRows};
  static constexpr int lanes = shape.lanes, components = shape.components(),
                       block_values = shape.block_values(), rows = shape.rows(),
                       places = shape.places();
  static constexpr bool early_blocks = FewRows || Tuning::early_blocks_of_many(Size);
  /// Steps whose loads are in flight together.
  static constexpr int batch =
      FewRows ? Tuning::batch_of_few(Size)
              : Tuning::batch_of_many(block_values * int{sizeof(OffDiagonal)} / 4, lanes);
  static constexpr int max_threads = SliceShape::slice_lanes * shape.max_splits();
  /// Teams on a multiprocessor, at least. For few rows `SliceShape::splits` expects this number.
  /// For many rows a thread gets the registers of the larger part of the kernel, products or solve,
  /// and spare ones.
  static constexpr int min_teams = [] {
    if (FewRows) return Tuning::busy_threads / max_threads;
    constexpr int products = batch * (block_values * int{sizeof(OffDiagonal)} / 4 + 2 * Size) +
                             2 * components,
                  solve = 2 * block_values + 4 * components,
                  registers = std::max(products, solve) + Tuning::spare_registers(lanes);
    return std::clamp(65536 / max_threads / registers, Tuning::least_teams, Tuning::most_teams);
  }();

  static constexpr int exchange_bytes = max_threads * components * int{sizeof(Scalar)};

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
    Scalar y[extent_of<components>] = {};
    if constexpr (FewRows) {
      take_of_few(team, at, y[0]);
    } else {
      take_of_many(team, at, y);
    }
    if (at.row < 0 || at.split != 0) return;
    Scalar* const to = x.row(at.row) + at.component();
    for (int p = 0; p < components; ++p) to[p] = y[p];
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

  /// y = D^-1 q, by the lanes of the first split. Inverses are loaded when blocks no longer need
  /// the registers.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void take_of_many(const Team& team, const Place& at,
                                                Scalar (&y)[extent_of<components>]) const {
    Scalar q[extent_of<components>], inverse[extent_of<block_values>];
    products(team, at, q);
    if (at.split == 0) {
      const Scalar* const from = inverses_of(at.slice) + at.place();
      for (int n = 0; n < block_values; ++n) load_once<1>(from + n * places, inverse + n);
    }
    const Scalar* const row_q = exchanged(team, at, q);
    if (at.row < 0 || at.split != 0) return;
    for (int c = 0; c < Size; ++c) {
      const Scalar q_c = lanes == 1 ? q[c % components] : row_q[c];
      for (int p = 0; p < components; ++p) y[p] += inverse[c * components + p] * q_c;
    }
  }
  /// The same with one component to a lane. Inverses are copied to scratch while the kernel of the
  /// colour before still runs.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void take_of_few(const Team& team, const Place& at, Scalar& y) const {
    const Scalar* const inverse = copy_async_range(
        team, static_cast<char*>(team.scratch()) + exchange_bytes, inverses_of(at.slice),
        block_values * places, inverses_of(slices.num_slices));
    close_copies();
    Scalar q[extent_of<components>];
    products(team, at, q);
    wait_for_copies<0>();
    const Scalar* const row_q = exchanged(team, at, q);
    if (at.row < 0 || at.split != 0) return;
    for (int c = 0; c < Size; ++c) y += inverse[c * places + at.lane] * row_q[c];
  }
  KOKKOS_FORCEINLINE_FUNCTION const Scalar* inverses_of(std::int64_t slice) const {
    return slices.inverses + slice * (block_values * places);
  }

  /// The part of q = b - O x that the steps of this split give. The first split adds b.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void products(const Team& team, const Place& at,
                                            Scalar (&q)[extent_of<components>]) const {
    Steps steps(slices, at);
    int columns[extent_of<batch>];
    OffDiagonal blocks[extent_of<batch>][extent_of<block_values>];
    steps.load_columns(0, columns);
    if constexpr (early_blocks) load_blocks(steps, at, columns, blocks);
    team.wait_for_previous();
    Scalar rhs[extent_of<components>] = {}, sums[extent_of<components>] = {};
    if (at.split == 0 && at.row >= 0) {
      for (int p = 0; p < components; ++p) rhs[p] = b.row(at.row)[at.component() + p];
    }
    while (steps.count > 0) {
      int next[extent_of<batch>];
      steps.load_columns(splits * batch, next);
      if constexpr (!early_blocks) load_blocks(steps, at, columns, blocks);
      Scalar x_values[extent_of<batch>][extent_of<Size>];
      for (int u = 0; u < batch; ++u) load_x(columns[u], x_values[u]);
      for (int u = 0; u < batch; ++u) {
        for (int n = 0; n < block_values; ++n) {
          sums[n % components] += static_cast<Scalar>(blocks[u][n]) * x_values[u][n / components];
        }
        columns[u] = next[u];
      }
      steps.skip(splits * batch);
      if constexpr (early_blocks) load_blocks(steps, at, columns, blocks);
    }
    for (int p = 0; p < components; ++p) q[p] = rhs[p] - scale(at, p) * sums[p];
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
  KOKKOS_FORCEINLINE_FUNCTION void load_x(int column, Scalar (&values)[extent_of<Size>]) const {
    if (column >= 0) {
      static_assert(Size % XWidth == 0);
      const auto* const from = reinterpret_cast<const Pack<Scalar, XWidth>*>(x.row(column));
      for (int c = 0; c < Size; c += XWidth) {
        const Pack<Scalar, XWidth> pack = from[c / XWidth];
        for (int k = 0; k < XWidth; ++k) values[c + k] = pack[k];
      }
    } else {
      for (int c = 0; c < Size; ++c) values[c] = 0;
    }
  }
  /// Loads the units of `place_of_value`.
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
  /// scratch. All threads of a team call it.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION const Scalar* exchanged(const Team& team, const Place& at,
                                                      Scalar (&q)[extent_of<components>]) const {
    if (!exchanges()) return nullptr;
    constexpr int slice_values = SliceShape::slice_lanes * components;
    const int split_values = num_slots() * slice_values;
    Scalar* const slot = static_cast<Scalar*>(team.scratch()) + at.slot * slice_values;
    Scalar* const mine = slot + at.split * split_values + at.lane * components;
    for (int p = 0; p < components; ++p) mine[p] = q[p];
    team.team_barrier();
    if (splits > 1) {
      if (at.split == 0) {
        for (int p = 0; p < components; ++p) {
          for (int s = 1; s < splits; ++s) q[p] += mine[s * split_values + p];
          mine[p] = q[p];
        }
      }
      if (lanes > 1) team.team_barrier();
    }
    return slot + at.row_of_slice * Size;
  }
};

/// Calls with<Size, FewRows>() for a shape.
template <int Size = 1, class With>
void with_slice_shape(const SliceShape& shape, const With& with) {
  if constexpr (Size < SliceShape::max_size) {
    if (shape.size != Size) return with_slice_shape<Size + 1>(shape, with);
  }
  if (shape.few_rows) {
    with.template operator()<Size, true>();
  } else {
    with.template operator()<Size, false>();
  }
}

template <class Space, class Scalar, class OffDiagonal>
void launch_slices(const char* label, const Space& space,
                   const SlicedRows<Scalar, OffDiagonal>& slices, int first, int last, int splits,
                   const BlockVector<const Scalar>& b, const BlockVector<Scalar>& x,
                   LaunchGraph<Space>* graph) {
  if (first == last) return;
  const auto launch = [&]<class Kernel>(const Kernel& kernel) {
    launch_teams<Kernel::max_threads, Kernel::min_teams>(label, space, kernel.num_teams(),
                                                         kernel.threads(), kernel.scratch_bytes(),
                                                         kernel, KernelStart::overlapped, graph);
  };
  with_slice_shape(slices.shape, [&]<int Size, bool FewRows>() {
    constexpr int width = SliceShape::x_width(Size, FewRows, pack_width<Scalar>);
    if (x.rows_begin_at_multiples_of(width)) {
      launch(SweepSlices<Scalar, OffDiagonal, Size, FewRows, width>{slices, b, x, first, last,
                                                                    splits});
    } else {
      launch(SweepSlices<Scalar, OffDiagonal, Size, FewRows, 1>{slices, b, x, first, last, splits});
    }
  });
}

}  // namespace Lamina::Impl
