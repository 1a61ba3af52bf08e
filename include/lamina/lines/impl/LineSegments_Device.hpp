// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Line solves on a device with the columns on chip. Several threads share a column. Each holds a
// segment of its levels in registers. Right-hand side and solution cross the memory bus once.
//
// Thomas' algorithm is a forward and a backward recurrence. Each is affine in the value that enters
// it. Every thread runs its segment with 0 as the entering value, and keeps the factor of that
// value. One thread per column then goes through the segments. After that every thread runs its
// segment again, with the value that enters.
//
// The recurrence of the pivots is not affine, but it depends on the matrix only. Its values at the
// beginnings of the segments, the carries, are computed once. A segment is eliminated while the
// loads of the right-hand side are in flight.

#include <lamina/core/Concepts.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/Access.hpp>
#include <lamina/device/impl/OverlappedTeams_Device.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>
#include <lamina/device/impl/Warp_Device.hpp>
#include <lamina/lines/Tridiagonal.hpp>
#include <lamina/lines/impl/LineWorkspace.hpp>
#include <lamina/lines/impl/SegmentLoops_Device.hpp>
#include <lamina/lines/impl/Tuning.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace Lamina::Impl {

/// Lines whose tiles are loaded through scratch; where levels are contiguous by the team as a whole:
///
///   Lines::staged_size(shape)                                  values of scratch
///   lines.load_tile(member, shape, tile, tables, scratch)      before the threads solve
///   lines.line(column, shape, place, tables, scratch, sums)    instead of the other one
///   lines.store_tile(member, shape, tile, scratch, sums)       afterwards, where levels are contiguous;
///                                                              else a thread stores its segment itself
template <class Lines>
concept StagesTiles = requires(const SegmentShape& shape) {
  Lines::staged_size(shape);
};

/// Solves T x = b. `Lines` describes the systems:
///
///   Scalar, Layout, Memory
///   Value                                    the scalar, or a pack of neighbouring columns that a
///                                            thread solves together
///   num_sums                                 number of sums of `line.add_sums`
///   levels                                   levels of a segment
///   min_teams                                teams of `max_threads` on a multiprocessor, at least
///   combines                                 a right-hand side is computed from two fields
///   lines.num_columns(), lines.num_levels()
///   lines.solution()                         the field that is stored; others are aligned like it
///   lines.active()                           false: the solve is over, the kernel does nothing
///   lines.leaves_room()                      optional: whether small kernels run beside this one, whose
///                                            teams stay to its end and would keep all places
///   Lines::table_size(shape)                 values of scratch of a team's tables
///   lines.stage(member, shape, tables)       fills the tables; must not read what earlier kernels
///                                            may still write; a barrier follows
///   lines.line(column, first, tables)        the segment of one thread:
///     line.load(i, exists, a, b)             loads the fields of row i, if it exists; called for
///                                            rows in ascending order, as the next ones
///     line.load_segment(count, a, b)         instead of it: the first `count` rows, which may be more than
///                                            a segment has, or none
///     line.right_hand_side(i, a, b, inside)  of row i; `inside`: the row exists and this thread
///                                            stores it
///     line.row(i, exists)                    coefficients of row i; may be called again
///     line.with_rows(body)                   optional: calls body(rows), where rows.row(i, exists) may be
///                                            cheaper than that of the line
///     line.weigh(i, t, z)                    z = t / pivot after the forward recurrence
///     line.store(i, wanted, x)               called for rows in descending order
///     line.add_sums(sums)                    double sums[num_sums]
///
/// Lines may stage tiles, see `StagesTiles`.
template <class Lines>
struct LineSegments {
  static constexpr int levels = Lines::levels;
  static constexpr int width = value_width<typename Lines::Value>;
  using Scalar = typename Lines::Scalar;
  using Value = typename Lines::Value;
  using Memory = typename Lines::Memory;
  using Layout = typename Lines::Layout;
  using Loops = SegmentLoops<levels>;

