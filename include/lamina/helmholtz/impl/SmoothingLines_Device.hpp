// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Lines of smoothing steps, see `SmoothsColumns`. A team forms the right-hand sides of a tile in scratch, then
// solves, then adds the solution to x, which it kept. The stencil of a thread and its segment are never in
// registers at the same time, and fields are read and written in the order in which they lie in
// memory. Where columns are contiguous, that is the order of segments: each thread forms, solves and
// stores its own, without barriers between.

#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/helmholtz/impl/HelmholtzLines_Device.hpp>
#include <lamina/lines/impl/StagedTile_Device.hpp>

#include <cstddef>

namespace Lamina::Impl {

/// `Lines` of `LineSegments` for a right-hand side that `SmoothsColumns`.
template <class RightHandSide, class Scalar, class Layout, class Memory, int Levels, class Value>
struct SmoothingLines : HelmholtzLines<RightHandSide, Scalar, Layout, Memory, Levels, Value> {
  using Level = LevelCoefficients<Scalar>;
  using Staged = StagedTile<Value, Layout, Levels>;
  static constexpr int width = value_width<Value>;
  /// Levels whose loads are in flight at once.
  static constexpr int batch = levels_contiguous<Layout> ? 1 : short_helmholtz_segment;

  /// f is weighed with what is stored. Where columns are contiguous it stays in scratch until then.
  static constexpr bool stages_f = RightHandSide::num_sums > 0 && !levels_contiguous<Layout>;

  /// Values of scratch, in Scalars.
  KOKKOS_FUNCTION static std::size_t staged_size(const SegmentShape& shape) {
    return (stages_f ? 3 : 2) * Staged::size(shape) * width;
  }
  KOKKOS_FORCEINLINE_FUNCTION static Staged solution_of(const SegmentShape& shape,
                                                        Scalar* scratch) {
    return {reinterpret_cast<Value*>(scratch), shape};
  }
  KOKKOS_FORCEINLINE_FUNCTION static Staged kept_of(const SegmentShape& shape, Scalar* scratch) {
    return {reinterpret_cast<Value*>(scratch) + Staged::size(shape), shape};
  }
  KOKKOS_FORCEINLINE_FUNCTION static Staged f_of(const SegmentShape& shape, Scalar* scratch) {
    return {reinterpret_cast<Value*>(scratch) + 2 * Staged::size(shape), shape};
  }

  /// Right-hand sides, and x beside them. Beyond the last column that one is taken again.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void load_tile(const Member& member, const SegmentShape& shape,
                                             int tile, const Scalar* tables,
                                             Scalar* scratch) const {
    const Staged values = solution_of(shape, scratch), kept = kept_of(shape, scratch);
    const int last = this->num_columns() - width;
    values.for_each(member.team_rank(), [&](int in_tile, int segment, int begin) {
      const int wanted = (tile * shape.columns + in_tile) * width;
      auto thread = this->rhs.template begin<Value>(this->system, wanted < last ? wanted : last,
                                                    segment * Levels + begin);
      const Level* const table = this->table_of(tables, segment) + begin;
      LAMINA_DEVICE_UNROLL(1)
      for (int i = 0; i < Staged::run; i += batch) {
        Value a[extent_of<batch>], x[extent_of<batch>], f[extent_of<batch>];
        thread.load_levels(table + i, a, x, f);
        LAMINA_DEVICE_UNROLL()
        for (int j = 0; j < batch; ++j) {
          values(in_tile, segment, begin + i + j) = a[j];
          kept(in_tile, segment, begin + i + j) = x[j];
          if constexpr (stages_f) f_of(shape, scratch)(in_tile, segment, begin + i + j) = f[j];
        }
      }
    });
  }
  /// What is stored, of levels that other threads solved for.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void store_tile(const Member& member, const SegmentShape& shape,
                                              int tile, Scalar* scratch, double* sums) const {
    const Staged values = solution_of(shape, scratch), kept = kept_of(shape, scratch);
    values.for_each(member.team_rank(), [&](int in_tile, int segment, int i) {
      const int column = (tile * shape.columns + in_tile) * width, level = segment * Levels + i;
      if (column >= this->num_columns() || level >= this->num_levels()) return;
      const Value x = this->rhs.after(kept(in_tile, segment, i), values(in_tile, segment, i));
      write(this->z, column, level, x);
      this->rhs.weigh(x, sums, [&] { return this->rhs.template f_at<Value>(column, level); });
    });
  }

  /// The cells of a segment. Where columns are contiguous its thread stores itself, from the last level
  /// down.
  struct StagedCells {
    static constexpr bool stores = !levels_contiguous<Layout>;
    const SmoothingLines& lines;
    Staged values, kept, f;  // f only with `stages_f`
    SegmentPlace place;
    double* sums;
    ColumnCells<Scalar, Value> z;

    KOKKOS_FORCEINLINE_FUNCTION void load(int i, bool, Value& a, Value&) {
      a = values(place.in_tile, place.segment, i);
    }
    KOKKOS_FORCEINLINE_FUNCTION Value value(const Value& a, const Value&, bool) const { return a; }
    KOKKOS_FORCEINLINE_FUNCTION void store(int i, [[maybe_unused]] bool wanted,
                                           const Value& solved) {
      if constexpr (stores) {
        if (wanted) {
          const Value x = lines.rhs.after(kept(place.in_tile, place.segment, i), solved);
          z.store(x);
          lines.rhs.weigh(x, sums, [&] { return f(place.in_tile, place.segment, i); });
        }
        z.go_down();
      } else {
        values(place.in_tile, place.segment, i) = solved;
      }
    }
    KOKKOS_FORCEINLINE_FUNCTION void add_sums(double, double*) const {}
  };
  KOKKOS_FORCEINLINE_FUNCTION auto line(int column, const SegmentShape& shape,
                                        const SegmentPlace& place, const Scalar* tables,
                                        Scalar* scratch, double* sums) const {
    const int last = place.segment * Levels + Levels - 1;
    return this->line_of(StagedCells{*this,
                                     solution_of(shape, scratch),
                                     kept_of(shape, scratch),
                                     f_of(shape, scratch),
                                     place,
                                     sums,
                                     {this->z, column, last}},
                         column, place.segment, tables);
  }
};

}  // namespace Lamina::Impl
