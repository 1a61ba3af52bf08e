// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Lines with stored coefficients on a device.

#include <lamina/core/Concepts.hpp>
#include <lamina/lines/impl/FirstBadColumn.hpp>
#include <lamina/lines/impl/LineSegments_Device.hpp>
#include <lamina/lines/impl/StoredColumns.hpp>

#include <utility>

namespace Lamina::Impl {

/// `Lines` of `LineSegments` for columns with stored coefficients.
template <class Columns>
struct StoredLines {
  using Scalar = typename Columns::scalar_type;
  using Value = Scalar;
  using Layout = typename Columns::layout;
  using Memory = typename Columns::memory_space;
  static constexpr int num_sums = 0, levels = LineSegmentTuning::stored_levels;
  static constexpr unsigned min_teams = LineSegmentTuning::least_teams<Scalar>;
  static constexpr bool combines = false;
  using Row = decltype(std::declval<const Columns&>().row(0, 0));

  Columns columns;
  FieldView<const Scalar, Layout, Memory> rhs;
  FieldView<Scalar, Layout, Memory> x;

  KOKKOS_FUNCTION int num_columns() const { return static_cast<int>(x.extent(0)); }
  KOKKOS_FUNCTION int num_levels() const { return static_cast<int>(x.extent(1)); }
  const auto& solution() const { return x; }
  KOKKOS_FUNCTION bool active() const { return true; }
  KOKKOS_FUNCTION static std::size_t table_size(const SegmentShape&) { return 0; }
  template <class Member>
  KOKKOS_FUNCTION void stage(const Member&, const SegmentShape&, Scalar*) const {}

  struct Line {
    const StoredLines& lines;
    int column, first;
    Row rows[levels];

    KOKKOS_FORCEINLINE_FUNCTION void load(int i, bool exists, Scalar& a, Scalar&) {
      if (!exists) return;
      a = lines.rhs(column, first + i);
      rows[i] = lines.columns.row(column, first + i);
    }
    KOKKOS_FORCEINLINE_FUNCTION Scalar right_hand_side(int, Scalar a, Scalar, bool) const {
      return a;
    }
    /// Rows beyond the last level give x = 0.
    KOKKOS_FORCEINLINE_FUNCTION Row row(int i, bool exists) const {
      return exists ? rows[i] : Row{Scalar(0), Scalar(1), Scalar(0)};
    }
    KOKKOS_FORCEINLINE_FUNCTION void weigh(int, Scalar, Scalar) const {}
    KOKKOS_FORCEINLINE_FUNCTION void store(int i, bool wanted, Scalar value) const {
      if (wanted) lines.x(column, first + i) = value;
    }
    KOKKOS_FORCEINLINE_FUNCTION void add_sums(double*) const {}
  };
  KOKKOS_FORCEINLINE_FUNCTION Line line(int column, int first, const Scalar*) const {
    return {*this, column, first, {}};
  }
};

/// One thread per column. Factors are stored in memory, and the response of a cyclic line to its
/// last level.
// traffic: reads and writes 2n more than on chip; cyclic lines 3n
template <class Columns>
struct StoredThreadLines {
  using Scalar = typename Columns::scalar_type;
  using Memory = typename Columns::memory_space;
  using Field = FieldView<Scalar, typename Columns::layout, Memory>;

  Columns columns;
  FieldView<const Scalar, typename Columns::layout, Memory> rhs;
  Field x, factors, response;
  FirstBadColumn<Memory> first_bad;

  KOKKOS_FUNCTION void operator()(int column) const {
    const int num_levels = static_cast<int>(x.extent(1));
    const auto row = [&](int k) { return columns.row(column, k); };
    const auto b = [&](int k) { return rhs(column, k); };
    const auto solution = [&](int k) -> Scalar& { return x(column, k); };
    const auto factor = [&](int k) -> Scalar& { return factors(column, k); };
    int bad_level;
    if constexpr (Columns::is_cyclic) {
      bad_level = solve_cyclic_tridiagonal(num_levels, row, b, solution, factor,
                                           [&](int k) -> Scalar& { return response(column, k); });
    } else {
      bad_level = solve_tridiagonal(num_levels, row, b, solution, factor);
    }
    if (bad_level >= 0) first_bad.note(column);
  }
};

}  // namespace Lamina::Impl
