// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Basins and channels against the twin, at rest, against their mirror image and over ranks.

#include <distributed/SimulatedTransport.hpp>
#include <shallow_water/BasinCase.hpp>
#include <support/MessageOf.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace LaminaTest {

TYPED_TEST_SUITE(WaterBasin, FieldTypes, FieldTypeNames);

TYPED_TEST(WaterBasin, StepsAreThoseOfTheTwin) {
  using Case = typename TestFixture::Case;
  using Scalar = typename TestFixture::Scalar;
  for (const Rectangle& grid : water_rectangles()) {
    SCOPED_TRACE(text_of(grid));
    const Values bottom = this->bottom_on(grid), f = this->coriolis_on(grid);
    const auto basin = this->basin_of(grid, bottom, f);
    Reference::ShallowWater twin(grid, 0);
    twin.set_basin(bottom, f);
    const auto y = rounded_water<Scalar>(random_water(grid, 1));
    const double dt = 0.1 / grid.nx;
    auto state = Case::make(grid, y);
    EXPECT_TRUE(typename Case::RungeKutta3(basin, dt).step(TEST_SPACE(), state).succeeded());
    auto expected = twin.runge_kutta_3(y, dt);
    expect_water_near(Case::get(state), expected, rounding<Scalar>(40));

    state = Case::make(grid, y);
    typename Case::Leapfrog leapfrog(basin, dt);
    run_steps(leapfrog, state, 2);
    expected = twin.leapfrog(y, expected, dt);
    expect_water_near(Case::get(state), expected, rounding<Scalar>(80));

    for (const int corrections : {1, 2}) {
      state = Case::make(grid, y);
      const double tight = std::is_same_v<Scalar, double> ? 1e-13 : 1e-6;
      typename Case::SemiImplicit plan(basin, dt,
                                       {.newton = Lamina::StoppingCriteria::iterations(corrections),
                                        .cg = {.tolerance = tight}});
      EXPECT_TRUE(plan.step(TEST_SPACE(), state).succeeded());
      expect_water_near(Case::get(state), twin.semi_implicit(y, y, dt, corrections),
                        100 * tight + rounding<Scalar>(60));
    }
  }
}

/// What is constant gives the bits of schemes without fields, and reads as many fields.
TYPED_TEST(WaterBasin, WithoutFieldsIsTheSchemeWithoutABasin) {
  using Case = typename TestFixture::Case;
  const Rectangle grid{33, 18};
  const auto y = random_water(grid, 5);
  const double dt = 0.1 / grid.nx;
  auto state = Case::make(grid, y), expected = Case::make(grid, y);
  typename Case::RungeKutta3 plan(typename TestFixture::Basin(grid, coriolis), dt),
      usual(grid, dt, coriolis);
  run_steps(plan, state, 3);
  run_steps(usual, expected, 3);
  expect_same_water(Case::get(state), Case::get(expected));
  EXPECT_EQ(plan.step_cost().bytes, usual.step_cost().bytes);
  const Values flat(static_cast<std::size_t>(grid.cells()), 0.0);
  const Values f(flat.size(), coriolis);
  typename Case::RungeKutta3 with_fields(this->basin_of(grid, flat, f), dt);
  EXPECT_EQ(with_fields.step_cost().bytes,
            usual.step_cost().bytes + 6 * grid.cells() * sizeof(typename TestFixture::Scalar));
  state = Case::make(grid, y);
  run_steps(with_fields, state, 3);
  expect_water_near(Case::get(state), Case::get(expected),
                    rounding<typename TestFixture::Scalar>(40));
}

/// The well-balanced property: the gradient of the surface is 0 to a rounding of the height.
TYPED_TEST(WaterBasin, ALakeAtRestStaysAtRest) {
  using Case = typename TestFixture::Case;
  using Scalar = typename TestFixture::Scalar;
  const int steps = 50;
  for (const auto sides : {WaterSides::periodic, WaterSides::walls}) {
    for (const Rectangle& grid : {Rectangle{24, 24}, Rectangle{31, 13}, Rectangle{16, 40}}) {
      const typename TestFixture::Strip strip(grid, sides);
      const Values bottom = this->bottom_on(grid);
      const Values zero(bottom.size(), 0.0);
      WaterState lake{bottom, zero, zero};
      for (double& height : lake.height) height = 1 - height;
      lake = rounded_water<Scalar>(lake);
      const auto basin = this->basin_of(strip, bottom, this->coriolis_on(grid));
      this->for_each_scheme(basin, 0.1 / grid.nx, [&](auto& plan) {
        auto state = this->state_of(strip, lake);
        EXPECT_TRUE(run_steps(plan, state, steps).succeeded());
        const auto after = Case::get(state);
        // A step of a tenth of a cell adds a tenth of what the surface is rough by, thrice with M^-1.
        const double allowed = 2 * steps * TestFixture::epsilon;
        for (std::size_t n = 0; n < bottom.size(); ++n) {
          ASSERT_NEAR(after.height[n] + bottom[n], 1, allowed) << n;
          ASSERT_NEAR(after.u[n], 0, allowed) << n;
          ASSERT_NEAR(after.v[n], 0, allowed) << n;
        }
      });
    }
  }
}

