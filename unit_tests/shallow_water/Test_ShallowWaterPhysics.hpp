// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Physics as physics: orders of accuracy, conservation, stationarity, restarts; and what each
// formula that the paper misprints would do as printed.

#include <shallow_water/WaterCase.hpp>

#include <cmath>
#include <limits>
#include <string>

namespace LaminaTest {

using Water = WaterCase<double>;

inline Lamina::SemiImplicitOptions tight_semi_implicit() {
  return {.newton = {.tolerance = 1e-8, .max_iterations = 100}, .cg = {.tolerance = 1e-4}};
}

/// Height, at the end of `steps` steps of dt, from the vortex.
template <class Plan>
WaterState vortex_after(Plan plan, int n, int steps) {
  auto state = Water::vortex(n);
  const auto report = run_steps(plan, state, steps);
  EXPECT_TRUE(report.succeeded());
  return Water::get(state);
}

inline const char* const scheme_names[] = {"leapfrog", "rk3", "semi-implicit"};
inline WaterState scheme_after(int scheme, int n, double dt, int steps) {
  if (scheme == 0) return vortex_after(Water::Leapfrog(n, dt, coriolis), n, steps);
  if (scheme == 1) return vortex_after(Water::RungeKutta3(n, dt, coriolis), n, steps);
  return vortex_after(Water::SemiImplicit(n, dt, coriolis, tight_semi_implicit()), n, steps);
}

TEST(ShallowWaterOrders, AreTwoInSpaceForAllSchemes) {
  const double time = 0.03;
  for (int scheme = 0; scheme < 3; ++scheme) {
    SCOPED_TRACE(scheme_names[scheme]);
    double errors[3];
    int k = 0;
    for (const int n : {64, 128, 256}) {
      // Small steps: the error in space is looked for.
      const int steps = n / 4;
      const Reference::ShallowWater twin(n, coriolis);
      const auto y = scheme_after(scheme, n, time / steps, steps);
      errors[k++] = twin.distance(y.height, twin.vortex().height);
    }
    EXPECT_NEAR(errors[0], 2.0e-4, 0.2e-4);
    EXPECT_NEAR(errors[2], 1.3e-5, 0.13e-5);
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.15);
    EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2, 0.15);
  }
}

TEST(ShallowWaterOrders, AreTwoThreeTwoInTime) {
  const int n = 64;
  const double time = 0.24;
  const Reference::ShallowWater twin(n, coriolis);
  const auto exact = scheme_after(1, n, time / 3072, 3072);
  const double orders[] = {2, 3, 2};
  for (int scheme = 0; scheme < 3; ++scheme) {
    SCOPED_TRACE(scheme_names[scheme]);
    double errors[2];
    int k = 0;
    for (const int steps : {192, 384}) {
      errors[k++] =
          twin.distance(scheme_after(scheme, n, time / steps, steps).height, exact.height);
    }
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), orders[scheme], 0.12);
  }
}

TEST(ShallowWaterConservation, OfMassToRoundingOverTenThousandSteps) {
  const int n = 16;
  const auto drift_of = [&](auto plan, const char* name) {
    SCOPED_TRACE(name);
    auto state = Water::vortex(n, 0.2, 0.1);
    const double before = Lamina::diagnose(TEST_SPACE(), state, coriolis).mass;
    const auto report = run_steps(plan, state, 10000);
    EXPECT_FALSE(report.broke_down());
    const auto after = Lamina::diagnose(TEST_SPACE(), state, coriolis);
    EXPECT_TRUE(after.sound());
    // Each step rounds each cell; the mean over cells of a walk of so many steps stays far below
    // one rounding a step.
    EXPECT_NEAR(after.mass, before, 10000 * std::numeric_limits<double>::epsilon() / 20);
  };
  const double dt = 0.1 / n;
  drift_of(Water::Leapfrog(n, dt, coriolis), "leapfrog");
  drift_of(Water::RungeKutta3(n, dt, coriolis), "rk3");
  // Loose tolerances do not matter to mass.
  drift_of(Water::SemiImplicit(n, dt, coriolis,
                               {.newton = {.tolerance = 1e-1}, .cg = {.tolerance = 1e-2}}),
           "semi-implicit");
}

