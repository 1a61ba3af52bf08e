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

/// Numbers of cells from level k upwards that are open below `end`: the last of them has the factor `last`,
/// and those beyond are `closed`, whatever `value` is there.
template <class Value, class Scalar>
[[gnu::always_inline]] inline Value open_part(int k, int end, Scalar last, const Value& value,
                                              Scalar closed = 0) {
  if constexpr (std::is_arithmetic_v<Value>) {
    return k + 1 < end ? value : (k + 1 == end ? last * value : closed);
  } else {
    return first_lanes<Scalar>(end - k, first_lanes<Scalar>(end - 1 - k, value, last * value),
                               Value{} + closed);
  }
}

/// Where bottoms cut a column.
template <class Scalar, bool HasPartialCells, int Held>
class ColumnCuts {
 public:
  template <class All>
  ColumnCuts(const All& all, std::int64_t column, int slots) : m_bottom(all.m_bottoms(column)) {
    if constexpr (HasPartialCells) {
      m_cell = all.m_cuts.cells(column);
      m_face = all.m_cuts.faces(column);
    }
    if constexpr (Held > 0) {
      for (int n = 0; n < slots; ++n) {
        m_open[n] = all.m_open(column, n);
        if constexpr (HasPartialCells) m_edge[n] = all.m_cuts.edges(column, n);
      }
      m_whole = whole(all, column);
    }
  }

  /// Cells below this level are as if there was no bottom, but for edges to land.
  template <class All>
  int whole(const All& all, std::int64_t column) const {
    int whole = m_bottom - 2;
    for (int n = 0; n < static_cast<int>(all.m_open.extent(1)); ++n) {
      const int open = all.m_open(column, n);
      if (open > 0) whole = std::min(whole, open - 1);
    }
    return whole;
  }
  /// The same where slots are held; otherwise no cell is taken for one of them.
  int whole() const { return m_whole; }

  template <class Value>
  Value of_cell(int k, const Value& value, Scalar dry = 0) const {
    return open_part<Value>(k, m_bottom, m_cell, value, dry);
  }
  template <class Value>
  Value of_face_above(int k, const Value& value) const {
    return open_part<Value>(k, m_bottom - 1, m_face, value);
  }
  template <class Value>
  Value of_face_below(int k, const Value& value) const {
    return open_part<Value>(k, m_bottom, m_face, value);
  }
  template <class Value, class All>
  Value of_edge(const All& all, std::int64_t column, int slot, int k, const Value& value) const {
    if constexpr (Held > 0) {
      return open_part<Value>(k, m_open[slot], HasPartialCells ? m_edge[slot] : Scalar(1), value);
    } else {
      Scalar last = 1;
      if constexpr (HasPartialCells) last = all.m_cuts.edges(column, slot);
      return open_part<Value>(k, all.m_open(column, slot), last, value);
    }
  }

 private:
  static constexpr int held = Held > 0 ? Held : 1;
  int m_bottom = 0, m_whole = 0;
  Scalar m_cell = 1, m_face = 1;
  int m_open[extent_of<held>] = {};
  Scalar m_edge[extent_of<held>] = {};
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
        m_mass(&all.m_profiles(0, 0)),
        m_above(&all.m_profiles(1, 0)),
        m_below(&all.m_profiles(2, 0)),
        m_horizontal(&all.m_profiles(3, 0)),
        m_cuts(all, column, slots) {
    if constexpr (Held > 0) {
      for (int n = 0; n < slots; ++n) m_coupling[n] = open_coupling(n);
    }
  }

  ColumnFactors<Scalar> factors() const {
    if constexpr (HasBottoms) {
      Scalar sum = m_boundary;
      for (int n = 0; n < all_slots(); ++n) sum += open_coupling(n);
      return {m_mass_factor, m_vertical_factor, sum, m_cuts.whole(m_all, m_column)};
    } else {
      return {m_mass_factor, m_vertical_factor, m_all.m_coupling_sums(m_column),
              std::numeric_limits<int>::max()};
    }
  }
  template <class Value>
  [[gnu::always_inline]] inline CellRow<Value> row(int k) const {
    const CellRow<Value> whole{
        m_mass_factor * load<Value>(m_mass + k) + m_boundary * load<Value>(m_horizontal + k),
        m_vertical_factor * load<Value>(m_above + k), m_vertical_factor * load<Value>(m_below + k)};
    if constexpr (HasBottoms) {
      if (!is_whole<Value>(k, m_cuts.whole())) {
        return {m_cuts.of_cell(k, whole.mass, Scalar(1)), m_cuts.of_face_above(k, whole.above),
                m_cuts.of_face_below(k, whole.below)};
      }
    }
    return whole;
  }
  template <class Value>
  [[gnu::always_inline]] inline Value coupling(int slot, int k) const {
    const Scalar coupling = Held > 0 ? m_coupling[slot] : m_all.m_couplings(m_column, slot);
    if constexpr (HasBottoms) {
      if (!is_whole<Value>(k, m_cuts.whole())) {
        return m_cuts.of_edge(m_all, m_column, slot, k,
                              Value(coupling * load<Value>(m_horizontal + k)));
      }
    }
    return coupling * load<Value>(m_horizontal + k);
  }
  /// \param factors  of this column
  template <class Value>
  [[gnu::always_inline]] inline Value line_mass(int k, const ColumnFactors<Scalar>& factors) const {
    const Value mass = load<Value>(m_mass + k), horizontal = load<Value>(m_horizontal + k);
    if constexpr (HasBottoms) {
      if (!is_whole<Value>(k, factors.whole)) {
        const Value of_cell = m_mass_factor * mass + m_boundary * horizontal;
        Value sum = m_cuts.of_cell(k, of_cell, Scalar(1));
        for (int n = 0; n < all_slots(); ++n) sum += coupling<Value>(n, k);
        return sum;
      }
    }
    return factors.mass * mass + factors.horizontal * horizontal;
  }

 private:
  struct NoCuts {
    NoCuts(const All&, std::int64_t, int) {}
  };
  template <class Value>
  static bool is_whole(int k, int whole) {
    return k + static_cast<int>(sizeof(Value) / sizeof(Scalar)) <= whole;
  }
  int all_slots() const { return static_cast<int>(m_all.m_couplings.extent(1)); }
  Scalar open_coupling(int slot) const {
    const Scalar coupling = m_all.m_couplings(m_column, slot);
    if constexpr (HasBottoms) return m_all.m_open(m_column, slot) > 0 ? coupling : Scalar(0);
    return coupling;
  }
  const All& m_all;
  std::int64_t m_column;
  Scalar m_mass_factor, m_vertical_factor, m_boundary;
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
