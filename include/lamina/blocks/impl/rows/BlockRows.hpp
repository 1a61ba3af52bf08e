// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/SmallBlock.hpp>
#include <lamina/core/Concepts.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/device/Half.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

/// Whether values of a type are stored with a factor for each row. Without it they would overflow.
template <class Stored>
inline constexpr bool row_scaled = std::is_same_v<Stored, Half>;

/// A block-sparse matrix as kernels capture it. Offsets have 64 bits: there may be 2^31 values and
/// more.
template <class Scalar, class OffDiagonal>
struct BlockRows {
  int num_rows = 0, size = 0;
  std::int64_t num_blocks = 0;  ///< off the diagonal
  const std::int64_t* offsets = nullptr;
  const int* columns = nullptr;
  const Scalar* diagonal = nullptr;
  const OffDiagonal* off_diagonal = nullptr;
  const float* row_scales = nullptr;  ///< (row, component), of `row_scaled` storage

  /// The factor of the products of `off_diagonal` in component p of row i.
  KOKKOS_FORCEINLINE_FUNCTION Scalar row_scale(std::int64_t i, int p) const {
    if constexpr (row_scaled<OffDiagonal>) {
      return static_cast<Scalar>(row_scales[i * size + p]);
    } else {
      return Scalar(1);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t block_values() const {
    return static_cast<std::int64_t>(size) * size;
  }
};

/// A vector of blocks: component p of row i is row(i)[p].
template <class Scalar>
struct BlockVector {
  Scalar* values = nullptr;
  std::int64_t stride = 0;

  BlockVector() = default;
  template <class FieldType>
  explicit BlockVector(const FieldType& field)
      : values(field.data()), stride(static_cast<std::int64_t>(field.stride(0))) {}
  KOKKOS_FORCEINLINE_FUNCTION Scalar* row(std::int64_t i) const { return values + i * stride; }
  /// Whether each row is aligned for loads of `count` values.
  bool rows_begin_at_multiples_of(int count) const {
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(Scalar);
    return reinterpret_cast<std::uintptr_t>(values) % bytes == 0 &&
           static_cast<std::size_t>(stride) % static_cast<std::size_t>(count) == 0;
  }
  BlockVector<const Scalar> read_only() const {
    BlockVector<const Scalar> vector;
    vector.values = values;
    vector.stride = stride;
    return vector;
  }
  bool operator==(const BlockVector&) const = default;
};
/// Component p of row i is row(i)[first + p].
template <class Scalar>
BlockVector<Scalar> from_component(BlockVector<Scalar> vector, std::int64_t first) {
  if (vector.values != nullptr) vector.values += first;
  return vector;
}

/// Checks a vector over `rows` block rows of `size` components.
template <class FieldType>
void require_block_field(const char* function, const char* argument, const FieldType& field,
                         long long rows, long long size) {
  require_extent(function, argument, "block rows", rows, static_cast<long long>(field.extent(0)));
  require_extent(function, argument, "components", size, static_cast<long long>(field.extent(1)));
}

/// The diagonal blocks, prepared for solves.
template <class Scalar>
struct BlockFactors {
  BlockInverse kind = BlockInverse::lu;
  const Scalar* values = nullptr;  ///< none: the task does not solve
  const int* pivots =
      nullptr;  ///< `lu_pivoted`: row r of the factors is row pivots[r] of the block
};

/// The work on each of the rows [first, last). Every kernel over block rows runs such a task. A
/// step is left out where its operand is absent:
///
///   q = b_i, or 0 without b;   q -= O_i x;   q -= D_i x_i;   q = D_i^-1 q;   y_i = q or -q;
///   the sum of (sum_factor q)^2
template <class Scalar>
struct RowTask {
  int first = 0, last = 0;
  BlockVector<const Scalar> b{}, x{};
  BlockVector<Scalar> y{};  ///< none: q is not stored
  bool off_diagonal = false, diagonal = false, negate = false;
  /// The kernel before on this instance was a task with the same matrix, factors and b, and the
  /// first task of this series started in turn. Then everything but x may be read while that kernel
  /// still runs. Sums always start in turn.
  bool follows = false;
  BlockFactors<Scalar> factors{};
  double sum_factor = 0;  ///< 0: no sum is taken
  /// Right-hand sides in each row of b, x and y, one after the other. Not for sums.
  int num_rhs = 1;
  BlockVector<Scalar> work{};  ///< like y; a device needs it for several right-hand sides
};

}  // namespace Lamina::Impl
