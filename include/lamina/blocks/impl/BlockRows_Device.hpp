// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Block rows on a device. A team takes a chunk of some rows at a time. What lies off their
// diagonals is one range of memory, of blocks whose columns follow each other: the team copies a
// tile of these columns to scratch in units of 16 bytes, whatever the size of a block, gathers the
// entries of x that belong to them, and computes from there. `splits` threads share a row of a
// block, and each takes every `splits`-th column.
//
// What a chunk has to wait for is in flight before: offsets and column numbers of the next chunk
// while this one is worked on, factors of the diagonal blocks while its tile arrives.

#include <lamina/blocks/SmallBlock.hpp>
#include <lamina/blocks/impl/BlockRows.hpp>
#include <lamina/core/impl/AsyncCopy_Device.hpp>
#include <lamina/core/impl/TeamSums_Device.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace Lamina::Impl {

/// How a team divides its work, and its scratch.
struct RowTeams {
  int size = 1;              ///< of a block
  int threads = 1;           ///< of a team
  int splits = 1, rows = 1;  ///< of a chunk; splits * rows * size threads have work
  int columns = 1;           ///< of a tile
  int value_bytes = 1;       ///< of an entry off the diagonal

  static constexpr int small_team = 64, middle_team = 128, large_team = 1024, warp = 32;

  /// \param blocks  of a row, on average
  /// \param fit     how many threads the device takes at once
  static RowTeams of(int size, int num_rows, double blocks, int value_bytes, std::int64_t fit) {
    RowTeams teams;
    teams.size = size;
    teams.value_bytes = value_bytes;
    teams.threads = size <= 16            ? small_team
                    : size <= middle_team ? middle_team
                                          : (size + warp - 1) / warp * warp;
    teams.share_rows(num_rows, fit);
    teams.cut_tiles(blocks);
    return teams;
  }
  int num_chunks(int num_rows) const { return (num_rows + rows - 1) / rows; }

  // Bytes of scratch, each a multiple of `async_unit`.
  KOKKOS_FUNCTION int tile_bytes() const {
    return units(columns * size * value_bytes) + async_unit;
  }
  KOKKOS_FUNCTION int names_bytes() const { return units((columns / size + 2) * int{sizeof(int)}); }
  template <class Scalar>
  KOKKOS_FUNCTION int scratch_bytes() const {
    return tile_bytes() + 2 * names_bytes() +
           (columns + threads + rows * size) * int{sizeof(Scalar)};
  }

 private:
  KOKKOS_FUNCTION static int units(int bytes) {
    return (bytes + async_unit - 1) / async_unit * async_unit;
  }

  /// Few threads to a row mean few sums to combine, but all of the device should have work.
  void share_rows(int num_rows, std::int64_t fit) {
    const int most = threads / size;
    splits = std::min(2, most);
    while (2 * splits <= most && static_cast<std::int64_t>(num_rows) * size * splits < fit) {
      splits *= 2;
    }
    rows = most / splits;
    if (rows == 1) splits = most;
  }
  /// A tile holds what a chunk has on average, and a little more, or an even part of that.
  void cut_tiles(double blocks) {
    const int tile_limit = std::min(threads * 192, 24576);
    const double wanted = (1.04 * blocks * rows + 1) * size,
                 parts = std::max(1.0, wanted * size * value_bytes / tile_limit);
    columns = std::max(1, static_cast<int>(wanted / std::ceil(parts)));
  }
};

template <class Scalar, class OffDiagonal>
struct DeviceRows {
  using value_type = double;

