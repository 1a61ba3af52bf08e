// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/SmallBlock.hpp>
#include <lamina/blocks/impl/BlockKernels.hpp>
#include <lamina/blocks/impl/Tuning.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/AsyncCopy_Device.hpp>
#include <lamina/device/impl/OverlappedTeams_Device.hpp>
#include <lamina/device/impl/Warp_Device.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace Lamina::Impl {

/// The largest block that is inverted in the registers of 16 lanes of a warp.
inline constexpr int max_size_in_warps = has_warp_shuffles ? PrepareTuning::max_size_in_warps : 0;

/// Prepares small diagonal blocks on a device. A thread has a block in its registers. The blocks of
/// a team go through scratch, so that loads and stores of memory are coalesced. Larger blocks are
/// inverted by `InvertInWarps`, or prepared in memory, by groups.
template <class Scalar, int Size>
struct PrepareInRegisters {
  static_assert(Size <= PrepareTuning::max_size_in_registers);
  static constexpr int threads = PrepareTuning::threads_of_small, values = Size * Size;
  /// Of the blocks in scratch. It is odd, so that the threads of a warp use different banks.
  static constexpr int stride = values | 1;
  static constexpr std::size_t scratch_bytes = sizeof(Scalar) * stride * threads;
  /// Two teams have a warp on each of the 4 parts of a multiprocessor. The registers of a part
  /// limit its warps: each thread needs a block, a column and spare registers.
  static constexpr int min_teams =
      2 * (16384 / 32 / (2 * values + 2 * Size + PrepareTuning::spare_registers));

  PreparedBlocks<Scalar> blocks;
  DiagonalBlocks<Scalar> diagonal;
  int* first_bad;
  int num_rows;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    team.wait_for_previous();
    auto* const scratch = static_cast<Scalar*>(team.scratch());
    const int first = team.league_rank() * threads, rank = team.team_rank(),
              count = num_rows - first < threads ? num_rows - first : threads;
    for (int n = rank; n < count * values; n += threads) {
      copy_async(
          scratch + place(n),
          diagonal.values + diagonal.row(first + n / values) * std::int64_t{values} + n % values);
    }
    close_copies();
    wait_for_copies<0>();
    team.team_barrier();
    if (diagonal.copy != nullptr) store(scratch, diagonal.copy, first, rank, count);
    team.team_barrier();
    if (rank < count) prepare(first + rank, scratch + rank * stride);
    team.team_barrier();
    store(scratch, blocks.values, first, rank, count);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static int place(int n) { return n / values * stride + n % values; }
  KOKKOS_FORCEINLINE_FUNCTION static void store(const Scalar* scratch, Scalar* to, int first,
                                                int rank, int count) {
    for (int n = rank; n < count * values; n += threads) {
      to[first * std::int64_t{values} + n] = scratch[place(n)];
    }
  }

  /// Replaces block i in scratch with its factors or its inverse.
  KOKKOS_FORCEINLINE_FUNCTION void prepare(int i, Scalar* in_scratch) const {
    const RegisterGroup<Scalar, Size> group{in_scratch};
    Scalar block[extent_of<values>];
    group.for_each(values, [&](int n) { block[n] = in_scratch[n]; });
    int bad = -1;
    if (blocks.kind == BlockInverse::lu) {
      bad = factor_block(group, Size, block);
    } else {
      int pivots[extent_of<Size>];
      bad = factor_block_pivoted(group, Size, block, pivots);
      if (blocks.kind == BlockInverse::inverse) {
        invert(group, block, pivots, in_scratch);
      } else {
        group.for_each(Size, [&](int p) { blocks.pivots[std::int64_t{i} * Size + p] = pivots[p]; });
      }
    }
    if (blocks.kind != BlockInverse::inverse) {
      group.for_each(values, [&](int n) { in_scratch[n] = block[n]; });
    }
    if (bad >= 0) Kokkos::atomic_fetch_min(first_bad, i);
  }
  KOKKOS_FORCEINLINE_FUNCTION static void invert(const RegisterGroup<Scalar, Size>& group,
                                                 const Scalar* block, const int* pivots,
                                                 Scalar* inverse) {
    for (int column = 0; column < Size; ++column) {
      Scalar x[extent_of<Size>];
      invert_column(group, Size, block, pivots, column, x);
      group.for_each(Size, [&](int p) { inverse[column * Size + p] = x[p]; });
    }
  }
};