// --- Walls ---

/// A channel and its mirror image make a periodic rectangle twice as wide, where f is odd and so 0 on
/// the walls.
TYPED_TEST(WaterBasin, AChannelIsHalfOfAPeriodicRectangle) {
  using Case = typename TestFixture::Case;
  using Scalar = typename TestFixture::Scalar;
  for (const Rectangle& grid :
       {Rectangle{8, 1}, Rectangle{9, 2}, Rectangle{16, 3}, Rectangle{33, 7}, Rectangle{13, 40}}) {
    const int ny = grid.ny;
    auto y = rounded_water<Scalar>(random_water(grid, 21));
    for (int i = 0; i < grid.nx; ++i) y.v[static_cast<std::size_t>(i * ny)] = 0;
    const Values bottom = this->bottom_on(grid);
    // A straight line before the wall in the north, which ends at 0 there
    const Values f = rounded<Scalar>(basin_values(
        grid, [&, ny](int i, int j) { return ny < 4 ? 0 : std::min(j, ny - j) * (1 + 0.1 * i); }));
    const Rectangle whole{grid.nx, 2 * ny};
    const auto at = [&](const Values& x, int i, int j) {
      return x[static_cast<std::size_t>(i * ny + j)];
    };
    const auto even = [&](const Values& x) {
      return basin_values(whole,
                          [&](int i, int j) { return at(x, i, j < ny ? j : 2 * ny - 1 - j); });
    };
    const auto odd = [&](const Values& x) {
      return basin_values(whole, [&](int i, int j) {
        return j < ny ? at(x, i, j) : j == ny ? 0 : -at(x, i, 2 * ny - j);
      });
    };
    const typename TestFixture::Strip strip(grid, WaterSides::walls);
    const auto channel = this->basin_of(strip, bottom, f),
               periodic = this->basin_of(whole, even(bottom), odd(f));
    const double dt = 0.1 / grid.nx;
    std::vector<WaterState> expected;
    // Both Newton iterations would end at another pass: a fixed number of them.
    const Lamina::SemiImplicitOptions fixed{
        .newton = Lamina::StoppingCriteria::iterations(3),
        .cg = {.tolerance = std::is_same_v<Scalar, double> ? 1e-14 : 1e-7}};
    const auto run = [&](auto& state, int scheme, const auto& basin) {
      const auto steps = [&](auto plan) { EXPECT_FALSE(run_steps(plan, state, 4).broke_down()); };
      if (scheme == 0) steps(typename Case::Leapfrog(basin, dt));
      if (scheme == 1) steps(typename Case::RungeKutta3(basin, dt));
      if (scheme == 2) steps(typename Case::SemiImplicit(basin, dt, fixed));
    };
    for (int scheme = 0; scheme < 3; ++scheme) {
      SCOPED_TRACE(testing::Message() << text_of(grid) << ", scheme " << scheme);
      auto state = this->state_of(strip, y);
      auto both = Case::make(whole, {even(y.height), even(y.u), odd(y.v)});
      run(state, scheme, channel);
      run(both, scheme, periodic);
      const auto twin = Case::get(both);
      const auto half = [&](const Values& x) {
        return basin_values(
            grid, [&](int i, int j) { return x[static_cast<std::size_t>(i * whole.ny + j)]; });
      };
      expect_water_near(Case::get(state), {half(twin.height), half(twin.u), half(twin.v)},
                        rounding<Scalar>(400));
    }
  }
}

// --- Over ranks ---

