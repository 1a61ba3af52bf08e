// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Tendencies and mass matrices of shallow water on the periodic C-grid of nx x ny cells of width
// 1 / nx, formula by formula, over a bottom and with f as a field where there are some. Fields are values in the order ny i + j.

#include <lamina/grids/Rectangle.hpp>

#include <reference/Matrix.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

namespace Reference {

struct WaterState {
  Values height, u, v;
};

/// What the paper misprints; each true where a test wants the printed form.
struct WaterMisprints {
  bool vorticity_sign = false;      // (2.2): - q phi v_perp
  bool rhs_sign = false;            // (2.49): the terms along y
  bool residual_sign = false;       // (2.51), (2.52): + R
  bool time_step_twice = false;     // (2.38)-(2.44): another factor dt
  bool balance_with_sigma = false;  // (3.5): sigma f^2
};

class WaterTendency {
 public:
  WaterTendency(const Lamina::Rectangle& rectangle, double coriolis,
                const WaterMisprints& misprints)
      : m_rectangle(rectangle), m_coriolis(coriolis), m_misprints(misprints) {}

  /// A bottom at the centres of cells, and f at their south-west corners.
  void set_basin(const Values& bottom, const Values& coriolis) {
    m_bottom = bottom;
    m_coriolis_field = coriolis;
  }

  /// Values of a function of i and j.
  template <class Function>
  Values values(const Function& function) const {
    Values result;
    for (int i = 0; i < nx(); ++i) {
      for (int j = 0; j < ny(); ++j) result.push_back(function(i, j));
    }
    return result;
  }
  double at(const Values& x, int i, int j) const {
    const auto wrap = [](int k, int n) { return static_cast<std::size_t>((k % n + n) % n); };
    return x[wrap(i, nx()) * static_cast<std::size_t>(ny()) + wrap(j, ny())];
  }
  double h() const { return 1.0 / nx(); }
  int nx() const { return m_rectangle.nx; }
  int ny() const { return m_rectangle.ny; }

  // --- What is between state and tendency ---

  double edge_height_u(const WaterState& y, int i, int j) const {
    return 0.5 * (at(y.height, i - 1, j) + at(y.height, i, j));
  }
  double edge_height_v(const WaterState& y, int i, int j) const {
    return 0.5 * (at(y.height, i, j - 1) + at(y.height, i, j));
  }
  double flux_u(const WaterState& y, int i, int j) const {
    return edge_height_u(y, i, j) * at(y.u, i, j);
  }
  double flux_v(const WaterState& y, int i, int j) const {
    return edge_height_v(y, i, j) * at(y.v, i, j);
  }
  double curl(const WaterState& y, int i, int j) const {
    return (at(y.v, i, j) - at(y.v, i - 1, j)) / h() - (at(y.u, i, j) - at(y.u, i, j - 1)) / h() +
           (m_coriolis_field.empty() ? m_coriolis : at(m_coriolis_field, i, j));
  }
  double vertex_height(const WaterState& y, int i, int j) const {
    return (at(y.height, i, j) + at(y.height, i - 1, j) + at(y.height, i, j - 1) +
            at(y.height, i - 1, j - 1)) /
           4;
  }
  double vorticity(const WaterState& y, int i, int j) const {
    return curl(y, i, j) / vertex_height(y, i, j);
  }
  double bernoulli(const WaterState& y, int i, int j) const {
    const double mean_u = (at(y.u, i, j) + at(y.u, i + 1, j)) / 2,
                 mean_v = (at(y.v, i, j) + at(y.v, i, j + 1)) / 2;
    const double bottom = m_bottom.empty() ? 0 : at(m_bottom, i, j);
    return at(y.height, i, j) + bottom + 0.5 * (mean_u * mean_u + mean_v * mean_v);
  }

