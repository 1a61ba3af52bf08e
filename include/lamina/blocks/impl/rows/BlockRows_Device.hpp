// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Block rows on a device by way of scratch. A team takes a chunk of some rows at a time. The blocks
// off the diagonal of a chunk are one range of memory, column after column. The team copies a tile
// of these columns to scratch in units of 16 bytes, whatever the size of a block. It gathers the
// entries of x for the tile, and computes from scratch. `splits` threads share a row of a block;
// each takes every `splits`-th column.
//
// Loads are in flight before a chunk needs them. Offsets and column numbers of the next chunk are
// loaded during the work on this one. Factors of the diagonal blocks are loaded while the tile
// arrives. For the first chunk everything but x is loaded while the kernel of the colour before
// still runs.

#include <lamina/blocks/SmallBlock.hpp>
#include <lamina/blocks/impl/rows/BlockRows.hpp>
#include <lamina/blocks/impl/rows/BlockSubstitution_Device.hpp>
#include <lamina/blocks/impl/rows/RowProducts_Device.hpp>
#include <lamina/blocks/impl/rows/RowTeams_Device.hpp>
#include <lamina/device/impl/AsyncCopy_Device.hpp>
#include <lamina/device/impl/OverlappedTeams_Device.hpp>

#include <algorithm>
#include <cstdint>

