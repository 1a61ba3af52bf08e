// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What one thread of a device holds of an operator while it walks along a column, or along a pack of
// columns. A stencil has
//
//   Value, width           what it computes at once, and of how many columns
//   count(system)          how many there are to sweep over; the constructor takes one of them
//   columns()              where its cells are read and written
//   image(system, source, k, level, x, above, below)
//                          (A x) at `level` of the mesh, which is level k of the source; beyond either
//                          end of a column the coupling is 0, and any finite value will do
//
// Stencils have a default constructor: threads hold one before they know their columns.

#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/Access.hpp>
#include <lamina/device/impl/Backend.hpp>
#include <lamina/sweeps/TensorCoefficients.hpp>
#include <lamina/sweeps/impl/HeldColumn.hpp>
#include <lamina/sweeps/impl/TensorImage.hpp>

namespace Lamina::Impl {

// --- One column ---

/// Neighbours that a thread holds in registers: quadrilaterals; hexagons and what is near to them.
/// Columns with more neighbours look the others up at each level.
inline constexpr int few_slots = 4, many_slots = 8;

/// A column of a tensor product. `Slots`: neighbours held in registers.
template <class Coefficients, int Slots>
class ColumnStencil;

template <class Scalar, class Memory, int Slots>
class ColumnStencil<TensorCoefficients<Scalar, Memory>, Slots> {
 public:
  using System = TensorSystem<Scalar, Memory>;
  using Value = Scalar;
  static constexpr int width = 1;
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
    const LevelCoefficients<Scalar> at = system.coefficients.levels(level);
    Value flux = -m_boundary * x;
    for (int n = 0; n < Slots; ++n) {
      // Quadrilaterals have few slots without a neighbour; of others nothing is read for these.
      const bool exists = Slots == few_slots || m_coupling[n] != 0;
      const Value other = exists ? source.template value<Value>(m_neighbour[n], k) : x;
      flux += m_coupling[n] * (other - x);
    }
    if constexpr (Slots == many_slots) {
      const int slots = static_cast<int>(system.topology.neighbours.extent(1));
      for (int n = Slots; n < slots; ++n) {
        flux += system.coefficients.couplings(m_column, n) *
                (source.template value<Value>(system.topology.neighbours(m_column, n), k) - x);
      }
    }
    return tensor_image<Value>(m_area, m_mass, at.above, at.below, at.scale, x, above, below, flux);
  }

 private:
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
template <class Coefficients, int Slots>
class ColumnStencil {
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

// --- Packs of columns ---

/// The neighbours of a pack of columns, or of `Width` of them.
template <class Scalar, class Memory, int Width>
class PackSides {
  using Packs = ColumnPacks<Scalar, Memory>;

 public:
  static constexpr int width = Width;
  using Value = Pack<Scalar, width>;

