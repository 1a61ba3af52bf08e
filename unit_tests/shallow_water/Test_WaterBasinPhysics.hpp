// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Basins and channels as physics: orders of accuracy, what is kept, and a wave along a wall.

#include <shallow_water/BasinCase.hpp>

#include <cmath>
#include <vector>

namespace LaminaTest {

template <class Basin>
Lamina::ShallowWaterDiagnostics diagnose_basin(const WaterCase<double>::State& state,
                                               const Basin& basin) {
  return Lamina::diagnose(TEST_SPACE(), state, basin);
}

using BasinPhysics = WaterBasin<FieldType<double, Kokkos::LayoutLeft>>;

/// A smooth bottom with a hump of water and flow, on squares of any size.
struct SmoothBasin {
  Values bottom, f;
  WaterState y;
};
/// Between walls all of it vanishes at them with its slopes, so that the solution is smooth there.
inline SmoothBasin smooth_basin(const Rectangle& grid, bool with_walls) {
  const double h = 1.0 / grid.nx, pi = std::acos(-1.0), length = grid.ny * h;
  const auto along = [=](double i) { return std::sin(2 * pi * i * h); };
  const auto across = [=](double j, int power) {
    const double phase = pi * j * h / length;
    return with_walls ? std::pow(std::sin(phase), power) : std::cos(2 * phase);
  };
  const auto bottom = [=](int i, int j) {
    return 0.2 + 0.15 * along(i + 0.5 + 0.1 / h) * std::cos(2 * pi * (j + 0.5) * h / length);
  };
  SmoothBasin basin;
  basin.bottom = basin_values(grid, bottom);
  basin.f = basin_values(grid, [=](int, int j) {
    return with_walls ? 2 + 3 * (j * h) : 2 + std::sin(2 * pi * j * h / length);
  });
  basin.y.height = basin_values(grid, [=](int i, int j) {
    return 1 + 0.1 * along(i + 0.5) * across(j + 0.5, 2) - bottom(i, j);
  });
  basin.y.u =
      basin_values(grid, [=](int i, int j) { return (0.1 + 0.1 * along(i)) * across(j + 0.5, 2); });
  basin.y.v = basin_values(grid, [=](int i, int j) { return 0.1 * along(i + 0.5) * across(j, 4); });
  return basin;
}

/// The mean of blocks of 2 x 2 cells.
inline Values coarsened(const Rectangle& fine, const Values& x) {
  const auto at = [&](int i, int j) { return x[static_cast<std::size_t>(i * fine.ny + j)]; };
  return basin_values({fine.nx / 2, fine.ny / 2}, [&](int i, int j) {
    return (at(2 * i, 2 * j) + at(2 * i + 1, 2 * j) + at(2 * i, 2 * j + 1) +
            at(2 * i + 1, 2 * j + 1)) /
           4;
  });
}

/// Self-convergence: differences between grids fall like h^2.
TEST(WaterBasinPhysics, OrdersOverASmoothBottomAreTwo) {
  for (const auto sides : {WaterSides::periodic, WaterSides::walls}) {
    for (int scheme = 0; scheme < 3; ++scheme) {
      SCOPED_TRACE(testing::Message()
                   << "scheme " << scheme << ", walls " << (sides == WaterSides::walls));
      std::vector<Values> heights;
      for (const int n : {24, 48, 96, 192}) {
        const Rectangle grid{n, n / 2};
        const typename BasinPhysics::Strip strip(grid, sides);
        const auto start = smooth_basin(grid, sides == WaterSides::walls);
        const auto basin = BasinPhysics::basin_of(strip, start.bottom, start.f);
        auto state = BasinPhysics::state_of(strip, start.y);
        const double time = 0.15, dt = time / n;
        const auto run = [&](auto plan) { EXPECT_TRUE(run_steps(plan, state, n).succeeded()); };
        using Case = BasinPhysics::Case;
        if (scheme == 0) run(Case::Leapfrog(basin, dt));
        if (scheme == 1) run(Case::RungeKutta3(basin, dt));
        if (scheme == 2) run(Case::SemiImplicit(basin, dt, {.newton = {.tolerance = 1e-6}}));
        heights.push_back(Case::get(state).height);
      }
      double errors[3];
      for (int k = 0; k < 3; ++k) {
        const int n = 24 << k;
        const Reference::ShallowWater twin(Rectangle{n, n / 2}, 0);
        errors[k] = twin.distance(heights[static_cast<std::size_t>(k)],
                                  coarsened({2 * n, n}, heights[static_cast<std::size_t>(k) + 1]));
      }
      EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.2);
      EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2, 0.1);
    }
  }
}

