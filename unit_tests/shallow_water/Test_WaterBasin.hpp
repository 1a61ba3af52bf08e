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

/// What is constant gives the bits of the sweep without fields, and reads as many fields.
TYPED_TEST(WaterBasin, WithoutFieldsIsTheSchemeWithoutABasin) {
  using Case = typename TestFixture::Case;
  using Scalar = typename TestFixture::Scalar;
  const TEST_SPACE space;
  const Rectangle grid{33, 18};
  const auto y = random_water(grid, 5);
  const Scalar dt = static_cast<Scalar>(0.1 / grid.nx);
  const auto state = Case::make(grid, y), expected = Case::make(grid, y),
             next = Case::make(grid, y);
  const typename TestFixture::Basin basin(grid, coriolis);
  EXPECT_FALSE(basin.fields().varies());

  // A stage of the scheme, and the sweep of the published equations with its mass solves
  Lamina::StepReport report;
  Lamina::Impl::ExplicitStage<Scalar, Memory>(basin, {}).run(space, {1, dt}, state, state.fields(),
                                                             {state.u(), state.v()}, next.height(),
                                                             next.u(), next.v(), report);
  const auto ghosted = [&] { return Lamina::Impl::make_ghosted<Scalar, Memory>("rhs", grid); };
  const auto rhs_u = ghosted(), rhs_v = ghosted(), height = ghosted();
  using Lamina::Impl::ghosted_lines_of;
  Lamina::Impl::StageKernels<TEST_SPACE, Scalar>::sweep(
      space, Lamina::Impl::CellRange::all(grid),
      Lamina::Impl::StageSweep<Scalar>{expected.fields(),
                                       {static_cast<Scalar>(grid.nx), Scalar(coriolis)},
                                       {},
                                       0,
                                       1,
                                       dt,
                                       ghosted_lines_of(height),
                                       ghosted_lines_of(rhs_u),
                                       ghosted_lines_of(rhs_v)});
  Kokkos::deep_copy(expected.height(), height);
  const Lamina::VelocityMass<Scalar, Memory> mass(grid);
  const auto solve = [&](auto component, const auto& rhs, const auto& x) {
    EXPECT_TRUE(mass.solve(space, component, rhs, 0, x, 1, x, dt, x).succeeded());
  };
  solve(Lamina::VelocityComponent::u, rhs_u, expected.u());
  solve(Lamina::VelocityComponent::v, rhs_v, expected.v());
  expect_same_water(Case::get(next), Case::get(expected));

  typename Case::RungeKutta3 usual(basin, dt);
  const Values flat(static_cast<std::size_t>(grid.cells()), 0.0);
  const Values f(flat.size(), coriolis);
  typename Case::RungeKutta3 with_fields(this->basin_of(grid, flat, f), dt);
  EXPECT_EQ(with_fields.step_cost().bytes,
            usual.step_cost().bytes + 6 * grid.cells() * sizeof(Scalar));
  auto one = Case::make(grid, y), other = Case::make(grid, y);
  run_steps(with_fields, one, 3);
  run_steps(usual, other, 3);
  expect_water_near(Case::get(one), Case::get(other), rounding<Scalar>(40));
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

/// Steps far beyond those of explicit schemes end at what rounding leaves of the residual, of deep water
/// too.
TYPED_TEST(WaterBasin, ALakeAtRestStaysAtRestInLongSteps) {
  using Case = typename TestFixture::Case;
  using Scalar = typename TestFixture::Scalar;
  const int steps = 10;
  for (const double courant : {2.0, 5.0}) {
    for (const double surface : {1.0, 4.0}) {
      for (const Rectangle& grid : {Rectangle{24, 24}, Rectangle{61, 40}, Rectangle{128, 96}}) {
        SCOPED_TRACE(testing::Message()
                     << text_of(grid) << ", dt = " << courant << " h, surface at " << surface);
        Values bottom = this->bottom_on(grid);
        for (double& height : bottom) height *= surface;
        const Values zero(bottom.size(), 0.0);
        WaterState lake{bottom, zero, zero};
        for (double& height : lake.height) height = surface - height;
        const double dt = courant / grid.nx;
        typename Case::SemiImplicit plan(this->basin_of(grid, bottom, this->coriolis_on(grid)), dt,
                                         this->options(grid, dt, surface));
        auto state = Case::make(grid, rounded_water<Scalar>(lake));
        EXPECT_TRUE(run_steps(plan, state, steps).succeeded());
        const auto after = Case::get(state);
        const double allowed = 2 * courant * surface * steps * TestFixture::epsilon;
        for (std::size_t n = 0; n < bottom.size(); ++n) {
          ASSERT_NEAR(after.height[n] + bottom[n], surface, allowed) << n;
          ASSERT_NEAR(after.u[n], 0, allowed) << n;
          ASSERT_NEAR(after.v[n], 0, allowed) << n;
        }
      }
    }
  }
}

/// Waves over the hill: Newton's iteration converges, and the mass stays.
TYPED_TEST(WaterBasin, LongStepsOverABottomConverge) {
  using Case = typename TestFixture::Case;
  using Scalar = typename TestFixture::Scalar;
  const Rectangle grid{64, 48};
  const Values bottom = this->bottom_on(grid);
  WaterState y{bottom, Values(bottom.size(), 0.0), Values(bottom.size(), 0.0)};
  const double pi = std::acos(-1.0);
  const Values wave = basin_values(grid, [&](int i, int j) {
    return 0.02 * std::sin(2 * pi * (i + 0.5) / grid.nx) * std::cos(2 * pi * (j + 0.5) / grid.ny);
  });
  for (std::size_t n = 0; n < bottom.size(); ++n) y.height[n] = 1 + wave[n] - bottom[n];
  for (const double courant : {2.0, 5.0}) {
    SCOPED_TRACE(testing::Message() << "dt = " << courant << " h");
    const auto basin = this->basin_of(grid, bottom, this->coriolis_on(grid));
    const double dt = courant / grid.nx;
    auto options = this->options(grid, dt);
    options.newton.tolerance = std::is_same_v<Scalar, double> ? 1e-8 : 1e-4;
    typename Case::SemiImplicit plan(basin, dt, options);
    auto state = Case::make(grid, rounded_water<Scalar>(y));
    const double before = Lamina::diagnose(TEST_SPACE(), state, basin).mass;
    for (int step = 0; step < 10; ++step) {
      EXPECT_EQ(plan.step(TEST_SPACE(), state).status, Lamina::SolveStatus::completed);
    }
    EXPECT_NEAR(Lamina::diagnose(TEST_SPACE(), state, basin).mass, before,
                (std::is_same_v<Scalar, double> ? 1e-9 : 1e-4) * before);
  }
}

// --- Walls ---

/// Lines -1 to ny of a channel, with what is beyond the walls, as lines of a periodic twin.
struct ChannelLines {
  Rectangle whole;
  WaterState y;
  Values bottom, f;
  Reference::ShallowWater twin;

  /// \param f_at  f at corner (i, j), 0 <= j <= ny
  template <class Coriolis>
  ChannelLines(const Rectangle& grid, const WaterState& inside, const Values& bottom_inside,
               const Coriolis& f_at)
      : whole{grid.nx, grid.ny + 2}, twin(whole, 0) {
    const int ny = grid.ny;
    const auto at = [&](const Values& x, int i, int j) {
      return x[static_cast<std::size_t>(i * ny + j)];
    };
    const auto even = [&](const Values& x) {
      return basin_values(whole,
                          [&](int i, int j) { return at(x, i, std::clamp(j - 1, 0, ny - 1)); });
    };
    y.height = even(inside.height);
    y.u = even(inside.u);
    y.v = basin_values(whole, [&](int i, int j) {
      if (j == 1 || j > ny) return 0.0;
      if (j > 1) return at(inside.v, i, j - 1);
      return ny > 1 ? -at(inside.v, i, 1) : 0.0;
    });
    bottom = even(bottom_inside);
    f = basin_values(whole, [&](int i, int j) { return f_at(i, std::max(j - 1, 0)); });
    twin.set_basin(bottom, f);
  }
  /// Lines 0 to ny - 1 of values on all of them.
  Values inside(const Values& x) const {
    return basin_values({whole.nx, whole.ny - 2}, [&](int i, int j) {
      return x[static_cast<std::size_t>(i * whole.ny + j + 1)];
    });
  }
};

/// f is not 0 on the walls, and goes on behind the last corners. Of a channel of one line the corner in the
/// north has the f of that in the south.
TYPED_TEST(WaterBasin, TendenciesBetweenWallsAreThoseOfTheTwin) {
  using Scalar = typename TestFixture::Scalar;
  const TEST_SPACE space;
  for (const int ny : {1, 2, 5}) {
    const Rectangle grid{9, ny};
    SCOPED_TRACE(text_of(grid));
    const auto f_at = [ny](int i, int j) { return 2 + 0.25 * (i % 3) + 0.5 * (ny > 1 ? j : 0); };
    auto y = rounded_water<Scalar>(random_water(grid, 41));
    for (int i = 0; i < grid.nx; ++i) y.v[static_cast<std::size_t>(i * ny)] = 0;
    const Values bottom = this->bottom_on(grid);
    const ChannelLines lines(grid, y, bottom, f_at);
    const typename TestFixture::Strip strip(grid, WaterSides::walls);
    const auto basin = this->basin_of(strip, bottom, basin_values(grid, f_at));
    const auto state = this->state_of(strip, y), found = this->state_of(strip, y);

    auto expected = lines.twin.tendency(lines.y);
    for (int i = 0; i < grid.nx; ++i) {  // that of V on the wall in the south
      expected.v[static_cast<std::size_t>(i * lines.whole.ny + 1)] = 0;
    }
    // phi' = 0 phi + 1 dPhi/dt
    const auto fields = found.fields();
    Lamina::Impl::StageKernels<TEST_SPACE, Scalar>::sweep(
        space, Lamina::Impl::CellRange::all(grid),
        Lamina::Impl::StageSweep<Scalar, Lamina::Impl::BasinFactors<Scalar>>{
            state.fields(),
            basin.fields().factors(grid.nx),
            {},
            0,
            0,
            1,
            fields.height,
            fields.u,
            fields.v});
    Kokkos::fence();
    expect_water_near(
        TestFixture::Case::get(found),
        {lines.inside(expected.height), lines.inside(expected.u), lines.inside(expected.v)},
        rounding<Scalar>(100 * grid.nx));
  }
}

/// Between walls a stage also reads ends of lines.
TYPED_TEST(WaterBasin, StepCostsHaveTheEndsOfLinesBetweenWalls) {
  using Case = typename TestFixture::Case;
  using Scalar = typename TestFixture::Scalar;
  for (const Rectangle& grid : {Rectangle{16, 3}, Rectangle{9, 100}}) {
    const typename TestFixture::Strip channel(grid, WaterSides::walls);
    const int reach = std::is_same_v<Scalar, double> ? 32 : 16, lines = std::min(reach, grid.ny),
              passes = (reach + grid.ny - 1) / grid.ny;
    const double ends = 2.0 * lines * grid.nx * passes * sizeof(Scalar);
    EXPECT_EQ(typename Case::RungeKutta3(channel, 0.01, 0).step_cost().bytes,
              typename Case::RungeKutta3(grid, 0.01, 0).step_cost().bytes + 3 * ends);
    EXPECT_EQ(typename Case::Leapfrog(channel, 0.01, 0).step_cost().bytes,
              typename Case::Leapfrog(grid, 0.01, 0).step_cost().bytes + ends);
  }
}

/// Sums over all corners, of which those on walls have half a cell of water.
TYPED_TEST(WaterBasin, DiagnosticsBetweenWallsAreSumsOverCorners) {
  using Scalar = typename TestFixture::Scalar;
  const TEST_SPACE space;
  for (const int ny : {1, 2, 5}) {
    const Rectangle grid{9, ny};
    SCOPED_TRACE(text_of(grid));
    auto y = rounded_water<Scalar>(random_water(grid, 51));
    for (int i = 0; i < grid.nx; ++i) y.v[static_cast<std::size_t>(i * ny)] = 0;
    const typename TestFixture::Strip strip(grid, WaterSides::walls);
    const auto state = this->state_of(strip, y);
    const Values bottom = this->bottom_on(grid);
    const auto expect_sums = [&](const auto& found, const auto& f_at, bool has_bottom) {
      const ChannelLines lines(grid, y, has_bottom ? bottom : Values(bottom.size(), 0.0), f_at);
      double circulation = 0, enstrophy = 0, potential = 0;
      for (int i = 0; i < grid.nx; ++i) {
        for (int j = 0; j <= ny; ++j) {
          const double part = j == 0 || j == ny ? 0.5 : 1;
          const double curl = lines.twin.curl(lines.y, i, j + 1);
          // Free slip: rot u is 0 on walls.
          if (part < 1) {
            EXPECT_NEAR(curl, f_at(i, j), 1e-12);
          }
          circulation += part * curl;
          enstrophy += part * curl * curl / (2 * lines.twin.vertex_height(lines.y, i, j + 1));
          if (j < ny) {
            const double height = lines.twin.at(lines.y.height, i, j + 1);
            potential += height * (0.5 * height + lines.twin.at(lines.bottom, i, j + 1));
          }
        }
      }
      const double area = 1.0 / grid.nx / grid.nx, accuracy = rounding<double>(100 * grid.cells());
      EXPECT_NEAR(found.circulation, area * circulation, accuracy);
      EXPECT_NEAR(found.potential_enstrophy, area * enstrophy, accuracy);
      EXPECT_GT(found.energy, area * potential);  // what is left is kinetic: at most 0.3^2 of it
      EXPECT_LT(found.energy, area * (potential + 2 * 0.09 * grid.cells()));
    };
    const auto line = [ny](int, int j) { return 2 + 0.5 * (ny > 1 ? j : 0); };
    const auto constant = [](int, int) { return coriolis; };
    const auto basin = this->basin_of(strip, bottom, basin_values(grid, line));
    expect_sums(Lamina::diagnose(space, state, basin), line, true);
    expect_sums(Lamina::diagnose(space, state, coriolis), constant, false);
  }
}

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

/// Arguments that are wrong on one rank end the call on all of them.
TYPED_TEST(WaterBasin, FailsOnAllRanksOrOnNone) {
  using Basin = typename TestFixture::Basin;
  using Field = typename TestFixture::Field;
  const Rectangle whole{6, 9};
  run_on_ranks<Memory>(3, [&](const Lamina::Transport& transport) {
    const typename TestFixture::Strip strip(transport, whole, Lamina::Partition::blocks(9, 3));
    const Basin basin(strip, 0);
    const bool is_wrong = transport.rank() == 1;
    const Field field(6, is_wrong ? 4 : 3);
    const auto expect_failure = [&](const auto& call) {
      if (is_wrong) {
        EXPECT_THROW(call(), Lamina::InvalidArgument);
      } else {
        EXPECT_EQ(message_of<Lamina::RankFailure>(call),
                  "rank 1: could not take its part of a collective call");
      }
    };
    const TEST_SPACE space;
    expect_failure([&] { (void)basin.with_bottom(space, field.const_view()); });
    expect_failure([&] { (void)basin.with_coriolis(space, field.const_view()); });
    const Field right(6, 3);
    EXPECT_TRUE(basin.with_bottom(space, right.const_view()).has_bottom());
  });
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