  Lines lines;
  SegmentShape shape;
  LineCarryView<Scalar, Memory> carries;
  TeamParts<Memory> parts;
  double* result;  // of the sums

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    std::size_t size = entering_size() + Lines::table_size(shape);
    if constexpr (StagesTiles<Lines>) size += Lines::staged_size(shape);
    return size * sizeof(Scalar);
  }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    double sums[Lines::num_sums + 1] = {};
    auto* const scratch = static_cast<Scalar*>(member.scratch());
    stage(member, scratch);
    member.wait_for_previous();
    if (lines.active()) {
      member.team_barrier();
      solve_tiles(member, scratch, sums);
    }
    if constexpr (Lines::num_sums > 0) {
      // The scratch of entering values suffices: it has two of `Value` for each thread.
      static_assert(2 * sizeof(Value) >= sizeof(double));
      parts.template add_up<Lines::num_sums>(member, reinterpret_cast<double*>(scratch), sums,
                                             result);
    }
  }

  /// Fills the team's tables. The caller places a barrier after it.
  /// \param scratch  of the team: scratch_bytes()
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void stage(const Member& member, Scalar* scratch) const {
    lines.stage(member, shape, scratch + entering_size());
  }
  /// Solves for the columns of this team.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void solve_tiles(const Member& member, Scalar* scratch,
                                               double* sums) const {
    const int end = num_tiles();
    for (int tile = member.league_rank(); tile < end; tile += member.league_size()) {
      solve(member, tile, scratch, sums);
    }
  }

  /// Number of tiles of columns. A team takes one at a time.
  KOKKOS_FUNCTION int num_tiles() const {
    return lines.num_columns() > 0 ? (lines.num_columns() - 1) / (shape.columns * width) + 1 : 0;
  }

 private:
  /// Values of scratch for the values that enter segments.
  KOKKOS_FUNCTION std::size_t entering_size() const {
    return static_cast<std::size_t>(2 * width * shape.team_size());
  }

  /// Solves for the columns of one tile. One function, as all of it works on the same registers, and the order
  /// of its loads and recurrences decides how many there must be.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void solve(const Member& member, int tile, Scalar* scratch,
                                         double* sums) const {
    const SegmentPlace place = segment_place<Layout>(shape, member.team_rank());
    const int wanted = (tile * shape.columns + place.in_tile) * width;
    const bool live = wanted < lines.num_columns();
    const int column = live ? wanted : lines.num_columns() - width;
    const int first = place.segment * levels;
    const int count = lines.num_levels() - first;

    auto line = begin_line(member, tile, place, column, scratch, sums);
    const Value zero = spread<Value>(Scalar(0));

    // The elimination begins with the carry: its load must precede those of the right-hand sides. A
    // pack is aligned there: the stride between segments is the number of columns, an even number.
    Value carry = load<Value>(&carries(place.segment, column));
    Value y[extent_of<levels>], inverse[extent_of<levels>];
    if constexpr (requires { line.load_segment(count, y, inverse); }) {
      line.load_segment(count, y, inverse);
    } else {
      Loops::up([&](int i) {
        y[i] = inverse[i] = spread<Value>(Scalar(0));
        line.load(i, i < count, y[i], inverse[i]);
      });
    }
    keep_order();  // keeps the compiler from moving loads behind the elimination
    const auto right_hand_side = [&](int i) {
      return line.right_hand_side(i, y[i], inverse[i], live && i < count);
    };
    if constexpr (Lines::combines) {  // frees the registers of the second field
      Loops::up([&](int i) { y[i] = right_hand_side(i); });
    }
    Value factor = spread<Value>(Scalar(1)), shift = spread<Value>(Scalar(0));
    with_rows(line, [&](const auto& rows) {
      Loops::up([&](int i) {
        const auto row = rows.row(i, i < count);
        inverse[i] = eliminate(row, carry).inverse;
        factor = factor * -(row.lower * inverse[i]);
      });
    });
    keep_order();  // keeps right-hand sides behind the elimination, where registers are short
    with_rows(line, [&](const auto& rows) {
      Loops::up([&](int i) {
        const auto row = rows.row(i, i < count);
        if constexpr (!Lines::combines) y[i] = right_hand_side(i);
        shift = (y[i] - row.lower * shift) * inverse[i];
      });
    });

    Value z = entering_segment(member, shape, place, scratch, factor, shift, true, zero);
    with_rows(line, [&](const auto& rows) {
      Loops::up([&](int i) {
        const auto row = rows.row(i, i < count);
        const Value remainder = y[i] - row.lower * z;
        z = remainder * inverse[i];
        line.weigh(i, remainder, z);
        y[i] = z;
        inverse[i] = inverse[i] * row.upper;
      });
    });
    factor = spread<Value>(Scalar(1));
    shift = spread<Value>(Scalar(0));
    Loops::down([&](int i) {
      shift = y[i] - inverse[i] * shift;
      factor = factor * -inverse[i];
    });
    Value x = entering_segment(member, shape, place, scratch, factor, shift, false, zero);
    Loops::down([&](int i) {
      x = y[i] - inverse[i] * x;
      line.store(i, live && i < count, x);
    });
    if (live) line.add_sums(sums);
    if constexpr (StagesTiles<Lines> && levels_contiguous<Layout>) {
      member.team_barrier();
      lines.store_tile(member, shape, tile, staged(scratch), sums);
    }
  }

  /// Calls body(rows), where rows.row(i, exists) is that of the line.
  template <class Line, class Body>
  KOKKOS_FORCEINLINE_FUNCTION static void with_rows(const Line& line, const Body& body) {
    if constexpr (requires { line.with_rows(body); }) {
      line.with_rows(body);
    } else {
      body(line);
    }
  }
  KOKKOS_FUNCTION Scalar* staged(Scalar* scratch) const {
    return scratch + entering_size() + Lines::table_size(shape);
  }
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION auto begin_line(const Member& member, int tile,
                                              const SegmentPlace& place, int column,
                                              Scalar* scratch, double* sums) const {
    const Scalar* const tables = scratch + entering_size();
    if constexpr (StagesTiles<Lines>) {
      lines.load_tile(member, shape, tile, tables, staged(scratch));
      // Otherwise each thread finds what it stored itself.
      if constexpr (levels_contiguous<Layout>) member.team_barrier();
      return lines.line(column, shape, place, tables, staged(scratch), sums);
    } else {
      return lines.line(column, place.segment * levels, tables);
    }
  }
};

