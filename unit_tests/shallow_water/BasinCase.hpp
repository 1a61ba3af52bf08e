// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Bottoms, f as fields and walls, for tests.

#include <lamina/shallow_water/WaterBasin.hpp>

#include <shallow_water/WaterStrips.hpp>

#include <cmath>
#include <limits>
#include <string>

namespace LaminaTest {

using Lamina::WaterSides;

/// A function of the place of each cell of a rectangle, in cells, shifted to its corners or not.
template <class Function>
Values basin_values(const Rectangle& grid, const Function& function) {
  Values values;
  for (int i = 0; i < grid.nx; ++i) {
    for (int j = 0; j < grid.ny; ++j) values.push_back(function(i, j));
  }
  return values;
}

template <class Type>
struct WaterBasin : testing::Test {
  using Scalar = typename Type::scalar;
  using Layout = typename Type::layout;
  using Case = WaterCase<Scalar, Layout>;
  using Basin = Lamina::WaterBasin<Scalar, Memory>;
  using Field = typename Case::Field;
  using Strip = Lamina::WaterStrip<Memory>;
  using State = typename Case::State;
  static constexpr double epsilon = std::numeric_limits<Scalar>::epsilon();

  static Basin basin_of(const Strip& strip, const Values& bottom, const Values& f) {
    const auto [nx, ny] = strip.owned();
    const Field b(nx, ny, lines_of_rank(strip, bottom)), c(nx, ny, lines_of_rank(strip, f));
    return Basin(strip, 0)
        .with_bottom(TEST_SPACE(), b.const_view())
        .with_coriolis(TEST_SPACE(), c.const_view());
  }
  static Basin basin_of(const Rectangle& grid, const Values& bottom, const Values& f) {
    return basin_of(Strip(grid), bottom, f);
  }
  static State state_of(const Strip& strip, const WaterState& y) {
    return state_of_rank<Scalar>(strip, y);
  }
  /// A hill of height 0.5 and some bumps, periodic along x; even at walls, with `waves` along y.
  static Values bottom_on(const Rectangle& grid) {
    const double pi = std::acos(-1.0);
    return rounded<Scalar>(basin_values(grid, [&, grid = grid](int i, int j) {
      const double x = 2 * pi * (i + 0.5) / grid.nx, y = 2 * pi * (j + 0.5) / grid.ny;
      return 0.25 * (1 - std::cos(x) * std::cos(y)) + 0.05 * std::cos(3 * x + 1);
    }));
  }
  static Values coriolis_on(const Rectangle& grid) {
    const double pi = std::acos(-1.0);
    return rounded<Scalar>(basin_values(grid, [&, grid = grid](int i, int j) {
      return 2 + std::sin(2 * pi * i / grid.nx) * std::cos(2 * pi * j / grid.ny);
    }));
  }
  static Lamina::SemiImplicitOptions options(const Rectangle& grid, double dt, double height = 1) {
    const double floor = Case::SemiImplicit::rounding_of_rest(grid, dt, height);
    return {.newton = {.tolerance = std::is_same_v<Scalar, double> ? 1e-10 : 1e-5,
                       .absolute_tolerance = floor,
                       .max_iterations = 100},
            .cg = {.tolerance = 1e-4}};
  }
  /// Calls visit(plan, name) with each scheme.
  template <class Visit>
  static void for_each_scheme(const Basin& basin, double dt, const Visit& visit) {
    const auto with = [&](auto plan, const char* name) {
      SCOPED_TRACE(std::string(name) + ", " + text_of(basin.rectangle()));
      visit(plan);
    };
    with(typename Case::Leapfrog(basin, dt), "leapfrog");
    with(typename Case::RungeKutta3(basin, dt), "rk3");
    with(typename Case::SemiImplicit(basin, dt, options(basin.strip().whole(), dt)),
         "semi-implicit");
  }
};

}  // namespace LaminaTest
