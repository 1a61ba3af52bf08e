// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/problems/Vortex.hpp>
#include <lamina/shallow_water/Leapfrog.hpp>
#include <lamina/shallow_water/RungeKutta3.hpp>
#include <lamina/shallow_water/SemiImplicit.hpp>
#include <lamina/shallow_water/ShallowWaterDiagnostics.hpp>

#include <gtest/gtest.h>
#include <reference/ShallowWater.hpp>
#include <support/FieldTypes.hpp>
#include <support/TestField.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace LaminaTest {

using Lamina::Rectangle;
using Reference::WaterState;

inline constexpr double coriolis = 0.3;

/// Sides of the square: below, at and beyond vectors and their multiples.
inline constexpr int water_sizes[] = {1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65};

/// Squares of all sizes; wide, tall and narrow rectangles, shorter than the stencil is wide too.
inline std::vector<Rectangle> water_rectangles() {
  std::vector<Rectangle> all{{1, 5},  {6, 1},   {2, 9},   {40, 2},  {3, 64},
                             {65, 3}, {31, 13}, {13, 31}, {128, 7}, {17, 130}};
  for (const int n : water_sizes) all.push_back(Rectangle::square(n));
  return all;
}
inline std::string text_of(const Rectangle& rectangle) {
  return std::to_string(rectangle.nx) + " x " + std::to_string(rectangle.ny);
}

/// Height around 1, velocities around 0.
inline WaterState random_water(const Rectangle& rectangle, std::uint64_t seed) {
  const auto size = static_cast<std::size_t>(rectangle.cells());
  WaterState y{random_values(size, seed), random_values(size, seed + 1),
               random_values(size, seed + 2)};
  for (double& height : y.height) height = 1 + 0.2 * height;
  for (double& u : y.u) u *= 0.3;
  for (double& v : y.v) v *= 0.3;
  return y;
}
inline WaterState random_water(int n, std::uint64_t seed) {
  return random_water(Rectangle::square(n), seed);
}
template <class Scalar>
WaterState rounded_water(const WaterState& y) {
  return {rounded<Scalar>(y.height), rounded<Scalar>(y.u), rounded<Scalar>(y.v)};
}

template <class Scalar, class Layout = Kokkos::LayoutLeft>
struct WaterCase {
  using State = Lamina::ShallowWaterState<Scalar, Memory>;
  using Field = TestField<Scalar, Layout>;
  using RungeKutta3 = Lamina::RungeKutta3<Scalar, Memory>;
  using Leapfrog = Lamina::Leapfrog<Scalar, Memory>;
  using SemiImplicit = Lamina::SemiImplicit<Scalar, Memory>;

  static State make(const Rectangle& rectangle, const WaterState& y, const Padding& padding = {}) {
    const State state(rectangle);
    const auto [nx, ny] = rectangle;
    const Field height(nx, ny, y.height, padding), u(nx, ny, y.u, padding), v(nx, ny, y.v, padding);
    state.set(TEST_SPACE(), height.const_view(), u.const_view(), v.const_view());
    Kokkos::fence();
    return state;
  }
  static State make(int n, const WaterState& y, const Padding& padding = {}) {
    return make(Rectangle::square(n), y, padding);
  }
  static WaterState get(const State& state, const Padding& padding = {}) {
    const auto [nx, ny] = state.rectangle();
    const Field height(nx, ny, padding), u(nx, ny, padding), v(nx, ny, padding);
    state.get(TEST_SPACE(), height.view(), u.view(), v.view());
    return {height.get(), u.get(), v.get()};
  }
  static State vortex(int n, double flow_x = 0, double flow_y = 0, double f = coriolis) {
    return vortex(Rectangle::square(n), flow_x, flow_y, f);
  }
  static State vortex(const Rectangle& rectangle, double flow_x = 0, double flow_y = 0,
                      double f = coriolis) {
    const State state(rectangle);
    Lamina::Vortex(f, flow_x, flow_y).fill_vortex(TEST_SPACE(), state);
    return state;
  }
};

inline void expect_water_near(const WaterState& actual, const WaterState& expected,
                              double tolerance) {
  EXPECT_TRUE(all_within(actual.height, expected.height, tolerance));
  const Values one(expected.u.size(), 1.0);
  EXPECT_TRUE(all_within(actual.u, expected.u, tolerance, one));
  EXPECT_TRUE(all_within(actual.v, expected.v, tolerance, one));
}
inline void expect_same_water(const WaterState& actual, const WaterState& expected) {
  EXPECT_EQ(actual.height, expected.height);
  EXPECT_EQ(actual.u, expected.u);
  EXPECT_EQ(actual.v, expected.v);
}

/// So many steps.
template <class Plan, class State>
Lamina::StepReport run_steps(Plan& plan, State& state, int count) {
  Lamina::StepReport report;
  for (int n = 0; n < count && !report.broke_down(); ++n) report = plan.step(TEST_SPACE(), state);
  return report;
}

}  // namespace LaminaTest