  BlockRows<Scalar, OffDiagonal> matrix;
  RowTask<Scalar> task;
  RowTeams shape;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    double unused = 0;
    (*this)(member, unused);
  }
  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, double& sum) const {
    const Scratch scratch(member, shape);
    const Place at(member.team_rank(), shape);
    const int stride = member.league_size() * shape.rows;
    int first = task.first + member.league_rank() * shape.rows;
    if (first >= task.last) return;
    Chunk chunk = chunk_at(first, at);
    int slot = 0;
    fetch_names(member, scratch.names(slot), chunk, 0);
    close_copies();
    while (true) {
      const int next_first = first + stride;
      const bool more = next_first < task.last;
      const Chunk next = more ? chunk_at(next_first, at) : Chunk{};
      process(member, scratch, at, chunk, next, slot, sum);
      if (!more) return;
      member.team_barrier();  // before scratch is written again
      chunk = next;
      first = next_first;
      slot = 1 - slot;
    }
  }

 private:
  static constexpr int batch = 8;  ///< values that a thread reads before it uses them

  /// Which thread of its row.
  struct Place {
    int unit;  ///< count of row and split
    int row, split, component;

    KOKKOS_FORCEINLINE_FUNCTION Place(int rank, const RowTeams& shape)
        : unit(rank / shape.size),
          row(unit / shape.splits),
          split(unit % shape.splits),
          component(rank % shape.size) {}
  };

  /// Rows from `first` on. `my_...`: of the row of a thread; none for threads without a row.
  struct Chunk {
    std::int64_t begin = 0;  ///< first block
    int blocks = 0, my_begin = 0, my_blocks = 0;
    int row = 0;
    bool valid = false;
  };
  KOKKOS_FORCEINLINE_FUNCTION Chunk chunk_at(int first, const Place& at) const {
    const int rows = Kokkos::min(shape.rows, task.last - first);
    Chunk chunk;
    chunk.valid = at.row < rows;
    chunk.row = first + (chunk.valid ? at.row : 0);
    if (!task.off_diagonal) return chunk;
    chunk.begin = matrix.offsets[first];
    const std::int64_t mine = matrix.offsets[chunk.row];
    chunk.blocks = static_cast<int>(matrix.offsets[first + rows] - chunk.begin);
    chunk.my_begin = static_cast<int>(mine - chunk.begin);
    if (chunk.valid) chunk.my_blocks = static_cast<int>(matrix.offsets[chunk.row + 1] - mine);
    return chunk;
  }

  struct Scratch {
    char* tile;
    char* first_names;
    int names_bytes;
    Scalar *x, *parts, *q;

    template <class Member>
    KOKKOS_FORCEINLINE_FUNCTION Scratch(const Member& member, const RowTeams& shape)
        : tile(static_cast<char*>(member.team_scratch(0).get_shmem_aligned(
              shape.template scratch_bytes<Scalar>(), async_unit))),
          first_names(tile + shape.tile_bytes()),
          names_bytes(shape.names_bytes()),
          x(reinterpret_cast<Scalar*>(first_names + 2 * names_bytes)),
          parts(x + shape.columns),
          q(parts + shape.threads) {}
    KOKKOS_FORCEINLINE_FUNCTION int* names(int slot) const {
      return reinterpret_cast<int*>(first_names + slot * names_bytes);
    }
  };

  /// Numbers of the block columns of the tile from column `first` on.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void fetch_names(const Member& member, int* names, const Chunk& chunk,
                                               int first) const {
    const int begin = first / shape.size,
              end = Kokkos::min((first + shape.columns - 1) / shape.size + 1, chunk.blocks);
    const int* const columns = matrix.columns + chunk.begin;
    for (int k = begin + member.team_rank(); k < end; k += shape.threads) {
      copy_async(names + k - begin, columns + k);
    }
  }

  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void process(const Member& member, const Scratch& scratch,
                                           const Place& at, const Chunk& chunk, const Chunk& next,
                                           int slot, double& sum) const {
    Factors factors(*this, at, chunk);
    Scalar q = products(member, scratch, at, chunk, next, slot, factors);
    q = sum_of_splits(member, scratch, at, q);
    const bool owner = chunk.valid && at.split == 0;
    if (owner) q = (task.b.values != nullptr ? factors.b : Scalar(0)) - q;
    if (task.factors.values != nullptr) q = solve(member, scratch, at, chunk, factors, q);
    if (!owner) return;
    if (task.y.values != nullptr) {
      task.y.row(chunk.row)[at.component] = task.negate ? -q : q;
    } else {
      sum += static_cast<double>(q) * static_cast<double>(q);
    }
  }

  /// Row `component` of the factors of a diagonal block: every `step`-th column from `first` on, of
  /// which the first are on their way early, as the entry of b is.
  struct Factors {
    const Scalar* values;
    int first, step;
    Scalar ahead[batch], b = 0;

    KOKKOS_FORCEINLINE_FUNCTION Factors(const DeviceRows& rows, const Place& at, const Chunk& chunk)
        : values(rows.task.factors.values),
          first(rows.task.factors.kind == BlockInverse::inverse ? at.split : 0),
          step(rows.task.factors.kind == BlockInverse::inverse ? rows.shape.splits : 1) {
      if (values == nullptr) return;
      values += chunk.row * rows.matrix.block_values() + at.component;
    }
    KOKKOS_FORCEINLINE_FUNCTION void fetch(int size, int column) {
      for (int u = 0; u < batch; ++u) {
        const int c = column + u * step;
        ahead[u] = c < size ? values[static_cast<std::int64_t>(c) * size] : Scalar(0);
      }
    }
  };

  /// This thread's part of O_i x + D_i x_i, as far as the task has them.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION Scalar products(const Member& member, const Scratch& scratch,
                                              const Place& at, const Chunk& chunk,
                                              const Chunk& next, int slot, Factors& factors) const {
    const int size = shape.size, columns = chunk.blocks * size;
    const OffDiagonal* const values = matrix.off_diagonal + chunk.begin * matrix.block_values();
    int* const names = scratch.names(slot);
    Scalar sum = 0;
    int first = 0;
    while (true) {
      const int count = Kokkos::min(columns - first, shape.columns);
      const OffDiagonal* const tile = copy_async_range(
          member, scratch.tile, values + static_cast<std::int64_t>(first) * size, count * size);
      close_copies();
      if (first == 0) {
        if (factors.values != nullptr) factors.fetch(size, factors.first);
        if (task.b.values != nullptr) factors.b = task.b.row(chunk.row)[at.component];
      }
      wait_for_copies<1>();
      member.team_barrier();  // names are there
      gather(scratch, at, chunk, names, first, count);
      close_copies();
      const bool last = first + count >= columns;
      if (last) fetch_names(member, scratch.names(1 - slot), next, 0);
      close_copies();
      wait_for_copies<1>();
      member.team_barrier();  // tile and x are there
      const int begin = Kokkos::max(chunk.my_begin * size - first, 0),
                end = Kokkos::min((chunk.my_begin + chunk.my_blocks) * size - first, count);
      sum += products_of_tile(tile + at.component, scratch.x, begin + at.split, end);
      if (last) break;
      member.team_barrier();  // before they are overwritten
      first += count;
      fetch_names(member, names, chunk, first);
      close_copies();
    }
    if (chunk.valid) {
      if (task.off_diagonal) sum *= matrix.row_scale(chunk.row, at.component);
      if (task.diagonal) sum += diagonal_products(at, chunk.row);
    }
    return sum;
  }

  /// The entries of x for the columns [first, first + count), by the threads of the rows that need
  /// them: rows next to each other often have neighbours next to each other.
  KOKKOS_FORCEINLINE_FUNCTION void gather(const Scratch& scratch, const Place& at,
                                          const Chunk& chunk, const int* names, int first,
                                          int count) const {
    const int size = shape.size, first_block = first / size,
              end_block =
                  Kokkos::min(chunk.my_begin + chunk.my_blocks, (first + count + size - 1) / size);
    for (int k = Kokkos::max(chunk.my_begin, first_block) + at.split; k < end_block;
         k += shape.splits) {
      const int column = k * size + at.component - first;
      if (column < 0 || column >= count) continue;
      copy_async(scratch.x + column, task.x.row(names[k - first_block]) + at.component);
    }
  }

  /// Of every `splits`-th column from `column` on.
  KOKKOS_FORCEINLINE_FUNCTION Scalar products_of_tile(const OffDiagonal* tile, const Scalar* x,
                                                      int column, int end) const {
    const int step = shape.splits, value_step = step * shape.size;
    const OffDiagonal* value = tile + column * shape.size;
    Scalar sums[2] = {0, 0};
    for (; column + (batch - 1) * step < end; column += batch * step) {
      for (int u = 0; u < batch; ++u) {
        sums[u % 2] += static_cast<Scalar>(value[u * value_step]) * x[column + u * step];
      }
      value += batch * value_step;
    }
    for (; column < end; column += step) {
      sums[0] += static_cast<Scalar>(*value) * x[column];
      value += value_step;
    }
    return sums[0] + sums[1];
  }
  KOKKOS_FORCEINLINE_FUNCTION Scalar diagonal_products(const Place& at, int row) const {
    const Scalar* const block = matrix.diagonal + row * matrix.block_values() + at.component;
    const Scalar* const x = task.x.row(row);
    Scalar sum = 0;
    for (int c = at.split; c < shape.size; c += shape.splits) {
      sum += block[static_cast<std::int64_t>(c) * shape.size] * x[c];
    }
    return sum;
  }

  /// For split 0: the sum over the splits.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION Scalar sum_of_splits(const Member& member, const Scratch& scratch,
                                                   const Place& at, Scalar part) const {
    if (shape.splits == 1) return part;
    const int rank = member.team_rank();
    scratch.parts[rank] = part;
    member.team_barrier();
    if (at.split == 0 && at.row < shape.rows) {
      for (int s = 1; s < shape.splits; ++s) part += scratch.parts[rank + s * shape.size];
    }
    return part;
  }

  /// D_i^-1 q, for split 0.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION Scalar solve(const Member& member, const Scratch& scratch,
                                           const Place& at, const Chunk& chunk, Factors& factors,
                                           Scalar q) const {
    const bool owner = chunk.valid && at.split == 0;
    Scalar* const row_q = scratch.q + (chunk.valid ? at.row : 0) * shape.size;
    if (task.factors.kind != BlockInverse::lu) {
      if (owner) row_q[at.component] = q;
      member.team_barrier();
    }
    if (task.factors.kind == BlockInverse::inverse) {
      return sum_of_splits(member, scratch, at, inverse_products(factors, row_q));
    }
    if (task.factors.kind == BlockInverse::lu_pivoted) {
      if (owner) q = row_q[task.factors.pivots[chunk.row * shape.size + at.component]];
      member.team_barrier();
    }
    return substitute(member, at.component, owner, factors, row_q, q);
  }

  KOKKOS_FORCEINLINE_FUNCTION Scalar inverse_products(Factors& factors, const Scalar* q) const {
    Scalar sum = 0;
    const int size = shape.size;
    for (int column = factors.first; column < size; column += batch * factors.step) {
      if (column != factors.first) factors.fetch(size, column);
      for (int u = 0; u < batch; ++u) {
        const int c = column + u * factors.step;
        if (c < size) sum += factors.ahead[u] * q[c];
      }
    }
    return sum;
  }

  /// Forward and back substitution with the factors of `factor_block`, a column after the other:
  /// the thread whose entry is complete says it to the others of its row.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION Scalar substitute(const Member& member, int r, bool owner,
                                                Factors& factors, Scalar* x, Scalar mine) const {
    const int size = shape.size;
    for (int column = 0; column < size; column += batch) {
      if (column != 0) factors.fetch(size, column);
      for (int u = 0; u < batch && column + u < size; ++u) {
        const int c = column + u;
        if (owner && r == c) x[c] = mine;
        member.team_barrier();
        if (owner && r > c) mine -= factors.ahead[u] * x[c];
      }
    }
    for (int column = (size - 1) / batch * batch; column >= 0; column -= batch) {
      if (size > batch) factors.fetch(size, column);
      for (int u = batch - 1; u >= 0; --u) {
        const int c = column + u;
        if (c >= size) continue;
        if (owner && r == c) {
          mine *= factors.ahead[u];
          x[c] = mine;
        }
        member.team_barrier();
        if (owner && r < c) mine -= factors.ahead[u] * x[c];
      }
    }
    return mine;
  }
};

