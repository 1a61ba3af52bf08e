// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/problems/ClosedFormSystem.hpp>

#include <cmath>

namespace Lamina::Impl {

std::vector<double> wave_table(bool cosine, int period, int size, int columns, double step,
                               double u, double v) {
  std::vector<double> table;
  table.reserve(static_cast<std::size_t>(period) * static_cast<std::size_t>(size) *
                static_cast<std::size_t>(columns));
  for (int m = 0; m < period; ++m) {
    for (int q = 0; q < columns; ++q) {
      for (int p = 0; p < size; ++p) {
        const double angle = step * m + u * p + v * q;
        table.push_back(cosine ? std::cos(angle) : std::sin(angle));
      }
    }
  }
  return table;
}

}  // namespace Lamina::Impl
