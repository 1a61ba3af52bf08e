// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Lines whose right-hand sides are residuals f - A x. A team forms those of a tile in scratch, then solves,
// then adds the solution to x, which it kept. The stencil of a thread and its segment are never in
// registers at the same time, and fields are read and written in the order in which they lie in
// memory.

#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/helmholtz/impl/HelmholtzLines_Device.hpp>
#include <lamina/lines/impl/StagedTile_Device.hpp>

#include <cstddef>

namespace Lamina::Impl {

/// `Lines` of `LineSegments` for x + M^-1 rhs; see `FormsResidual`.
template <class RightHandSide, class Scalar, class Layout, class Memory, int Levels, class Value>
struct ResidualLines : HelmholtzLines<RightHandSide, Scalar, Layout, Memory, Levels, Value> {
  using Staged = StagedTile<Value, Layout, Levels>;
  static constexpr int width = value_width<Value>;
  /// Levels whose loads are in flight at once.
  static constexpr int batch = levels_contiguous<Layout> ? 1 : short_helmholtz_segment;

  /// Values of scratch, in Scalars.
  KOKKOS_FUNCTION static std::size_t staged_size(const SegmentShape& shape) {
    return 2 * Staged::size(shape) * width;
  }
  KOKKOS_FORCEINLINE_FUNCTION static Staged solution_of(const SegmentShape& shape,
                                                        Scalar* scratch) {
    return {reinterpret_cast<Value*>(scratch), shape};
  }
  KOKKOS_FORCEINLINE_FUNCTION static Staged kept_of(const SegmentShape& shape, Scalar* scratch) {
    return {reinterpret_cast<Value*>(scratch) + Staged::size(shape), shape};
  }

  /// Right-hand sides, and x beside them. Beyond the last column that one is taken again.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void load_tile(const Member& member, const SegmentShape& shape,
                                             int tile, Scalar* scratch) const {
    const Staged values = solution_of(shape, scratch), kept = kept_of(shape, scratch);
    const int last = this->num_columns() - width;
    values.for_each(member.team_rank(), [&](int in_tile, int segment, int begin) {
      const int wanted = (tile * shape.columns + in_tile) * width;
      auto thread = this->rhs.template begin<Value>(this->system, wanted < last ? wanted : last,
                                                    segment * Levels + begin);
      LAMINA_DEVICE_UNROLL(1)
      for (int i = 0; i < Staged::run; i += batch) {
        Value a[extent_of<batch>], x[extent_of<batch>];
        thread.load_levels(a, x);
        LAMINA_DEVICE_UNROLL()
        for (int j = 0; j < batch; ++j) {
          values(in_tile, segment, begin + i + j) = a[j];
          kept(in_tile, segment, begin + i + j) = x[j];
        }
      }
    });
  }
  /// x + the solutions.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void store_tile(const Member& member, const SegmentShape& shape,
                                              int tile, Scalar* scratch, double* sums) const {
    const Staged values = solution_of(shape, scratch), kept = kept_of(shape, scratch);
    values.for_each(member.team_rank(), [&](int in_tile, int segment, int begin) {
      const int column = (tile * shape.columns + in_tile) * width;
      if (column >= this->num_columns()) return;
      LAMINA_DEVICE_UNROLL(4)
      for (int i = begin; i < begin + Staged::run; ++i) {
        const int level = segment * Levels + i;
        if (level >= this->num_levels()) return;
        const Value x = kept(in_tile, segment, i) + values(in_tile, segment, i);
        write(this->z, column, level, x);
        this->rhs.weigh(column, level, x, sums);
      }
    });
  }

  struct StagedCells {
    Staged values;
    int in_tile, segment;

    KOKKOS_FORCEINLINE_FUNCTION void load(int i, bool, Value& a, Value&) {
      a = values(in_tile, segment, i);
    }
    KOKKOS_FORCEINLINE_FUNCTION Value value(const Value& a, const Value&, bool) const { return a; }
    KOKKOS_FORCEINLINE_FUNCTION void store(int i, bool, const Value& x) const {
      values(in_tile, segment, i) = x;
    }
    KOKKOS_FORCEINLINE_FUNCTION void add_sums(double, double*) const {}
  };
  KOKKOS_FORCEINLINE_FUNCTION auto line(int column, const SegmentShape& shape,
                                        const SegmentPlace& place, const Scalar* tables,
                                        Scalar* scratch) const {
    return this->line_of(StagedCells{solution_of(shape, scratch), place.in_tile, place.segment},
                         column, place.segment, tables);
  }
};

}  // namespace Lamina::Impl
