// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/Backend.hpp>
#include <lamina/lines/impl/LineWorkspace.hpp>

#include <cstddef>

namespace Lamina::Impl {

/// A value for each cell of a tile of `LineSegments`, in scratch. Neighbouring threads find theirs in
/// different banks of the memory, both where a thread takes a segment and where it takes cells as
/// `for_each` hands them out.
template <class Value, class Layout, int Levels>
struct StagedTile {
  /// Levels that a thread takes at once: a segment, or where levels are contiguous one, whose
  /// neighbours other threads of the warp take.
  static constexpr int run = levels_contiguous<Layout> ? 1 : Levels;
  // Where levels are contiguous, segments are a place apart.
  static constexpr int segment_size = levels_contiguous<Layout> ? Levels + 1 : Levels;

  Value* values;
  SegmentShape shape;

  KOKKOS_FUNCTION static std::size_t size(const SegmentShape& shape) {
    return static_cast<std::size_t>(shape.team_size() * segment_size);
  }
  /// The value of level i of a segment.
  KOKKOS_FORCEINLINE_FUNCTION Value& operator()(int in_tile, int segment, int i) const {
    if constexpr (levels_contiguous<Layout>) {
      return values[(in_tile * shape.segments + segment) * segment_size + i];
    } else {
      return values[(i * shape.segments + segment) * shape.columns + in_tile];
    }
  }
  /// Calls body(in_tile, segment, i) for the first level of each run of a thread.
  template <class Body>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(int rank, const Body& body) const {
    if constexpr (levels_contiguous<Layout>) {
      const int levels = shape.segments * Levels;
      LAMINA_DEVICE_UNROLL(2)
      for (int n = 0; n < Levels; ++n) {
        const int cell = n * shape.team_size() + rank;
        const int in_tile = cell / levels, level = cell - in_tile * levels;
        body(in_tile, level / Levels, level % Levels);
      }
    } else {
      body(rank % shape.columns, rank / shape.columns, 0);
    }
  }
};

}  // namespace Lamina::Impl
