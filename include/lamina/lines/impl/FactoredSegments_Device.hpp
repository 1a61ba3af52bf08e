// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Lines with stored coefficients on a device, on chip as in `LineSegments_Device.hpp`. The factors
// of a segment stay in registers. They serve several right-hand sides, and the response of a cyclic
// line to its last level.

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/OverlappedTeams_Device.hpp>
#include <lamina/device/impl/Warp_Device.hpp>
#include <lamina/lines/impl/LineSegments_Device.hpp>
#include <lamina/lines/impl/SegmentLoops_Device.hpp>
#include <lamina/lines/impl/StoredLines_Device.hpp>

#include <cstddef>

namespace Lamina::Impl {

/// Solves for all right-hand sides, one after the other. Cyclic lines as in `TileFactors`.
template <class Columns>
struct FactoredSegments {
  using Scalar = typename Columns::scalar_type;
  using Value = Scalar;
  using Layout = typename Columns::layout;
  using Memory = typename Columns::memory_space;
  using Fields = typename Columns::fields_type;
  static constexpr int levels = LineSegmentTuning::stored_levels;
  static constexpr unsigned min_teams = LineSegmentTuning::least_teams<Scalar>;
  using Loops = SegmentLoops<levels>;
  using Row = decltype(std::declval<const Columns&>().row(0, 0));

  Columns columns;
  Fields fields;
  SegmentShape shape;
  LineCarryView<Scalar, Memory> carries;
  FirstBadColumn<Memory> first_bad;

  /// Two values for each thread and two for each column.
  std::size_t scratch_bytes() const {
    return static_cast<std::size_t>(2 * (shape.team_size() + shape.columns)) * sizeof(Scalar);
  }
  KOKKOS_FUNCTION int num_tiles() const {
    return (columns.num_columns() + shape.columns - 1) / shape.columns;
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    member.wait_for_previous();
    const int end = num_tiles();
    for (int tile = member.league_rank(); tile < end; tile += member.league_size()) {
      solve(member, tile, static_cast<Scalar*>(member.scratch()));
    }
  }

 private:
  /// The segment of a thread. Beyond the inner levels x is 0, or x_last in a cyclic line.
  struct Segment {
    SegmentPlace place;
    int column, first, count;
    bool live;
    Scalar lower[levels], inverse[levels], upper[levels];  // lower and upper over the pivot

