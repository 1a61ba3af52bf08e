// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The line preconditioner of any operator on a device. Columns on chip are solved by `LineSegments`,
// others by one thread each.

#include <lamina/columns/impl/LineRhs_Device.hpp>
#include <lamina/columns/impl/LineRow.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/KeptAddress.hpp>
#include <lamina/lines/impl/LineSegments_Device.hpp>

#include <array>
#include <type_traits>

namespace Lamina::Impl {

/// Levels of a column that a thread holds in registers, four values each; long segments are for
/// columns of more than 512 levels.
inline constexpr std::array<int, 2> column_segments{LineSegmentTuning::stored_levels,
                                                    2 * LineSegmentTuning::stored_levels};

/// Whether rows are computed again each time that they are needed, from what a thread holds of the column.
template <class Coefficients>
inline constexpr bool computes_rows_again = [] {
  if constexpr (requires { Coefficients::rows_are_cheap; }) return Coefficients::rows_are_cheap;
  return false;
}();

/// Whether a team keeps profiles over the levels in its scratch. Beyond the last level they are 0: rows
/// there give x = 0.
template <class Coefficients>
inline constexpr bool stages_levels = requires {
  typename Coefficients::line_level;
};

/// Whether columns have a bottom of their own.
template <class Coefficients>
inline constexpr bool ends_somewhere = requires(const HeldColumn<Coefficients, 0>& held) {
  held.is_whole(0, 0);
};

/// `Lines` of `LineSegments` for z = M^-1 rhs. M is symmetric: the coupling with the level below is that of
/// the row below.
template <class RightHandSide, class Coefficients, class LayoutType, int Levels>
struct ColumnLines {
  using Scalar = typename Coefficients::scalar_type;
  using Value = Scalar;
  using Layout = LayoutType;
  using Memory = typename Coefficients::memory_space;
  using Kept = typename KeptRow<Coefficients>::type;
  static constexpr int num_sums = RightHandSide::num_sums, levels = Levels;
  /// Rows that are not kept, or in single precision, leave registers for two teams.
  static constexpr unsigned min_teams =
      Levels != column_segments[0]
          ? 1
          : (computes_rows_again<Coefficients> ? line_teams<RightHandSide>()
                                               : LineSegmentTuning::least_teams<Kept>);
  static constexpr bool combines = RightHandSide::combines;

  ColumnSystem<Coefficients> system;
  RightHandSide rhs;
  FieldView<Scalar, Layout, Memory> z;

  KOKKOS_FUNCTION int num_columns() const { return system.topology.num_owned; }
  KOKKOS_FUNCTION int num_levels() const { return system.topology.num_levels; }
  const auto& solution() const { return z; }
  KOKKOS_FUNCTION bool active() const { return rhs.active(); }
  /// Levels of a segment in the table. Segments are a level apart, see `HelmholtzLines`.
  static constexpr int table_levels = Levels + 1;
  KOKKOS_FUNCTION static std::size_t table_size(const SegmentShape& shape) {
    if constexpr (stages_levels<Coefficients>) {
      using Level = typename Coefficients::line_level;
      return static_cast<std::size_t>(shape.segments * table_levels) * sizeof(Level) /
             sizeof(Scalar);
    }
    return 0;
  }
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void stage(const Member& member, const SegmentShape& shape,
                                         Scalar* tables) const {
    if constexpr (stages_levels<Coefficients>) {
      using Level = typename Coefficients::line_level;
      auto* const table = reinterpret_cast<Level*>(tables);
      for (int k = member.team_rank(); k < shape.segments * Levels; k += shape.team_size()) {
        table[k + k / Levels] = k < num_levels() ? system.coefficients.profile(k) : Level{};
      }
    }
  }

  struct Line {
    const ColumnSystem<Coefficients>& system;
    typename RightHandSide::template Thread<Value> rhs;
    ColumnCells<Scalar, Value> z;  // from the last level down
    HeldColumn<Coefficients, 0> held;
    int column, first;
    const Scalar* table;  // from the first level up
    Kept lower = 0;       // of the first row
    static constexpr int kept = computes_rows_again<Coefficients> ? 1 : Levels;
    Kept row_sum[extent_of<kept>] = {}, upper[extent_of<kept>] = {};
    double energy = 0;