/// Whether each level of a field begins with a sector of memory.
template <class FieldType>
bool levels_begin_sectors(const FieldType& x) {
  constexpr std::size_t sector = LineSegmentTuning::sector_bytes;
  return reinterpret_cast<std::uintptr_t>(x.data()) % sector == 0 &&
         x.stride(1) * sizeof(typename FieldType::value_type) % sector == 0;
}

/// The shape of teams. Small teams wait less at barriers, but need a whole cache line of each
/// level.
template <class Lines>
SegmentShape line_shape(const Lines& lines, const LineCut& cut) {
  using Tuning = LineSegmentTuning;
  constexpr int line = Tuning::line_bytes / static_cast<int>(sizeof(typename Lines::Value));
  if (levels_contiguous<typename Lines::Layout>) {
    return segment_shape(cut, Tuning::contiguous_columns);
  }
  if (levels_begin_sectors(lines.solution())) {
    return segment_shape(cut, {line, Tuning::aligned_threads});
  }
  return segment_shape(cut, Tuning::unaligned_levels);
}

/// Makes teams narrower until their scratch is small enough, and while narrower tiles find a multiprocessor each: with
/// so few of them a kernel takes as long as one tile.
template <class Lines>
void fit_teams(LineSegments<Lines>& kernel, std::int64_t multiprocessors) {
  using Tuning = LineSegmentTuning;
  while ((kernel.scratch_bytes() > std::size_t{Tuning::scratch_bytes} ||
          2 * kernel.num_tiles() <= multiprocessors) &&
         kernel.shape.columns > Tuning::least_columns) {
    kernel.shape.columns /= 2;
    while (kernel.shape.team_size() % warp_lanes != 0) ++kernel.shape.segments;
  }
}

/// Teams that fit on the device at once, the same number on each multiprocessor. One more team on
/// some of them would start when the others end: a tail wave of the same length.
template <class Lines, class Space>
std::int64_t line_segment_teams(const Space& space, const SegmentShape& shape) {
  // Registers are those of the largest team. Of smaller teams more fit.
  constexpr int most = LineSegmentTuning::max_threads;
  constexpr std::int64_t threads = static_cast<std::int64_t>(Lines::min_teams) * most;
  const std::int64_t multiprocessors = teams_that_fit(space, most, 1);
  return std::min<std::int64_t>(multiprocessors * (threads / shape.team_size()), max_summing_teams);
}

/// Rounds that teams may take, see `teams_in_rounds`. Where levels do not begin with a sector, two
/// tiles share sectors. In many rounds the two teams write their parts at different times, and the
/// sector crosses the memory bus twice.
template <class FieldType>
int most_line_rounds(const FieldType& x) {
  const bool whole = levels_contiguous<typename FieldType::array_layout> || levels_begin_sectors(x);
  return whole ? any_number_of_rounds : LineSegmentTuning::most_rounds;
}

/// Solves for all columns. The sums go to `result`.
template <class Space, class Lines>
void run_line_segments(const char* label, const Space& space, const Lines& lines,
                       const LineCarries<typename Lines::Scalar, typename Lines::Memory>& carries,
                       const TeamParts<typename Lines::Memory>& parts, double* result) {
  LineSegments<Lines> kernel{lines, line_shape(lines, carries.cut), carries.values, parts, result};
  fit_teams(kernel, teams_that_fit(space, LineSegmentTuning::max_threads, 1));
  std::int64_t at_once = line_segment_teams<Lines>(space, kernel.shape);
  if constexpr (requires { lines.leaves_room(); }) {
    if (lines.leaves_room()) at_once -= at_once / LineSegmentTuning::room_share;
  }
  const int teams =
      teams_in_rounds(kernel.num_tiles(), at_once, most_line_rounds(lines.solution()));
  launch_teams<LineSegmentTuning::max_threads, Lines::min_teams>(
      label, space, teams, kernel.shape.team_size(), kernel.scratch_bytes(), kernel);
}

}  // namespace Lamina::Impl