TEST(ShallowWaterConservation, OfEnergyAndEnstrophyOfTheStationaryVortex) {
  const int n = 64;
  const auto drift_of = [&](auto plan, const char* name, int steps) {
    SCOPED_TRACE(name);
    auto state = Water::vortex(n);
    const auto before = Lamina::diagnose(TEST_SPACE(), state, coriolis);
    run_steps(plan, state, steps);
    const auto after = Lamina::diagnose(TEST_SPACE(), state, coriolis);
    EXPECT_LT(std::abs(after.energy / before.energy - 1), 5e-5);
    EXPECT_LT(std::abs(after.potential_enstrophy / before.potential_enstrophy - 1), 1e-2);
  };
  drift_of(Water::Leapfrog(n, 1.0 / 640, coriolis), "leapfrog", 640);
  drift_of(Water::RungeKutta3(n, 1.0 / 320, coriolis), "rk3", 320);
  drift_of(Water::SemiImplicit(n, 1.0 / 200, coriolis), "semi-implicit", 200);
}

TEST(ShallowWaterSymmetry, AVortexWithoutRotationIsCarriedAlong) {
  const int n = 128;
  const double time = 0.2, dt = 0.2 / n;
  const Lamina::Vortex vortex(0, 0.5, 0.25);
  auto state = Water::vortex(n, 0.5, 0.25, 0);
  Water::RungeKutta3 plan(n, dt, 0);
  run_steps(plan, state, static_cast<int>(std::lround(time / dt)));
  EXPECT_LT(vortex.error(TEST_SPACE(), state, time).l2, 4e-4);
  EXPECT_GT(vortex.error(TEST_SPACE(), state, 0).l2, 4e-3);
}

/// Mirrored at the diagonal, nx and ny, u and v change places, and f its sign. The cells of the
/// mirrored rectangle have another width, which times and f follow.
TEST(ShallowWaterSymmetry, XAndYAreAlike) {
  const auto mirror = [](const Rectangle& grid, const WaterState& y) {
    const Reference::ShallowWater from(grid, 0), to(Rectangle{grid.ny, grid.nx}, 0);
    const auto turned = [&](const Values& x) {
      return to.values([&](int i, int j) { return from.at(x, j, i); });
    };
    return WaterState{turned(y.height), turned(y.v), turned(y.u)};
  };
  const auto after = [](const Rectangle& grid, const WaterState& start, double turn, int scheme) {
    const double dt = 0.05 / grid.nx, f = turn * grid.nx;
    auto state = Water::make(grid, start);
    const auto run = [&](auto plan) { EXPECT_TRUE(run_steps(plan, state, 4).succeeded()); };
    if (scheme == 0) run(Water::Leapfrog(grid, dt, f));
    if (scheme == 1) run(Water::RungeKutta3(grid, dt, f));
    if (scheme == 2) run(Water::SemiImplicit(grid, dt, f, tight_semi_implicit()));
    return Water::get(state);
  };
  for (const Rectangle& grid :
       {Rectangle{24, 24}, Rectangle{23, 11}, Rectangle{40, 3}, Rectangle{2, 37}}) {
    const Rectangle mirrored{grid.ny, grid.nx};
    const auto y = random_water(grid, 8);
    const double turn = coriolis / 24;
    for (int scheme = 0; scheme < 3; ++scheme) {
      SCOPED_TRACE(text_of(grid) + ", " + scheme_names[scheme]);
      expect_water_near(after(mirrored, mirror(grid, y), -turn, scheme),
                        mirror(grid, after(grid, y, turn, scheme)), scheme == 2 ? 1e-8 : 1e-13);
    }
  }
}

