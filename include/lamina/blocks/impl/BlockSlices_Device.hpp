// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/impl/BlockSlices.hpp>
#include <lamina/core/impl/LoadOnce_Device.hpp>
#include <lamina/core/impl/TeamSums_Device.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>

namespace Lamina::Impl {

/// Copies block rows into the places of their slices: an item is a place of a slice.
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

/// x_i = D_i^-1 (b_i - O_i x) for the rows of the slices [first, last). A slice to the lanes of one
/// warp, or of `splits` of a team, which deal its steps out among themselves and add up what they
/// have: for few rows. Columns are on their way a batch of steps ahead, then blocks and entries of x
/// of a whole batch at a time.
// traffic: that of `PointImplicitSolver::sweep_colour`; row numbers instead of offsets, and what is
// left over in slices, columns at least
template <class Scalar, class OffDiagonal, int Size, int Lanes>
struct SweepSlices {
  static constexpr SliceShape shape{Size, Lanes};
  static constexpr int components = shape.components(), block_values = shape.block_values(),
                       rows = shape.rows(), places = shape.places();
  /// Steps whose loads are in flight together.
  static constexpr int batch = block_values <= 2 ? 4 : block_values <= 10 || Size <= 4 ? 2 : 1;
  static constexpr int threads = 128;
  /// Teams that a multiprocessor holds when each thread has the registers that the larger part of
  /// the kernel needs, products or solve, and a `rest` for addresses, chosen on an H200: with less of
  /// it registers spill, with more too few threads wait for memory.
  static constexpr int min_teams = [] {
    constexpr int products = batch * (block_values * int{sizeof(OffDiagonal)} / 4 + 2 * Size) +
                             2 * components,
                  solve = 2 * block_values + 4 * components, rest = Lanes > 8 ? 30 : 55;
    return std::clamp(65536 / threads / (std::max(products, solve) + rest), 2, 8);
  }();

  SlicedRows<Scalar, OffDiagonal> slices;
  BlockVector<const Scalar> b;
  BlockVector<Scalar> x;
  int first, last, splits;

  KOKKOS_FUNCTION static constexpr int scratch_bytes() {
    return threads * components * int{sizeof(Scalar)};
  }
  KOKKOS_FUNCTION bool exchanges() const { return splits > 1 || Lanes > 1; }
  /// Slices of a team.
  KOKKOS_FUNCTION int num_slots() const { return threads / SliceShape::slice_lanes / splits; }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    Scalar* scratch = nullptr;
    if (exchanges()) {
      scratch = static_cast<Scalar*>(
          member.team_scratch(0).get_shmem_aligned(scratch_bytes(), sizeof(Scalar)));
    }
    const Place at(*this, member);
    Scalar q[components];
    products(at, q);
    Scalar inverse[block_values];
    if (at.split == 0) {
      const Scalar* const from =
          slices.inverses + at.slice * std::int64_t{block_values * places} + at.place();
      for (int n = 0; n < block_values; ++n) load_once<1>(from + n * places, inverse + n);
    }
    const Scalar* const row_q = exchanged(member, at, scratch, q);
    if (at.row < 0 || at.split != 0) return;
    Scalar y[components] = {};
    for (int c = 0; c < Size; ++c) {
      const Scalar q_c = Lanes == 1 ? q[c % components] : row_q[c];
      for (int p = 0; p < components; ++p) y[p] += inverse[c * components + p] * q_c;
    }
    Scalar* const to = x.row(at.row) + at.component();
    for (int p = 0; p < components; ++p) to[p] = y[p];
  }

 private:
  /// Which lane of which slice.
  struct Place {
    int lane, split, slot, slice, row_of_slice;
    int row;  ///< -1: none

    template <class Member>
    KOKKOS_FORCEINLINE_FUNCTION Place(const SweepSlices& sweep, const Member& member) {
      const int rank = member.team_rank(), warp = rank / SliceShape::slice_lanes;
      lane = rank % SliceShape::slice_lanes;
      split = warp % sweep.splits;
      slot = warp / sweep.splits;
      const int wanted = sweep.first + member.league_rank() * sweep.num_slots() + slot;
      slice = wanted < sweep.last ? wanted : sweep.first;
      const bool works = wanted < sweep.last && lane < rows * Lanes;
      row_of_slice = works ? lane / Lanes : 0;
      row = works ? sweep.slices.rows[static_cast<std::int64_t>(slice) * rows + row_of_slice] : -1;
    }
    KOKKOS_FORCEINLINE_FUNCTION int component() const { return lane % Lanes * components; }
    /// Lanes without a row read what another one does.
    KOKKOS_FORCEINLINE_FUNCTION int place() const { return row < 0 ? 0 : lane; }
  };

