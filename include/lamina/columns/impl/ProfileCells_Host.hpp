// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// `ProfileCoefficients` in vectors, for kernels on CPU cores. Numbers are those of `HeldProfile`.

#include <lamina/columns/impl/HeldProfile.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/Access.hpp>
#include <lamina/sweeps/impl/Cells_Host.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

/// Factors of cells from level k upwards that are open below `end`, of which the last one has the factor
/// `last`: 1, ..., 1, last, 0, ...
template <class Value, class Scalar>
[[gnu::always_inline]] inline Value open_part(int k, int end, Scalar last) {
  if constexpr (std::is_arithmetic_v<Value>) {
    return k + 1 < end ? Scalar(1) : (k + 1 == end ? last : Scalar(0));
  } else {
    const Value whole = first_lanes<Scalar>(end - 1 - k);
    return whole + last * (first_lanes<Scalar>(end - k) - whole);
  }
}

/// Where bottoms cut a column.
template <class Scalar, bool HasPartialCells, int Held>
class ColumnCuts {
 public:
  template <class All>
  ColumnCuts(const All& all, std::int64_t column) : m_bottom(all.m_bottoms(column)) {
    if constexpr (HasPartialCells) {
      m_cell = all.m_cuts.cells(column);
      m_face = all.m_cuts.faces(column);
    }
    m_whole = m_bottom - 2;
    for (int n = 0; n < static_cast<int>(all.m_open.extent(1)); ++n) {
      const int open = all.m_open(column, n);
      if (open > 0) m_whole = std::min(m_whole, open - 1);
      if (n >= Held) continue;
      m_open[n] = open;
      if constexpr (HasPartialCells) m_edge[n] = all.m_cuts.edges(column, n);
    }
  }

  /// Cells below this level are as if there was no bottom, but for edges to land.
  int whole() const { return m_whole; }
  template <class Value>
  Value wet(int k) const {
    return open_part<Value>(k, m_bottom, Scalar(1));
  }
  template <class Value>
  Value of_cell(int k) const {
    return open_part<Value>(k, m_bottom, m_cell);
  }
  template <class Value>
  Value of_face_above(int k) const {
    return open_part<Value>(k, m_bottom - 1, m_face);
  }
  template <class Value>
  Value of_face_below(int k) const {
    return open_part<Value>(k, m_bottom, m_face);
  }
  template <class Value, class All>
  Value of_edge(const All& all, std::int64_t column, int slot, int k) const {
    if constexpr (Held > 0) {
      return open_part<Value>(k, m_open[slot], HasPartialCells ? m_edge[slot] : Scalar(1));
    } else {
      Scalar last = 1;
      if constexpr (HasPartialCells) last = all.m_cuts.edges(column, slot);
      return open_part<Value>(k, all.m_open(column, slot), last);
    }
  }

 private:
  int m_bottom, m_whole;
  Scalar m_cell = 1, m_face = 1;
  int m_open[extent_of<Held + 1>];
  Scalar m_edge[extent_of<Held + 1>];
};

/// Rows of a line solve below level `whole` are products of these with the profiles.
template <class Scalar>
struct ColumnFactors {
  Scalar mass, vertical, horizontal;
  int whole;
};