TYPED_TEST(WaterBasin, StepsOverRanksAreThoseOfOneProcess) {
  using Case = typename TestFixture::Case;
  using Scalar = typename TestFixture::Scalar;
  for (const auto sides : {WaterSides::periodic, WaterSides::walls}) {
    for (const Rectangle& whole : {Rectangle{16, 70}, Rectangle{7, 13}, Rectangle{20, 3}}) {
      const Values bottom = this->bottom_on(whole), f = this->coriolis_on(whole);
      auto y = rounded_water<Scalar>(random_water(whole, 9));
      if (sides == WaterSides::walls) {
        for (int i = 0; i < whole.nx; ++i) y.v[static_cast<std::size_t>(i * whole.ny)] = 0;
      }
      const double dt = 0.1 / whole.nx;
      const typename TestFixture::Strip all(whole, sides);
      std::vector<WaterState> expected;
      std::vector<double> energies;
      const auto one = this->basin_of(all, bottom, f);
      this->for_each_scheme(one, dt, [&](auto& plan) {
        auto state = this->state_of(all, y);
        EXPECT_FALSE(run_steps(plan, state, 3).broke_down());
        expected.push_back(Case::get(state));
        energies.push_back(Lamina::diagnose(TEST_SPACE(), state, one).potential_enstrophy);
      });
      for (const int num_ranks : {1, 2, 4}) {
        run_on_ranks<Memory>(num_ranks, [&](const Lamina::Transport& transport) {
          for (const auto& [name, lines] : awkward_strips(whole.ny, num_ranks)) {
            SCOPED_TRACE(testing::Message() << name << ", " << num_ranks << " ranks, walls "
                                            << (sides == WaterSides::walls));
            const typename TestFixture::Strip strip(transport, whole, lines, sides);
            const auto basin = this->basin_of(strip, bottom, f);
            std::size_t scheme = 0;
            this->for_each_scheme(basin, dt, [&](auto& plan) {
              auto state = this->state_of(strip, y);
              EXPECT_FALSE(run_steps(plan, state, 3).broke_down());
              const double tolerance = std::is_same_v<Scalar, double> ? 1e-9 : 1e-4;
              expect_water_near(Case::get(state), lines_of_rank(strip, expected[scheme]),
                                tolerance);
              EXPECT_NEAR(Lamina::diagnose(TEST_SPACE(), state, basin).potential_enstrophy,
                          energies[scheme], 100 * tolerance * energies[scheme]);
              ++scheme;
            });
          }
        });
      }
    }
  }
}

/// The lines of the guide.
TYPED_TEST(WaterBasin, IsMadeOfTheViewsOfAnApplication) {
  using Scalar = typename TestFixture::Scalar;
  const TEST_SPACE space;
  const int nx = 16, ny = 9;
  const double time_step = 0.1 / nx;
  const auto hills = this->bottom_on({nx, ny});
  const typename TestFixture::Field field(nx, ny, hills);
  const auto bottom = field.const_view();
  auto state = TestFixture::Case::make({nx, ny}, random_water({nx, ny}, 2));
  // [basin]
  const auto basin = Lamina::WaterBasin<Scalar, Memory>({nx, ny}, 0.3).with_bottom(space, bottom);
  Lamina::RungeKutta3<Scalar, Memory> scheme(basin, time_step);
  const auto report = scheme.step(space, state);
  const auto sums = Lamina::diagnose(space, state, basin);
  // [basin]
  EXPECT_TRUE(report.succeeded());
  EXPECT_TRUE(sums.sound());
  EXPECT_TRUE(basin.has_bottom());
  EXPECT_FALSE(basin.has_coriolis_field());
}

TYPED_TEST(WaterBasin, RefusesBadArguments) {
  using Basin = typename TestFixture::Basin;
  using Case = typename TestFixture::Case;
  using Strip = typename TestFixture::Strip;
  const TEST_SPACE space;
  EXPECT_EQ(message_of<Lamina::InvalidArgument>([] {
              Basin({4, 4}, std::nan(""));
            }),
            "Lamina::WaterBasin: argument coriolis: expected a finite value, got nan");
  EXPECT_THROW(Basin(Rectangle{0, 4}, 0), Lamina::InvalidArgument);
  const Basin basin({4, 6}, 0.3);
  const typename TestFixture::Field small(4, 5), right(4, 6);
  EXPECT_THROW(basin.with_bottom(space, small.const_view()), Lamina::InvalidArgument);
  EXPECT_THROW(basin.with_coriolis(space, small.const_view()), Lamina::InvalidArgument);
  EXPECT_THROW(typename Case::RungeKutta3(basin, 0), Lamina::InvalidArgument);
  EXPECT_FALSE(basin.has_bottom());
  const Basin hilly = basin.with_bottom(space, right.const_view());
  EXPECT_TRUE(hilly.has_bottom());
  EXPECT_FALSE(basin.has_bottom());

  const Strip channel(Rectangle{4, 6}, WaterSides::walls);
  typename Case::State state(channel), periodic(Rectangle{4, 6});
  EXPECT_THROW(Lamina::diagnose(space, state, basin), Lamina::InvalidArgument);
  typename Case::RungeKutta3 plan(channel, 0.01, 0);
  EXPECT_EQ(
      message_of<Lamina::InvalidArgument>([&] { (void)plan.step(space, periodic); }),
      "Lamina::RungeKutta3::step: argument state: expected lines from 0 on of 6 on one process "
      "between walls, got lines from 0 on of 6 on one process");
  EXPECT_EQ(
      message_of<Lamina::InvalidArgument>([&] {
        typename Case::RungeKutta3(channel, 0.01, 0, {.solver = Lamina::MassSolver::cg});
      }),
      "Lamina::VelocityMass: argument options: expected MassSolver::direct between walls, got "
      "MassSolver::cg");
}

}  // namespace LaminaTest
