// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What a thread keeps of one column of an operator, see `ColumnCoefficients`.

#include <lamina/sweeps/ColumnSystem.hpp>

#include <utility>

namespace Lamina::Impl {

template <class Coefficients>
inline constexpr bool has_line_mass = requires(const Coefficients& coefficients) {
  coefficients.line_mass(0, 0);
};

/// A column of coefficients that hold nothing: each is looked up.
template <class Coefficients>
struct LookedUpColumn {
  using Scalar = typename Coefficients::scalar_type;
  int column;

  KOKKOS_FORCEINLINE_FUNCTION CellRow<Scalar> row(const Coefficients& coefficients,
                                                  int level) const {
    return coefficients.row(column, level);
  }
  KOKKOS_FORCEINLINE_FUNCTION Scalar coupling(const Coefficients& coefficients, int slot,
                                              int level) const {
    return coefficients.coupling(column, slot, level);
  }
  KOKKOS_FORCEINLINE_FUNCTION Scalar line_mass(
      const Coefficients& coefficients, int level) const requires has_line_mass<Coefficients> {
    return coefficients.line_mass(column, level);
  }
};

template <class Coefficients, int Slots>
inline constexpr bool holds_columns = requires(const Coefficients& coefficients) {
  coefficients.template hold<Slots>(0);
};

template <int Slots, class Coefficients>
KOKKOS_FORCEINLINE_FUNCTION auto hold_column(const Coefficients& coefficients, int column) {
  if constexpr (holds_columns<Coefficients, Slots>) {
    return coefficients.template hold<Slots>(column);
  } else {
    return LookedUpColumn<Coefficients>{column};
  }
}
template <class Coefficients, int Slots>
using HeldColumn = decltype(hold_column<Slots>(std::declval<const Coefficients&>(), 0));

}  // namespace Lamina::Impl