  PackSides() = default;
  KOKKOS_FUNCTION PackSides(const Packs& packs, int item) : m_column(item * width) {
    constexpr int whole = pack_width<Scalar>;
    const int pack = m_column / whole, offset = m_column % whole;
    for (int side = 0; side < 4; ++side) {
      m_neighbour[side] = packs.neighbours(pack, side);
      m_coupling[side] = load<Value>(&packs.couplings(m_column, side));
    }
    if constexpr (width < whole) {
      m_neighbour[Packs::north] += offset;
      m_neighbour[Packs::south] += offset;
      if (offset > 0) m_neighbour[Packs::west] = m_column - 1;
      if (offset + width < whole) m_neighbour[Packs::east] = m_column + width;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION int columns() const { return m_column; }
  /// visit(column, neighbour, coupling) of all edges. The visitor may change couplings.
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void visit_edges(const Visit& visit) const {
    for (int i = 0; i < width; ++i) {
      const int column = m_column + i;
      visit(column, m_neighbour[Packs::north] + i, m_coupling[Packs::north][i]);
      visit(column, m_neighbour[Packs::south] + i, m_coupling[Packs::south][i]);
      visit(column, i > 0 ? column - 1 : m_neighbour[Packs::west], m_coupling[Packs::west][i]);
      visit(column, i + 1 < width ? column + 1 : m_neighbour[Packs::east],
            m_coupling[Packs::east][i]);
    }
  }

 protected:
  /// What enters over the edges, and from the boundary.
  template <class Source>
  KOKKOS_FORCEINLINE_FUNCTION Value flux(const Source& source, int k, const Value& x,
                                         const Value& boundary) const {
    const Value north = source.template value<Value>(m_neighbour[Packs::north], k);
    const Value south = source.template value<Value>(m_neighbour[Packs::south], k);
    Value west, east;
    west[0] = source.template value<Scalar>(m_neighbour[Packs::west], k);
    east[width - 1] = source.template value<Scalar>(m_neighbour[Packs::east], k);
    for (int i = 1; i < width; ++i) {
      west[i] = x[i - 1];
      east[i - 1] = x[i];
    }
    return m_coupling[Packs::north] * (north - x) + m_coupling[Packs::south] * (south - x) +
           m_coupling[Packs::west] * (west - x) + m_coupling[Packs::east] * (east - x) -
           boundary * x;
  }

 private:
  int m_column, m_neighbour[4];
  mutable Value m_coupling[4];
};

/// The neighbours of a pair of packs, the second one south of the first: what both read, and what edges
/// between them carry, is there once. For meshes whose packs have each edge once.
template <class Scalar, class Memory>
class PairSides {
  using Packs = ColumnPacks<Scalar, Memory>;
  static constexpr int pack = pack_width<Scalar>;
  using Row = Pack<Scalar, pack>;

 public:
  static constexpr int width = 2 * pack;
  using Value = Pack<Scalar, width>;

  PairSides() = default;
  KOKKOS_FUNCTION PairSides(const Packs& packs, int item) : m_columns(packs.pair(item)) {
    const int rows[2] = {m_columns.first, m_columns.second};
    m_north = packs.neighbours(rows[0] / pack, Packs::north);
    m_south = packs.neighbours(rows[1] / pack, Packs::south);
    m_across[0] = load<Row>(&packs.couplings(rows[0], Packs::north));
    for (int row = 0; row < 2; ++row) {
      m_west[row] = packs.neighbours(rows[row] / pack, Packs::west);
      m_east[row] = packs.neighbours(rows[row] / pack, Packs::east);
      m_across[row + 1] = load<Row>(&packs.couplings(rows[row], Packs::south));
      m_along[row][0] = packs.couplings(rows[row], Packs::west);
      const Row east = load<Row>(&packs.couplings(rows[row], Packs::east));
      for (int i = 0; i < pack; ++i) m_along[row][i + 1] = east[i];
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION const ColumnPair& columns() const { return m_columns; }
  /// See `PackSides`.
  template <class Visit>
  KOKKOS_FORCEINLINE_FUNCTION void visit_edges(const Visit& visit) const {
    const int rows[2] = {m_columns.first, m_columns.second};
    for (int i = 0; i < pack; ++i) {
      visit(rows[0] + i, m_north + i, m_across[0][i]);
      visit(rows[0] + i, rows[1] + i, m_across[1][i]);
      visit(rows[1] + i, m_south + i, m_across[2][i]);
    }
    for (int row = 0; row < 2; ++row) {
      visit(rows[row], m_west[row], m_along[row][0]);
      for (int i = 0; i < pack; ++i) {
        const int column = rows[row] + i;
        visit(column, i + 1 < pack ? column + 1 : m_east[row], m_along[row][i + 1]);
      }
    }
  }

 protected:
  template <class Source>
  KOKKOS_FORCEINLINE_FUNCTION Value flux(const Source& source, int k, const Value& x,
                                         const Value& boundary) const {
    const Row north = source.template value<Row>(m_north, k);
    const Row south = source.template value<Row>(m_south, k);
    Scalar west[2], east[2];
    for (int row = 0; row < 2; ++row) {
      west[row] = source.template value<Scalar>(m_west[row], k);
      east[row] = source.template value<Scalar>(m_east[row], k);
    }
    // What goes from one column to the next, from north to south and from west to east.
    const Row first = half_of<0>(x), second = half_of<1>(x);
    const Row enters = m_across[0] * (north - first), between = m_across[1] * (first - second),
              leaves = m_across[2] * (second - south);
    Value sum = join(enters - between, between - leaves) - boundary * x;
    for (int row = 0; row < 2; ++row) {
      Scalar from = m_along[row][0] * (west[row] - x[row * pack]);
      for (int i = 0; i < pack; ++i) {
        const int at = row * pack + i;
        const Scalar to = m_along[row][i + 1] * (x[at] - (i + 1 < pack ? x[at + 1] : east[row]));
        sum[at] += from - to;
        from = to;
      }
    }
    return sum;
  }

 private:
  ColumnPair m_columns;
  int m_north, m_south, m_west[2], m_east[2];
  mutable Row m_across[3];  // couplings with the row north of each and south of the last
  mutable Scalar m_along[2][extent_of<pack + 1>];  // with the column west of each, east of the last
};

/// Columns of a tensor product with the given sides.
template <class Scalar, class Memory, class Sides>
class TensorSides : public Sides {
 public:
  using System = TensorSystem<Scalar, Memory>;
  using Value = typename Sides::Value;
  static int count(const System& system) { return system.topology.num_owned / Sides::width; }

  TensorSides() = default;
  KOKKOS_FUNCTION TensorSides(const System& system, int item)
      : Sides(system.coefficients.packs, item),
        m_boundary(read<Value>(system.coefficients.boundary, this->columns())),
        m_area(read<Value>(system.coefficients.area, this->columns())),
        m_mass(system.coefficients.mass(0)) {}

  template <class Source>
  KOKKOS_FORCEINLINE_FUNCTION Value image(const System& system, const Source& source, int k,
                                          int level, const Value& x, const Value& above,
                                          const Value& below) const {
    const LevelCoefficients<Scalar> at = system.coefficients.levels(level);
    return tensor_image<Value>(m_area, m_mass, at.above, at.below, at.scale, x, above, below,
                               this->flux(source, k, x, m_boundary));
  }

 private:
  Value m_boundary, m_area;
  Scalar m_mass;
};
template <class Scalar, class Memory, int Width = pack_width<Scalar>>
using PackStencil = TensorSides<Scalar, Memory, PackSides<Scalar, Memory, Width>>;
template <class Scalar, class Memory>
using PairStencil = TensorSides<Scalar, Memory, PairSides<Scalar, Memory>>;

/// The stencils of coefficients that take packs.
template <class Coefficients>
struct StencilsOfPacks;
template <class Scalar, class Memory>
struct StencilsOfPacks<TensorCoefficients<Scalar, Memory>> {
  using Packs = PackStencil<Scalar, Memory>;
  using Pairs = PairStencil<Scalar, Memory>;
};

}  // namespace Lamina::Impl
