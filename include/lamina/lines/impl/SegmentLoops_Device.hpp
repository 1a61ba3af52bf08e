// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Loops and exchanges of line solves on a device that hold segments of columns in registers.

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/Pack.hpp>
#include <lamina/lines/impl/LineWorkspace.hpp>
#include <lamina/lines/impl/Tuning.hpp>

#include <utility>

namespace Lamina::Impl {

/// Loops over the levels of a segment, unrolled such that arrays stay in registers.
template <int Levels>
struct SegmentLoops {
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION static void up(const Body& body) {
    unrolled(body, std::make_integer_sequence<int, Levels>());
  }
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION static void down(const Body& body) {
    unrolled([&](int i) { body(Levels - 1 - i); }, std::make_integer_sequence<int, Levels>());
  }

 private:
  template <class Body, int... I>
  KOKKOS_FORCEINLINE_FUNCTION static void unrolled(const Body& body,
                                                   std::integer_sequence<int, I...>) {
    (body(I), ...);
  }
};

/// The segment of a thread.
struct SegmentPlace {
  int in_tile;  ///< column of the tile
  int segment;
  int here;  ///< index in scratch
};

/// Neighbouring threads take neighbours in memory: accesses are coalesced.
template <class Layout>
KOKKOS_FORCEINLINE_FUNCTION SegmentPlace segment_place(const SegmentShape& shape, int rank) {
  const int in_tile = levels_contiguous<Layout> ? rank / shape.segments : rank % shape.columns;
  const int segment = levels_contiguous<Layout> ? rank % shape.segments : rank / shape.columns;
  return {in_tile, segment, segment * shape.columns + in_tile};
}

/// The value that enters this thread's segment, from the affine maps of the segments before it
/// (upwards) or after it. `first` enters the first segment. `scratch` has two of `Value` for each
/// thread. It may be used again at once: a thread overwrites only the value that it read itself.
template <class Member, class Scalar, class Value>
KOKKOS_FORCEINLINE_FUNCTION Value entering_segment(const Member& member, const SegmentShape& shape,
                                                   const SegmentPlace& place, Scalar* scratch,
                                                   const Value& factor, const Value& shift,
                                                   bool upwards, const Value& first) {
  auto* const factors = reinterpret_cast<Value*>(scratch);
  auto* const shifts = factors + shape.team_size();
  factors[place.here] = factor;
  shifts[place.here] = shift;
  member.team_barrier();
  if (place.here == place.in_tile) {  // the thread of the first segment
    const int step = upwards ? shape.columns : -shape.columns;
    int at = upwards ? place.in_tile : place.in_tile + (shape.segments - 1) * shape.columns;
    Value value = first;
    LAMINA_DEVICE_UNROLL(LineSegmentTuning::segments_ahead)
    for (int n = 0; n < shape.segments; ++n) {
      const Value next = shifts[at] + factors[at] * value;
      shifts[at] = value;
      value = next;
      at += step;
    }
  }
  member.team_barrier();
  return shifts[place.here];
}

}  // namespace Lamina::Impl