TEST(WaterBasinPhysics, KeepsMassToRoundingAndEnergyToTheErrorOfTheScheme) {
  const Rectangle grid{48, 24};
  const int steps = 480;
  for (const auto sides : {WaterSides::periodic, WaterSides::walls}) {
    const typename BasinPhysics::Strip strip(grid, sides);
    const auto start = smooth_basin(grid, sides == WaterSides::walls);
    const auto basin = BasinPhysics::basin_of(strip, start.bottom, start.f);
    BasinPhysics::for_each_scheme(basin, 0.1 / grid.nx, [&](auto& plan) {
      auto state = BasinPhysics::state_of(strip, start.y);
      const auto before = diagnose_basin(state, basin);
      EXPECT_TRUE(run_steps(plan, state, steps).succeeded());
      const auto after = diagnose_basin(state, basin);
      EXPECT_NEAR(after.mass, before.mass, steps * BasinPhysics::epsilon / 4);
      // Water goes up and down hills: without Phi b the energy changes far more.
      const double change = std::abs(after.energy - before.energy),
                   of_water = std::abs(
                       Lamina::diagnose(TEST_SPACE(), state, 0).energy -
                       Lamina::diagnose(TEST_SPACE(), BasinPhysics::state_of(strip, start.y), 0)
                           .energy);
      EXPECT_LT(change, 1e-4 * before.energy) << of_water;
      EXPECT_GT(of_water, 10 * change) << change;
    });
  }
}

TEST(WaterBasinPhysics, DiagnosticsKnowTheBottom) {
  const Rectangle grid{14, 9};
  const auto start = smooth_basin(grid, false);
  const auto basin = BasinPhysics::basin_of(grid, start.bottom, start.f);
  const auto state = BasinPhysics::Case::make(grid, start.y);
  const auto flat = Lamina::diagnose(TEST_SPACE(), state, 0), found = diagnose_basin(state, basin);
  double potential = 0, circulation = 0;
  for (std::size_t n = 0; n < start.bottom.size(); ++n) {
    potential += start.bottom[n] * start.y.height[n];
    circulation += start.f[n];
  }
  EXPECT_NEAR(found.energy - flat.energy, potential / 14 / 14, 1e-14);
  EXPECT_NEAR(found.circulation, circulation / 14 / 14, 1e-13);
  EXPECT_EQ(found.mass, flat.mass);
  Reference::ShallowWater twin(grid, 0);
  twin.set_basin(start.bottom, start.f);
  const typename BasinPhysics::Field out(14, 9);
  Lamina::potential_vorticity(TEST_SPACE(), state, basin, out.view());
  EXPECT_TRUE(all_within(
      out.get(), twin.values([&](int i, int j) { return twin.vorticity(start.y, i, j); }), 1e-13));
}

/// A Kelvin wave leans on the wall that it has on its right: v = 0, and height and u fall off like
/// exp(-f y) for waves of speed 1. It travels along the wall without changing. f is not 0 on the
/// wall.
TEST(WaterBasinPhysics, AKelvinWaveTravelsAlongTheWall) {
  const double f = 4, amplitude = 1e-6, time = 0.25, pi = std::acos(-1.0);
  double errors[3];
  int k = 0;
  for (const int n : {32, 64, 128}) {
    const Rectangle grid{n, n};
    const double h = 1.0 / n;
    const typename BasinPhysics::Strip strip(grid, WaterSides::walls);
    const auto wave = [&](double x, double y) {
      return amplitude * std::sin(2 * pi * x) * std::exp(-f * y);
    };
    WaterState y;
    y.height =
        basin_values(grid, [&](int i, int j) { return 1 + wave((i + 0.5) * h, (j + 0.5) * h); });
    y.u = basin_values(grid, [&](int i, int j) { return wave(i * h, (j + 0.5) * h); });
    y.v = Values(y.u.size(), 0.0);
    auto state = BasinPhysics::state_of(strip, y);
    BasinPhysics::Case::RungeKutta3 plan(strip, 0.1 * h, f);
    const int steps = static_cast<int>(std::lround(time / (0.1 * h)));
    EXPECT_TRUE(run_steps(plan, state, steps).succeeded());
    const Values expected = basin_values(
        grid, [&](int i, int j) { return 1 + wave((i + 0.5) * h - time, (j + 0.5) * h); });
    const auto after = BasinPhysics::Case::get(state);
    errors[k++] = Reference::ShallowWater(grid, f).distance(after.height, expected) / amplitude;
    for (const double v : after.v) ASSERT_NEAR(v, 0, 0.05 * amplitude);
    for (int i = 0; i < n; ++i) ASSERT_EQ(after.v[static_cast<std::size_t>(i * n)], 0);
  }
  EXPECT_LT(errors[2], 3e-3);
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2, 0.2);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2, 0.2);
}

}  // namespace LaminaTest
