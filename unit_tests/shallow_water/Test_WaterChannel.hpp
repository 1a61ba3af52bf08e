// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Channels: tendencies, costs and diagnostics at walls, and channels against their mirror image.

#include <shallow_water/BasinCase.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace LaminaTest {

template <class Type>
class WaterChannel : public WaterBasin<Type> {};
TYPED_TEST_SUITE(WaterChannel, FieldTypes, FieldTypeNames);

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
TYPED_TEST(WaterChannel, TendenciesBetweenWallsAreThoseOfTheTwin) {
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
TYPED_TEST(WaterChannel, StepCostsHaveTheEndsOfLinesBetweenWalls) {
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
TYPED_TEST(WaterChannel, DiagnosticsBetweenWallsAreSumsOverCorners) {
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
TYPED_TEST(WaterChannel, AChannelIsHalfOfAPeriodicRectangle) {
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

}  // namespace LaminaTest
