// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Rows of the line preconditioner of any operator on columns: A without the couplings between columns.

#include <lamina/device/impl/Reciprocal.hpp>
#include <lamina/sweeps/ColumnSystem.hpp>
#include <lamina/sweeps/impl/HeldColumn.hpp>

#include <type_traits>

namespace Lamina::Impl {

/// A `DifferenceRow` of a matrix that may be singular: where its pivot is exactly 0 the unknown is 0.
/// That is so at the last level of a column without mass and couplings to others, as differences leave
/// no rounding there.
template <class Value>
struct LineRow {
  Value lower, row_sum, upper;
};

/// A row of it that was eliminated, see `EliminatedRow`.
template <class Value>
struct EliminatedLineRow {
  Value pivot, inverse, factor;

  /// The pivot is finite. For scalars only.
  KOKKOS_INLINE_FUNCTION bool usable() const {
    return pivot * Value(0) == Value(0) && inverse * Value(0) == Value(0);
  }
};

/// 1 / pivot, and 0 for 0; `Value` may be lanes.
template <class Value>
KOKKOS_FORCEINLINE_FUNCTION Value inverse_or_zero(const Value& pivot) {
  if constexpr (std::is_arithmetic_v<Value>) {
    return pivot == 0 ? Value(0) : reciprocal(pivot);
  } else {
    constexpr int count = static_cast<int>(sizeof(Value) / sizeof(pivot[0]));
    Value one_where_zero{};
    for (int i = 0; i < count; ++i) one_where_zero[i] = pivot[i] == 0 ? 1 : 0;
    const Value inverse = reciprocal(pivot + one_where_zero);
    return inverse - inverse * one_where_zero;
  }
}

/// See `eliminate` of `DifferenceRow`.
template <class Value>
KOKKOS_INLINE_FUNCTION EliminatedLineRow<Value> eliminate(const LineRow<Value>& row, Value& carry) {
  const Value sum = row.row_sum - row.lower * carry;
  const Value pivot = sum - row.upper;
  const Value inverse = inverse_or_zero(pivot);
  carry = sum * inverse;
  return {pivot, inverse, row.upper * inverse};
}

/// mass + the sum of all couplings, which are differences to columns that are not solved for.
template <class Held, class Coefficients>
KOKKOS_FORCEINLINE_FUNCTION typename Coefficients::scalar_type row_sum_of(
    const Held& held, const ColumnSystem<Coefficients>& system,
    const CellRow<typename Coefficients::scalar_type>& row, int level) {
  if constexpr (requires { held.line_mass(system.coefficients, level); }) {
    return held.line_mass(system.coefficients, level);
  } else {
    auto sum = row.mass;
    const int slots = static_cast<int>(system.topology.neighbours.extent(1));
    for (int n = 0; n < slots; ++n) sum += held.coupling(system.coefficients, n, level);
    return sum;
  }
}

/// The numbers of which rows consist: in registers they take no more than these need.
template <class Coefficients>
struct KeptRow {
  using type = typename Coefficients::scalar_type;
};

/// Row k of a column. `held`: see `hold_column`.
template <class Held, class Coefficients>
KOKKOS_FORCEINLINE_FUNCTION LineRow<typename Coefficients::scalar_type> line_row(
    const Held& held, const ColumnSystem<Coefficients>& system, int k) {
  const auto row = held.row(system.coefficients, k);
  return {-row.below, row_sum_of(held, system, row, k), -row.above};
}

/// The same as a function of column and level, for `ComputeCarries`.
template <class Coefficients>
struct LineRowsOf {
  ColumnSystem<Coefficients> system;

  KOKKOS_FUNCTION auto row(int column, int k) const {
    return line_row(hold_column<0>(system.coefficients, column), system, k);
  }
};

}  // namespace Lamina::Impl