namespace Lamina::Impl {

/// There are at most as many teams as chunks. x is read and y written after the kernel before has
/// ended. Everything else may be read before, see `RowTask::follows`. `Size` and `Splits` are those
/// of `shape`, or 0 for any.
template <class Scalar, class OffDiagonal, int Size, int Splits>
struct DeviceBlockRows : RowProducts<Scalar, OffDiagonal, Size, Splits> {
  using Products = RowProducts<Scalar, OffDiagonal, Size, Splits>;
  using Products::block_size, Products::block_values, Products::chunk_at, Products::fetch_names,
      Products::num_splits, Products::smaller;
  using Products::matrix, Products::shape, Products::task;
  using typename Products::Chunk, typename Products::Factors, typename Products::Place,
      typename Products::Scratch;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    double unused = 0;
    (*this)(team, unused);
  }
  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team, double& sum) const {
    team.let_next_begin();
    const Scratch scratch(team, shape);
    const Place at(team.team_rank(), block_size(), num_splits());
    const int stride = team.league_size() * shape.rows;
    int first = task.first + team.league_rank() * shape.rows;
    Chunk chunk = chunk_at(first, at);
    int slot = 0;
    fetch_names(team, scratch.names(slot), chunk, 0);
    close_copies();
    while (true) {
      const bool more = stride < task.last - first;
      const int next_first = more ? first + stride : task.last;
      const Chunk next = more ? chunk_at(next_first, at) : Chunk{};
      process(team, scratch, at, chunk, next, slot, sum);
      if (!more) return;
      team.team_barrier();  // scratch is written again after it
      chunk = next;
      first = next_first;
      slot = 1 - slot;
    }
  }

 private:
  static constexpr int batch = Factors::batch;

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void process(const Team& team, const Scratch& scratch,
                                           const Place& at, const Chunk& chunk, const Chunk& next,
                                           int slot, double& sum) const {
    Factors factors = factors_of(team.team_rank(), at, chunk);
    Scalar q = this->products(team, scratch, at, chunk, next, slot, factors);
    q = sum_of_splits(team, scratch, at, q);
    const bool owner = chunk.valid && at.split == 0;
    if (owner) q = (task.b.values != nullptr ? factors.b : Scalar(0)) - q;
    if (task.factors.values != nullptr) q = solve(team, scratch, at, chunk, factors, q);
    if (!owner) return;
    if (task.y.values != nullptr) task.y.row(chunk.row)[at.component] = task.negate ? -q : q;
    if (task.sum_factor != 0) {
      const double value = task.sum_factor * static_cast<double>(q);
      sum += value * value;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION Factors factors_of(int rank, const Place& at,
                                                 const Chunk& chunk) const {
    Factors factors;
    if (task.factors.values == nullptr) return factors;
    if (solves_in_warps()) {
      const WarpPlace place(rank, block_size());
      factors.values = factors_at(first_row(at, chunk), num_rows_of(at, chunk), place, place.row);
      return factors;
    }
    factors.values = task.factors.values + chunk.row * block_values() + at.component;
    if (task.factors.kind == BlockInverse::inverse) {
      factors.first = at.split;
      factors.step = num_splits();
    }
    return factors;
  }

  /// The sum over the splits, for split 0.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION Scalar sum_of_splits(const Team& team, const Scratch& scratch,
                                                   const Place& at, Scalar part) const {
    if (num_splits() == 1) return part;
    const int rank = team.team_rank();
    scratch.parts[rank] = part;
    team.team_barrier();
    if (at.split == 0 && at.row < shape.rows) {
      for (int s = 1; s < num_splits(); ++s) part += scratch.parts[rank + s * block_size()];
    }
    return part;
  }

  /// D_i^-1 q, for split 0.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION Scalar solve(const Team& team, const Scratch& scratch,
                                           const Place& at, const Chunk& chunk, Factors& factors,
                                           Scalar q) const {
    const bool owner = chunk.valid && at.split == 0;
    Scalar* const row_q = scratch.q + (chunk.valid ? at.row : 0) * block_size();
    if (solves_in_warps()) {
      if (owner) row_q[at.component] = q;
      team.team_barrier();
      solve_in_warps(team.team_rank(), scratch, first_row(at, chunk), num_rows_of(at, chunk),
                     factors);
      team.team_barrier();
      return row_q[at.component];
    }
    if (task.factors.kind != BlockInverse::lu) {
      if (owner) row_q[at.component] = q;
      team.team_barrier();
    }
    if (task.factors.kind == BlockInverse::inverse) {
      return sum_of_splits(team, scratch, at, inverse_products(factors, row_q));
    }
    if (task.factors.kind == BlockInverse::lu_pivoted) {
      if (owner)
        q = row_q[task.factors
                      .pivots[static_cast<std::int64_t>(chunk.row) * block_size() + at.component]];
      team.team_barrier();
    }
    return substitute_in_team(team, block_size(), at.component, owner, factors, row_q, q);
  }

  KOKKOS_FORCEINLINE_FUNCTION Scalar inverse_products(Factors& factors, const Scalar* q) const {
    Scalar sum = 0;
    const int size = block_size();
    for (int column = factors.first; column < size; column += batch * factors.step) {
      if (column != factors.first) factors.fetch(size, column);
      for (int u = 0; u < batch; ++u) {
        const int c = column + u * factors.step;
        if (c < size) sum += factors.ahead[u] * q[c];
      }
    }
    return sum;
  }

  // --- Blocks of up to 32 rows: a lane has one entry of x ---

  KOKKOS_FORCEINLINE_FUNCTION bool solves_in_warps() const {
    return has_warp_shuffles && task.factors.kind != BlockInverse::inverse &&
           block_size() <= warp_lanes;
  }
  KOKKOS_FORCEINLINE_FUNCTION static int first_row(const Place& at, const Chunk& chunk) {
    return chunk.row - (chunk.valid ? at.row : 0);
  }
  KOKKOS_FORCEINLINE_FUNCTION int num_rows_of(const Place& at, const Chunk& chunk) const {
    return smaller(shape.rows, task.last - first_row(at, chunk));
  }

  /// Row `component` of the factors of a row of the chunk. Lanes without a row get another one.
  KOKKOS_FORCEINLINE_FUNCTION const Scalar* factors_at(int first, int num_rows,
                                                       const WarpPlace& place, int row) const {
    const bool has_row = place.exists && row < num_rows;
    return task.factors.values + (first + (has_row ? row : 0)) * block_values() +
           (has_row ? place.component : 0);
  }

  /// q = D_i^-1 q in scratch for all rows of the chunk. `factors` are those of the first round.
  KOKKOS_FORCEINLINE_FUNCTION void solve_in_warps(int rank, const Scratch& scratch, int first,
                                                  int num_rows, Factors& factors) const {
    const int size = block_size();
    const WarpPlace place(rank, size);
    const int stride = shape.threads / warp_lanes * place.at_once;
    const int first_of_warp = rank / warp_lanes * place.at_once;
    for (int round = 0; first_of_warp + round < num_rows; round += stride) {
      const int row = place.row + round;
      if (round > 0) {
        factors.values = factors_at(first, num_rows, place, row);
        factors.fetch(size, 0);
      }
      const bool has_row = place.exists && row < num_rows;
      Scalar* const q = scratch.q + (has_row ? row : 0) * size;
      int source = place.component;
      if (task.factors.kind == BlockInverse::lu_pivoted && has_row) {
        source = task.factors.pivots[(first + row) * std::int64_t{size} + source];
      }
      const Scalar mine = has_row ? q[source] : Scalar(0);
      warp_barrier();  // all lanes have read q
      const Scalar x = substitute_in_warp(place, size, factors, mine);
      if (has_row) q[place.component] = x;
    }
  }
};

