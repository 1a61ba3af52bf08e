// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// A smoothing step over any coefficients on a device: the right-hand sides of its line solves. A thread forms those of
// its segment neighbour by neighbour, and adds the solution to x where it stores it.

#include <lamina/columns/impl/ColumnLines_Device.hpp>
#include <lamina/columns/impl/LevelsFrom.hpp>
#include <lamina/multigrid/impl/CycleLevel.hpp>
#include <lamina/multigrid/impl/Inflow_Device.hpp>

#include <cstddef>

namespace Lamina::Impl {

/// f + N x, where N x is what enters a column from its neighbours; keep x + weight times the solution is stored.
template <class Coefficients, class LayoutType>
struct InflowRhs {
  using Scalar = typename Coefficients::scalar_type;
  using Memory = typename Coefficients::memory_space;
  using Layout = LayoutType;
  using Field = FieldView<const Scalar, Layout, Memory>;
  using System = ColumnSystem<Coefficients>;
  static constexpr int num_sums = 0;
  static constexpr bool combines = false, adds_to_field = true;

  CycleGuard<Memory> guard;
  Scalar keep, weight;
  Field f, x;

  template <class Value>
  class Thread {
   public:
    KOKKOS_FORCEINLINE_FUNCTION Thread(const InflowRhs& rhs, const System& system, int column,
                                       int first, int last)
        : m_rhs(rhs),
          m_system(system),
          m_before(rhs.x, column, last),
          m_column(column),
          m_level(first) {}

    template <std::size_t Levels>
    KOKKOS_FORCEINLINE_FUNCTION void load_segment(int count, Value (&a)[Levels]) const {
      LAMINA_DEVICE_UNROLL()
      for (std::size_t n = 0; n < Levels; ++n) a[n] = Value(0);
      if (count <= 0) return;
      const LevelsFrom<Value> f(m_rhs.f, m_column, m_level);
      LAMINA_DEVICE_UNROLL()
      for (std::size_t n = 0; n < Levels; ++n) {
        if (static_cast<int>(n) < count) a[n] = f(static_cast<int>(n));
      }
      add_inflow(m_system, m_rhs.x, m_column, m_level, count, NoDifference(), a);
      LAMINA_DEVICE_UNROLL()
      for (std::size_t n = 0; n < Levels; ++n) {
        if (static_cast<int>(n) >= count) a[n] = Value(0);
      }
    }
    /// One level after the other, for threads that take whole columns.
    KOKKOS_FORCEINLINE_FUNCTION void load(bool, Value& a, Value&) {
      Value next[1];
      load_segment(1, next);
      a = next[0];
      ++m_level;
    }
    KOKKOS_FORCEINLINE_FUNCTION Value value(const Value& a, const Value&, bool) const { return a; }
    KOKKOS_FORCEINLINE_FUNCTION void add_sums(double, double*) const {}

    /// The next level of x, if it exists, downwards from the last one.
    KOKKOS_FORCEINLINE_FUNCTION Value before(bool exists) {
      const Value x = exists ? m_before.load() : Value(0);
      m_before.go_down();
      return x;
    }
    KOKKOS_FORCEINLINE_FUNCTION Value sum(const Value& before, const Value& solved) const {
      return m_rhs.keep * before + m_rhs.weight * solved;
    }

   private:
    const InflowRhs& m_rhs;
    const System& m_system;
    ColumnCells<const Scalar, Value> m_before;
    int m_column, m_level;
  };
  KOKKOS_FUNCTION bool active() const { return guard.active(); }
  template <class Value>
  KOKKOS_FUNCTION Thread<Value> begin(const System& system, int column, int first, int last) const {
    return Thread<Value>(*this, system, column, first, last);
  }
};

}  // namespace Lamina::Impl
