// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Coefficients of several cells at once, for kernels on CPU cores: along the levels of a column, or
// along neighbouring columns of a level. Here they are asked for one by one. Classes of the library
// have specialisations that load vectors.

#include <lamina/device/impl/Lanes_Host.hpp>
#include <lamina/sweeps/ColumnSystem.hpp>

#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

/// The rows of several cells. \param row  of the i-th one
template <class Value, class Row>
[[gnu::always_inline]] inline CellRow<Value> rows_of_cells(const Row& row) {
  if constexpr (std::is_arithmetic_v<Value>) {
    return row(0);
  } else {
    constexpr int cells = static_cast<int>(sizeof(Value) / sizeof(row(0).mass));
    CellRow<Value> rows{};
    for (int i = 0; i < cells; ++i) {
      const auto cell = row(i);
      rows.mass[i] = cell.mass;
      rows.above[i] = cell.above;
      rows.below[i] = cell.below;
    }
    return rows;
  }
}

/// Numbers of several cells. \param number  of the i-th one
template <class Value, class Number>
[[gnu::always_inline]] inline Value numbers_of_cells(const Number& number) {
  if constexpr (std::is_arithmetic_v<Value>) {
    return number(0);
  } else {
    return gather_lanes<std::remove_cvref_t<decltype(number(0))>>(number);
  }
}

/// One column, from level k upwards: `Value` is the scalar, or lanes of it. Where a specialisation has
/// `line_mass`, too, line solves take their rows from here; with `factors`, see `ColumnFactors`.
/// \tparam Held  slots that are held; 0: all are looked up
template <class Coefficients, int Held>
class CellsOfColumn {
  using Scalar = typename Coefficients::scalar_type;

 public:
  /// \param slots  that are asked for, <= Held unless that is 0
  CellsOfColumn(const Coefficients& coefficients, std::int64_t column, int)
      : m_coefficients(coefficients), m_column(static_cast<int>(column)) {}

  template <class Value>
  [[gnu::always_inline]] inline CellRow<Value> row(int k) const {
    return rows_of_cells<Value>([&](int i) { return m_coefficients.row(m_column, k + i); });
  }
  template <class Value>
  [[gnu::always_inline]] inline Value coupling(int slot, int k) const {
    return numbers_of_cells<Value>(
        [&](int i) -> Scalar { return m_coefficients.coupling(m_column, slot, k + i); });
  }

 private:
  const Coefficients& m_coefficients;
  int m_column;
};

/// Rows of a line solve below level `whole` are products of these with the profiles.
template <class Scalar>
struct ColumnFactors {
  Scalar mass, vertical, horizontal;
  int whole;
};

/// One level, from a column onwards, as `CellsOfColumn`.
template <class Coefficients>
class CellsOfLevel {
  using Scalar = typename Coefficients::scalar_type;

 public:
  CellsOfLevel(const Coefficients& coefficients, int level)
      : m_coefficients(coefficients), m_level(level) {}

  template <class Value>
  [[gnu::always_inline]] inline CellRow<Value> row(std::int64_t column) const {
    return rows_of_cells<Value>(
        [&](int i) { return m_coefficients.row(static_cast<int>(column) + i, m_level); });
  }
  template <class Value>
  [[gnu::always_inline]] inline Value coupling(std::int64_t column, int slot) const {
    return numbers_of_cells<Value>([&](int i) -> Scalar {
      return m_coefficients.coupling(static_cast<int>(column) + i, slot, m_level);
    });
  }

 private:
  const Coefficients& m_coefficients;
  int m_level;
};

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
