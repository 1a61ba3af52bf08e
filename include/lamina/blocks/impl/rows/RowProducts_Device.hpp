// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/impl/rows/BlockRows.hpp>
#include <lamina/blocks/impl/rows/BlockSubstitution_Device.hpp>
#include <lamina/blocks/impl/rows/RowTeams_Device.hpp>
#include <lamina/device/impl/AsyncCopy_Device.hpp>

#include <cstdint>

namespace Lamina::Impl {

/// The place of a thread in its chunk.
struct RowPlace {
  int row, split, component;

  KOKKOS_FORCEINLINE_FUNCTION RowPlace(int rank, int size, int splits)
      : row(rank / size / splits), split(rank / size % splits), component(rank % size) {}
};

/// A chunk of rows. `my_...` is of the row of this thread; 0 for threads without a row.
struct RowChunk {
  std::int64_t begin = 0;  ///< first block
  int blocks = 0, my_begin = 0, my_blocks = 0;
  int row = 0;
  bool valid = false;
};

/// The first part of a task of `DeviceBlockRows`: the products of the rows of a chunk, by way of
/// scratch. `Size` and `Splits` are those of `shape`, or 0 for any.
template <class Scalar, class OffDiagonal, int Size, int Splits>
struct RowProducts {
  using Place = RowPlace;
  using Chunk = RowChunk;
  using Scratch = RowScratch<Scalar>;
  using Factors = FactorRow<Scalar>;

  BlockRows<Scalar, OffDiagonal> matrix;
  RowTask<Scalar> task;
  RowTeams shape;

  KOKKOS_FORCEINLINE_FUNCTION static int smaller(int a, int b) { return a < b ? a : b; }
  KOKKOS_FORCEINLINE_FUNCTION static int larger(int a, int b) { return a < b ? b : a; }
  KOKKOS_FORCEINLINE_FUNCTION int block_size() const { return Size > 0 ? Size : shape.size; }
  KOKKOS_FORCEINLINE_FUNCTION int num_splits() const { return Splits > 0 ? Splits : shape.splits; }

  KOKKOS_FORCEINLINE_FUNCTION Chunk chunk_at(int first, const Place& at) const {
    const int rows = smaller(shape.rows, task.last - first);
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

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t block_values() const {
    return static_cast<std::int64_t>(block_size()) * block_size();
  }

  /// Copies the numbers of the block columns of the tile from column `first` on.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void fetch_names(const Team& team, int* names, const Chunk& chunk,
                                               int first) const {
    const int begin = first / block_size(),
              end = smaller((first + shape.columns - 1) / block_size() + 1, chunk.blocks);
    const int* const columns = matrix.columns + chunk.begin;
    for (int k = begin + team.team_rank(); k < end; k += shape.threads) {
      copy_async(names + k - begin, columns + k);
    }
  }

  /// This thread's part of O_i x + D_i x_i, of the terms that the task has.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION Scalar products(const Team& team, const Scratch& scratch,
                                              const Place& at, const Chunk& chunk,
                                              const Chunk& next, int slot, Factors& factors) const {
    const int size = block_size(), columns = chunk.blocks * size;
    const OffDiagonal* const values = matrix.off_diagonal + chunk.begin * block_values();
    int* const names = scratch.names(slot);
    Scalar sum = 0;
    int first = 0;
    while (true) {
      const int count = smaller(columns - first, shape.columns);
      const OffDiagonal* const tile =
          copy_async_range(team, scratch.tile, values + static_cast<std::int64_t>(first) * size,
                           count * size, matrix.off_diagonal + matrix.num_blocks * block_values());
      close_copies();
      if (first == 0) {
        if (factors.values != nullptr) factors.fetch(size, factors.first);
        if (task.b.values != nullptr) factors.b = task.b.row(chunk.row)[at.component];
      }
      team.wait_for_previous();
      wait_for_copies<1>();
      team.team_barrier();  // the column numbers have arrived
      gather(scratch, at, chunk, names, first, count);
      close_copies();
      const bool last = first + count >= columns;
      if (last) fetch_names(team, scratch.names(1 - slot), next, 0);
      close_copies();
      wait_for_copies<1>();
      team.team_barrier();  // tile and x have arrived
      const int begin = larger(chunk.my_begin * size - first, 0),
                end = smaller((chunk.my_begin + chunk.my_blocks) * size - first, count);
      sum += products_of_tile(tile + at.component, scratch.x, begin + at.split, end);
      if (last) break;
      team.team_barrier();  // tile and x are overwritten after it
      first += count;
      fetch_names(team, names, chunk, first);
      close_copies();
    }
    if (chunk.valid) {
      if (task.off_diagonal) sum *= matrix.row_scale(chunk.row, at.component);
      if (task.diagonal) sum += diagonal_products(at, chunk.row);
    }
    return sum;
  }

 private:
  /// Gathers the entries of x for the columns [first, first + count). The threads of a row gather
  /// what it needs: neighbouring rows often have neighbouring columns.
  KOKKOS_FORCEINLINE_FUNCTION void gather(const Scratch& scratch, const Place& at,
                                          const Chunk& chunk, const int* names, int first,
                                          int count) const {
    const int size = block_size(), first_block = first / size,
              end_block =
                  smaller(chunk.my_begin + chunk.my_blocks, (first + count + size - 1) / size);
    for (int k = larger(chunk.my_begin, first_block) + at.split; k < end_block; k += num_splits()) {
      const int column = k * size + at.component - first;
      if (column < 0 || column >= count) continue;
      copy_async(scratch.x + column, task.x.row(names[k - first_block]) + at.component);
    }
  }

  /// The products of every `splits`-th column from `column` on.
  KOKKOS_FORCEINLINE_FUNCTION Scalar products_of_tile(const OffDiagonal* tile, const Scalar* x,
                                                      int column, int end) const {
    const int step = num_splits(), value_step = step * block_size();
    const OffDiagonal* value = tile + column * block_size();
    const Scalar* x_value = x + column;
    Scalar sums[2] = {0, 0};
    for (; column + 3 * step < end; column += 4 * step) {
      for (int u = 0; u < 4; ++u) {
        sums[u % 2] += static_cast<Scalar>(*value) * *x_value;
        value += value_step;
        x_value += step;
      }
    }
    for (; column < end; column += step) {
      sums[0] += static_cast<Scalar>(*value) * *x_value;
      value += value_step;
      x_value += step;
    }
    return sums[0] + sums[1];
  }
  KOKKOS_FORCEINLINE_FUNCTION Scalar diagonal_products(const Place& at, int row) const {
    const Scalar* const block = matrix.diagonal + row * block_values() + at.component;
    const Scalar* const x = task.x.row(row);
    Scalar sum = 0;
    for (int c = at.split; c < block_size(); c += num_splits()) {
      sum += block[static_cast<std::int64_t>(c) * block_size()] * x[c];
    }
    return sum;
  }
};

}  // namespace Lamina::Impl