    KOKKOS_FORCEINLINE_FUNCTION bool wants(int i) const { return live && i < count; }
    KOKKOS_FORCEINLINE_FUNCTION bool leads() const { return place.here == place.in_tile; }
  };

  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void solve(const Member& member, int tile, Scalar* scratch) const {
    Segment segment;
    segment.place = segment_place<Layout>(shape, member.team_rank());
    const int wanted = tile * shape.columns + segment.place.in_tile;
    segment.live = wanted < columns.num_columns();
    segment.column = segment.live ? wanted : columns.num_columns() - 1;
    segment.first = segment.place.segment * levels;
    segment.count = columns.num_inner_levels() - segment.first;
    Scalar y[levels];
    factorise(segment, y);
    if constexpr (Columns::is_cyclic) {
      solve_cyclic(member, segment, scratch, y);
    } else {
      for (int n = 0; n < fields.count; ++n) {
        if (n > 0) load_rhs(segment, n, y);
        solve_inner(member, segment, scratch, y, Scalar(0));
        Loops::up([&](int i) {
          if (segment.wants(i)) fields.x[n](segment.column, segment.first + i) = y[i];
        });
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void load_rhs(const Segment& segment, int n, Scalar* y) const {
    Loops::up([&](int i) {
      y[i] = i < segment.count ? fields.rhs[n](segment.column, segment.first + i) : Scalar(0);
    });
  }

  /// Eliminates while the loads of the first right-hand side are in flight.
  KOKKOS_FORCEINLINE_FUNCTION void factorise(Segment& segment, Scalar* y) const {
    Scalar carry = carries(segment.place.segment, segment.column);
    Row rows[levels];
    Loops::up([&](int i) {
      const bool exists = i < segment.count;
      rows[i] = exists ? columns.row(segment.column, segment.first + i)
                       : Row{Scalar(0), Scalar(1), Scalar(0)};
    });
    load_rhs(segment, 0, y);
    keep_order();  // keeps the compiler from moving loads behind the elimination
    Loops::up([&](int i) {
      const auto eliminated = eliminate(rows[i], carry);
      segment.lower[i] = rows[i].lower * eliminated.inverse;
      segment.inverse[i] = eliminated.inverse;
      const Scalar beyond = Columns::is_cyclic ? -1 : 0;
      segment.upper[i] = i < segment.count ? eliminated.factor : beyond;
    });
  }

  /// y becomes the solution of the inner levels where the levels at both ends are `ends`.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void solve_inner(const Member& member, const Segment& segment,
                                               Scalar* scratch, Scalar* y, Scalar ends) const {
    Scalar factor = 1, shift = 0;
    Loops::up([&](int i) {
      y[i] *= segment.inverse[i];
      shift = y[i] - segment.lower[i] * shift;
      factor *= -segment.lower[i];
    });
    Scalar z = entering_segment(member, shape, segment.place, scratch, factor, shift, true, ends);
    Loops::up([&](int i) {
      z = y[i] - segment.lower[i] * z;
      y[i] = z;
    });
    factor = 1;
    shift = 0;
    Loops::down([&](int i) {
      shift = y[i] - segment.upper[i] * shift;
      factor *= -segment.upper[i];
    });
    Scalar x = entering_segment(member, shape, segment.place, scratch, factor, shift, false, ends);
    Loops::down([&](int i) {
      x = y[i] - segment.upper[i] * x;
      y[i] = x;
    });
  }

  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void solve_cyclic(const Member& member, const Segment& segment,
                                                Scalar* scratch, Scalar* y) const {
    Scalar* const of_columns = scratch + 2 * shape.team_size();
    Scalar& below_last = of_columns[segment.place.in_tile];
    Scalar& last = of_columns[shape.columns + segment.place.in_tile];
    const int last_level = columns.num_inner_levels();
    Row row{};
    if (segment.leads()) row = columns.row(segment.column, last_level);

    Scalar response[levels];
    Loops::up([&](int i) { response[i] = 0; });
    solve_inner(member, segment, scratch, response, Scalar(1));
    Scalar closing_inverse = 0;
    hand_on(member, segment, response, below_last);
    if (segment.leads()) {
      const Scalar pivot = row.diagonal + row.lower * below_last + row.upper * response[0];
      closing_inverse = reciprocal(pivot);
      const EliminatedRow<Scalar> closing{pivot, closing_inverse, 0};
      if (segment.live && !closing.usable()) first_bad.note(segment.column);
    }

    for (int n = 0; n < fields.count; ++n) {
      if (n > 0) load_rhs(segment, n, y);
      Scalar remainder = segment.leads() ? fields.rhs[n](segment.column, last_level) : Scalar(0);
      solve_inner(member, segment, scratch, y, Scalar(0));
      hand_on(member, segment, y, below_last);
      if (segment.leads()) {
        remainder -= row.lower * below_last + row.upper * y[0];
        last = remainder * closing_inverse;
        if (segment.live) fields.x[n](segment.column, last_level) = last;
      }
      member.team_barrier();
      const Scalar x_last = last;
      Loops::up([&](int i) {
        if (segment.wants(i)) {
          fields.x[n](segment.column, segment.first + i) = y[i] + x_last * response[i];
        }
      });
    }
  }

  /// Hands the level below the last one to the thread of the first segment. A line of one level
  /// couples with itself: that thread has its value among the levels beyond the end.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void hand_on(const Member& member, const Segment& segment,
                                           const Scalar* y, Scalar& below_last) const {
    const int below = columns.num_inner_levels() - 1 - segment.first;
    Loops::up([&](int i) {
      if (i == below) below_last = y[i];
    });
    if (columns.num_inner_levels() == 0 && segment.leads()) below_last = y[0];
    member.team_barrier();
  }
};

/// Solves for all columns.
template <class Space, class Columns>
void run_factored_segments(
    const char* label, const Space& space, const Columns& columns,
    const typename Columns::fields_type& fields,
    const LineWorkspace<typename Columns::scalar_type, typename Columns::memory_space>& workspace) {
  using Kernel = FactoredSegments<Columns>;
  using Lines = StoredLines<Columns>;
  const Lines shared{columns, fields.rhs[0], fields.x[0]};  // all fields have its alignment
  const auto& carries = workspace.carries();
  const Kernel kernel{columns, fields, line_shape(shared, carries.cut), carries.values,
                      workspace.first_bad_column()};
  const int teams =
      teams_in_rounds(kernel.num_tiles(), line_segment_teams<Lines>(space, kernel.shape),
                      most_line_rounds(shared.solution()));
  launch_teams<LineSegmentTuning::max_threads, Kernel::min_teams>(
      label, space, teams, kernel.shape.team_size(), kernel.scratch_bytes(), kernel);
}

}  // namespace Lamina::Impl
