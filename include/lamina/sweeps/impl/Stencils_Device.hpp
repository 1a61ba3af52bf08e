// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What one thread of a device holds of an operator while it walks along a column, or along a pack of
// columns. A stencil has
//
//   Value, width           what it computes at once, and of how many columns
//   levels                 of how many levels, where fields have contiguous ones; 1 where it is not there
//   count(system)          how many there are to sweep over; the constructor takes one of them
//   columns()              where its cells are read and written
//   image(system, source, k, level, x, above, below)
//                          (A x) at `level` of the mesh, which is level k of the source; beyond either
//                          end of a column the coupling is 0, and any finite value will do
//
// and for a tensor product, but not for pairs of packs, also what takes several levels at once:
//
//   inflows(system, source, k, x, inflow)
//                          sum_n alpha_n x_n, of the values of the neighbours alone
//
// Stencils have a default constructor: threads hold one before they know their columns. Those of single
// columns are here, those of packs in `PackStencils_Device.hpp`.

#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/Access.hpp>
#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/Warp_Device.hpp>
#include <lamina/sweeps/TensorCoefficients.hpp>
#include <lamina/sweeps/impl/HeldColumn.hpp>
#include <lamina/sweeps/impl/TensorImage.hpp>

#include <cstddef>
#include <type_traits>

namespace Lamina::Impl {

/// Neighbours that a thread holds in registers: quadrilaterals; hexagons and what is near to them.
/// Columns with more neighbours look the others up at each level.
inline constexpr int few_slots = 4, many_slots = 8;

/// A column of a tensor product. `Slots`: neighbours held in registers. `Levels`: of a `Value`, for fields whose levels are
/// contiguous.
template <class Coefficients, int Slots, int Levels = 1>
class ColumnStencil;

template <class Scalar, class Memory, int Slots, int Levels>
class ColumnStencil<TensorCoefficients<Scalar, Memory>, Slots, Levels> {
 public:
  using System = TensorSystem<Scalar, Memory>;
  using Value = std::conditional_t<Levels == 1, Scalar, Pack<Scalar, Levels>>;
  static constexpr int width = 1, levels = Levels;
  static int count(const System& system) { return system.topology.num_owned; }

