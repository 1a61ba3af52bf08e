// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Several levels of stored coefficients, as a thread of a device takes them at once. Level n is first + n.

#include <lamina/columns/impl/LevelsFrom.hpp>

#include <Kokkos_Core.hpp>

namespace Lamina::Impl {

/// Rows of lines.
template <class Value>
class StoredSegment {
 public:
  /// \param end  levels of the column, but for those at its end that are dry: there all is 0
  template <class RowSums, class Field>
  KOKKOS_FORCEINLINE_FUNCTION StoredSegment(const RowSums& row_sums, const Field& vertical,
                                            int column, int first, int end)
      : m_row_sums(row_sums, column, first),
        m_from_below(vertical, column, first - 1),
        m_wet(end - first) {}

  /// Levels to the last one that is not dry.
  KOKKOS_FORCEINLINE_FUNCTION int wet() const { return m_wet; }
  KOKKOS_FORCEINLINE_FUNCTION Value line_mass(int n) const { return m_row_sums(n); }
  /// The coupling of levels n and n + 1.
  KOKKOS_FORCEINLINE_FUNCTION Value above(int n) const { return m_from_below(n + 1); }
  /// That of the first level and the one below it, where first > 0.
  KOKKOS_FORCEINLINE_FUNCTION Value below() const { return m_from_below(0); }

 private:
  LevelsFrom<Value> m_row_sums, m_from_below;
  int m_wet;
};

}  // namespace Lamina::Impl
