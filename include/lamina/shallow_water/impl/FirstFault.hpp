// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/shallow_water/impl/GhostedField.hpp>

#include <cstdint>

namespace Lamina::Impl {

/// The first cell with a fault and of which kind, as one number that a minimum finds.
struct FirstFault {
  static constexpr std::int64_t none = INT64_MAX;
  std::int64_t code = none;  ///< 2 (i + n j), and 1 more where all values are finite
};

/// Judges single cells.
template <class Scalar>
struct JudgeCells {
  int size;
  StateFields<const Scalar> state;

  /// Without branches, so that lines without a fault go by in vectors. Differences of infinities,
  /// and what is NaN, do not equal 0.
  KOKKOS_FORCEINLINE_FUNCTION static bool is_finite(Scalar phi, Scalar x, Scalar y) {
    return (phi - phi) + (x - x) + (y - y) == Scalar(0);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool is_sound(std::int64_t i, std::int64_t j) const {
    const Scalar phi = state.height(i, j);
    const bool finite = is_finite(phi, state.u(i, j), state.v(i, j)), positive = phi > Scalar(0);
    return finite & positive;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t code(std::int64_t i, std::int64_t j) const {
    if (is_sound(i, j)) return FirstFault::none;
    return 2 * (i + j * size) +
           (is_finite(state.height(i, j), state.u(i, j), state.v(i, j)) ? 1 : 0);
  }
};

}  // namespace Lamina::Impl
