// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Stencils of packs of columns, see `Stencils_Device.hpp`.

#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/Access.hpp>
#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/Warp_Device.hpp>
#include <lamina/sweeps/TensorCoefficients.hpp>
#include <lamina/sweeps/impl/TensorImage.hpp>

#include <cstddef>

namespace Lamina::Impl {

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
    const int levels[1] = {k};
    const Value values[1] = {x};
    Value sum[1];
    sum_edges<true>(source, levels, values, sum);
    return sum[0] - boundary * x;
  }
  /// sum_n alpha_n (x_n - x) at several levels, or sum_n alpha_n x_n. All loads of two sides are in flight at
  /// once.
  template <bool Differences, class Source, std::size_t Count>
  KOKKOS_FORCEINLINE_FUNCTION void sum_edges(const Source& source, const int (&k)[Count],
                                             const Value (&x)[Count], Value (&sum)[Count]) const {
    Value north[Count], south[Count];
    Scalar west[Count], east[Count];
    load_side(source, Packs::north, k, north);
    load_side(source, Packs::south, k, south);
    if constexpr (Count > 1) keep_order();
    LAMINA_DEVICE_UNROLL()
    for (std::size_t j = 0; j < Count; ++j) {
      sum[j] = m_coupling[Packs::north] * beside<Differences>(north[j], x[j]) +
               m_coupling[Packs::south] * beside<Differences>(south[j], x[j]);
    }
    load_side(source, Packs::west, k, west);
    load_side(source, Packs::east, k, east);
    if constexpr (Count > 1) keep_order();
    LAMINA_DEVICE_UNROLL()
    for (std::size_t j = 0; j < Count; ++j) {
      Value in_west, in_east;
      in_west[0] = west[j];
      in_east[width - 1] = east[j];
      for (int i = 1; i < width; ++i) {
        in_west[i] = x[j][i - 1];
        in_east[i - 1] = x[j][i];
      }
      sum[j] = sum[j] + m_coupling[Packs::west] * beside<Differences>(in_west, x[j]) +
               m_coupling[Packs::east] * beside<Differences>(in_east, x[j]);
    }
  }

 private:
  template <class Source, class Side, std::size_t Count>
  KOKKOS_FORCEINLINE_FUNCTION void load_side(const Source& source, int side, const int (&k)[Count],
                                             Side (&values)[Count]) const {
    LAMINA_DEVICE_UNROLL()
    for (std::size_t j = 0; j < Count; ++j) {
      values[j] = source.template value<Side>(m_neighbour[side], k[j]);
    }
  }

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
  /// See `ColumnStencil`; of single packs.
  template <class Source, std::size_t Count>
  KOKKOS_FORCEINLINE_FUNCTION void inflows(const System&, const Source& source,
                                           const int (&k)[Count], const Value (&x)[Count],
                                           Value (&inflow)[Count]) const {
    Sides::template sum_edges<false>(source, k, x, inflow);
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
