// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/impl/rows/BlockRows.hpp>
#include <lamina/blocks/impl/slices/BlockSlices.hpp>
#include <lamina/blocks/impl/slices/RemoteRows_Device.hpp>
#include <lamina/blocks/impl/values/OwnedValues.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/device/impl/LaunchGraph.hpp>

#include <cstdint>

namespace Lamina::Impl {

/// The kernels over block rows.
template <class Space, class Scalar, class OffDiagonal>
struct BlockKernels {
  using Matrix = BlockRows<Scalar, OffDiagonal>;

  /// Enqueues a task with a y, or adds it to a graph.
  static void run(const char* label, const Space& space, const Matrix& matrix,
                  const RowTask<Scalar>& task, LaunchGraph<Space>* graph = nullptr);
  /// The 2-norm of q over the rows of a task, which may also have a y. It is right over the whole
  /// range of `Scalar`: where squares overflow or underflow, the task runs once more with q scaled
  /// (Blue 1978). Fences `space`.
  static double norm(const char* label, const Space& space, const Matrix& matrix,
                     RowTask<Scalar> task);

 private:
  static double sum_of_squares(const char* label, const Space& space, const Matrix& matrix,
                               const RowTask<Scalar>& task);
};

/// Kernels over sliced rows, on devices only.
template <class Space, class Scalar, class OffDiagonal>
struct SliceKernels {
  using Rows = SlicedRows<Scalar, OffDiagonal>;

  /// Enqueues a kernel that fills `columns`, `values` and `inverses` of `slices` for a matrix, and
  /// the targets of `update` off the diagonal.
  static void fill(const Space& space, const BlockRows<Scalar, OffDiagonal>& matrix,
                   const BlockUpdate<Scalar, OffDiagonal>& update, const Scalar* inverses,
                   const Rows& slices);
  /// Enqueues x_i = D_i^-1 (b_i - O_i x) for the rows of the slices [first, last), `splits` warps
  /// to a slice: a power of two, at most slices.shape.max_splits(). Rows of b and x hold `num_rhs`
  /// consecutive right-hand sides. With `graph` adds it to that.
  static void sweep(const char* label, const Space& space, const Rows& slices, int first, int last,
                    int splits, const BlockVector<const Scalar>& b, const BlockVector<Scalar>& x,
                    int num_rhs = 1, LaunchGraph<Space>* graph = nullptr);
  /// The same for slices of one of several ranks, of which those before `others` have rows beside a
  /// cut.
  static void sweep_of_rank(const char* label, const Space& space, const Rows& slices, int first,
                            int others, int last, int splits, const BlockVector<const Scalar>& b,
                            const BlockVector<Scalar>& x, const RemoteRows<Scalar>& remote);
};

/// Diagonal blocks to prepare. The block of row i is block rows[i] of `values`, or block i without
/// `rows`.
template <class Scalar>
struct DiagonalBlocks {
  const Scalar* values = nullptr;
  const int* rows = nullptr;
  Scalar* copy = nullptr;  ///< target of a copy in the order of the rows; none without it

  KOKKOS_FORCEINLINE_FUNCTION std::int64_t row(int i) const {
    return rows != nullptr ? rows[i] : i;
  }
};

/// Diagonal blocks prepared for solves, and the scratch of the preparation.
template <class Scalar>
struct PreparedBlocks {
  BlockInverse kind = BlockInverse::lu;
  int size = 0, num_slots = 0;
  Scalar* values = nullptr;   ///< factors or inverses of all rows
  Scalar* scratch = nullptr;  ///< for inverses: a block for each slot
  int* pivots = nullptr;      ///< of all rows; for inverses, of each slot
};

/// Prepares diagonal blocks for solves.
template <class Space, class Scalar>
struct FactorKernels {
  /// Number of blocks that are prepared at the same time in memory; 0 where registers hold them.
  static int num_slots(const Space& space, int num_rows, int size);
  /// Enqueues the preparation of the blocks of `diagonal`. It lowers `first_bad` to the first row
  /// with a pivot that is not usable.
  static void prepare(const Space& space, int num_rows, const DiagonalBlocks<Scalar>& diagonal,
                      const PreparedBlocks<Scalar>& blocks, int* first_bad);
};

/// Fills a matrix with new values.
template <class Space, class Scalar, class From, class To>
struct UpdateKernels {
  /// Enqueues the copy. `offsets` are those of the target's rows.
  static void update(const Space& space, int num_rows, int size,
                     const BlockSources<Scalar, From>& from, const std::int64_t* offsets,
                     const BlockTargets<Scalar, To>& to);
};

template <class Space, class Value>
struct ListKernels {
  /// Fences `space`.
  static bool same(const Space& space, std::int64_t count, const Value* a, const Value* b);
};

/// Copies blocks to another order: block n of the result is block sources[n].
template <class Space, class From, class To>
struct GatherKernels {
  static void gather(const Space& space, std::int64_t count, int block_values,
                     const std::int64_t* sources, const From* from, To* to);
};

/// Finds values that rounding from double to float would lose.
template <class Space>
struct RangeKernels {
  /// Off the diagonal row i has the blocks sources[k] of `blocks`,
  /// offsets[i] <= k < offsets[i + 1]. Fences `space`.
  /// \return the first row with a value off the diagonal that is beyond the range of float, or
  ///   below
  /// it and not negligible beside its row of the diagonal block; or -1
  static int first_lost_row(const Space& space, int num_rows, int size, const std::int64_t* offsets,
                            const std::int64_t* sources, const double* blocks,
                            const double* diagonal);
};

/// Rounds blocks to half precision, and finds the scales of their rows.
template <class Space, class From>
struct RoundKernels {
  static void round(const Space& space, int num_rows, int size, const std::int64_t* offsets,
                    const From* from, Half* to, float* row_scales);
};

/// Adds corrections to a solution.
template <class Space, class Scalar>
struct CorrectionKernels {
  /// x += d; d = 0, the start of the next correction.  traffic: reads 2n, writes 2n; flops: n
  /// \param count  values of d, whose rows of `size` are contiguous
  static void add(const Space& space, std::int64_t count, int size, const BlockVector<Scalar>& x,
                  Scalar* d);
};

}  // namespace Lamina::Impl

#include <lamina/blocks/impl/BlockKernels_Bodies.hpp>
