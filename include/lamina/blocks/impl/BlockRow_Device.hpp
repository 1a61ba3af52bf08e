// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Block rows on a device. A group of threads shares a block row: lanes of a warp for small blocks,
// a team for large ones. Thread (r, s) of a group takes row r of every `splits`-th column, counted
// over all blocks of the row, which follow each other in memory: the group reads them as one
// stream, whatever the size of a block.

#include <lamina/blocks/SmallBlock.hpp>
#include <lamina/blocks/impl/BlockRows.hpp>
#include <lamina/core/impl/TeamSums_Device.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace Lamina::Impl {

/// How many threads share a block row.
struct RowGroups {
  int lanes;   ///< vector length of the team
  int groups;  ///< of a team; 1: all of the team takes one row
  int splits;  ///< how many columns a group takes at a time

  static constexpr int team_threads = 256, warp = 32;

  /// A whole warp for blocks from 3 x 3 on: their rows hold several times 32 values off the
  /// diagonal.
  static RowGroups of(int size) {
    if (size > warp) return {warp, 1, std::max(1, team_threads / size)};
    const int lanes = size == 1 ? 8 : size == 2 ? 16 : warp;
    return {lanes, team_threads / lanes, lanes / size};
  }
  int team_size() const { return team_threads / lanes; }
  int num_teams(int rows) const { return (rows + groups - 1) / groups; }
  /// Parts of the sums of a group, after which q and x stand.
  template <class Scalar>
  KOKKOS_FUNCTION std::size_t scratch_bytes(int size) const {
    return static_cast<std::size_t>(splits + 1) * static_cast<std::size_t>(size) * sizeof(Scalar);
  }
};

template <class Scalar, class OffDiagonal>
struct DeviceRows {
  using value_type = double;

  BlockRows<Scalar, OffDiagonal> matrix;
  RowTask<Scalar> task;
  RowGroups shape;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    double unused = 0;
    (*this)(member, unused);
  }
  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member, double& sum) const {
    const auto bytes = static_cast<int>(shape.template scratch_bytes<Scalar>(matrix.size));
    if (shape.groups == 1) {
      auto* const scratch = static_cast<Scalar*>(member.team_scratch(0).get_shmem(bytes));
      process(TeamGroup<Member>{member}, task.first + member.league_rank(), scratch);
      if (task.y.values == nullptr) {
        Kokkos::single(Kokkos::PerTeam(member), [&] { sum += squares(scratch); });
      }
      return;
    }
    const int row = task.first + member.league_rank() * shape.groups + member.team_rank();
    auto* const scratch = static_cast<Scalar*>(member.thread_scratch(0).get_shmem(bytes));
    if (row >= task.last) return;
    process(VectorGroup<Member>{member}, row, scratch);
    if (task.y.values == nullptr) {
      Kokkos::single(Kokkos::PerThread(member), [&] { sum += squares(scratch); });
    }
  }

 private:
  /// scratch: q, then the parts of its sums
  template <class Group>
  KOKKOS_FORCEINLINE_FUNCTION void process(const Group& group, int i, Scalar* scratch) const {
    const int size = matrix.size, splits = shape.splits;
    Scalar *const q = scratch, *const parts = scratch + size;
    group.for_each(size * splits,
                   [&](int item) { parts[item] = products(i, item % size, item / size); });
    group.for_each(size, [&](int p) {
      Scalar value = task.b.values != nullptr ? task.b.row(i)[p] : Scalar(0);
      for (int s = 0; s < splits; ++s) value -= parts[s * size + p];
      q[p] = value;
    });
    const Scalar* const result = task.factors.values != nullptr ? solve(group, i, q, parts) : q;
    if (task.y.values != nullptr) {
      group.for_each(size, [&](int p) { task.y.row(i)[p] = task.negate ? -result[p] : result[p]; });
    }
  }

  /// Row p of the products, of every `splits`-th column from `first` on.
  KOKKOS_FORCEINLINE_FUNCTION Scalar products(std::int64_t i, int p, int first) const {
    Scalar sum = 0;
    if (task.off_diagonal) {
      const std::int64_t begin = matrix.offsets[i];
      const auto blocks = static_cast<int>(matrix.offsets[i + 1] - begin);
      sum += matrix.row_scale(i, p) *
             columns_of(matrix.off_diagonal + begin * matrix.block_values(), blocks, p, first,
                        [&](int k) { return task.x.row(matrix.columns[begin + k]); });
    }
    if (task.diagonal) {
      sum += columns_of(matrix.diagonal + i * matrix.block_values(), 1, p, first,
                        [&](int) { return task.x.row(i); });
    }
    return sum;
  }

  /// The same for `blocks` blocks that follow each other; x_of(k) is what block k is multiplied by.
  template <class Stored, class XOf>
  KOKKOS_FORCEINLINE_FUNCTION Scalar columns_of(const Stored* values, int blocks, int p, int first,
                                                const XOf& x_of) const {
    const int size = matrix.size, splits = shape.splits;
    const int block_step = splits / size, column_step = splits % size;
    int block = first / size, column = first % size;
    const Stored* value = values + static_cast<std::int64_t>(first) * size + p;
    Scalar sum = 0;
    while (block < blocks) {
      sum += static_cast<Scalar>(*value) * x_of(block)[column];
      value += static_cast<std::int64_t>(splits) * size;
      block += block_step;
      column += column_step;
      if (column >= size) {
        column -= size;
        ++block;
      }
    }
    return sum;
  }

  /// \return where D_i^-1 q is
  template <class Group>
  KOKKOS_FORCEINLINE_FUNCTION const Scalar* solve(const Group& group, std::int64_t i, Scalar* q,
                                                  Scalar* spare) const {
    const int size = matrix.size;
    const Scalar* const factors = task.factors.values + i * matrix.block_values();
    if (task.factors.kind == BlockInverse::inverse) {
      group.for_each(size, [&](int p) {
        Scalar sum = 0;
        for (int c = 0; c < size; ++c) sum += factors[c * size + p] * q[c];
        spare[p] = sum;
      });
      return spare;
    }
    Scalar* x = q;
    if (task.factors.kind == BlockInverse::lu_pivoted) {
      group.for_each(size, [&](int p) { spare[p] = q[task.factors.pivots[i * size + p]]; });
      x = spare;
    }
    solve_block(group, size, factors, x);
    return x;
  }

  KOKKOS_FORCEINLINE_FUNCTION double squares(const Scalar* q) const {
    double sum = 0;
    for (int p = 0; p < matrix.size; ++p) {
      sum += static_cast<double>(q[p]) * static_cast<double>(q[p]);
    }
    return sum;
  }
};

}  // namespace Lamina::Impl