    KOKKOS_FORCEINLINE_FUNCTION void load_segment(int count, Value (&a)[extent_of<Levels>],
                                                  Value (&b)[extent_of<Levels>]) {
      if constexpr (!computes_rows_again<Coefficients>) count = load_rows(count);
      LAMINA_DEVICE_UNROLL()
      for (int i = 0; i < Levels; ++i) {
        a[i] = b[i] = spread<Value>(Scalar(0));
        rhs.load(i < count, a[i], b[i]);
      }
    }
    /// Returns how many rows there are, but for those at the end that are dry: there x is 0.
    KOKKOS_FORCEINLINE_FUNCTION int load_rows(int count) {
      if constexpr (requires { system.coefficients.segment(0, 0); }) {
        const auto rows = system.coefficients.segment(column, first);
        const int wet = rows.wet() < count ? rows.wet() : count;
        if (first > 0 && wet > 0) lower = static_cast<Kept>(-rows.below());
        LAMINA_DEVICE_UNROLL()
        for (int i = 0; i < Levels; ++i) {
          row_sum[i] = i < wet ? static_cast<Kept>(rows.line_mass(i)) : Kept(1);
          upper[i] = i + 1 < wet ? static_cast<Kept>(-rows.above(i)) : Kept(0);
        }
        return wet;
      } else {
        LAMINA_DEVICE_UNROLL()
        for (int i = 0; i < Levels; ++i) {
          if (i >= count) break;
          const auto row = line_row(held, system, first + i);
          if (i == 0) lower = static_cast<Kept>(row.lower);
          row_sum[i] = static_cast<Kept>(row.row_sum);
          upper[i] = static_cast<Kept>(row.upper);
        }
        return count;
      }
    }
    KOKKOS_FORCEINLINE_FUNCTION Value right_hand_side(int, const Value& a, const Value& b,
                                                      bool inside) {
      return rhs.value(a, b, inside);
    }
    /// Rows of a segment above all that ends.
    struct WholeRows {
      const Line& line;
      KOKKOS_FORCEINLINE_FUNCTION LineRow<Value> row(int i, bool) const {
        const auto* const levels = line.staged();
        return {-line.held.whole_line_above(line.staged_below(i)),
                line.held.whole_line_mass(levels[i]), -line.held.whole_line_above(levels[i].above)};
      }
    };
    /// Calls body(rows), where rows.row(i, exists) is that of the line, without asking at each level what ends
    /// there where nothing does.
    template <class Body>
    KOKKOS_FORCEINLINE_FUNCTION void with_rows(const Body& body) const {
      if constexpr (stages_levels<Coefficients> && ends_somewhere<Coefficients>) {
        if (held.is_whole(first + Levels, system.topology.num_levels))
          return body(WholeRows{*this});
      }
      body(*this);
    }
    KOKKOS_FORCEINLINE_FUNCTION auto staged() const {
      return reinterpret_cast<const typename Coefficients::line_level*>(table);
    }
    /// The coupling with the level below is that of the row below: it is computed once.
    KOKKOS_FORCEINLINE_FUNCTION Scalar staged_below(int i) const {
      return i > 0 ? staged()[i > 0 ? i - 1 : 0].above : staged()[0].below;
    }
    /// Rows beyond the last level give x = 0.
    KOKKOS_FORCEINLINE_FUNCTION LineRow<Value> row(int i, bool exists) const {
      if constexpr (stages_levels<Coefficients>) {
        const auto* const levels = staged();
        const int k = first + i;
        const Scalar below = staged_below(i);
        return {-held.line_above(below, k - 1), held.line_mass(system.coefficients, levels[i], k),
                -held.line_above(levels[i].above, k)};
      } else if constexpr (computes_rows_again<Coefficients>) {
        return exists ? line_row(held, system, first + i)
                      : LineRow<Value>{Scalar(0), Scalar(1), Scalar(0)};
      } else {
        const Kept below = i == 0 ? lower : upper[i > 0 ? i - 1 : 0];
        return exists ? LineRow<Value>{converted_here<Scalar>(below),
                                       converted_here<Scalar>(row_sum[i]),
                                       converted_here<Scalar>(upper[i])}
                      : LineRow<Value>{Scalar(0), Scalar(1), Scalar(0)};
      }
    }
    KOKKOS_FORCEINLINE_FUNCTION void weigh(int, const Value& remainder, const Value& value) {
      if constexpr (num_sums > 0) add_product(energy, remainder, value);
    }
    KOKKOS_FORCEINLINE_FUNCTION void store(int, bool wanted, const Value& x) {
      if (wanted) z.store(x);
      z.go_down();
    }
    KOKKOS_FORCEINLINE_FUNCTION void add_sums(double* sums) const { rhs.add_sums(energy, sums); }
  };
  KOKKOS_FORCEINLINE_FUNCTION Line line(int column, int first, const Scalar* tables) const {
    const Scalar* table = nullptr;
    if constexpr (stages_levels<Coefficients>) {
      using Level = typename Coefficients::line_level;
      table = reinterpret_cast<const Scalar*>(reinterpret_cast<const Level*>(tables) +
                                              first / Levels * table_levels);
    }
    return {system,
            begin_rhs<Value>(rhs, system, column, first),
            {z, column, first + Levels - 1},
            hold_column<0>(system.coefficients, column),
            column,
            first,
            table};
  }
};

/// One thread takes a column; factors travel through memory.
// traffic: reads and writes 2n more than on chip
template <class RightHandSide, class Coefficients, class Layout>
struct ColumnThreadLines {
  using Scalar = typename Coefficients::scalar_type;
  using Memory = typename Coefficients::memory_space;
  static constexpr int num_sums = RightHandSide::num_sums;

