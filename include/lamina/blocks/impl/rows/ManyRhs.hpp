// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Block rows of several right-hand sides on a device: entry (component p, right-hand side r) of a
// row to a thread. Neighbours in a warp have the components of one block column, or the same blocks
// for the next right-hand side, which caches serve: memory is read once.

#include <lamina/blocks/SmallBlock.hpp>
#include <lamina/blocks/impl/rows/BlockRows.hpp>
#include <lamina/device/Groups.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace Lamina::Impl {

/// q of `RowTask` for one entry, without the solve. It is left in `to`.
template <class Scalar, class OffDiagonal>
struct ManyRhsProducts {
  BlockRows<Scalar, OffDiagonal> matrix;
  RowTask<Scalar> task;
  BlockVector<Scalar> to;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const int row_values = matrix.size * task.num_rhs;
    const std::int64_t i = task.first + n / row_values;
    const auto entry = static_cast<int>(n % row_values);
    const int p = entry % matrix.size, first = entry - p;
    Scalar sum = 0;
    if (task.off_diagonal) {
      for (std::int64_t k = matrix.offsets[i]; k < matrix.offsets[i + 1]; ++k) {
        sum += product(matrix.off_diagonal + k * matrix.block_values() + p,
                       task.x.row(matrix.columns[k]) + first);
      }
      sum *= matrix.row_scale(i, p);
    }
    if (task.diagonal) {
      sum += product(matrix.diagonal + i * matrix.block_values() + p, task.x.row(i) + first);
    }
    const Scalar q = (task.b.values != nullptr ? task.b.row(i)[entry] : Scalar(0)) - sum;
    to.row(i)[entry] = task.negate ? -q : q;
  }

 private:
  /// One row of a block times x.
  template <class Stored>
  KOKKOS_FORCEINLINE_FUNCTION Scalar product(const Stored* row, const Scalar* x) const {
    Scalar sum = 0;
    for (int c = 0; c < matrix.size; ++c) {
      sum += static_cast<Scalar>(row[std::int64_t{c} * matrix.size]) * x[c];
    }
    return sum;
  }
};

/// y = D_i^-1 q with inverses, one entry.
template <class Scalar>
struct ManyRhsInverses {
  RowTask<Scalar> task;
  int size;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const int row_values = size * task.num_rhs;
    const std::int64_t i = task.first + n / row_values;
    const auto entry = static_cast<int>(n % row_values);
    const int p = entry % size;
    const Scalar* const inverse = task.factors.values + i * size * size + p;
    const Scalar* const q = task.work.row(i) + entry - p;
    Scalar sum = 0;
    for (int c = 0; c < size; ++c) sum += inverse[std::int64_t{c} * size] * q[c];
    task.y.row(i)[entry] = sum;
  }
};

/// The same with factors, one right-hand side of a row.
template <class Scalar>
struct ManyRhsFactors {
  RowTask<Scalar> task;
  int size;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const std::int64_t i = task.first + n / task.num_rhs, first = n % task.num_rhs * size;
    const Scalar* const q = task.work.row(i) + first;
    Scalar* const x = task.y.row(i) + first;
    const bool pivoted = task.factors.kind == BlockInverse::lu_pivoted;
    for (int p = 0; p < size; ++p) x[p] = q[pivoted ? task.factors.pivots[i * size + p] : p];
    solve_block(SerialGroup{}, size, task.factors.values + i * size * size, x);
  }
};

// traffic: with s = sizeof(Scalar), that of a task for one right-hand side, and s nb a row for b, x
// and y of each further one; with factors q is written and read besides, 2 s nb for each
template <class Space, class Scalar, class OffDiagonal>
void run_many_rhs(const char* label, const Space& space,
                  const BlockRows<Scalar, OffDiagonal>& matrix, const RowTask<Scalar>& task) {
  using Policy = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;
  const std::int64_t sides = std::int64_t{task.last - task.first} * task.num_rhs;
  const bool solves = task.factors.values != nullptr;
  Kokkos::parallel_for(
      label, Policy(space, 0, sides * matrix.size),
      ManyRhsProducts<Scalar, OffDiagonal>{matrix, task, solves ? task.work : task.y});
  if (!solves) return;
  if (task.factors.kind == BlockInverse::inverse) {
    Kokkos::parallel_for(label, Policy(space, 0, sides * matrix.size),
                         ManyRhsInverses<Scalar>{task, matrix.size});
  } else {
    Kokkos::parallel_for(label, Policy(space, 0, sides), ManyRhsFactors<Scalar>{task, matrix.size});
  }
}

}  // namespace Lamina::Impl