template <class Scalar, bool HasBottoms, bool HasPartialCells, int Held>
class CellsOfColumn<ProfileCoefficients<Scalar, Kokkos::HostSpace, HasBottoms, HasPartialCells>,
                    Held> {
 public:
  using All = ProfileCoefficients<Scalar, Kokkos::HostSpace, HasBottoms, HasPartialCells>;

  CellsOfColumn(const All& all, std::int64_t column, int slots)
      : m_all(all),
        m_column(column),
        m_mass_factor(all.m_mass_factors(column)),
        m_vertical_factor(all.m_vertical_factors(column)),
        m_boundary(all.m_boundary(column)),
        m_coupling_sum(all.m_coupling_sums(column)),
        m_mass(&all.m_profiles(0, 0)),
        m_above(&all.m_profiles(1, 0)),
        m_below(&all.m_profiles(2, 0)),
        m_horizontal(&all.m_profiles(3, 0)),
        m_cuts(all, column) {
    if constexpr (HasBottoms) m_coupling_sum = open_sum();
    if constexpr (Held > 0) {
      for (int n = 0; n < slots; ++n) m_coupling[n] = open_coupling(n);
    }
  }

  ColumnFactors<Scalar> factors() const {
    int whole = std::numeric_limits<int>::max();
    if constexpr (HasBottoms) whole = m_cuts.whole();
    return {m_mass_factor, m_vertical_factor, m_coupling_sum, whole};
  }
  template <class Value>
  [[gnu::always_inline]] inline CellRow<Value> row(int k) const {
    const CellRow<Value> whole{
        m_mass_factor * load<Value>(m_mass + k) + m_boundary * load<Value>(m_horizontal + k),
        m_vertical_factor * load<Value>(m_above + k), m_vertical_factor * load<Value>(m_below + k)};
    if constexpr (HasBottoms) {
      if (!is_whole<Value>(k)) {
        return {m_cuts.template of_cell<Value>(k) * whole.mass +
                    (Scalar(1) - m_cuts.template wet<Value>(k)),
                m_cuts.template of_face_above<Value>(k) * whole.above,
                m_cuts.template of_face_below<Value>(k) * whole.below};
      }
    }
    return whole;
  }
  template <class Value>
  [[gnu::always_inline]] inline Value coupling(int slot, int k) const {
    const Scalar coupling = Held > 0 ? m_coupling[slot] : m_all.m_couplings(m_column, slot);
    if constexpr (HasBottoms) {
      if (Held == 0 || !is_whole<Value>(k)) {
        return m_cuts.template of_edge<Value>(m_all, m_column, slot, k) * coupling *
               load<Value>(m_horizontal + k);
      }
    }
    return coupling * load<Value>(m_horizontal + k);
  }
  template <class Value>
  [[gnu::always_inline]] inline Value line_mass(int k) const {
    const Value mass = load<Value>(m_mass + k), horizontal = load<Value>(m_horizontal + k);
    if constexpr (HasBottoms) {
      if (!is_whole<Value>(k)) {
        const Value cell = m_cuts.template of_cell<Value>(k);
        Value sum = cell * m_boundary;
        for (int n = 0; n < all_slots(); ++n) {
          sum += m_cuts.template of_edge<Value>(m_all, m_column, n, k) *
                 m_all.m_couplings(m_column, n);
        }
        return cell * m_mass_factor * mass + sum * horizontal +
               (Scalar(1) - m_cuts.template wet<Value>(k));
      }
    }
    return m_mass_factor * mass + m_coupling_sum * horizontal;
  }

 private:
  struct NoCuts {
    NoCuts(const All&, std::int64_t) {}
  };
  template <class Value>
  bool is_whole(int k) const {
    return k + static_cast<int>(sizeof(Value) / sizeof(Scalar)) <= m_cuts.whole();
  }
  int all_slots() const { return static_cast<int>(m_all.m_couplings.extent(1)); }
  Scalar open_coupling(int slot) const {
    const Scalar coupling = m_all.m_couplings(m_column, slot);
    if constexpr (HasBottoms) return m_all.m_open(m_column, slot) > 0 ? coupling : Scalar(0);
    return coupling;
  }
  Scalar open_sum() const {
    Scalar sum = m_boundary;
    for (int n = 0; n < all_slots(); ++n) sum += open_coupling(n);
    return sum;
  }

  const All& m_all;
  std::int64_t m_column;
  Scalar m_mass_factor, m_vertical_factor, m_boundary, m_coupling_sum;
  // Held here: stores to a field cannot change them.
  const Scalar *m_mass, *m_above, *m_below, *m_horizontal;
  Scalar m_coupling[extent_of<Held + 1>];
  [[no_unique_address]] std::conditional_t<HasBottoms, ColumnCuts<Scalar, HasPartialCells, Held>,
                                           NoCuts>
      m_cuts;
};

/// Without bottoms, which differ from column to column.
template <class Scalar>
class CellsOfLevel<ProfileCoefficients<Scalar, Kokkos::HostSpace, false, false>> {
 public:
  using All = ProfileCoefficients<Scalar, Kokkos::HostSpace, false, false>;

  CellsOfLevel(const All& all, int level) : m_all(all), m_at(all.m_levels(level)) {}

  template <class Value>
  [[gnu::always_inline]] inline CellRow<Value> row(std::int64_t column) const {
    const Value vertical = read<Value>(m_all.m_vertical_factors, column);
    return {read<Value>(m_all.m_mass_factors, column) * m_at.mass +
                read<Value>(m_all.m_boundary, column) * m_at.horizontal,
            vertical * m_at.above, vertical * m_at.below};
  }
  template <class Value>
  [[gnu::always_inline]] inline Value coupling(std::int64_t column, int slot) const {
    return load<Value>(&m_all.m_couplings(column, slot)) * m_at.horizontal;
  }

 private:
  const All& m_all;
  ProfileLevel<Scalar> m_at;
};

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