// --- Rectangles ---

TEST(ShallowWaterRectangles, HaveTheErrorsOfSquares) {
  const double time = 0.03;
  for (const int n : {64, 128}) {
    // Waves have not met: what is beyond the vortex does not matter.
    const double error = Reference::ShallowWater(n, coriolis)
                             .distance(scheme_after(1, n, time / 16, 16).height,
                                       Reference::ShallowWater(n, coriolis).vortex().height);
    for (const Rectangle& grid : {Rectangle{n, 2 * n}, Rectangle{n, n / 2 + 1}}) {
      SCOPED_TRACE(text_of(grid));
      Water::RungeKutta3 plan(grid, time / 16, coriolis);
      auto state = Water::vortex(grid);
      run_steps(plan, state, 16);
      EXPECT_NEAR(Lamina::Vortex(coriolis).error(TEST_SPACE(), state, time).l2, error,
                  0.02 * error);
    }
  }
}

TEST(ShallowWaterRectangles, KeepMassEnergyAndEnstrophy) {
  const auto drift_of = [&](auto plan, const char* name, int steps) {
    SCOPED_TRACE(std::string(name) + ", " + text_of(plan.rectangle()));
    auto state = Water::vortex(plan.rectangle());
    const auto before = Lamina::diagnose(TEST_SPACE(), state, coriolis);
    EXPECT_TRUE(run_steps(plan, state, steps).succeeded());
    const auto after = Lamina::diagnose(TEST_SPACE(), state, coriolis);
    EXPECT_NEAR(after.mass, before.mass, steps * std::numeric_limits<double>::epsilon());
    // The vortex loses what it does on the unit square, where the energy is 1/2.
    EXPECT_LT(std::abs(after.energy - before.energy), 5e-5 / 2);
    EXPECT_LT(std::abs(after.potential_enstrophy / before.potential_enstrophy - 1), 1e-2);
  };
  for (const Rectangle& grid : {Rectangle{64, 41}, Rectangle{64, 97}}) {
    drift_of(Water::Leapfrog(grid, 1.0 / 640, coriolis), "leapfrog", 640);
    drift_of(Water::RungeKutta3(grid, 1.0 / 320, coriolis), "rk3", 320);
    drift_of(Water::SemiImplicit(grid, 1.0 / 200, coriolis), "semi-implicit", 200);
  }
}

// --- Restarts: from what a file would hold ---

/// A state made anew from the values of another one.
inline Water::State restored(const Water::State& state) {
  return Water::make(state.rectangle(), Water::get(state));
}

TEST(ShallowWaterRestart, GoesOnBitByBit) {
  const int n = 40;
  const double dt = 0.1 / n;
  const auto check = [&](auto make, const char* name) {
    SCOPED_TRACE(name);
    auto plan = make();
    auto state = Water::vortex(n, 0.2, 0.1);
    run_steps(plan, state, 5);
    auto resumed = make();
    auto copy = restored(state);
    if constexpr (requires { plan.previous(); }) {
      resumed.set_previous(TEST_SPACE(), restored(plan.previous()));
    }
    run_steps(plan, state, 5);
    run_steps(resumed, copy, 5);
    expect_same_water(Water::get(copy), Water::get(state));
  };
  const Lamina::MassOptions cg{.solver = Lamina::MassSolver::cg};
  check([&] { return Water::Leapfrog(n, dt, coriolis); }, "leapfrog");
  check([&] { return Water::Leapfrog(n, dt, coriolis, cg); }, "leapfrog, cg");
  check([&] { return Water::RungeKutta3(n, dt, coriolis); }, "rk3");
  check([&] { return Water::SemiImplicit(n, dt, coriolis); }, "semi-implicit");
}

// --- Formulas as they are printed ---

using Reference::WaterMisprints;

