// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// A line that is cut into segments. The last level of each segment is an interface. The other
// levels are eliminated from both ends, which leaves a tridiagonal system of the interfaces.

#include <lamina/lines/Tridiagonal.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace Lamina::Impl {

/// A level at one end of a segment, of which the levels between are eliminated:
///
///   x = shift - near x_near - far x_far,   sum = 1 + near + far
///
/// `take_in` eliminates one level after the other, away from the interface x_far. x_near is the
/// next level, and at the end the other interface. `sum` is for difference rows only; it is formed
/// without cancellation.
template <class Value>
struct EliminatedEnd {
  Value shift = 0, near = 0, far = -1, sum = 0;  // of the interface itself
};

/// Eliminates one more level. `back` couples it with the level before, `ahead` with the next one.
template <class Value>
KOKKOS_INLINE_FUNCTION void take_in(EliminatedEnd<Value>& end, const Value& back,
                                    const TridiagonalRow<Value>& row, const Value& ahead,
                                    const Value& rhs) {
  const Value inverse = reciprocal(row.diagonal - back * end.near);
  end = {(rhs - back * end.shift) * inverse, ahead * inverse, -back * end.far * inverse, Value(0)};
}
template <class Value>
KOKKOS_INLINE_FUNCTION void take_in(EliminatedEnd<Value>& end, const Value& back,
                                    const DifferenceRow<Value>& row, const Value& ahead,
                                    const Value& rhs) {
  const Value rest = row.row_sum - back * end.sum;
  const Value inverse = reciprocal(rest + back * end.far - ahead);
  end = {(rhs - back * end.shift) * inverse, ahead * inverse, -back * end.far * inverse,
         rest * inverse};
}

/// The row of an interface in the reduced system, from the ends of the segments below and above it.
template <class Value>
KOKKOS_INLINE_FUNCTION TridiagonalRow<Value> interface_row(const TridiagonalRow<Value>& row,
                                                           const EliminatedEnd<Value>& below,
                                                           const EliminatedEnd<Value>& above) {
  return {-row.lower * below.far, row.diagonal - row.lower * below.near - row.upper * above.near,
          -row.upper * above.far};
}
template <class Value>
KOKKOS_INLINE_FUNCTION DifferenceRow<Value> interface_row(const DifferenceRow<Value>& row,
                                                          const EliminatedEnd<Value>& below,
                                                          const EliminatedEnd<Value>& above) {
  return {-row.lower * below.far, row.row_sum - row.lower * below.sum - row.upper * above.sum,
          -row.upper * above.far};
}

/// The carry that `eliminate` begins with where the level below is known, by the kind of row.
template <class Row>
inline constexpr int carry_from_known = 0;
template <class Value>
inline constexpr int carry_from_known<DifferenceRow<Value>> = 1;

template <class Value>
KOKKOS_INLINE_FUNCTION Value& middle_of(TridiagonalRow<Value>& row) {
  return row.diagonal;
}
template <class Value>
KOKKOS_INLINE_FUNCTION Value& middle_of(DifferenceRow<Value>& row) {
  return row.row_sum;
}

/// Offsets of a segment's values in scratch. The row of the interface overwrites `end_of_last`.
struct LineInterface {
  enum { end_of_last = 0, row = 0, rhs = 3, end_of_first = 4, factor = 4, bad_level = 5 };  // + 1
  static constexpr int num_values = 8;
};

template <class Scalar, class Row, class Rhs, class Solution, class Scratch>
struct SegmentedLine {
  int num_levels, num_segments;
  const Row& row;
  const Rhs& rhs;
  const Solution& x;
  const Scratch& scratch;  // a factor to each level, then the interfaces

  using Place = LineInterface;
  using RowType = std::remove_cvref_t<decltype(std::declval<const Row&>()(0))>;
  using End = EliminatedEnd<Scalar>;

