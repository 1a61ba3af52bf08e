// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The four vectors of the vertical discretisation, unprimed.

#include <cstddef>
#include <vector>

namespace Reference {

struct Vertical {
  std::vector<double> a, b, c, d;

  int num_levels() const { return static_cast<int>(a.size()); }
};

/// From interfaces r_0 .. r_n and thicknesses, which may be known better than as differences.
inline Vertical vertical_vectors(const std::vector<double>& r, const std::vector<double>& h,
                                 double omega2, double lambda2) {
  const std::size_t n = h.size();
  Vertical v{std::vector<double>(n), std::vector<double>(n), std::vector<double>(n),
             std::vector<double>(n)};
  for (std::size_t k = 0; k < n; ++k) {
    v.a[k] = h[k] * (r[k + 1] * r[k + 1] + r[k + 1] * r[k] + r[k] * r[k]) / 3;
    v.d[k] = -omega2 * v.a[k];
    v.b[k] = k + 1 < n ? -omega2 * lambda2 * r[k + 1] * r[k + 1] / ((h[k] + h[k + 1]) / 2) : 0;
    v.c[k] = k > 0 ? v.b[k - 1] : 0;
  }
  return v;
}

/// The same above a plane, from thicknesses alone: no areas grow with height.
inline Vertical flat_vertical_vectors(const std::vector<double>& h, double omega2, double lambda2) {
  const std::size_t n = h.size();
  Vertical v{h, std::vector<double>(n), std::vector<double>(n), std::vector<double>(n)};
  for (std::size_t k = 0; k < n; ++k) {
    v.d[k] = -omega2 * h[k];
    v.b[k] = k + 1 < n ? -omega2 * lambda2 * 2 / (h[k] + h[k + 1]) : 0;
    v.c[k] = k > 0 ? v.b[k - 1] : 0;
  }
  return v;
}

/// r_k = 1 + (k/n)^2 H, h_k = (2k + 1) H / n^2.
inline Vertical graded(int n, double depth, double omega2, double lambda2) {
  std::vector<double> r, h;
  for (int k = 0; k <= n; ++k) r.push_back(1 + depth * k * k / (double(n) * n));
  for (int k = 0; k < n; ++k) h.push_back((2 * k + 1) * depth / (double(n) * n));
  return vertical_vectors(r, h, omega2, lambda2);
}

}  // namespace Reference
