// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/lines/Tridiagonal.hpp>

#include <type_traits>

namespace Lamina {

// Cyclic tridiagonal lines with variable coefficients: level k couples with levels k - 1 and k + 1,
// modulo the number of levels. For 2 or 1 levels both neighbours are the same level, or the level
// itself, and their terms add up. `CyclicToeplitzSolver` is for constant coefficients.

/// Device level: solves one cyclic line inside a kernel of the user's own,
///
///   lower x_{k-1} + diagonal x_k + upper x_{k+1} = rhs_k,   k modulo num_levels.
///
/// Thomas' algorithm expresses all other levels by the last one. Their elimination leaves one
/// equation, for the last level. This is elimination of the whole matrix without pivoting: it is
/// stable where the matrix is diagonally dominant.
///
/// \param num_levels  rows, >= 0
/// \param row         row(k) gives `TridiagonalRow`
/// \param rhs         rhs(k); may read the storage of `x`: entry k of x is written after rhs(k) was
///                    read
/// \param x           x(k), writable: the solution
/// \param factor      factor(k), writable: scratch of num_levels values, distinct from `x`
/// \param response    response(k), writable: the same, distinct from both
/// \return the first level whose pivot is zero or not finite, or -1. With such a pivot the solution
///   is
/// not usable.
///
/// Cost per level: 17 flops, 1 division. One thread does all the work.
template <class Row, class Rhs, class Solution, class Factor, class Response>
KOKKOS_INLINE_FUNCTION int solve_cyclic_tridiagonal(int num_levels, const Row& row, const Rhs& rhs,
                                                    const Solution& x, const Factor& factor,
                                                    const Response& response) {
  using Scalar = std::remove_cvref_t<decltype(x(0))>;
  if (num_levels == 0) return -1;
  const int last = num_levels - 1;
  int bad_level = -1;
  // x_k = forward_k - factor_k x_{k+1} + response_k x_last
  Scalar carry = 0, forward = 0, from_last = 1;
  // The last row: pivot x_last + entry x_k = remainder
  const auto last_row = row(last);
  Scalar pivot = last_row.diagonal, entry = last_row.upper, remainder = rhs(last);
  for (int k = 0; k < last; ++k) {
    const auto current = row(k);
    const auto eliminated = eliminate(current, carry);
    if (!eliminated.usable() && bad_level < 0) bad_level = k;
    const Scalar lower = current.lower * eliminated.inverse;
    forward = rhs(k) * eliminated.inverse - lower * forward;
    from_last = -(lower * from_last);
    x(k) = forward;
    factor(k) = eliminated.factor;
    response(k) = from_last;
    if (k == last - 1) entry += last_row.lower;
    pivot += entry * from_last;
    remainder -= entry * forward;
    entry = -(entry * eliminated.factor);
  }
  if (last == 0) entry += last_row.lower;
  const TridiagonalRow<Scalar> closing{0, pivot + entry, 0};
  carry = 0;
  const auto eliminated = eliminate(closing, carry);
  if (!eliminated.usable() && bad_level < 0) bad_level = last;
  const Scalar x_last = remainder * eliminated.inverse;
  x(last) = x_last;
  Scalar next = x_last;
  for (int k = last - 1; k >= 0; --k) {
    next = x(k) - factor(k) * next + response(k) * x_last;
    x(k) = next;
  }
  return bad_level;
}

/// Host level: coefficients of one cyclic matrix per column, for `LineSolver`. Row k of column c is
/// lower(c, k) x_{k-1} + diagonal(c, k) x_k + upper(c, k) x_{k+1}, k modulo the number of levels.
template <Field V>
struct CyclicTridiagonal {
  V lower, diagonal, upper;

  using field_type = V;
  static constexpr bool is_cyclic = true;
  static constexpr int num_fields = 3, field_below_first = -1, field_above_last = -1;
  KOKKOS_INLINE_FUNCTION const V& field(int i) const {
    return i == 0 ? lower : i == 1 ? diagonal : upper;
  }
  template <class Value>
  KOKKOS_INLINE_FUNCTION static TridiagonalRow<Value> row(const Value* cell, const Value*) {
    return {cell[0], cell[1], cell[2]};
  }
};
template <Field V>
CyclicTridiagonal(V, V, V) -> CyclicTridiagonal<V>;

}  // namespace Lamina
