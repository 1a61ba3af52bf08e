// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The Helmholtz matrix, assembled row by row with the entries as they are printed. Unknown (column,
// level) has number column * num_levels + level.

#include <reference/Horizontal.hpp>
#include <reference/Vertical.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

namespace Reference {

using Values = std::vector<double>;

struct Matrix {
  struct Entry {
    int column;
    double value;
  };
  std::vector<std::vector<Entry>> rows;

  /// One entry; 0 where the row has none.
  double at(int row, int column) const {
    for (const auto& entry : rows[static_cast<std::size_t>(row)]) {
      if (entry.column == column) return entry.value;
    }
    return 0;
  }

  Values multiply(const Values& x) const {
    Values y;
    for (const auto& row : rows) {
      long double sum = 0;
      for (const auto& [column, value] : row) {
        sum += static_cast<long double>(value) * x[static_cast<std::size_t>(column)];
      }
      y.push_back(static_cast<double>(sum));
    }
    return y;
  }

  /// |A| |x|: what a rounding error of y is relative to.
  Values multiply_magnitudes(const Values& x) const {
    Values y;
    for (const auto& row : rows) {
      double sum = 0;
      for (const auto& [column, value] : row) {
        sum += std::abs(value * x[static_cast<std::size_t>(column)]);
      }
      y.push_back(sum);
    }
    return y;
  }
};

/// `coupled` = false leaves the couplings between columns out of the off-diagonal: that is M, the
/// matrix of the line preconditioner.
inline Matrix helmholtz_matrix(const Horizontal& horizontal, const Vertical& v,
                               bool coupled = true) {
  const int n = v.num_levels();
  std::vector<double> alpha_sum(horizontal.boundary);
  for (const auto& c : horizontal.couplings) {
    if (c.first < horizontal.num_owned) alpha_sum[static_cast<std::size_t>(c.first)] += c.alpha;
    if (c.second < horizontal.num_owned) alpha_sum[static_cast<std::size_t>(c.second)] += c.alpha;
  }
  Matrix matrix;
  matrix.rows.resize(static_cast<std::size_t>(horizontal.num_owned * n));
  for (int t = 0; t < horizontal.num_owned; ++t) {
    const double area = horizontal.area[static_cast<std::size_t>(t)];
    for (int k = 0; k < n; ++k) {
      const auto level = static_cast<std::size_t>(k);
      auto& row = matrix.rows[static_cast<std::size_t>(t * n + k)];
      const double diagonal = area * (v.a[level] - v.b[level] - v.c[level]) -
                              alpha_sum[static_cast<std::size_t>(t)] * v.d[level];
      row.push_back({t * n + k, diagonal});
      if (k + 1 < n) row.push_back({t * n + k + 1, area * v.b[level]});
      if (k > 0) row.push_back({t * n + k - 1, area * v.c[level]});
    }
  }
  if (!coupled) return matrix;
  for (const auto& c : horizontal.couplings) {
    for (int k = 0; k < n; ++k) {
      const double entry = c.alpha * v.d[static_cast<std::size_t>(k)];
      if (c.first < horizontal.num_owned) {
        matrix.rows[static_cast<std::size_t>(c.first * n + k)].push_back({c.second * n + k, entry});
      }
      if (c.second < horizontal.num_owned) {
        matrix.rows[static_cast<std::size_t>(c.second * n + k)].push_back({c.first * n + k, entry});
      }
    }
  }
  return matrix;
}

}  // namespace Reference