/// Inverts larger diagonal blocks. A lane has a row of the block in its registers, and then a row of
/// the inverse. Rows are not swapped: each lane keeps the place of its row.
template <class Scalar, int Size>
struct InvertInWarps {
  static constexpr int lanes = 16, threads = PrepareTuning::threads_of_inverses,
                       min_teams = PrepareTuning::teams_of_inverses, team_rows = threads / lanes,
                       values = Size * Size;
  static_assert(Size <= lanes);

  PreparedBlocks<Scalar> blocks;
  DiagonalBlocks<Scalar> diagonal;
  int* first_bad;
  int num_rows;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    team.wait_for_previous();
    const int rank = team.team_rank(), wanted = team.league_rank() * team_rows + rank / lanes,
              i = wanted < num_rows ? wanted : num_rows - 1;
    Row row(rank);
    const bool works = wanted < num_rows && row.lane < Size;
    const Scalar* const source = diagonal.values + diagonal.row(i) * std::int64_t{values};
    LAMINA_DEVICE_UNROLL()
    for (int c = 0; c < Size; ++c) {
      row.entries[c] = row.lane < Size ? source[c * Size + row.lane] : Scalar(0);
    }
    if (diagonal.copy != nullptr && works) {
      store(row.entries, diagonal.copy + i * std::int64_t{values} + row.lane);
    }
    const bool usable = row.factor();
    if (works && !usable) Kokkos::atomic_fetch_min(first_bad, i);
    Scalar x[extent_of<Size>];
    row.invert(x);
    if (works) store(x, blocks.values + i * std::int64_t{values} + row.place);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static void store(const Scalar* entries, Scalar* to) {
    LAMINA_DEVICE_UNROLL()
    for (int c = 0; c < Size; ++c) to[c * Size] = entries[c];
  }

  static constexpr Scalar endless = std::numeric_limits<Scalar>::infinity();

  /// The row of a lane.
  struct Row {
    int lane, first_lane, place;
    std::uint64_t order = 0;  ///< the lane of each place, in 4 bits
    Scalar entries[extent_of<Size>];
    Scalar inverse = 0;  ///< of the pivot

    KOKKOS_FORCEINLINE_FUNCTION explicit Row(int rank)
        : lane(rank % lanes), first_lane(rank % warp_lanes - lane), place(lane) {}

