// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The solution of a symmetric positive definite system by elimination of a dense copy of it, in extended
// precision.

#include <reference/Matrix.hpp>

#include <cstddef>
#include <vector>

namespace Reference {

inline Values solve_directly(const Matrix& matrix, const Values& b) {
  const std::size_t n = matrix.rows.size();
  std::vector<std::vector<long double>> a(n, std::vector<long double>(n, 0));
  std::vector<long double> x(b.begin(), b.end());
  for (std::size_t i = 0; i < n; ++i) {
    for (const auto& entry : matrix.rows[i]) {
      a[i][static_cast<std::size_t>(entry.column)] += static_cast<long double>(entry.value);
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = k + 1; i < n; ++i) {
      if (a[i][k] == 0) continue;
      const long double factor = a[i][k] / a[k][k];
      for (std::size_t j = k; j < n; ++j) a[i][j] -= factor * a[k][j];
      x[i] -= factor * x[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) x[k] -= a[k][j] * x[j];
    x[k] /= a[k][k];
  }
  return Values(x.begin(), x.end());
}

}  // namespace Reference
