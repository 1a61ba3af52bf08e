// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// A smoothing step over any coefficients on a device: the right-hand sides of its line solves. A thread forms the
// residuals of its segment as it goes along, and adds the solution to x where it stores it.

#include <lamina/columns/impl/ColumnLines_Device.hpp>
#include <lamina/multigrid/impl/CycleLevel.hpp>
#include <lamina/sweeps/impl/Stencils_Device.hpp>

#include <type_traits>

namespace Lamina::Impl {

/// f - A x; x + weight times the solution is stored.
///
/// `Slots`: neighbours of a column that a thread holds in registers. `OfSegments`: threads take a few levels of a
/// column.
template <class Coefficients, class LayoutType, int Slots, bool OfSegments = true>
struct ResidualRhs {
  using Scalar = typename Coefficients::scalar_type;
  using Memory = typename Coefficients::memory_space;
  using Layout = LayoutType;
  using Field = FieldView<const Scalar, Layout, Memory>;
  using System = ColumnSystem<Coefficients>;
  static constexpr int num_sums = 0;
  static constexpr bool combines = false, adds_to_field = true;

  CycleGuard<Memory> guard;
  Scalar weight;
  Field f, x;

  template <class Value>
  class Thread {
    using Stencil = ColumnStencil<Coefficients, Slots>;
    using Source = std::conditional_t<OfSegments, SegmentSource<Field>, FieldSource<Field>>;

   public:
    KOKKOS_FORCEINLINE_FUNCTION Thread(const ResidualRhs& rhs, const System& system, int column,
                                       int first, int last)
        : m_system(system),
          m_stencil(system, column),
          m_x(source_of(rhs.x, first)),
          m_f(rhs.f, column, first),
          m_before(rhs.x, column, last),
          m_weight(rhs.weight),
          m_column(column),
          m_base(levels_contiguous<Layout> || !OfSegments ? 0 : first),
          m_level(first),
          m_below(at(first - 1)),
          m_here(at(first)) {}

    /// Nothing but f is branched upon: loads of several levels are in flight at once.
    KOKKOS_FORCEINLINE_FUNCTION void load(bool exists, Value& a, Value&) {
      const int level = inside(m_level);
      const Value above = at(m_level + 1);
      const Value image =
          m_stencil.image(m_system, m_x, level - m_base, level, m_here, above, m_below);
      if (exists) a = m_f.load() - image;
      m_f.go_up();
      m_below = m_here;
      m_here = above;
      ++m_level;
    }
    KOKKOS_FORCEINLINE_FUNCTION Value value(const Value& a, const Value&, bool) const { return a; }
    KOKKOS_FORCEINLINE_FUNCTION void add_sums(double, double*) const {}

    /// What is stored at the last level, and then below it.
    KOKKOS_FORCEINLINE_FUNCTION Value sum_with(const Value& solved) const {
      return m_before.load() + m_weight * solved;
    }
    KOKKOS_FORCEINLINE_FUNCTION void go_down() { m_before.go_down(); }

   private:
    /// A level, or the nearest one that there is.
    KOKKOS_FORCEINLINE_FUNCTION int inside(int level) const {
      const int last = m_system.topology.num_levels - 1;
      return level < 0 ? 0 : (level < last ? level : last);
    }
    KOKKOS_FORCEINLINE_FUNCTION Value at(int level) const {
      return m_x.template value<Value>(m_column, inside(level) - m_base);
    }

    KOKKOS_FORCEINLINE_FUNCTION static Source source_of(const Field& x, int level) {
      if constexpr (OfSegments) {
        return segment_source(x, level);
      } else {
        return {x};
      }
    }

    const System& m_system;
    Stencil m_stencil;
    Source m_x;
    ColumnCells<const Scalar, Value> m_f, m_before;
    Scalar m_weight;
    int m_column, m_base, m_level;
    Value m_below, m_here;
  };
  ResidualRhs<Coefficients, Layout, Slots, false> of_whole_columns() const {
    return {guard, weight, f, x};
  }
  KOKKOS_FUNCTION bool active() const { return guard.active(); }
  template <class Value>
  KOKKOS_FUNCTION Thread<Value> begin(const System& system, int column, int first, int last) const {
    return Thread<Value>(*this, system, column, first, last);
  }
};

}  // namespace Lamina::Impl