  /// Eliminates the segment upwards and downwards. Keeps its last inner level and its first level.
  KOKKOS_INLINE_FUNCTION void eliminate_segment(int s) const {
    const int begin = first(s), last = first(s + 1) - 1;
    End upwards, downwards;
    for (int k = begin; k < last; ++k) {
      const auto here = row_of(k);
      take_in(upwards, here.lower, here, here.upper, Scalar(rhs(k)));
    }
    for (int k = last - 1; k >= begin; --k) {
      const auto here = row_of(k);
      take_in(downwards, here.upper, here, here.lower, Scalar(rhs(k)));
    }
    keep(s, Place::end_of_last, upwards);
    keep(s, Place::end_of_first, downwards);
  }
  KOKKOS_INLINE_FUNCTION void form_interface(int s) const {
    const int last = first(s + 1) - 1;
    const auto here = row_of(last);
    const End below = kept(s, Place::end_of_last);
    const End above = s + 1 < num_segments ? kept(s + 1, Place::end_of_first) : End{};
    auto reduced = interface_row(here, below, above);
    value(s, Place::row) = reduced.lower;
    value(s, Place::row + 1) = middle_of(reduced);
    value(s, Place::row + 2) = reduced.upper;
    value(s, Place::rhs) = Scalar(rhs(last)) - here.lower * below.shift - here.upper * above.shift;
  }
  KOKKOS_INLINE_FUNCTION void solve_interfaces() const {
    const int bad = solve_tridiagonal(
        num_segments,
        [&](int s) {
          return RowType{value(s, Place::row), value(s, Place::row + 1), value(s, Place::row + 2)};
        },
        [&](int s) { return value(s, Place::rhs); },
        [&](int s) -> decltype(auto) { return x(first(s + 1) - 1); },
        [&](int s) -> decltype(auto) { return value(s, Place::factor); });
    for (int s = 0; s < num_segments; ++s) {
      value(s, Place::bad_level) = s == bad ? Scalar(first(s + 1)) : Scalar(0);
    }
  }
  /// Solves for a segment between interfaces that are known.
  KOKKOS_INLINE_FUNCTION void solve_segment(int s) const {
    const int begin = first(s), last = first(s + 1) - 1;
    int bad = -1;
    Scalar previous = begin > 0 ? Scalar(x(begin - 1)) : Scalar(0);
    Scalar carry = carry_from_known<RowType>;
    for (int k = begin; k < last; ++k) {
      const auto here = row_of(k);
      const auto eliminated = eliminate(here, carry);
      if (!eliminated.usable() && bad < 0) bad = k;
      previous = (Scalar(rhs(k)) - here.lower * previous) * eliminated.inverse;
      x(k) = previous;
      scratch(k) = eliminated.factor;
    }
    previous = x(last);
    for (int k = last - 1; k >= begin; --k) {
      previous = x(k) - scratch(k) * previous;
      x(k) = previous;
    }
    if (bad >= 0) value(s, Place::bad_level) = Scalar(bad + 1);
  }
  /// The first level of a segment with a pivot that is not usable, or -1.
  KOKKOS_INLINE_FUNCTION int bad_level(int s) const {
    return static_cast<int>(value(s, Place::bad_level)) - 1;
  }

 private:
  KOKKOS_INLINE_FUNCTION int first(int s) const {
    return static_cast<int>(static_cast<std::int64_t>(num_levels) * s / num_segments);
  }
  KOKKOS_INLINE_FUNCTION RowType row_of(int k) const { return row_within(num_levels, row, k); }
  KOKKOS_INLINE_FUNCTION decltype(auto) value(int s, int n) const {
    return scratch(num_levels + Place::num_values * s + n);
  }
  KOKKOS_INLINE_FUNCTION void keep(int s, int at, const End& end) const {
    value(s, at) = end.shift;
    value(s, at + 1) = end.near;
    value(s, at + 2) = end.far;
    value(s, at + 3) = end.sum;
  }
  KOKKOS_INLINE_FUNCTION End kept(int s, int at) const {
    return {value(s, at), value(s, at + 1), value(s, at + 2), value(s, at + 3)};
  }
};

}  // namespace Lamina::Impl
