// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Time steps of shallow water on the periodic C-grid, formula by formula, and the vortex.

#include <reference/ConjugateGradients.hpp>
#include <reference/WaterTendency.hpp>

#include <cmath>
#include <cstddef>
#include <vector>

namespace Reference {

class ShallowWater : public WaterTendency {
 public:
  ShallowWater(const Lamina::Rectangle& rectangle, double coriolis,
               const WaterMisprints& misprints = {})
      : WaterTendency(rectangle, coriolis, misprints) {}
  ShallowWater(int n, double coriolis, const WaterMisprints& misprints = {})
      : ShallowWater(Lamina::Rectangle::square(n), coriolis, misprints) {}

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
    const auto along_x = [this](double i) { return i * h() - 0.5; };
    const auto along_y = [this](double j) { return j * h() - 0.5 * ny() / nx(); };
    WaterState y;
    y.height = values(
        [&](int i, int j) { return vortex_height(radius(along_x(i + 0.5), along_y(j + 0.5))); });
    y.u = values([&](int i, int j) {
      const double x_at = along_x(i), y_at = along_y(j + 0.5), r = radius(x_at, y_at);
      return flow_x - (r == 0 ? 0 : vortex_speed(r) * y_at / r);
    });
    y.v = values([&](int i, int j) {
      const double x_at = along_x(i + 0.5), y_at = along_y(j), r = radius(x_at, y_at);
      return flow_y + (r == 0 ? 0 : vortex_speed(r) * x_at / r);
    });
    return y;
  }

 private:
  static constexpr double pi = 3.14159265358979323846;
};

}  // namespace Reference