    /// Factors the block like `factor_block_pivoted`.
    /// \return whether the pivot of this row is usable
    KOKKOS_FORCEINLINE_FUNCTION bool factor() {
      bool usable = true;
      Scalar terms[extent_of<Size>] = {};
      LAMINA_DEVICE_UNROLL()
      for (int k = 0; k < Size; ++k) {
        const int pivot = first_lane + choose(k);
        if (place == k) {
          inverse = Scalar(1) / entries[k];
          usable = usable_pivot(Size, entries[k], magnitude(entries[k]) + terms[k]);
        }
        const Scalar scale = value_of_lane(pivot, inverse);
        if (place > k) entries[k] *= scale;
        LAMINA_DEVICE_UNROLL()
        for (int c = 0; c < Size; ++c) {
          if (c <= k) continue;
          const Scalar upper = value_of_lane(pivot, entries[c]);
          if (place <= k) continue;
          terms[c] += magnitude(entries[k] * upper);
          entries[c] -= entries[k] * upper;
        }
      }
      return usable;
    }
    /// Gives place k to the lane with the largest entry in column k.
    /// \return that lane
    KOKKOS_FORCEINLINE_FUNCTION int choose(int k) {
      Scalar largest = magnitude(entries[k]);
      // NaN is larger than no value, and none is larger than NaN at place k, as in `largest_row`.
      if (!(largest >= Scalar(0))) largest = place == k ? endless : Scalar(-1);
      if (place < k || lane >= Size) largest = Scalar(-2);
      int chosen = place * lanes + lane;
      LAMINA_DEVICE_UNROLL()
      for (int offset = lanes / 2; offset > 0; offset /= 2) {
        const int other_lane = first_lane + (lane ^ offset);
        const Scalar other = value_of_lane(other_lane, largest);
        const int other_chosen = value_of_lane(other_lane, chosen);
        if (other > largest || (other == largest && other_chosen < chosen)) {
          largest = other;
          chosen = other_chosen;
        }
      }
      const int pivot = chosen % lanes;
      if (place == k) {
        place = chosen / lanes;
      } else if (lane == pivot) {
        place = k;
      }
      order |= static_cast<std::uint64_t>(pivot) << (4 * k);
      return pivot;
    }
    KOKKOS_FORCEINLINE_FUNCTION int lane_at(int k) const {
      return first_lane + static_cast<int>(order >> (4 * k) & 15U);
    }
    /// x = this row of the inverse, by the steps of `invert_block`.
    KOKKOS_FORCEINLINE_FUNCTION void invert(Scalar (&x)[extent_of<Size>]) const {
      LAMINA_DEVICE_UNROLL()
      for (int c = 0; c < Size; ++c) x[c] = c == lane ? Scalar(1) : Scalar(0);
      LAMINA_DEVICE_UNROLL()
      for (int k = 0; k + 1 < Size; ++k) {
        const int from = lane_at(k);
        LAMINA_DEVICE_UNROLL()
        for (int c = 0; c < Size; ++c) {
          const Scalar upper = value_of_lane(from, x[c]);
          if (place > k) x[c] -= entries[k] * upper;
        }
      }
      LAMINA_DEVICE_UNROLL()
      for (int k = Size - 1; k > 0; --k) {
        const int from = lane_at(k);
        LAMINA_DEVICE_UNROLL()
        for (int c = 0; c < Size; ++c) {
          const Scalar lower = value_of_lane(from, x[c] * inverse);
          if (place < k) x[c] -= entries[k] * lower;
        }
      }
      LAMINA_DEVICE_UNROLL()
      for (int c = 0; c < Size; ++c) x[c] *= inverse;
    }
  };
};

template <int Size = PrepareTuning::max_size_in_registers + 1, class Space, class Scalar>
void invert_in_warps(const char* label, const Space& space, int num_rows,
                     const DiagonalBlocks<Scalar>& diagonal, const PreparedBlocks<Scalar>& blocks,
                     int* first_bad) {
  if constexpr (Size < PrepareTuning::max_size_in_warps) {
    if (blocks.size != Size) {
      return invert_in_warps<Size + 1>(label, space, num_rows, diagonal, blocks, first_bad);
    }
  }
  using Kernel = InvertInWarps<Scalar, Size>;
  launch_teams<Kernel::threads, Kernel::min_teams>(
      label, space, (num_rows + Kernel::team_rows - 1) / Kernel::team_rows, Kernel::threads, 0,
      Kernel{blocks, diagonal, first_bad, num_rows}, KernelStart::in_turn);
}

template <int Size, class Space, class Scalar>
void prepare_in_registers(const char* label, const Space& space, int num_rows,
                          const DiagonalBlocks<Scalar>& diagonal,
                          const PreparedBlocks<Scalar>& blocks, int* first_bad) {
  using Kernel = PrepareInRegisters<Scalar, Size>;
  launch_teams<Kernel::threads, Kernel::min_teams>(
      label, space, (num_rows + Kernel::threads - 1) / Kernel::threads, Kernel::threads,
      Kernel::scratch_bytes, Kernel{blocks, diagonal, first_bad, num_rows}, KernelStart::in_turn);
}

}  // namespace Lamina::Impl
