// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The five-point stencil on a rectangle with a zero boundary, point by point.

#include <reference/Matrix.hpp>

#include <cmath>
#include <cstddef>

namespace Reference {

/// 4 x_ij - the four neighbours; values in the order ny i + j. `sign` +1 adds up magnitudes instead.
inline Values poisson(int nx, int ny, const Values& x, double sign = -1) {
  const auto at = [&](int i, int j) {
    const bool inside = i >= 0 && i < nx && j >= 0 && j < ny;
    const double value = inside ? x[static_cast<std::size_t>(i) * static_cast<std::size_t>(ny) +
                                    static_cast<std::size_t>(j)]
                                : 0;
    return sign > 0 ? std::abs(value) : value;
  };
  Values y;
  for (int i = 0; i < nx; ++i) {
    for (int j = 0; j < ny; ++j) {
      y.push_back(4 * at(i, j) +
                  sign * (at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1)));
    }
  }
  return y;
}

}  // namespace Reference
