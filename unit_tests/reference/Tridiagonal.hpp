// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Thomas' algorithm as textbooks have it.

#include <cstddef>
#include <vector>

namespace Reference {

template <class Real>
std::vector<Real> thomas(const std::vector<Real>& lower, std::vector<Real> diagonal,
                         const std::vector<Real>& upper, std::vector<Real> rhs) {
  const std::size_t n = rhs.size();
  for (std::size_t k = 1; k < n; ++k) {
    const Real factor = lower[k] / diagonal[k - 1];
    diagonal[k] -= factor * upper[k - 1];
    rhs[k] -= factor * rhs[k - 1];
  }
  for (std::size_t k = n; k-- > 0;) {
    if (k + 1 < n) rhs[k] -= upper[k] * rhs[k + 1];
    rhs[k] /= diagonal[k];
  }
  return rhs;
}

}  // namespace Reference
