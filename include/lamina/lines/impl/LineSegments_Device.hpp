// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Line solves on a device with the columns on chip: several threads share a column, each holds a
// segment of its levels in registers, and right-hand side and solution travel once.
//
// Thomas' algorithm is a forward and a backward recurrence, each affine in the value that enters it.
// Every thread runs its segment as if 0 entered, and keeps what a value that enters would be
// multiplied with; one thread per column then goes through the segments, after which all run again
// with the value that really enters. The recurrence of the pivots is not affine, but depends on the
// matrix only: its values at the segments' beginnings, the carries, are computed once, and the
// segments are eliminated while the right-hand sides are on their way.

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/Access.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/OverlappedTeams_Device.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>
#include <lamina/lines/Tridiagonal.hpp>
#include <lamina/lines/impl/LineWorkspace.hpp>
#include <lamina/lines/impl/SegmentLoops_Device.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace Lamina::Impl {

/// Solves T x = b. `Lines` says what the systems are:
///
///   Scalar, Layout, Memory
///   Value                                    the scalar, or a pack of neighbouring columns, which
///                                            a thread solves side by side
///   num_sums                                 that `line.add_sums` gives
///   levels                                   of a segment, held in registers
///   min_teams                                of the greatest size that must fit at once
///   combines                                 right-hand sides are made of two fields
///   lines.num_columns(), lines.num_levels()
///   lines.solution()                         the field that is stored, and stands for others
///   lines.active()                           false: nothing happens
///   Lines::table_size(shape)                 values of scratch that a team's tables take
///   lines.stage(member, shape, tables)       fills them, with nothing that kernels before may
///                                            still write; a barrier follows
///   lines.line(column, first, tables)        one thread's view of its segment:
///     line.load(i, exists, a, b)             asks for what row i needs of the fields, if it exists;
///                                            rows in turn, and so in what follows
///     line.right_hand_side(i, a, b, inside)  of row i; `inside`: the row exists and is this thread's
///     line.row(i, exists)                    its coefficients, may be asked again
///     line.weigh(i, t, z)                    z = t / pivot after the forward recurrence
///     line.store(i, wanted, x)               rows in turn, downwards
///     line.add_sums(sums)                    double sums[num_sums]
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
  double* result;  // where the sums go

  KOKKOS_FUNCTION std::size_t scratch_bytes() const {
    return (entering_size() + Lines::table_size(shape)) * sizeof(Scalar);
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
      // Room for `entering` is room enough: two of `Value` for each thread.
      static_assert(2 * sizeof(Value) >= sizeof(double));
      parts.template add_up<Lines::num_sums>(member, reinterpret_cast<double*>(scratch), sums,
                                             result);
    }
  }

  /// Fills the team's tables; a barrier is to follow.
  /// \param scratch  of the team: scratch_bytes()
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void stage(const Member& member, Scalar* scratch) const {
    lines.stage(member, shape, scratch + entering_size());
  }
  /// Solves for the columns that fall to the team.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void solve_tiles(const Member& member, Scalar* scratch,
                                               double* sums) const {
    const int end = num_tiles();
    for (int tile = member.league_rank(); tile < end; tile += member.league_size()) {
      solve(member, tile, scratch, sums);
    }
  }

  /// Tiles of columns; a team takes one at a time.
  KOKKOS_FUNCTION int num_tiles() const {
    return lines.num_columns() > 0 ? (lines.num_columns() - 1) / (shape.columns * width) + 1 : 0;
  }

 private:
  /// Values of scratch for what enters segments.
  KOKKOS_FUNCTION std::size_t entering_size() const {
    return static_cast<std::size_t>(2 * width * shape.team_size());
  }

  /// Solves for the columns of one tile.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void solve(const Member& member, int tile, Scalar* scratch,
                                         double* sums) const {
    const SegmentPlace place = segment_place<Layout>(shape, member.team_rank());
    const int wanted = (tile * shape.columns + place.in_tile) * width;
    const bool live = wanted < lines.num_columns();
    const int column = live ? wanted : lines.num_columns() - width;
    const int first = place.segment * levels;
    const int count = lines.num_levels() - first;

    auto line = lines.line(column, first, scratch + entering_size());
    const Value zero = spread<Value>(Scalar(0));

    // The elimination begins with it: it must not queue up behind the right-hand sides.
    // Packs lie aligned there: segments are as far apart as there are columns, an even number.
    Value carry = load<Value>(&carries(place.segment, column));
    Value y[extent_of<levels>], inverse[extent_of<levels>];
    Loops::up([&](int i) {
      y[i] = inverse[i] = spread<Value>(Scalar(0));
      line.load(i, i < count, y[i], inverse[i]);
    });
    keep_order();  // or loads would be put off until the elimination is done
    const auto right_hand_side = [&](int i) {
      return line.right_hand_side(i, y[i], inverse[i], live && i < count);
    };
    if constexpr (Lines::combines) {  // the second field makes room
      Loops::up([&](int i) { y[i] = right_hand_side(i); });
    }
    Value factor = spread<Value>(Scalar(1)), shift = spread<Value>(Scalar(0));
    Loops::up([&](int i) {
      const auto row = line.row(i, i < count);
      inverse[i] = eliminate(row, carry).inverse;
      factor = factor * -(row.lower * inverse[i]);
    });
    keep_order();  // or right-hand sides would be moved up, where registers are short
    Loops::up([&](int i) {
      const auto row = line.row(i, i < count);
      if constexpr (!Lines::combines) y[i] = right_hand_side(i);
      shift = (y[i] - row.lower * shift) * inverse[i];
    });

    Value z = entering_segment(member, shape, place, scratch, factor, shift, true, zero);
    Loops::up([&](int i) {
      const auto row = line.row(i, i < count);
      const Value remainder = y[i] - row.lower * z;
      z = remainder * inverse[i];
      line.weigh(i, remainder, z);
      y[i] = z;
      inverse[i] = inverse[i] * row.upper;
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
  }
};

/// Whether levels of a field begin with a sector of memory.
template <class FieldType>
bool levels_begin_sectors(const FieldType& x) {
  constexpr std::size_t sector = 32;
  return reinterpret_cast<std::uintptr_t>(x.data()) % sector == 0 &&
         x.stride(1) * sizeof(typename FieldType::value_type) % sector == 0;
}

/// How teams share the columns. Small ones wait less for each other: on an H200, columns of 20 to
/// 512 levels, planes of 64 x 64 to 1000 x 1000, they take up to 14 % off (20 levels, 1000 x 1000:
/// they add 3 %). But with half a line of the cache to a level, or where levels begin anywhere,
/// solves take 1.1 to 1.5 times as long, and 512 threads that share 32 columns are better. Where
/// columns are contiguous nothing else was measured.
template <class Lines>
SegmentShape line_shape(const Lines& lines, const LineCut& cut) {
  constexpr int line = 128 / static_cast<int>(sizeof(typename Lines::Value));
  if (levels_contiguous<typename Lines::Layout>) return segment_shape(cut, 16, 256);
  if (levels_begin_sectors(lines.solution())) return segment_shape(cut, line, 160);
  return segment_shape(cut, 32, 256);
}

/// Teams that fit on the device at once: so many whole ones on each multiprocessor. With one more
/// on some, these would begin when others end, and the kernel would take twice the time.
template <class Lines, class Space>
std::int64_t line_segment_teams(const Space& space, const SegmentShape& shape) {
  // Registers as for teams of the greatest size; smaller ones fit more often.
  constexpr std::int64_t threads = static_cast<std::int64_t>(Lines::min_teams) * max_segment_team;
  const std::int64_t multiprocessors = teams_that_fit(space, max_segment_team, 1);
  return std::min<std::int64_t>(multiprocessors * (threads / shape.team_size()), max_summing_teams);
}

/// Rounds that teams may go, see `teams_in_rounds`. Tiles share nothing but sectors of memory, where
/// levels do not begin with one: a sector of which one team writes a part, and another one the rest
/// much later, travels twice. In many rounds that happens: 1023 x 1023 columns of 128 levels in
/// single precision take 0.67 ms on an H200, and 0.47 in order. Where no sector is shared rounds
/// are 5 to 10 % faster.
template <class FieldType>
int most_line_rounds(const FieldType& x) {
  const bool whole = levels_contiguous<typename FieldType::array_layout> || levels_begin_sectors(x);
  return whole ? any_number_of_rounds : 16;
}

/// Solves for all columns; what is summed up goes to `result`.
template <class Space, class Lines>
void run_line_segments(const char* label, const Space& space, const Lines& lines,
                       const LineCarries<typename Lines::Scalar, typename Lines::Memory>& carries,
                       const TeamParts<typename Lines::Memory>& parts, double* result) {
  const LineSegments<Lines> kernel{lines, line_shape(lines, carries.cut), carries.values, parts,
                                   result};
  const int teams =
      teams_in_rounds(kernel.num_tiles(), line_segment_teams<Lines>(space, kernel.shape),
                      most_line_rounds(lines.solution()));
  launch_teams<max_segment_team, Lines::min_teams>(label, space, teams, kernel.shape.team_size(),
                                                   kernel.scratch_bytes(), kernel);
}

}  // namespace Lamina::Impl
