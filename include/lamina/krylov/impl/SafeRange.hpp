// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Macros.hpp>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>
#include <type_traits>

namespace Lamina::Impl {

/// Sums of squares between which a solve is carried out as it is. Beyond them, squares and products
/// underflow or overflow, and the solve is scaled by a power of two.
struct SafeRange {
  double smallest2 = 0, largest2 = DBL_MAX;

  KOKKOS_FUNCTION bool contains(double sum) const { return sum >= smallest2 && sum <= largest2; }
};

/// For the initial residual and the right-hand side in double precision: leaves room for a residual
/// that falls by 1e50, and for products with the entries of a matrix. In single precision, whose
/// squares are summed in double precision, for values down to the smallest normal number.
template <class Scalar>
constexpr SafeRange safe_range() {
  return std::is_same_v<Scalar, float> ? SafeRange{1e-40, 1e50} : SafeRange{1e-200, 1e200};
}

/// Residuals so many times the right-hand side, or more, belong to guesses that hold nothing.
inline constexpr double worthless = 1e20;

/// The power of two that brings `size` to 1 to 2, as near as `Scalar` holds it and its reciprocal:
/// subnormal numbers stay smaller.
template <class Scalar>
double scale_of(double size) {
  constexpr int most = std::numeric_limits<Scalar>::max_exponent - 24;
  return std::ldexp(1.0, std::clamp(-std::ilogb(size), -most, most));
}

/// Whether a solution whose largest entry is `size`, a result of scaling back, is as good as
/// `tolerance` asks for: subnormal numbers have less digits than others.
template <class Scalar>
bool holds(double size, double tolerance) {
  using Limits = std::numeric_limits<Scalar>;
  const double needed = std::max<double>(tolerance, Limits::epsilon());
  return static_cast<double>(Limits::denorm_min()) <= needed * size;
}

}  // namespace Lamina::Impl
