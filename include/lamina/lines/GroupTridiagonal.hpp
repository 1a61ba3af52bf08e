// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/Groups.hpp>
#include <lamina/lines/Tridiagonal.hpp>
#include <lamina/lines/impl/LineInterfaces.hpp>

#include <type_traits>

namespace Lamina {

// Device level: several threads solve one tridiagonal line, inside a kernel of the user's own.

/// Number of scratch values that `solve_tridiagonal` by a group needs.
KOKKOS_INLINE_FUNCTION constexpr int group_tridiagonal_scratch(int num_levels, int num_segments) {
  return num_levels + Impl::LineInterface::num_values * num_segments;
}

/// Solves one tridiagonal system T x = rhs by the threads of a group together, without pivoting.
/// The line is cut into segments, and a thread takes one segment at a time. Each segment is
/// eliminated down to its last level. One thread solves for these last levels. Then each segment is
/// solved by itself.
///
/// Use it where lines are long and a kernel has few of them. With a segment to each of t threads,
/// no thread passes more than 4 n / t + 2 t levels, instead of 2 n. All threads together do about
/// three times the work. It is stable where T is diagonally dominant or an M-matrix: segments of
/// such a matrix are of the same kind.
///
/// \param group         of `Groups.hpp`; all of its threads call with the same arguments
/// \param num_levels    rows, >= 0
/// \param num_segments  >= 1; at most `num_levels` of them are used
/// \param row  row(k) gives `TridiagonalRow` or `DifferenceRow`; called three times. `lower` of the
///   first and `upper` of the last row have no effect
/// \param rhs           rhs(k), called three times; may read x(k), but no other entry of x
/// \param x             x(k), writable: the solution
/// \param scratch       scratch(i), writable: `group_tridiagonal_scratch` values that all threads
///                      see, distinct from `x`; may be used again after the call
/// \return the first level that is known to have a pivot of zero or one that is not finite, or -1.
///   With such a pivot the solution is not usable. All threads return the same.
///
/// Cost per level: about 26 flops, 3 divisions. Source: H. H. Wang, "A parallel method for
/// tridiagonal equations", ACM TOMS 7 (1981), with row sums instead of diagonals for difference
/// rows.
template <class Group, class Row, class Rhs, class Solution, class Scratch>
KOKKOS_INLINE_FUNCTION int solve_tridiagonal(const Group& group, int num_levels, int num_segments,
                                             const Row& row, const Rhs& rhs, const Solution& x,
                                             const Scratch& scratch) {
  using Scalar = std::remove_cvref_t<decltype(x(0))>;
  if (num_levels == 0) return -1;
  const int count = num_segments < num_levels ? num_segments : num_levels;
  const Impl::SegmentedLine<Scalar, Row, Rhs, Solution, Scratch> line{num_levels, count, row,
                                                                      rhs,        x,     scratch};
  group.for_each(count, [&](int s) { line.eliminate_segment(s); });
  group.for_each(count, [&](int s) { line.form_interface(s); });
  group.for_each(1, [&](int) { line.solve_interfaces(); });
  group.for_each(count, [&](int s) { line.solve_segment(s); });
  int bad_level = -1;
  for (int s = 0; s < count; ++s) {
    const int bad = line.bad_level(s);
    if (bad >= 0 && (bad_level < 0 || bad < bad_level)) bad_level = bad;
  }
  group.barrier();  // all threads have read the scratch; it may be used again
  return bad_level;
}

}  // namespace Lamina