  ColumnSystem<Coefficients> system;
  RightHandSide rhs;
  FieldView<Scalar, Layout, Memory> z, factors;
  TeamParts<Memory> parts;
  double* result;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    solve_thread_lines(member, system.topology.num_owned, rhs, parts, result,
                       [&](int column, double* sums) { solve(column, sums); });
  }

 private:
  KOKKOS_FUNCTION void solve(int column, double* sums) const {
    const int last = system.topology.num_levels - 1;
    auto thread = begin_rhs<Scalar>(rhs, system, column, 0);
    const auto held = hold_column<0>(system.coefficients, column);
    Scalar carry = 0, previous = 0;
    double energy = 0;
    for (int k = 0; k <= last; ++k) {
      const auto row = line_row(held, system, k);
      const auto eliminated = eliminate(row, carry);
      Scalar a = 0, b = 0;
      thread.load(true, a, b);
      const Scalar remainder = thread.value(a, b, true) - row.lower * previous;
      previous = remainder * eliminated.inverse;
      add_product(energy, remainder, previous);
      z(column, k) = previous;
      factors(column, k) = eliminated.factor;
    }
    previous = 0;
    for (int k = last; k >= 0; --k) {
      previous = z(column, k) - factors(column, k) * previous;
      z(column, k) = previous;
    }
    thread.add_sums(energy, sums);
  }
};

/// z = M^-1 rhs over all owned columns; what is summed up goes to `result`.
template <class Space, class Coefficients, class Scalar, class Layout, class Memory,
          class RightHandSide>
void run_column_lines(const char* label, const Space& space,
                      const ColumnSystem<Coefficients>& system, const RightHandSide& rhs,
                      const FieldView<Scalar, Layout, Memory>& z,
                      const LineWorkspace<Scalar, Memory>& workspace,
                      const TeamParts<Memory>& parts, double* result) {
  const auto on_chip = [&]<int Levels>(std::integral_constant<int, Levels>) {
    run_line_segments(label, space,
                      ColumnLines<RightHandSide, Coefficients, Layout, Levels>{system, rhs, z},
                      workspace.carries(), parts, result);
  };
  const int levels = workspace.carries().cut.levels;
  if (levels == column_segments[0]) {
    on_chip(std::integral_constant<int, column_segments[0]>());
  } else if (levels == column_segments[1]) {
    on_chip(std::integral_constant<int, column_segments[1]>());
  } else {
    using Kernel = ColumnThreadLines<RightHandSide, Coefficients, Layout>;
    const int teams = teams_at_once(
        ceil_divide(system.topology.num_owned, ThreadLineTuning::threads),
        teams_that_fit(space, ThreadLineTuning::threads, ThreadLineTuning::least_teams));
    const auto factors =
        workspace.template as_field<Layout>(system.topology.num_owned, system.topology.num_levels);
    launch_summing<ThreadLineTuning::threads, ThreadLineTuning::least_teams>(
        label, space, teams, Kernel{system, rhs, z, factors, parts, result});
  }
}

}  // namespace Lamina::Impl
