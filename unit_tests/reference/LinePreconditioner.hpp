// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <reference/Matrix.hpp>
#include <reference/Tridiagonal.hpp>

namespace Reference {

/// z = M^-1 r by Thomas' algorithm on the printed entries of M, column by column. Extended
/// precision, because these entries nearly lose the mass term.
inline Values precondition(const Matrix& m, int num_levels, const Values& r) {
  Values z;
  const auto n = static_cast<std::size_t>(num_levels);
  for (std::size_t first = 0; first < r.size(); first += n) {
    std::vector<long double> lower(n), diagonal(n), upper(n), rhs(n);
    for (std::size_t k = 0; k < n; ++k) {
      const auto row = static_cast<int>(first + k);
      if (k > 0) lower[k] = m.at(row, row - 1);
      diagonal[k] = m.at(row, row);
      if (k + 1 < n) upper[k] = m.at(row, row + 1);
      rhs[k] = r[first + k];
    }
    for (long double value : thomas(lower, diagonal, upper, rhs))
      z.push_back(static_cast<double>(value));
  }
  return z;
}

}  // namespace Reference
