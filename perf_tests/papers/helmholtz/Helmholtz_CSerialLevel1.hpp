// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Vector operations of the sequential program.

#include <algorithm>
#include <cstddef>

namespace Lamina::Paper {

/// Several partial sums, so that additions need not wait for each other; added up in double
/// precision now and then.
template <class Real>
inline double dot(std::size_t n, const Real* __restrict__ x, const Real* __restrict__ y) {
  constexpr std::size_t partial_sums = 128 / sizeof(Real), block = 4096;
  double total = 0;
  std::size_t i = 0;
  while (i + partial_sums <= n) {
    const std::size_t end = std::min(n, i + block);
    Real sum[partial_sums] = {};
    for (; i + partial_sums <= end; i += partial_sums) {
      for (std::size_t s = 0; s < partial_sums; ++s) sum[s] += x[i + s] * y[i + s];
    }
    for (const Real s : sum) total += static_cast<double>(s);
  }
  for (; i < n; ++i) total += static_cast<double>(x[i]) * static_cast<double>(y[i]);
  return total;
}
/// y += a x
template <class Real>
inline void axpy(std::size_t n, Real a, const Real* __restrict__ x, Real* __restrict__ y) {
  for (std::size_t i = 0; i < n; ++i) y[i] += a * x[i];
}
/// y = x + b y
template <class Real>
inline void xpby(std::size_t n, const Real* __restrict__ x, Real b, Real* __restrict__ y) {
  for (std::size_t i = 0; i < n; ++i) y[i] = x[i] + b * y[i];
}

}  // namespace Lamina::Paper
