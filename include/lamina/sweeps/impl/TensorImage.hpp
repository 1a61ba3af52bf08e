// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Macros.hpp>

namespace Lamina::Impl {

/// (A x) of a tensor product, see `HelmholtzOperator`: from the value of a cell (or of several cells),
/// its neighbours in the column, and the flux from the neighbouring columns,
/// sum_n alpha_n (x_n - x) - alpha_b x.
template <class Value, class Area, class Mass, class Level>
KOKKOS_FORCEINLINE_FUNCTION Value tensor_image(const Area& area, const Mass& mass,
                                               const Level& above, const Level& below,
                                               const Level& scale, const Value& x,
                                               const Value& x_above, const Value& x_below,
                                               const Value& flux) {
  return scale * (area * (mass * x + above * (x_above - x) + below * (x_below - x)) + flux);
}

/// What an edge carries to a cell with x, divided by its coupling: the difference, or the other value alone.
template <bool Difference, class Value>
KOKKOS_FORCEINLINE_FUNCTION Value beside(const Value& other, const Value& x) {
  if constexpr (Difference) {
    return other - x;
  } else {
    return other;
  }
}

}  // namespace Lamina::Impl
