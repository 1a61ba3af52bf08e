// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// A smoothing step over any coefficients on a device: the right-hand sides of its line solves. A thread forms the
// residuals of its segment as it goes along, and adds the solution to x where it stores it.

#include <lamina/columns/impl/ColumnLines_Device.hpp>
#include <lamina/multigrid/impl/CycleLevel.hpp>
#include <lamina/sweeps/Sources.hpp>
#include <lamina/sweeps/impl/Stencils_Device.hpp>

#include <type_traits>

namespace Lamina::Impl {

/// f - A x; x + weight times the solution is stored.
///
/// `Slots`: neighbours of a column that a thread holds in registers.
template <class Coefficients, class LayoutType, int Slots>
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
    using Rows = std::conditional_t<levels_contiguous<Layout>, FieldSource<Field>,
                                    FieldSource<RowsOf<Field>>>;
    using Stencil = ColumnStencil<Coefficients, Slots>;

   public:
    KOKKOS_FORCEINLINE_FUNCTION Thread(const ResidualRhs& rhs, const System& system, int column,
                                       int first, int last)
        : m_system(system),
          m_stencil(system, column),
          m_x(rows_from(rhs.x, first)),
          m_f(rhs.f, column, first),
          m_before(rhs.x, column, last),
          m_weight(rhs.weight),
          m_column(column),
          m_base(levels_contiguous<Layout> ? 0 : first),
          m_end(end_of(m_stencil, system)),
          m_level(first),
          m_down(last),
          m_below(at(first - 1)),
          m_here(at(first)) {}

    KOKKOS_FORCEINLINE_FUNCTION void load(bool exists, Value& a, Value&) {
      const Value above = at(m_level + 1);
      if (exists) {
        a = m_f.load() -
            m_stencil.image(m_system, m_x, m_level - m_base, m_level, m_here, above, m_below);
      }
      m_f.go_up();
      m_below = m_here;
      m_here = above;
      ++m_level;
    }
    KOKKOS_FORCEINLINE_FUNCTION Value value(const Value& a, const Value&, bool) const { return a; }
    KOKKOS_FORCEINLINE_FUNCTION void add_sums(double, double*) const {}

    /// What is stored at the last level, and then below it.
    KOKKOS_FORCEINLINE_FUNCTION Value sum_with(const Value& solved) const {
      return m_down < m_end ? m_before.load() + m_weight * solved : Value(0);
    }
    KOKKOS_FORCEINLINE_FUNCTION void go_down() {
      m_before.go_down();
      --m_down;
    }

   private:
    /// One past the last level whose row may be other than 0.
    KOKKOS_FORCEINLINE_FUNCTION static int end_of(const Stencil& stencil, const System& system) {
      if constexpr (tells_end<decltype(stencil.held())>) return stencil.held().end();
      return system.topology.num_levels;
    }
    /// x, and 0 beyond either end.
    KOKKOS_FORCEINLINE_FUNCTION Value at(int level) const {
      return 0 <= level && level < m_end ? m_x.template value<Value>(m_column, level - m_base)
                                         : Value(0);
    }
    /// The levels from some level on, in 32-bit offsets where columns are contiguous.
    KOKKOS_FORCEINLINE_FUNCTION static Rows rows_from(const Field& x, int level) {
      if constexpr (levels_contiguous<Layout>) {
        return {x};
      } else {
        return FieldSource<Field>{x}.from(level);
      }
    }

    const System& m_system;
    Stencil m_stencil;
    Rows m_x;
    ColumnCells<const Scalar, Value> m_f, m_before;
    Scalar m_weight;
    int m_column, m_base, m_end, m_level, m_down;
    Value m_below, m_here;
  };
  KOKKOS_FUNCTION bool active() const { return guard.active(); }
  template <class Value>
  KOKKOS_FUNCTION Thread<Value> begin(const System& system, int column, int first, int last) const {
    return Thread<Value>(*this, system, column, first, last);
  }
};

}  // namespace Lamina::Impl
