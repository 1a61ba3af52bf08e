// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// `StoredCoefficients` in vectors along the contiguous index of their layout, for kernels on CPU cores.

#include <lamina/core/Concepts.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/sweeps/impl/Cells_Host.hpp>

#include <cstdint>
#include <type_traits>

namespace Lamina {

template <FieldScalar Scalar, MemorySpace Memory, FieldLayout Layout, FieldScalar Value>
class StoredCoefficients;

namespace Impl {
inline namespace LAMINA_LANES {

/// Values from an address on, in the precision of the arithmetic.
template <class Value, class Scalar, class Stored>
[[gnu::always_inline]] inline Value load_converted(const Stored* from) {
  if constexpr (std::is_arithmetic_v<Value>) {
    return static_cast<Scalar>(*from);
  } else {
    return converted_lanes<Scalar>(from);
  }
}

template <class Scalar, class Stored, int Held>
class CellsOfColumn<StoredCoefficients<Scalar, Kokkos::HostSpace, Kokkos::LayoutRight, Stored>,
                    Held> {
 public:
  using All = StoredCoefficients<Scalar, Kokkos::HostSpace, Kokkos::LayoutRight, Stored>;

  CellsOfColumn(const All& all, std::int64_t column, int slots)
      : m_all(all),
        m_column(column),
        m_num_levels(all.m_num_levels),
        m_mass(all.m_mass.data() + column * static_cast<std::int64_t>(all.m_mass.stride(0))),
        m_vertical(all.m_vertical.data() +
                   column * static_cast<std::int64_t>(all.m_vertical.stride(0))),
        m_row_sums(all.m_row_sums.data() +
                   column * static_cast<std::int64_t>(all.m_row_sums.stride(0))) {
    if constexpr (Held > 0) {
      for (int n = 0; n < slots; ++n) m_edge[n] = edge(n);
    }
  }

  /// Asks for what a sweep and a line solve read from level k on, `ahead` values behind. Edges are in the
  /// order of their columns: the last two are new.
  void prefetch(int k, std::int64_t ahead, int slots) const {
    prefetch_line(m_mass + k + ahead);
    prefetch_line(m_vertical + k + ahead);
    if constexpr (Held > 0) {
      for (int n = slots > 2 ? slots - 2 : 0; n < slots; ++n) {
        if (m_edge[n] != nullptr) prefetch_line(m_edge[n] + k + 2 * ahead);
      }
    }
  }
  void prefetch_line_rows(int k, std::int64_t ahead) const {
    prefetch_line(m_vertical + k + ahead);
    prefetch_line(m_row_sums + k + ahead);
  }

  /// The last level couples to none above, whatever is stored there.
  template <class Value>
  [[gnu::always_inline]] inline CellRow<Value> row(int k) const {
    constexpr int cells = static_cast<int>(sizeof(Value) / sizeof(Scalar));
    Value above = load_converted<Value, Scalar>(m_vertical + k), below{};
    if constexpr (std::is_arithmetic_v<Value>) {
      if (k + 1 == m_num_levels) above = 0;
      if (k > 0) below = load_converted<Value, Scalar>(m_vertical + k - 1);
    } else {
      below = k > 0 ? load_converted<Value, Scalar>(m_vertical + k - 1)
                    : shift_up<Scalar>(Value{}, above);
      if (k + cells == m_num_levels) above[cells - 1] = 0;
    }
    return {load_converted<Value, Scalar>(m_mass + k), above, below};
  }
  template <class Value>
  [[gnu::always_inline]] inline Value coupling(int slot, int k) const {
    const Stored* values = Held > 0 ? m_edge[slot] : edge(slot);
    return values == nullptr ? Value{} : load_converted<Value, Scalar>(values + k);
  }
  template <class Value>
  [[gnu::always_inline]] inline Value line_mass(int k) const {
    return load_converted<Value, Scalar>(m_row_sums + k);
  }

 private:
  /// The values of an edge; none where there is no neighbour.
  const Stored* edge(int slot) const {
    const int found = m_all.m_edges(m_column, slot);
    if (found == ColumnMesh<Kokkos::HostSpace>::no_edge) return nullptr;
    return m_all.m_horizontal.data() +
           found * static_cast<std::int64_t>(m_all.m_horizontal.stride(0));
  }

  const All& m_all;
  std::int64_t m_column;
  int m_num_levels;
  const Stored *m_mass, *m_vertical, *m_row_sums;
  const Stored* m_edge[extent_of<Held + 1>];
};

template <class Scalar, class Stored>
class CellsOfLevel<StoredCoefficients<Scalar, Kokkos::HostSpace, Kokkos::LayoutLeft, Stored>> {
 public:
  using All = StoredCoefficients<Scalar, Kokkos::HostSpace, Kokkos::LayoutLeft, Stored>;

  CellsOfLevel(const All& all, int level) : m_all(all), m_level(level) {}

  template <class Value>
  [[gnu::always_inline]] inline CellRow<Value> row(std::int64_t column) const {
    Value above{}, below{};
    if (m_level + 1 < m_all.m_num_levels) {
      above = load_converted<Value, Scalar>(&m_all.m_vertical(column, m_level));
    }
    if (m_level > 0) below = load_converted<Value, Scalar>(&m_all.m_vertical(column, m_level - 1));
    return {load_converted<Value, Scalar>(&m_all.m_mass(column, m_level)), above, below};
  }
  template <class Value>
  [[gnu::always_inline]] inline Value coupling(std::int64_t column, int slot) const {
    return numbers_of_cells<Value>(
        [&](int i) { return m_all.of_edge(m_all.m_edges(column + i, slot), m_level); });
  }
  template <class Value>
  [[gnu::always_inline]] inline Value line_mass(std::int64_t column) const {
    return load_converted<Value, Scalar>(&m_all.m_row_sums(column, m_level));
  }

 private:
  const All& m_all;
  int m_level;
};

}  // namespace LAMINA_LANES
}  // namespace Impl
}  // namespace Lamina
