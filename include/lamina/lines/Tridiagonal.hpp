// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/Pack.hpp>
#include <lamina/device/impl/Reciprocal.hpp>

#include <type_traits>
#include <utility>

namespace Lamina {

// Device level: one tridiagonal line, inside a kernel of the user's own.

/// Row k of a tridiagonal matrix: lower x_{k-1} + diagonal x_k + upper x_{k+1}.
template <class Value>
struct TridiagonalRow {
  Value lower, diagonal, upper;
};

/// The same row as differences: row_sum x_k + lower (x_{k-1} - x_k) + upper (x_{k+1} - x_k).
///
/// In strongly coupled columns lower and upper are much larger than row_sum. The diagonal
/// row_sum - lower - upper then loses the row sum to rounding. This form keeps it.
template <class Value>
struct DifferenceRow {
  Value lower, row_sum, upper;
};

/// One eliminated row: x_k = z_k - factor x_{k+1}, factor = upper / pivot.
template <class Value>
struct EliminatedRow {
  Value pivot, inverse, factor;

  /// Neither the pivot nor its inverse is zero, infinite or NaN. On CUDA devices neither is
  /// subnormal. For scalars only.
  KOKKOS_INLINE_FUNCTION bool usable() const {
    // x * 0 is 0 for finite x only. A pivot of 0 has an infinite inverse, an infinite pivot has 0.
    return inverse * Value(0) == Value(0) && inverse != Value(0);
  }
};

namespace Impl {
/// Row k of a line, without its couplings to levels beyond the ends.
template <class Row>
KOKKOS_INLINE_FUNCTION auto row_within(int num_levels, const Row& row, int k) {
  auto here = row(k);
  if (k == 0) here.lower = 0;
  if (k == num_levels - 1) here.upper = 0;
  return here;
}
}  // namespace Impl

/// Eliminates `lower` from the next row, in the order of the rows. `carry` must be 0 before the
/// first row. `lower` of the first row and `upper` of the last row must be 0.
///
/// For a difference row no term cancels when row_sum and the couplings have opposite signs, as in
/// an M-matrix: e_k = row_sum - lower psi_{k-1}, pivot = e_k - upper, psi_k = e_k / pivot in (0,
/// 1].
template <class Value>
KOKKOS_INLINE_FUNCTION EliminatedRow<Value> eliminate(const TridiagonalRow<Value>& row,
                                                      Value& carry) {
  const Value pivot = row.diagonal - row.lower * carry;
  const Value inverse = Impl::reciprocal(pivot);
  carry = row.upper * inverse;
  return {pivot, inverse, carry};
}
/// The same for a row in difference form.
template <class Value>
KOKKOS_INLINE_FUNCTION EliminatedRow<Value> eliminate(const DifferenceRow<Value>& row,
                                                      Value& carry) {
  const Value sum = row.row_sum - row.lower * carry;
  const Value pivot = sum - row.upper;
  const Value inverse = Impl::reciprocal(pivot);
  carry = sum * inverse;
  return {pivot, inverse, row.upper * inverse};
}

/// Solves one tridiagonal system T x = rhs by Thomas' algorithm, without pivoting.
///
/// \param num_levels  rows, >= 0
/// \param row         row(k) gives `TridiagonalRow` or `DifferenceRow`; `lower` of the first and
///                    `upper` of the last row have no effect
/// \param rhs         rhs(k); may read the storage of `x`: entry k of x is written after rhs(k) was
///                    read
/// \param x           x(k), writable: the solution
/// \param factor      factor(k), writable: scratch of num_levels values, distinct from `x`
/// \return the first level whose pivot is zero or not finite, or -1. With such a pivot the solution
///   is
/// not usable.
///
/// Cost per level: 8 flops, 1 division. One thread does all the work.
template <class Row, class Rhs, class Solution, class Scratch>
KOKKOS_INLINE_FUNCTION int solve_tridiagonal(int num_levels, const Row& row, const Rhs& rhs,
                                             const Solution& x, const Scratch& factor) {
  using Scalar = std::remove_cvref_t<decltype(x(0))>;
  int bad_level = num_levels;
  Scalar carry = 0, previous = 0;
  for (int k = 0; k < num_levels; ++k) {
    const auto current = Impl::row_within(num_levels, row, k);
    const auto eliminated = eliminate(current, carry);
    // Without a branch, which would delay the loads of the next levels.
    const int bad_here = eliminated.usable() ? num_levels : k;
    bad_level = bad_here < bad_level ? bad_here : bad_level;
    previous = (rhs(k) - current.lower * previous) * eliminated.inverse;
    x(k) = previous;
    factor(k) = eliminated.factor;
  }
  for (int k = num_levels - 2; k >= 0; --k) {
    previous = x(k) - factor(k) * previous;
    x(k) = previous;
  }
  return bad_level < num_levels ? bad_level : -1;
}

// Host level: coefficients of one tridiagonal matrix per column, for `LineSolver`. Each form has
// - its fields;
// - `row`, which makes a row from the values of one cell and of the cell below it;
// - the field that couples the first level (`field_below_first`), and the last level
//   (`field_above_last`), with a level beyond the ends. -1: none. Its values there have no effect.

/// General matrices: row k of column c is
/// lower(c, k) x_{k-1} + diagonal(c, k) x_k + upper(c, k) x_{k+1}.
/// lower(c, 0) and upper(c, num_levels - 1) have no effect.
template <Field V>
struct GeneralTridiagonal {
  V lower, diagonal, upper;

