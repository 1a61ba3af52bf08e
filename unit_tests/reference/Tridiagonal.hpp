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

/// lower_k x_{k-1} + diagonal_k x_k + upper_k x_{k+1} = rhs_k, k modulo their number, by the formula
/// of Sherman and Morrison: T + u v^T with v_0 u_{n-1} and u_0 v_{n-1} in the corners.
template <class Real>
std::vector<Real> cyclic_thomas(const std::vector<Real>& lower, std::vector<Real> diagonal,
                                const std::vector<Real>& upper, const std::vector<Real>& rhs) {
  const std::size_t n = rhs.size();
  if (n == 0) return {};
  if (n == 1) return {rhs[0] / (lower[0] + diagonal[0] + upper[0])};
  if (n == 2) {
    return thomas<Real>({0, lower[1] + upper[1]}, diagonal, {lower[0] + upper[0], 0}, rhs);
  }
  const Real gamma = -diagonal[0];
  std::vector<Real> u(n, Real(0));
  u[0] = gamma;
  u[n - 1] = upper[n - 1];
  diagonal[0] -= gamma;
  diagonal[n - 1] -= upper[n - 1] * lower[0] / gamma;
  std::vector<Real> x = thomas(lower, diagonal, upper, rhs);
  const std::vector<Real> z = thomas(lower, diagonal, upper, u);
  const Real v = lower[0] / gamma;
  const Real factor = (x[0] + v * x[n - 1]) / (1 + z[0] + v * z[n - 1]);
  for (std::size_t k = 0; k < n; ++k) x[k] -= factor * z[k];
  return x;
}

}  // namespace Reference