/// launch(policy, kernel) with the bounds that the size of the teams asks for.
template <class Scalar, class OffDiagonal, class Space, class Launch>
void with_device_rows(const Space& space, const BlockRows<Scalar, OffDiagonal>& matrix,
                      const RowTask<Scalar>& task, const Launch& launch) {
  const int num_rows = task.last - task.first;
  const double blocks = task.off_diagonal && matrix.num_rows > 0
                            ? static_cast<double>(matrix.num_blocks) / matrix.num_rows
                            : 0;
  const RowTeams shape = RowTeams::of(matrix.size, num_rows, blocks, int{sizeof(OffDiagonal)},
                                      space.concurrency() / 4);
  const auto with_bounds = [&]<unsigned Threads, unsigned MinTeams>() {
    const std::int64_t fit = teams_that_fit(space, shape.threads, MinTeams);
    const auto teams = static_cast<int>(std::min<std::int64_t>(shape.num_chunks(num_rows), fit));
    // Room for alignment, which Kokkos takes from the same scratch
    const int bytes = shape.scratch_bytes<Scalar>() + 2 * async_unit;
    launch(DeviceTeams<Space, Threads, MinTeams>(space, teams, shape.threads)
               .set_scratch_size(0, Kokkos::PerTeam(bytes)),
           DeviceRows<Scalar, OffDiagonal>{matrix, task, shape});
  };
  if (shape.threads == RowTeams::small_team) {
    with_bounds.template operator()<RowTeams::small_team, 12>();
  } else if (shape.threads == RowTeams::middle_team) {
    with_bounds.template operator()<RowTeams::middle_team, 6>();
  } else {
    with_bounds.template operator()<RowTeams::large_team, 1>();
  }
}

}  // namespace Lamina::Impl
