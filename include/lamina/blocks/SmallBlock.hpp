// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/impl/Pivots.hpp>
#include <lamina/core/Concepts.hpp>
#include <lamina/device/Groups.hpp>
#include <lamina/device/Half.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <type_traits>

namespace Lamina {

/// The types that blocks may be stored in.
template <class T>
concept StoredScalar = FieldScalar<T> || std::same_as<T, Half>;

/// Most rows of a block: a block row of q must fit into the scratch memory of a team.
inline constexpr int max_block_size = 1024;

// Device level: one small dense block, inside a kernel of the user's own. A block is column-major
// and without gaps: entry (r, c) of a block of `size` rows is block[c * size + r].
//
// All threads of a group call each function together, see `Groups.hpp`. When the call has ended,
// each thread sees what the others wrote.

/// What a solver keeps of a block to solve with it.
enum class BlockInverse {
  lu,          ///< its factors
  lu_pivoted,  ///< its factors after partial pivoting, and the order of the rows
  inverse,     ///< its inverse, computed from these
};

namespace Impl {

/// Eliminates column k below its pivot.
template <class Group, class Scalar>
KOKKOS_INLINE_FUNCTION void eliminate_column(const Group& group, int size, Scalar* block, int k) {
  const Scalar inverse = Scalar(1) / block[k * size + k];
  const int rest = size - k - 1;
  group.for_each(rest, [&](int i) { block[k * size + k + 1 + i] *= inverse; });
  if constexpr (std::is_same_v<Group, SerialGroup>) {  // no divisions
    const Scalar* const lower = block + k * size;
    for (int c = k + 1; c < size; ++c) {
      Scalar* const column = block + c * size;
      for (int row = k + 1; row < size; ++row) column[row] -= lower[row] * column[k];
    }
    return;
  }
  group.for_each(rest * rest, [&](int i) {
    const int row = k + 1 + i % rest, column = k + 1 + i / rest;
    block[column * size + row] -= block[k * size + row] * block[column * size + k];
  });
}

/// Replaces the diagonal by its reciprocals.
template <class Group, class Scalar>
KOKKOS_INLINE_FUNCTION void invert_diagonal(const Group& group, int size, Scalar* block) {
  group.for_each(size, [&](int k) { block[k * size + k] = Scalar(1) / block[k * size + k]; });
}

}  // namespace Impl

/// Factors a block in place, block = L U, without pivoting. The unit lower triangle L is below the
/// diagonal, U above it. The diagonal has the reciprocals of the diagonal of U.
/// \return the first k with a bad pivot, or -1. A pivot is bad when it is zero, not finite, only
///   rounding, or (without pivoting) so small that eliminating with it wipes out another row and
///   column. The factors are not usable then.
///
/// Cost: 2/3 size^3 flops. Source: any textbook.
template <class Group, class Scalar>
KOKKOS_INLINE_FUNCTION int factor_block(const Group& group, int size, Scalar* block) {
  int bad = -1;
  for (int k = 0; k < size; ++k) {
    if (bad < 0 && (!Impl::usable_pivot(size, block, k) || Impl::wipes_out(size, block, k))) {
      bad = k;
    }
    group.barrier();  // all threads have read the column; it is scaled after it
    Impl::eliminate_column(group, size, block, k);
  }
  Impl::invert_diagonal(group, size, block);
  return bad;
}

/// The same with partial pivoting: row r of L U is row rows[r] of the block.
template <class Group, class Scalar>
KOKKOS_INLINE_FUNCTION int factor_block_pivoted(const Group& group, int size, Scalar* block,
                                                int* rows) {
  int bad = -1;
  group.for_each(size, [&](int row) { rows[row] = row; });
  for (int k = 0; k < size; ++k) {
    const int other = Impl::largest_row(size, block, k);
    group.barrier();  // all threads have chosen; rows are swapped after it
    group.for_each(other == k ? 0 : size + 1, [&](int column) {
      if (column < size) {
        const Scalar value = block[column * size + k];
        block[column * size + k] = block[column * size + other];
        block[column * size + other] = value;
      } else {
        const int row = rows[k];
        rows[k] = rows[other];
        rows[other] = row;
      }
    });
    if (bad < 0 && !Impl::usable_pivot(size, block, k)) bad = k;
    Impl::eliminate_column(group, size, block, k);
  }
  Impl::invert_diagonal(group, size, block);
  return bad;
}

/// x = (L U)^-1 x with the factors of `factor_block`. After pivoting, x must come in as
/// rhs[rows[0]], rhs[rows[1]], ...
///
/// Cost: 2 size^2 flops in 2 size steps, one after the other.
template <class Group, class Scalar>
KOKKOS_INLINE_FUNCTION void solve_block(const Group& group, int size, const Scalar* factors,
                                        Scalar* x) {
  for (int c = 0; c + 1 < size; ++c) {
    group.for_each(size - c - 1,
                   [&](int i) { x[c + 1 + i] -= factors[c * size + c + 1 + i] * x[c]; });
  }
  for (int c = size - 1; c > 0; --c) {
    const Scalar inverse = factors[c * size + c];
    group.for_each(c, [&](int row) { x[row] -= factors[c * size + row] * (x[c] * inverse); });
  }
  group.for_each(size, [&](int row) { x[row] *= factors[row * size + row]; });
}

/// y += B x, for a block B of any stored type. A row of a block-sparse matrix is a sum of such
/// products. y must not overlap x.
///
/// Cost: 2 size^2 flops. A thread of the group takes a value of y, and a row of B.
template <class Group, class Stored, class Scalar>
KOKKOS_INLINE_FUNCTION void add_block_product(const Group& group, int size, const Stored* block,
                                              const Scalar* x, Scalar* y) {
  group.for_each(size, [&](int row) {
    Scalar sum = y[row];
    for (int c = 0; c < size; ++c) sum += static_cast<Scalar>(block[c * size + row]) * x[c];
    y[row] = sum;
  });
}

/// inverse = (P^-1 L U)^-1 from the factors of `factor_block_pivoted`. It must not overlap them.
template <class Group, class Scalar>
KOKKOS_INLINE_FUNCTION void invert_block(const Group& group, int size, const Scalar* factors,
                                         const int* rows, Scalar* inverse) {
  group.for_each(size, [&](int column) {
    Scalar* const x = inverse + column * size;
    for (int row = 0; row < size; ++row) x[row] = rows[row] == column ? Scalar(1) : Scalar(0);
    solve_block(SerialGroup{}, size, factors, x);
  });
}

}  // namespace Lamina