  ColumnStencil() = default;
  KOKKOS_FUNCTION ColumnStencil(const System& system, int column)
      : m_column(column),
        m_area(system.coefficients.area(column)),
        m_boundary(system.coefficients.boundary(column)),
        m_mass(system.coefficients.mass(0)) {
    const int slots = static_cast<int>(system.topology.neighbours.extent(1));
    if (Slots == few_slots && slots == few_slots) {  // loads without conditions
      for (int n = 0; n < Slots; ++n) read_slot(system, n);
    } else {
      for (int n = 0; n < Slots; ++n) {
        m_neighbour[n] = column;
        m_coupling[n] = 0;
        if (n < slots) read_slot(system, n);
      }
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION int columns() const { return m_column; }
  template <class Source>
  KOKKOS_FORCEINLINE_FUNCTION Value image(const System& system, const Source& source, int k,
                                          int level, const Value& x, const Value& above,
                                          const Value& below) const {
    const int sources[1] = {k};
    const Value values[1] = {x};
    Value flux[1] = {-m_boundary * x};
    add_edges<true>(system, source, sources, values, flux);
    const auto image_of = [&](const auto& to_above, const auto& to_below, const auto& scale) {
      return tensor_image<Value>(m_area, m_mass, to_above, to_below, scale, x, above, below,
                                 flux[0]);
    };
    if constexpr (Levels == 1) {
      const LevelCoefficients<Scalar> at = system.coefficients.levels(level);
      return image_of(at.above, at.below, at.scale);
    } else {
      return image_of(read<Value>(system.coefficients.above, level),
                      read<Value>(system.coefficients.below, level),
                      read<Value>(system.coefficients.scale, level));
    }
  }
  template <class Source, std::size_t Count>
  KOKKOS_FORCEINLINE_FUNCTION void inflows(const System& system, const Source& source,
                                           const int (&k)[Count], const Value (&x)[Count],
                                           Value (&inflow)[Count]) const {
    LAMINA_DEVICE_UNROLL()
    for (std::size_t j = 0; j < Count; ++j) inflow[j] = 0;
    add_edges<false>(system, source, k, x, inflow);
  }

 private:
  /// Neighbours whose loads are in flight at once.
  static constexpr int together = Levels == 1 ? 2 : 4;

  /// sum += sum_n alpha_n (x_n - x) at several levels of the source, or sum_n alpha_n x_n.
  template <bool Differences, class Source, std::size_t Count>
  KOKKOS_FORCEINLINE_FUNCTION void add_edges(const System& system, const Source& source,
                                             const int (&k)[Count], const Value (&x)[Count],
                                             Value (&sum)[Count]) const {
    static_assert(Slots % together == 0);
    LAMINA_DEVICE_UNROLL()
    for (int begin = 0; begin < Slots; begin += together) {
      Value others[extent_of<together>][Count];
      LAMINA_DEVICE_UNROLL()
      for (int n = 0; n < together; ++n) load_neighbour(source, begin + n, k, x, others[n]);
      if constexpr (Count > 1) keep_order();
      LAMINA_DEVICE_UNROLL()
      for (int n = 0; n < together; ++n) {
        LAMINA_DEVICE_UNROLL()
        for (std::size_t j = 0; j < Count; ++j) {
          sum[j] = sum[j] + m_coupling[begin + n] * beside<Differences>(others[n][j], x[j]);
        }
      }
    }
    if constexpr (Slots == many_slots) {
      const int slots = static_cast<int>(system.topology.neighbours.extent(1));
      for (int n = Slots; n < slots; ++n) {
        const Scalar coupling = system.coefficients.couplings(m_column, n);
        const int neighbour = system.topology.neighbours(m_column, n);
        for (std::size_t j = 0; j < Count; ++j) {
          const Value other = source.template value<Value>(neighbour, k[j]);
          sum[j] = sum[j] + coupling * beside<Differences>(other, x[j]);
        }
      }
    }
  }
  template <class Source, std::size_t Count>
  KOKKOS_FORCEINLINE_FUNCTION void load_neighbour(const Source& source, int n,
                                                  const int (&k)[Count], const Value (&x)[Count],
                                                  Value (&values)[Count]) const {
    // Quadrilaterals have few slots without a neighbour; of others nothing is read for these.
    const bool exists = Slots == few_slots || m_coupling[n] != 0;
    LAMINA_DEVICE_UNROLL()
    for (std::size_t j = 0; j < Count; ++j) {
      values[j] = exists ? source.template value<Value>(m_neighbour[n], k[j]) : x[j];
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void read_slot(const System& system, int n) {
    m_neighbour[n] = system.topology.neighbours(m_column, n);
    m_coupling[n] = system.coefficients.couplings(m_column, n);
  }

  int m_column;
  Scalar m_area, m_boundary, m_mass;
  int m_neighbour[extent_of<Slots>];
  Scalar m_coupling[extent_of<Slots>];
};

/// A column of any other operator, whose coefficients are asked for level by level.
template <class Coefficients, int Slots, int Levels>
class ColumnStencil {
  static_assert(Levels == 1);
  using Held = HeldColumn<Coefficients, Slots>;

 public:
  using System = ColumnSystem<Coefficients>;
  using Value = typename Coefficients::scalar_type;
  static constexpr int width = 1;
  static int count(const System& system) { return system.topology.num_owned; }

  ColumnStencil() = default;
  KOKKOS_FUNCTION ColumnStencil(const System& system, int column)
      : m_column(column), m_held(hold_column<Slots>(system.coefficients, column)) {
    const int slots = static_cast<int>(system.topology.neighbours.extent(1));
    for (int n = 0; n < Slots; ++n) {
      m_neighbour[n] = n < slots ? system.topology.neighbours(column, n) : column;
    }
  }

 private:
  /// Couplings have a factor of the level in common.
  static constexpr bool is_factored = requires(const Held& held, const Coefficients& coefficients) {
    held.horizontal(coefficients, 0);
    held.part(coefficients, 0, 0);
  };
  /// As it is stored, for those that are.
  KOKKOS_FORCEINLINE_FUNCTION auto coupling_of(const System& system, int n, int slots,
                                               int level) const {
    if constexpr (is_factored) {
      return m_held.part(system.coefficients, n, level);
    } else if constexpr (requires { m_held.stored(system.coefficients, n, level); }) {
      return m_held.stored(system.coefficients, n, level);
    } else {
      return n < slots ? static_cast<Value>(m_held.coupling(system.coefficients, n, level))
                       : Value(0);
    }
  }

 public:
  KOKKOS_FORCEINLINE_FUNCTION int columns() const { return m_column; }
  template <class Source>
  KOKKOS_FORCEINLINE_FUNCTION Value image(const System& system, const Source& source, int k,
                                          int level, const Value& x, const Value& above,
                                          const Value& below) const {
    const CellRow<Value> row = m_held.row(system.coefficients, level);
    const int slots = static_cast<int>(system.topology.neighbours.extent(1));
    // All loads of a level are under way before the first of them is waited for, without a branch between
    // them: an absent neighbour is the column itself.
    Value other[extent_of<Slots>];
    LAMINA_DEVICE_UNROLL()
    for (int n = 0; n < Slots; ++n) other[n] = source.template value<Value>(m_neighbour[n], k);
    decltype(coupling_of(system, 0, slots, level)) coupling[extent_of<Slots>];
    LAMINA_DEVICE_UNROLL()
    for (int n = 0; n < Slots; ++n) coupling[n] = coupling_of(system, n, slots, level);
    Value flux = 0;
    LAMINA_DEVICE_UNROLL()
    for (int n = 0; n < Slots; ++n) flux += static_cast<Value>(coupling[n]) * (x - other[n]);
    if constexpr (is_factored) flux *= m_held.horizontal(system.coefficients, level);
    Value image = flux + row.mass * x + row.above * (x - above) + row.below * (x - below);
    if constexpr (Slots == many_slots) {
      for (int n = Slots; n < slots; ++n) {
        image += system.coefficients.coupling(m_column, n, level) *
                 (x - source.template value<Value>(system.topology.neighbours(m_column, n), k));
      }
    }
    return image;
  }

 private:
  int m_column;
  Held m_held;
  int m_neighbour[extent_of<Slots>];
};

}  // namespace Lamina::Impl