  /// F: of the height, of M_U u, of M_V v.
  WaterState tendency(const WaterState& y) const {
    const double sign = m_misprints.vorticity_sign ? 1 : -1;
    WaterState f;
    f.height = values([&](int i, int j) {
      return -(flux_u(y, i + 1, j) - flux_u(y, i, j) + flux_v(y, i, j + 1) - flux_v(y, i, j)) / h();
    });
    f.u = values([&](int i, int j) {
      const double across = -0.25 * (flux_v(y, i - 1, j) + flux_v(y, i - 1, j + 1) +
                                     flux_v(y, i, j) + flux_v(y, i, j + 1));
      const double q = 0.5 * (vorticity(y, i, j) + vorticity(y, i, j + 1));
      return sign * q * across - (bernoulli(y, i, j) - bernoulli(y, i - 1, j)) / h();
    });
    f.v = values([&](int i, int j) {
      const double across = 0.25 * (flux_u(y, i, j) + flux_u(y, i + 1, j) + flux_u(y, i, j - 1) +
                                    flux_u(y, i + 1, j - 1));
      const double q = 0.5 * (vorticity(y, i, j) + vorticity(y, i + 1, j));
      return sign * q * across - (bernoulli(y, i, j) - bernoulli(y, i, j - 1)) / h();
    });
    return f;
  }

  Values mass_u(const Values& x) const {
    return values(
        [&](int i, int j) { return (at(x, i - 1, j) + 4 * at(x, i, j) + at(x, i + 1, j)) / 6; });
  }
  Values mass_v(const Values& x) const {
    return values(
        [&](int i, int j) { return (at(x, i, j - 1) + 4 * at(x, i, j) + at(x, i, j + 1)) / 6; });
  }
  Values solve_u(const Values& b) const {
    const auto inverse = cyclic_inverse(nx(), 1.0 / 6, 4.0 / 6);
    return values([&](int i, int j) {
      double sum = 0;
      for (int k = 0; k < nx(); ++k) sum += entry(inverse, i, k) * at(b, k, j);
      return sum;
    });
  }
  Values solve_v(const Values& b) const {
    const auto inverse = cyclic_inverse(ny(), 1.0 / 6, 4.0 / 6);
    return values([&](int i, int j) {
      double sum = 0;
      for (int k = 0; k < ny(); ++k) sum += entry(inverse, j, k) * at(b, i, k);
      return sum;
    });
  }

  /// sqrt(h^2 sum of squares of the difference)
  double distance(const Values& a, const Values& b) const {
    Values difference = a;
    add(difference, -1, b);
    return h() * std::sqrt(dot(difference, difference));
  }

  /// The inverse of the cyclic matrix (off, diagonal, off), by elimination.
  static std::vector<Values> cyclic_inverse(int n, double off, double diagonal) {
    const auto size = static_cast<std::size_t>(n);
    std::vector<Values> a(size, Values(2 * size, 0.0));
    for (std::size_t k = 0; k < size; ++k) {
      a[k][k] += diagonal;
      a[k][(k + 1) % size] += off;
      a[k][(k + size - 1) % size] += off;
      a[k][size + k] = 1;
    }
    for (std::size_t pivot = 0; pivot < size; ++pivot) {
      const double scale = 1 / a[pivot][pivot];
      for (double& value : a[pivot]) value *= scale;
      for (std::size_t row = 0; row < size; ++row) {
        const double factor = a[row][pivot];
        if (row == pivot || factor == 0) continue;
        for (std::size_t c = 0; c < 2 * size; ++c) a[row][c] -= factor * a[pivot][c];
      }
    }
    for (Values& row : a) row.erase(row.begin(), row.begin() + n);
    return a;
  }
  static double entry(const std::vector<Values>& matrix, int row, int column) {
    return matrix[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
  }

 protected:
  Lamina::Rectangle m_rectangle;
  double m_coriolis;
  Values m_bottom, m_coriolis_field;  // empty: flat, and m_coriolis everywhere
  WaterMisprints m_misprints;
};

}  // namespace Reference
