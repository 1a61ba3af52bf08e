// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cmath>

namespace Lamina::Impl {

/// The power of two by which `safe_norm` multiplies or divides values that are too small or large.
inline constexpr double norm_scale = 0x1p600;

/// The root of a sum of squares, over the whole range of double precision. Where squares overflow
/// or underflow, the values are summed again, times a power of two.
///
/// \param sum_of_squares  sum_of_squares(factor) is the sum of (factor v)^2
template <class SumOfSquares>
double safe_norm(const SumOfSquares& sum_of_squares) {
  // A square below 2^-1022 has an error of up to 2^-1074. 2^41 such errors do not change this sum.
  constexpr double least_sum = 0x1p-960, up = norm_scale, down = 1 / norm_scale;
  const double sum = sum_of_squares(1.0);
  const bool is_safe = sum >= least_sum && std::isfinite(sum);
  if (is_safe || std::isnan(sum)) return std::sqrt(sum);
  const double factor = sum < least_sum ? up : down;
  return std::sqrt(sum_of_squares(factor)) / factor;
}

}  // namespace Lamina::Impl
