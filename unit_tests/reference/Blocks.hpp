// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Block systems as textbooks have them: a list of blocks to each row, Gauss-Seidel one row after
// the other, dense elimination with pivoting. The generated mesh and its blocks, as they are
// defined. Rounding to half precision.

#include <reference/Hash.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

namespace Reference {

using Block = std::vector<double>;  ///< column-major

struct BlockMatrix {
  struct Entry {
    int column;
    Block block;
  };
  int size;                             ///< of a block
  std::vector<Block> diagonal;          ///< of each row
  std::vector<std::vector<Entry>> off;  ///< of each row, off the diagonal

  int num_rows() const { return static_cast<int>(diagonal.size()); }
};

/// y += factor * block * x_column
inline void add_product(const Block& block, int size, const std::vector<double>& x, int column,
                        double factor, double* y) {
  for (int p = 0; p < size; ++p) {
    long double sum = 0;
    for (int q = 0; q < size; ++q) {
      sum += static_cast<long double>(block[static_cast<std::size_t>(q * size + p)]) *
             x[static_cast<std::size_t>(column * size + q)];
    }
    y[p] += factor * static_cast<double>(sum);
  }
}

inline std::vector<double> multiply(const BlockMatrix& a, const std::vector<double>& x) {
  std::vector<double> y(x.size(), 0.0);
  for (int i = 0; i < a.num_rows(); ++i) {
    double* const y_i = y.data() + i * a.size;
    add_product(a.diagonal[static_cast<std::size_t>(i)], a.size, x, i, 1, y_i);
    for (const auto& entry : a.off[static_cast<std::size_t>(i)]) {
      add_product(entry.block, a.size, x, entry.column, 1, y_i);
    }
  }
  return y;
}

/// block x = b by elimination with partial pivoting
inline std::vector<double> solve_dense(Block block, std::vector<double> b) {
  const std::size_t n = b.size();
  const auto a = [&](std::size_t r, std::size_t c) -> double& { return block[c * n + r]; };
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t largest = k;
    for (std::size_t r = k; r < n; ++r) {
      if (std::abs(a(r, k)) > std::abs(a(largest, k))) largest = r;
    }
    for (std::size_t c = 0; c < n; ++c) std::swap(a(k, c), a(largest, c));
    std::swap(b[k], b[largest]);
    for (std::size_t r = k + 1; r < n; ++r) {
      const double factor = a(r, k) / a(k, k);
      for (std::size_t c = k; c < n; ++c) a(r, c) -= factor * a(k, c);
      b[r] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t c = k + 1; c < n; ++c) b[k] -= a(k, c) * b[c];
    b[k] /= a(k, k);
  }
  return b;
}

/// One sweep of block Gauss-Seidel over the rows in the given order.
inline void gauss_seidel(const BlockMatrix& a, const std::vector<double>& b, std::vector<double>& x,
                         const std::vector<int>& order) {
  const auto size = static_cast<std::ptrdiff_t>(a.size);
  for (const int i : order) {
    std::vector<double> q(b.begin() + i * size, b.begin() + (i + 1) * size);
    for (const auto& entry : a.off[static_cast<std::size_t>(i)]) {
      add_product(entry.block, a.size, x, entry.column, -1, q.data());
    }
    q = solve_dense(a.diagonal[static_cast<std::size_t>(i)], q);
    std::copy(q.begin(), q.end(), x.begin() + i * size);
  }
}

/// The nearest number of 11 significant bits, of two the even one; a multiple of 2^least_exponent.
inline double in_eleven_bits(double value, int least_exponent = -1000) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int exponent = std::max(std::ilogb(value) - 10, least_exponent);
  return std::ldexp(std::nearbyint(std::ldexp(value, -exponent)), exponent);
}
/// The nearest number of IEEE 754's binary16.
inline double in_half(double value) {
  const double rounded = in_eleven_bits(value, -24);
  return std::abs(rounded) > 65504 ? std::copysign(HUGE_VAL, value) : rounded;
}

/// Each row of O in half precision, times the power of two that leaves it largest below 2^15.
inline BlockMatrix off_diagonal_in_half(BlockMatrix a) {
  const auto size = static_cast<std::size_t>(a.size);
  for (auto& entries : a.off) {
    for (std::size_t p = 0; p < size; ++p) {
      double largest = 0;
      const auto on_row = [&](const auto& change) {
        for (auto& entry : entries) {
          for (std::size_t q = 0; q < size; ++q) change(entry.block[q * size + p]);
        }
      };
      on_row([&](double value) { largest = std::max(largest, std::abs(value)); });
      if (largest == 0) continue;
      const int exponent = std::ilogb(largest) - 14;
      on_row([&](double& value) {
        value = std::ldexp(in_half(std::ldexp(value, -exponent)), exponent);
      });
    }
  }
  return a;
}

/// Neighbours of each vertex of a Freudenthal mesh, by lattice ids: all vertices of a box that
/// differ by 0 or 1 in every direction, all with one sign.
inline std::vector<std::vector<int>> freudenthal_neighbours(int nx, int ny, int nz) {
  std::vector<std::vector<int>> lists(static_cast<std::size_t>(nx * ny * nz));
  for (int g = 0; g < nx * ny * nz; ++g) {
    const int i = g / (ny * nz), j = g / nz % ny, k = g % nz;
    for (int di = -1; di <= 1; ++di) {
      for (int dj = -1; dj <= 1; ++dj) {
        for (int dk = -1; dk <= 1; ++dk) {
          const bool one_sign = (di >= 0 && dj >= 0 && dk >= 0) || (di <= 0 && dj <= 0 && dk <= 0);
          const bool inside = i + di >= 0 && i + di < nx && j + dj >= 0 && j + dj < ny &&
                              k + dk >= 0 && k + dk < nz;
          if (!one_sign || !inside || (di == 0 && dj == 0 && dk == 0)) continue;
          lists[static_cast<std::size_t>(g)].push_back(((i + di) * ny + j + dj) * nz + k + dk);
        }
      }
    }
  }
  return lists;
}

/// Lattice ids in the order of their hashes.
inline std::vector<int> hashed_ids(int count) {
  std::vector<int> ids(static_cast<std::size_t>(count));
  std::iota(ids.begin(), ids.end(), 0);
  std::sort(ids.begin(), ids.end(), [](int a, int b) {
    return splitmix64(static_cast<std::uint64_t>(a)) < splitmix64(static_cast<std::uint64_t>(b));
  });
  return ids;
}

inline Block closed_form_off_diagonal(int gi, int gj, int degree, int nb) {
  Block block;
  for (int q = 0; q < nb; ++q) {
    for (int p = 0; p < nb; ++p) {
      block.push_back(static_cast<float>(
          std::sin(0.1 * ((7 * gi + 13 * gj) % 101) + 0.7 * p + 1.3 * q) * (0.8 / (degree * nb))));
    }
  }
  return block;
}
inline Block closed_form_diagonal(int gi, int nb) {
  Block block;
  for (int q = 0; q < nb; ++q) {
    for (int p = 0; p < nb; ++p) {
      block.push_back((p == q ? 1 + 0.01 * ((3 * gi) % 17) : 0) +
                      0.25 / nb * std::cos(0.3 * (gi % 29) + 0.5 * p + 0.9 * q));
    }
  }
  return block;
}
inline double closed_form_solution(int gi, int p) {
  return std::sin(0.05 * (gi % 127) + 0.4 * p) + 0.5;
}

}  // namespace Reference
