// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The lowest cells of columns, where bottoms cut them: factors of what they would be as whole ones.

#include <lamina/core/Concepts.hpp>
#include <lamina/core/impl/ExtentOf.hpp>

namespace Lamina::Impl {

/// The factors of all columns; none where columns end at interfaces.
template <class Scalar, class Memory, bool HasPartialCells>
struct CutCells {};
template <class Scalar, class Memory>
struct CutCells<Scalar, Memory, true> {
  Kokkos::View<const Scalar*, Memory> cells;  ///< of volumes of the last wet cell
  Kokkos::View<const Scalar*, Memory> faces;  ///< of the coupling of the last two
  /// (owned column, slot): of the coupling at the last open level
  Kokkos::View<const Scalar**, Kokkos::LayoutLeft, Memory> edges;
};

/// Those of one column, which a thread holds. \param Slots  as of `hold`
template <class Scalar, class Memory, int Slots, bool HasPartialCells>
struct HeldCutCells {
  HeldCutCells() = default;
  KOKKOS_FUNCTION HeldCutCells(const CutCells<Scalar, Memory, false>&, int, int) {}
  KOKKOS_FUNCTION Scalar of_cell(int, int) const { return 1; }
  KOKKOS_FUNCTION Scalar of_face(int, int) const { return 1; }
  KOKKOS_FUNCTION Scalar of_edge(const CutCells<Scalar, Memory, false>&, int, int, int) const {
    return 1;
  }
};
template <class Scalar, class Memory, int Slots>
class HeldCutCells<Scalar, Memory, Slots, true> {
 public:
  using All = CutCells<Scalar, Memory, true>;
  HeldCutCells() = default;
  KOKKOS_FUNCTION HeldCutCells(const All& all, int column, int slots)
      : m_column(column), m_cell(all.cells(column)), m_face(all.faces(column)) {
    for (int n = 0; n < Slots; ++n) m_edge[n] = n < slots ? all.edges(column, n) : Scalar(1);
  }

  KOKKOS_FUNCTION Scalar of_cell(int level, int bottom) const {
    return level + 1 == bottom ? m_cell : Scalar(1);
  }
  /// Of the face between this level and the next one.
  KOKKOS_FUNCTION Scalar of_face(int level, int bottom) const {
    return level + 2 == bottom ? m_face : Scalar(1);
  }
  /// \param open  levels below it are open
  KOKKOS_FUNCTION Scalar of_edge(const All& all, int slot, int level, int open) const {
    if (level + 1 != open) return 1;
    if constexpr (Slots > 0) {
      return m_edge[slot];
    } else {
      return all.edges(m_column, slot);
    }
  }

 private:
  int m_column;
  Scalar m_cell, m_face;
  Scalar m_edge[extent_of<(Slots > 0 ? Slots : 1)>];
};

}  // namespace Lamina::Impl