  using field_type = V;
  static constexpr bool is_cyclic = false;
  static constexpr int num_fields = 3, field_below_first = 0, field_above_last = 2;
  KOKKOS_INLINE_FUNCTION const V& field(int i) const {
    return i == 0 ? lower : i == 1 ? diagonal : upper;
  }
  template <class Value>
  KOKKOS_INLINE_FUNCTION static TridiagonalRow<Value> row(const Value* cell, const Value*) {
    return {cell[0], cell[1], cell[2]};
  }
};
template <Field V>
GeneralTridiagonal(V, V, V) -> GeneralTridiagonal<V>;

/// Symmetric matrices: off_diagonal(c, k) couples levels k and k + 1. Its last level has no effect.
template <Field V>
struct SymmetricTridiagonal {
  V diagonal, off_diagonal;

  using field_type = V;
  static constexpr bool is_cyclic = false;
  static constexpr int num_fields = 2, field_below_first = -1, field_above_last = 1;
  KOKKOS_INLINE_FUNCTION const V& field(int i) const { return i == 0 ? diagonal : off_diagonal; }
  template <class Value>
  KOKKOS_INLINE_FUNCTION static TridiagonalRow<Value> row(const Value* cell, const Value* below) {
    return {below[1], cell[0], cell[1]};
  }
};
template <Field V>
SymmetricTridiagonal(V, V) -> SymmetricTridiagonal<V>;

/// General matrices in difference form, see `DifferenceRow`. lower(c, 0) and upper(c, num_levels -
/// 1) have no effect: they are not subtracted from the row sum.
template <Field V>
struct DifferenceTridiagonal {
  V lower, row_sum, upper;

  using field_type = V;
  static constexpr bool is_cyclic = false;
  static constexpr int num_fields = 3, field_below_first = 0, field_above_last = 2;
  KOKKOS_INLINE_FUNCTION const V& field(int i) const {
    return i == 0 ? lower : i == 1 ? row_sum : upper;
  }
  template <class Value>
  KOKKOS_INLINE_FUNCTION static DifferenceRow<Value> row(const Value* cell, const Value*) {
    return {cell[0], cell[1], cell[2]};
  }
};
template <Field V>
DifferenceTridiagonal(V, V, V) -> DifferenceTridiagonal<V>;

}  // namespace Lamina
