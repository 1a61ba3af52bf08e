// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Cells of one direction of a rectangle, in pairs, and linear interpolation between them.

#include <Kokkos_Macros.hpp>

#include <cmath>

namespace Lamina::Impl {

/// The cells of one direction: each 1 wide, but for the last one.
struct CellAxis {
  int count = 0;
  double last = 1;  ///< the width of the last cell, 1 <= last < 2

  KOKKOS_FORCEINLINE_FUNCTION bool halves() const { return count > 1; }
  /// Cells in pairs; the last of an odd number joins the pair before it. In units of its own width, which is
  /// twice this one where the direction halves.
  CellAxis coarser() const {
    if (!halves()) return *this;
    return {count / 2, (count % 2 == 0 ? 1 + last : 2 + last) / 2};
  }
  KOKKOS_FORCEINLINE_FUNCTION int num_coarse() const { return halves() ? count / 2 : count; }
  /// The first cell of a coarser one; `count` behind the last.
  KOKKOS_FORCEINLINE_FUNCTION int begin_of(int coarse) const {
    if (coarse == num_coarse()) return count;
    return halves() ? 2 * coarse : coarse;
  }
  /// Of the centres at the edge before cell i, 0 <= i <= count; cell -1 is the last one, and cell `count` the
  /// first one.
  KOKKOS_FUNCTION double distance(int i) const {
    const bool beside_last = i == 0 || i == count || i == count - 1;
    return beside_last && count > 1 ? (1 + last) / 2 : 1;
  }
};

/// Linear interpolation from coarser cells to cells, along one direction. A cell takes a share of a coarser cell
/// beside the one that it is in, and the rest of that one.
template <class Scalar>
struct CellTransfer {
  struct Entry {
    int in, beside;  ///< -1 and the number of coarser cells stand for the last and the first one
    Scalar share;    ///< of `beside`
  };
  CellAxis axis;  ///< of the cells

  CellTransfer() = default;
  /// \param walls  nothing is taken from beyond the ends
  CellTransfer(const CellAxis& axis_, bool walls) : axis(axis_) {
    if (axis.num_coarse() == 1) return;
    for (int i = first_of_last(); i < axis.count; ++i) m_last[i - first_of_last()] = share_at(i);
    m_first = share_at(0);
    if (!walls) return;
    m_first = 0;
    m_last[axis.count - 1 - first_of_last()] = 0;
  }

  KOKKOS_FORCEINLINE_FUNCTION int num_coarse() const { return axis.num_coarse(); }
  /// Cells may have the numbers of a period before or behind; so have the coarser ones then.
  KOKKOS_FORCEINLINE_FUNCTION Entry entry(int cell) const {
    const int period = cell < 0 ? -1 : cell >= axis.count ? 1 : 0;
    const int i = cell - period * axis.count, before = period * num_coarse();
    if (num_coarse() == 1) return {before, before, 0};
    const int in = i / 2 < num_coarse() ? i / 2 : num_coarse() - 1;
    return {before + in, before + (is_in_front(i) ? in - 1 : in + 1),
            i == 0                ? m_first
            : i < first_of_last() ? Scalar(0.25)
                                  : m_last[i - first_of_last()]};
  }
  /// The factor of a cell in the sum of a coarser one.
  KOKKOS_FORCEINLINE_FUNCTION Scalar factor(int cell, int coarse) const {
    const Entry of = entry(cell);
    return of.in == coarse ? 1 - of.share : of.beside == coarse ? of.share : Scalar(0);
  }
  /// Cells with such factors.
  KOKKOS_FORCEINLINE_FUNCTION int first_with(int coarse) const { return axis.begin_of(coarse) - 1; }
  KOKKOS_FORCEINLINE_FUNCTION int end_with(int coarse) const {
    // The cell in the middle of three takes from the coarser one before, too.
    const bool before_three = axis.count % 2 == 1 && coarse == num_coarse() - 2;
    return axis.begin_of(coarse + 1) + (before_three ? 2 : 1);
  }

 private:
  /// From here on to the end shares depend on the width of the last cell. The others are 1/4, but for cell 0.
  KOKKOS_FORCEINLINE_FUNCTION int first_of_last() const { return 2 * num_coarse() - 3; }
  /// Whether the centre of a cell is before that of the coarser one.
  KOKKOS_FORCEINLINE_FUNCTION bool is_in_front(int i) const {
    const bool in_middle = axis.count % 2 == 1 && i == axis.count - 2;
    return in_middle || (i % 2 == 0 && i < 2 * num_coarse());
  }
  Scalar share_at(int i) const {
    const CellAxis coarser = axis.coarser();
    const int in = i / 2 < coarser.count ? i / 2 : coarser.count - 1;
    const double width = i == axis.count - 1 ? axis.last : 1,
                 coarser_width = in == coarser.count - 1 ? 2 * coarser.last : 2,
                 offset = (i + width / 2) - (2 * in + coarser_width / 2);
    return static_cast<Scalar>(std::abs(offset) /
                               (2 * coarser.distance(is_in_front(i) ? in : in + 1)));
  }

  Scalar m_first = 0, m_last[4] = {};
};

}  // namespace Lamina::Impl
