// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/SmallBlock.hpp>
#include <lamina/blocks/impl/BlockKernels.hpp>
#include <lamina/blocks/impl/Tuning.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/AsyncCopy_Device.hpp>
#include <lamina/device/impl/OverlappedTeams_Device.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace Lamina::Impl {

/// Prepares small diagonal blocks on a device. A thread has a block in its registers. The blocks of
/// a team go through scratch, so that loads and stores of memory are coalesced. Larger blocks are
/// prepared in memory, by groups.
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