  /// Steps of a slice that are left to a lane.
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
    /// Columns of the batch that begins `after` steps on, -1 where there is none.
    KOKKOS_FORCEINLINE_FUNCTION void load_columns(int after, int (&to)[batch]) const {
      for (int u = 0; u < batch; ++u) {
        to[u] = after + u < count ? columns[(after + u) * rows] : -1;
      }
    }
  };

  /// q = b - O x, as far as the steps of this split go; b by the first one.
  KOKKOS_FORCEINLINE_FUNCTION void products(const Place& at, Scalar (&q)[components]) const {
    Steps steps(slices, at);
    int columns[batch];
    steps.load_columns(0, columns);
    Scalar rhs[components] = {}, sums[components] = {};
    if (at.split == 0 && at.row >= 0) {
      for (int p = 0; p < components; ++p) rhs[p] = b.row(at.row)[at.component() + p];
    }
    for (; steps.count > 0; steps.skip(splits * batch)) {
      int next[batch];
      steps.load_columns(splits * batch, next);
      OffDiagonal block[batch][block_values];
      Scalar x_values[batch][Size];
      for (int u = 0; u < batch; ++u) {
        load(steps.values + u * (block_values * places), at, columns[u], block[u], x_values[u]);
      }
      for (int u = 0; u < batch; ++u) {
        for (int n = 0; n < block_values; ++n) {
          sums[n % components] += static_cast<Scalar>(block[u][n]) * x_values[u][n / components];
        }
        columns[u] = next[u];
      }
    }
    for (int p = 0; p < components; ++p) q[p] = rhs[p] - scale(at, p) * sums[p];
  }
  KOKKOS_FORCEINLINE_FUNCTION void load(const OffDiagonal* values, const Place& at, int column,
                                        OffDiagonal (&block)[block_values],
                                        Scalar (&x_values)[Size]) const {
    if (column >= 0) {
      load_units<16 / int{sizeof(OffDiagonal)}, 0>(values, at.lane, block);
      const Scalar* const from = x.row(column);
      for (int c = 0; c < Size; ++c) x_values[c] = from[c];
    } else {
      for (int n = 0; n < block_values; ++n) block[n] = OffDiagonal(0.0F);
      for (int c = 0; c < Size; ++c) x_values[c] = 0;
    }
  }
  /// As `place_of_value` has them.
  template <int Width, int First>
  KOKKOS_FORCEINLINE_FUNCTION static void load_units(const OffDiagonal* from, int lane,
                                                     OffDiagonal (&block)[block_values]) {
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

  /// Adds up what the splits have, for the first of them, and returns where the lanes of a row see
  /// the q of all of them. All threads of a team come here.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION const Scalar* exchanged(const Member& member, const Place& at,
                                                      Scalar* scratch,
                                                      Scalar (&q)[components]) const {
    if (!exchanges()) return nullptr;
    constexpr int slice_values = SliceShape::slice_lanes * components;
    const int split_values = num_slots() * slice_values;
    Scalar* const slot = scratch + at.slot * slice_values;
    Scalar* const mine = slot + at.split * split_values + at.lane * components;
    for (int p = 0; p < components; ++p) mine[p] = q[p];
    member.team_barrier();
    if (splits > 1) {
      if (at.split == 0) {
        for (int p = 0; p < components; ++p) {
          for (int s = 1; s < splits; ++s) q[p] += mine[s * split_values + p];
          mine[p] = q[p];
        }
      }
      if (Lanes > 1) member.team_barrier();
    }
    return slot + at.row_of_slice * Size;
  }
};

/// with<Size, Lanes>() for the shape that `SliceShape::of` gave.
template <int Size = 1, class With>
void with_slice_shape(const SliceShape& shape, const With& with) {
  if constexpr (Size < SliceShape::max_size) {
    if (shape.size != Size) return with_slice_shape<Size + 1>(shape, with);
  }
  // No other shape exists: SliceShape::of
  if (shape.lanes == Size) {
    with.template operator()<Size, Size>();
  } else {
    with.template operator()<Size, SliceShape::lanes_of_many(Size)>();
  }
}

template <class Space, class Scalar, class OffDiagonal>
void launch_slices(const char* label, const Space& space,
                   const SlicedRows<Scalar, OffDiagonal>& slices, int first, int last, int splits,
                   const BlockVector<const Scalar>& b, const BlockVector<Scalar>& x) {
  if (first == last) return;
  with_slice_shape(slices.shape, [&]<int Size, int Lanes>() {
    using Kernel = SweepSlices<Scalar, OffDiagonal, Size, Lanes>;
    const Kernel kernel{slices, b, x, first, last, splits};
    const int slots = kernel.num_slots(), teams = (last - first + slots - 1) / slots;
    // Room for alignment, which Kokkos takes from the same scratch. Lanes that work alone need none,
    // and more of the cache is left for x.
    const int bytes = kernel.exchanges() ? Kernel::scratch_bytes() + 2 * int{sizeof(Scalar)} : 0;
    Kokkos::parallel_for(
        label,
        DeviceTeams<Space, Kernel::threads, Kernel::min_teams>(space, teams, Kernel::threads)
            .set_scratch_size(0, Kokkos::PerTeam(bytes)),
        kernel);
  });
}

}  // namespace Lamina::Impl
