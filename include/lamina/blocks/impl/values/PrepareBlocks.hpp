// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/SmallBlock.hpp>
#include <lamina/blocks/impl/BlockKernels.hpp>
#include <lamina/blocks/impl/Tuning.hpp>
#include <lamina/blocks/impl/values/PrepareBlocks_Device.hpp>
#include <lamina/device/Groups.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

/// Calls call(size as a type) for small sizes, which are compiled apart, and call(0) for any other.
/// `PrepareTuning::max_size_in_registers` is at most the largest of them.
template <class Call>
void with_small_size(int size, const Call& call) {
  switch (size) {
    case 1: return call(std::integral_constant<int, 1>{});
    case 2: return call(std::integral_constant<int, 2>{});
    case 3: return call(std::integral_constant<int, 3>{});
    case 4: return call(std::integral_constant<int, 4>{});
    case 5: return call(std::integral_constant<int, 5>{});
    case 6: return call(std::integral_constant<int, 6>{});
    case 7: return call(std::integral_constant<int, 7>{});
    case 8: return call(std::integral_constant<int, 8>{});
    default: return call(std::integral_constant<int, 0>{});
  }
}

/// Prepares a diagonal block for solves, by a group. `Size`: of the block, 0 for any.
template <class Scalar, int Size = 0>
struct PrepareBlock {
  PreparedBlocks<Scalar> blocks;
  DiagonalBlocks<Scalar> diagonal;
  int* first_bad;  ///< becomes the first row with a pivot that is not usable

  /// \param slot  of the scratch; no other group uses it at the same time
  template <class Group>
  KOKKOS_FUNCTION void operator()(const Group& group, int i, int slot) const {
    const int size = Size > 0 ? Size : blocks.size;
    const std::int64_t block_values = std::int64_t{size} * size;
    const bool inverts = blocks.kind == BlockInverse::inverse;
    Scalar* const prepared = blocks.values + i * block_values;
    Scalar* const factors = inverts ? blocks.scratch + slot * block_values : prepared;
    const Scalar* const source = diagonal.values + diagonal.row(i) * block_values;
    group.for_each(size * size, [&](int n) { factors[n] = source[n]; });
    if (diagonal.copy != nullptr) {
      group.for_each(size * size, [&](int n) { diagonal.copy[i * block_values + n] = source[n]; });
    }
    int bad = -1;
    if (blocks.kind == BlockInverse::lu) {
      bad = factor_block(group, size, factors);
    } else {
      int* const pivots = blocks.pivots + std::int64_t{inverts ? slot : i} * size;
      bad = factor_block_pivoted(group, size, factors, pivots);
      if (inverts) invert_block(group, size, factors, pivots, prepared);
    }
    if (bad >= 0) Kokkos::atomic_fetch_min(first_bad, i);
  }
};

/// On the host: workers share the rows.
template <class Prepare>
struct PrepareByThreads {
  Prepare prepare;
  int workers, num_rows;

  void operator()(int worker) const {
    const WorkRange share = share_of(worker, workers, num_rows);
    for (auto i = share.begin; i < share.end; ++i) {
      prepare(SerialGroup{}, static_cast<int>(i), worker);
    }
  }
};

/// On a device: the lanes of a thread share a block.
template <class Prepare>
struct PrepareByLanes {
  Prepare prepare;
  int num_rows, team_rows;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const int slot = member.league_rank() * team_rows + member.team_rank(),
              slots = member.league_size() * team_rows;
    for (std::int64_t i = slot; i < num_rows; i += slots) {
      prepare(VectorGroup<Member>{member}, static_cast<int>(i), slot);
    }
  }
};

/// The shape of teams of a device, for blocks that are prepared in memory.
struct PrepareTeams {
  static constexpr int lanes = PrepareTuning::lanes, threads = PrepareTuning::threads,
                       team_rows = threads / lanes;
};

template <class Space, class Scalar>
int FactorKernels<Space, Scalar>::num_slots(const Space& space, int num_rows, int size) {
  const std::int64_t concurrency = space.concurrency();
  if constexpr (runs_on_host<Space>) {
    static_cast<void>(size);
    return static_cast<int>(std::min<std::int64_t>(concurrency, num_rows));
  } else {
    if (size <= PrepareTuning::max_size_in_registers) return 0;
    const std::int64_t most = std::max<std::int64_t>(1, concurrency / PrepareTeams::threads);
    return static_cast<int>(std::min(most, ceil_divide(num_rows, PrepareTeams::team_rows))) *
           PrepareTeams::team_rows;
  }
}

// traffic: reads and writes s nb^2 a row, with s = sizeof(Scalar), and writes the copy, if any;
// flops: 2/3 nb^3, with inverses 8/3 nb^3
template <class Space, class Scalar>
void FactorKernels<Space, Scalar>::prepare(const Space& space, int num_rows,
                                           const DiagonalBlocks<Scalar>& diagonal,
                                           const PreparedBlocks<Scalar>& blocks, int* first_bad) {
  constexpr const char* label = "Lamina::PointImplicitSolver::factor";
  if (num_rows == 0) return;
  if constexpr (runs_on_host<Space>) {
    with_small_size(blocks.size, [&](auto size) {
      using Prepare = PrepareBlock<Scalar, size>;
      Kokkos::parallel_for(
          label, range_of(space, blocks.num_slots),
          PrepareByThreads<Prepare>{{blocks, diagonal, first_bad}, blocks.num_slots, num_rows});
    });
  } else if (blocks.kind == BlockInverse::inverse &&
             blocks.size > PrepareTuning::max_size_in_registers &&
             blocks.size <= max_size_in_warps) {
    invert_in_warps(label, space, num_rows, diagonal, blocks, first_bad);
  } else {
    with_small_size(blocks.size, [&](auto size) {
      if constexpr (size > 0) {
        prepare_in_registers<size>(label, space, num_rows, diagonal, blocks, first_bad);
      } else {
        using Prepare = PrepareBlock<Scalar>;
        constexpr int lanes = PrepareTeams::lanes, team_rows = PrepareTeams::team_rows;
        Kokkos::parallel_for(
            label,
            DeviceTeams<Space, PrepareTeams::threads, 1>(space, blocks.num_slots / team_rows,
                                                         team_rows, lanes),
            PrepareByLanes<Prepare>{{blocks, diagonal, first_bad}, num_rows, team_rows});
      }
    });
  }
}

}  // namespace Lamina::Impl
