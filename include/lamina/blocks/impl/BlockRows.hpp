// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/SmallBlock.hpp>
#include <lamina/core/Concepts.hpp>
#include <lamina/device/Half.hpp>
#include <lamina/core/Require.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Lamina {

/// The types that blocks off the diagonal may be stored in.
template <class T>
concept StoredScalar = FieldScalar<T> || std::same_as<T, Half>;

/// Blocks have at most so many rows: a block row of q must fit into the scratch memory of a team.
inline constexpr int max_block_size = 1024;

namespace Impl {

/// Whether values of a type are stored with a factor to each row, as they would overflow without.
template <class Stored>
inline constexpr bool row_scaled = std::is_same_v<Stored, Half>;

/// A block-sparse matrix as kernels see it. 64-bit offsets: rows may hold 2^31 values and more.
template <class Scalar, class OffDiagonal>
struct BlockRows {
  int num_rows = 0, size = 0;
  std::int64_t num_blocks = 0;  ///< off the diagonal
  const std::int64_t* offsets = nullptr;
  const int* columns = nullptr;
  const Scalar* diagonal = nullptr;
  const OffDiagonal* off_diagonal = nullptr;
  const float* row_scales = nullptr;  ///< (row, component), of `row_scaled` storage

  /// What the products of `off_diagonal` are multiplied by in component p of row i.
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
  /// Whether each row begins where `count` values may be loaded at once.
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
  const Scalar* values = nullptr;  ///< none: nothing is to be solved
  const int* pivots =
      nullptr;  ///< `lu_pivoted`: row r of the factors is row pivots[r] of the block
};

/// What is done to each of the rows [first, last), from the top: every kernel over block rows is
/// one of these.
///
///   q = b_i, or 0 without b;   q -= O_i x;   q -= D_i x_i;   q = D_i^-1 q;   y_i = q or -q;   the
///   sum of (sum_factor q)^2 is taken
template <class Scalar>
struct RowTask {
  int first = 0, last = 0;
  BlockVector<const Scalar> b{}, x{};
  BlockVector<Scalar> y{};  ///< none: q is not stored
  bool off_diagonal = false, diagonal = false, negate = false;
  /// Whether the kernel before on this instance was such a task with the same matrix, factors and b,
  /// of which the first did not follow any: all but x may then be read while it is at work. Sums
  /// start in turn anyway.
  bool follows = false;
  BlockFactors<Scalar> factors{};
  double sum_factor = 0;  ///< 0: no sum is taken
  /// Rows of b, x and y hold so many right-hand sides, one after the other. Not for sums.
  int num_rhs = 1;
  BlockVector<Scalar> work{};  ///< like y: what a device solves several right-hand sides from
};

}  // namespace Impl
}  // namespace Lamina