/// How far the twin moves the vortex in some Runge-Kutta steps.
inline constexpr int drift_size = 64, drift_steps = 20;
inline double drift_of_twin(const WaterMisprints& misprints) {
  const Reference::ShallowWater twin(drift_size, coriolis, misprints);
  const auto start = twin.vortex();
  auto y = start;
  for (int step = 0; step < drift_steps; ++step) y = twin.runge_kutta_3(y, 0.2 / drift_size);
  return twin.distance(y.u, start.u);
}

TEST(ShallowWaterMisprints, SignOfTheVorticityTermAndBalanceOfTheVortex) {
  auto state = Water::vortex(drift_size);
  Water::RungeKutta3 plan(drift_size, 0.2 / drift_size, coriolis);
  run_steps(plan, state, drift_steps);
  const Reference::ShallowWater twin(drift_size, coriolis);
  const double drift = twin.distance(Water::get(state).u, twin.vortex().u);
  EXPECT_LT(drift, 1e-3);
  EXPECT_GT(drift_of_twin({.vorticity_sign = true}), 20 * drift);
  EXPECT_GT(drift_of_twin({.balance_with_sigma = true}), 5 * drift);
}

TEST(ShallowWaterMisprints, SignsAndStepsOfTheNewtonCorrection) {
  // Waves must matter to the correction: two cells in a step.
  const int n = 16, corrections = 12;
  const double dt = 2.0 / n;
  const Reference::ShallowWater twin(n, coriolis);
  const auto y = twin.vortex(0.2, 0.1);
  /// What is left of the residual of the equation.
  const auto left = [&](const WaterState& next) {
    return twin.norm(twin.residual(y, next, dt)) / twin.norm(twin.residual(y, y, dt));
  };
  const auto as_printed = [&](const WaterMisprints& misprints) {
    return left(
        Reference::ShallowWater(n, coriolis, misprints).semi_implicit(y, y, dt, corrections));
  };
  auto state = Water::make(n, y);
  Water::SemiImplicit plan(
      n, dt, coriolis,
      {.newton = Lamina::StoppingCriteria::iterations(corrections), .cg = {.tolerance = 1e-10}});
  (void)plan.step(TEST_SPACE(), state);
  EXPECT_LT(left(Water::get(state)), 0.01);
  for (const auto& misprint :
       {WaterMisprints{.rhs_sign = true}, WaterMisprints{.residual_sign = true},
        WaterMisprints{.time_step_twice = true}}) {
    EXPECT_GT(as_printed(misprint), 0.2);
  }
}

TEST(ShallowWaterMisprints, TableauOfRungeKutta) {
  const int n = 16;
  const double time = 0.1;
  const Reference::ShallowWater twin(n, coriolis);
  const auto order_of = [&](const std::vector<Values>& a) {
    const auto after = [&](int steps, const std::vector<Values>& tableau) {
      auto y = twin.vortex(0.2, 0.1);
      for (int step = 0; step < steps; ++step) {
        y = twin.runge_kutta(y, time / steps, tableau, {1.0 / 6, 1.0 / 6, 4.0 / 6});
      }
      return y;
    };
    const auto exact = after(640, {{}, {1}, {0.25, 0.25}});
    return std::log2(twin.distance(after(40, a).height, exact.height) /
                     twin.distance(after(80, a).height, exact.height));
  };
  EXPECT_NEAR(order_of({{}, {1}, {0.25, 0.25}}), 3, 0.2);  // which the library is held equal to
  EXPECT_LT(order_of({{}, {0.25}, {0.25, 0.25}}), 1.3);
  EXPECT_LT(order_of({{}, {0.5}, {0.25, 0.25}}), 1.3);
  // Algorithm 1 adds slopes of the stage itself, which are not there yet.
  EXPECT_LT(order_of({{}, {0}, {0, 0}}), 1.3);
}

}  // namespace LaminaTest