/// Calls launch<bounds>(teams, team size, bytes of scratch, kernel) for the size of the blocks.
/// `Fixed`: small sizes have kernels of their own.
template <bool Fixed, class Scalar, class OffDiagonal, class Space, class Launch>
void with_device_rows(const Space& space, const BlockRows<Scalar, OffDiagonal>& matrix,
                      const RowTask<Scalar>& task, const Launch& launch) {
  const int num_rows = task.last - task.first;
  const double blocks = task.off_diagonal && matrix.num_rows > 0
                            ? static_cast<double>(matrix.num_blocks) / matrix.num_rows
                            : 0;
  const std::int64_t enough_threads = space.concurrency() / BlockRowTuning::least_share;
  const RowTeams shape =
      RowTeams::of(matrix.size, num_rows, blocks, int{sizeof(OffDiagonal)}, enough_threads);
  const auto with = [&]<const TeamLimits & Limits, int Size, int Splits>() {
    const int min_teams = Limits.min_teams * (Limits.threads / shape.threads);
    const std::int64_t fit = teams_that_fit(space, shape.threads, min_teams);
    const auto teams = static_cast<int>(std::min<std::int64_t>(shape.num_chunks(num_rows), fit));
    launch.template operator()<Limits.threads, Limits.min_teams>(
        teams, shape.threads, shape.scratch_bytes<Scalar>(),
        DeviceBlockRows<Scalar, OffDiagonal, Size, Splits>{{matrix, task, shape}});
  };
  const auto with_small = [&]<int Size>() {
    constexpr int splits = BlockRowTuning::usual_splits(Size);
    if constexpr (Fixed) {
      if (shape.splits == splits) {
        return with.template operator()<small_limits, Size, splits>();
      }
    }
    with.template operator()<small_limits, 0, 0>();
  };
  switch (shape.size) {
    case 1: return with_small.template operator()<1>();
    case 2: return with_small.template operator()<2>();
    case 3: return with_small.template operator()<3>();
    case 4: return with_small.template operator()<4>();
    case 5: return with_small.template operator()<5>();
    case 6: return with_small.template operator()<6>();
    case 7: return with_small.template operator()<7>();
    case 8: return with_small.template operator()<8>();
    default: break;
  }
  if (shape.threads == warp_limits.threads) {
    with.template operator()<warp_limits, 0, 0>();
  } else if (shape.threads == large_limits.threads) {
    with.template operator()<large_limits, 0, 0>();
  } else {
    with.template operator()<largest_limits, 0, 0>();
  }
}

}  // namespace Lamina::Impl
