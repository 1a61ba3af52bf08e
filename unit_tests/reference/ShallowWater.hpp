// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Shallow water on the periodic C-grid, formula by formula. Fields are values in the order n i + j.

#include <reference/ConjugateGradients.hpp>

#include <cmath>
#include <cstddef>
#include <utility>
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

class ShallowWater {
 public:
  ShallowWater(int n, double coriolis, const WaterMisprints& misprints = {})
      : m_n(n), m_coriolis(coriolis), m_misprints(misprints) {}

  /// Values of a function of i and j.
  template <class Function>
  Values values(const Function& function) const {
    Values result;
    for (int i = 0; i < m_n; ++i) {
      for (int j = 0; j < m_n; ++j) result.push_back(function(i, j));
    }
    return result;
  }
  double at(const Values& x, int i, int j) const {
    const auto wrap = [this](int k) { return static_cast<std::size_t>((k % m_n + m_n) % m_n); };
    return x[wrap(i) * static_cast<std::size_t>(m_n) + wrap(j)];
  }
  double h() const { return 1.0 / m_n; }

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
           m_coriolis;
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
    return at(y.height, i, j) + 0.5 * (mean_u * mean_u + mean_v * mean_v);
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
    const auto inverse = cyclic_inverse(m_n, 1.0 / 6, 4.0 / 6);
    return values([&](int i, int j) {
      double sum = 0;
      for (int k = 0; k < m_n; ++k) sum += entry(inverse, i, k) * at(b, k, j);
      return sum;
    });
  }
  Values solve_v(const Values& b) const {
    const auto inverse = cyclic_inverse(m_n, 1.0 / 6, 4.0 / 6);
    return values([&](int i, int j) {
      double sum = 0;
      for (int k = 0; k < m_n; ++k) sum += entry(inverse, j, k) * at(b, i, k);
      return sum;
    });
  }

  /// k = M^-1 F
  WaterState slope(const WaterState& y) const {
    const WaterState f = tendency(y);
    return {f.height, solve_u(f.u), solve_v(f.v)};
  }

  static WaterState plus(WaterState y, double factor, const WaterState& k) {
    add(y.height, factor, k.height);
    add(y.u, factor, k.u);
    add(y.v, factor, k.v);
    return y;
  }

  /// y' = y + dt sum of b_l k_l, k_l = k(y + dt sum over m < l of a_lm k_m)
  WaterState runge_kutta(const WaterState& y, double dt, const std::vector<Values>& a,
                         const Values& b) const {
    std::vector<WaterState> k;
    for (std::size_t l = 0; l < b.size(); ++l) {
      WaterState stage = y;
      for (std::size_t m = 0; m < l; ++m) stage = plus(stage, dt * a[l][m], k[m]);
      k.push_back(slope(stage));
    }
    WaterState result = y;
    for (std::size_t l = 0; l < b.size(); ++l) result = plus(result, dt * b[l], k[l]);
    return result;
  }
  WaterState runge_kutta_3(const WaterState& y, double dt) const {
    return runge_kutta(y, dt, {{}, {1}, {0.25, 0.25}}, {1.0 / 6, 1.0 / 6, 4.0 / 6});
  }
  WaterState leapfrog(const WaterState& before, const WaterState& now, double dt) const {
    return plus(before, 2 * dt, slope(now));
  }

  // --- Semi-implicit ---

  WaterState residual(const WaterState& given, const WaterState& iterate, double dt) const {
    const WaterState before = tendency(given), after = tendency(iterate);
    const double step = m_misprints.time_step_twice ? dt * dt : dt;
    const auto of = [&](const Values& x, const Values& y, const Values& f, const Values& g) {
      Values r = x;
      add(r, -1, y);
      add(r, -0.5 * step, f);
      add(r, -0.5 * step, g);
      return r;
    };
    return {of(iterate.height, given.height, before.height, after.height),
            of(mass_u(iterate.u), mass_u(given.u), before.u, after.u),
            of(mass_v(iterate.v), mass_v(given.v), before.v, after.v)};
  }
  double norm(const WaterState& r) const {
    return std::sqrt(dot(r.height, r.height) + dot(r.u, r.u) + dot(r.v, r.v));
  }
  /// H x about the height of `reference`.
  Values helmholtz(const WaterState& reference, double g, const Values& x) const {
    return values([&](int i, int j) {
      const double c = at(x, i, j);
      return c + g * g *
                     (edge_height_u(reference, i, j) * (c - at(x, i - 1, j)) +
                      edge_height_u(reference, i + 1, j) * (c - at(x, i + 1, j)) +
                      edge_height_v(reference, i, j) * (c - at(x, i, j - 1)) +
                      edge_height_v(reference, i, j + 1) * (c - at(x, i, j + 1)));
    });
  }
  /// So many Newton corrections, with solves to rounding.
  WaterState semi_implicit(const WaterState& given, const WaterState& reference, double dt,
                           int corrections) const {
    const double g = 0.5 * dt / h(), rhs_sign = m_misprints.rhs_sign ? -1 : 1,
                 residual_sign = m_misprints.residual_sign ? 1 : -1;
    WaterState y = given;
    for (int n = 0; n < corrections; ++n) {
      const WaterState r = residual(given, y, dt);
      const Values rhs = values([&](int i, int j) {
        const auto part_u = [&](int k) { return edge_height_u(reference, k, j) * at(r.u, k, j); };
        const auto part_v = [&](int k) { return edge_height_v(reference, i, k) * at(r.v, i, k); };
        return -(at(r.height, i, j) +
                 g * (part_u(i) - part_u(i + 1) + rhs_sign * (part_v(j) - part_v(j + 1))));
      });
      Values x(rhs.size(), 0.0);
      if (dot(rhs, rhs) > 0) {
        x = pcg([&](const Values& z) { return helmholtz(reference, g, z); },
                [](const Values& z) { return z; }, rhs, x, 1e-15, 200)
                .x;
      }
      add(y.height, 1, x);
      add(y.u, 1, values([&](int i, int j) {
            return -g * (at(x, i, j) - at(x, i - 1, j)) + residual_sign * at(r.u, i, j);
          }));
      add(y.v, 1, values([&](int i, int j) {
            return -g * (at(x, i, j) - at(x, i, j - 1)) + residual_sign * at(r.v, i, j);
          }));
    }
    return y;
  }

  // --- The vortex ---

  static double vortex_height(double r) {
    if (r >= 0.2) return 1;
    return 1 - std::exp(-std::pow(r / 0.15, 6)) * (1 + std::cos(pi * r * r / 0.04)) / 20;
  }
  double vortex_speed(double r) const {
    if (r >= 0.2 || r == 0) return 0;
    const double f = m_coriolis, angle = pi * r * r / 0.04;
    const double slope = std::exp(-std::pow(r / 0.15, 6)) / 20 *
                         (6 / 0.15 * std::pow(r / 0.15, 5) * (1 + std::cos(angle)) +
                          std::sin(angle) * 2 * pi * r / 0.04);
    if (f == 0) return std::sqrt(r * slope);
    const double length = m_misprints.balance_with_sigma ? 0.2 : r;
    return r * f / 2 * (std::sqrt(1 + 4 / (length * f * f) * slope) - 1);
  }
  /// With a uniform flow.
  WaterState vortex(double flow_x = 0, double flow_y = 0) const {
    const auto radius = [](double x, double y) { return std::sqrt(x * x + y * y); };
    const auto place = [this](double i) { return i * h() - 0.5; };
    WaterState y;
    y.height =
        values([&](int i, int j) { return vortex_height(radius(place(i + 0.5), place(j + 0.5))); });
    y.u = values([&](int i, int j) {
      const double x_at = place(i), y_at = place(j + 0.5), r = radius(x_at, y_at);
      return flow_x - (r == 0 ? 0 : vortex_speed(r) * y_at / r);
    });
    y.v = values([&](int i, int j) {
      const double x_at = place(i + 0.5), y_at = place(j), r = radius(x_at, y_at);
      return flow_y + (r == 0 ? 0 : vortex_speed(r) * x_at / r);
    });
    return y;
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

 private:
  static constexpr double pi = 3.14159265358979323846;
  int m_n;
  double m_coriolis;
  WaterMisprints m_misprints;
};

}  // namespace Reference
