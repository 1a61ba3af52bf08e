// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Steps of a basin whose water has a viscosity.

#include <distributed/SimulatedTransport.hpp>
#include <shallow_water/BasinCase.hpp>
#include <support/MessageOf.hpp>
#include <support/ToolExpectations.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

namespace LaminaTest {

template <class Type>
struct VelocityDiffusion : WaterBasin<Type> {
  using typename WaterBasin<Type>::Scalar;
  using typename WaterBasin<Type>::Case;
  using typename WaterBasin<Type>::Basin;
  using typename WaterBasin<Type>::Strip;
  static constexpr double pi = 3.14159265358979323846;
  /// So weak that its energy is beyond the last digit of the height, or nearly so.
  static constexpr double amplitude = std::is_same_v<Scalar, double> ? 1e-8 : 1e-4;

  /// A flow along x, as a sine of y.
  static WaterState shear(const Rectangle& grid) {
    const auto size = static_cast<std::size_t>(grid.cells());
    const Values u = basin_values(
        grid, [&](int, int j) { return amplitude * std::sin(2 * pi * (j + 0.5) / grid.ny); });
    return rounded_water<Scalar>({Values(size, 1.0), u, Values(size, 0.0)});
  }
  static Basin viscous(const Strip& strip, double nu) { return Basin(strip, 0).with_viscosity(nu); }
  static double sum(const Values& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
  }
};
TYPED_TEST_SUITE(VelocityDiffusion, FieldTypes, FieldTypeNames);

TYPED_TEST(VelocityDiffusion, DampsAModeAsTheStencilDoes) {
  using Case = typename TestFixture::Case;
  const Rectangle grid{12, 16};
  const double dt = 0.01, number = 0.05, nu = number / dt / (12 * 12);
  const double damped = 4 * number * std::pow(std::sin(TestFixture::pi / grid.ny), 2);
  const int steps = 5;
  this->for_each_scheme(
      this->viscous(typename TestFixture::Strip(grid), nu), dt, [&]<class Plan>(Plan& plan) {
        auto state = Case::make(grid, this->shear(grid));
        EXPECT_TRUE(run_steps(plan, state, steps).succeeded());
        // The first step of leapfrog is one of Runge-Kutta; each later one spans two steps.
        const bool leaps = std::is_same_v<Plan, typename Case::Leapfrog>;
        const double factor =
            leaps ? (1 - damped) * std::pow(1 - 2 * damped, 2) : std::pow(1 - damped, steps);
        Values expected = this->shear(grid).u;
        for (double& u : expected) u *= factor;
        const auto found = Case::get(state);
        const Values scale(expected.size(), TestFixture::amplitude);
        EXPECT_TRUE(all_within(found.u, expected, 100 * TestFixture::amplitude, scale));
        EXPECT_TRUE(all_within(found.v, Values(scale.size(), 0.0), 1e-2, scale));
      });
}

/// Against the same step without viscosity: the height is the same to the last bit. Without walls the sums of
/// velocities are to rounding.
TYPED_TEST(VelocityDiffusion, KeepsMassAndMomentum) {
  using Case = typename TestFixture::Case;
  using Scalar = typename TestFixture::Scalar;
  const Rectangle grid{21, 13};
  const double dt = 0.1 / grid.nx, nu = 0.05 / dt / (21 * 21);
  for (const auto sides : {WaterSides::periodic, WaterSides::walls}) {
    const typename TestFixture::Strip strip(grid, sides);
    auto y = rounded_water<Scalar>(random_water(grid, 11));
    if (sides == WaterSides::walls) {
      for (int i = 0; i < grid.nx; ++i) y.v[static_cast<std::size_t>(i * grid.ny)] = 0;
    }
    const auto inviscid = this->basin_of(strip, this->bottom_on(grid), this->coriolis_on(grid));
    const auto step = [&](auto& plan) {
      auto state = this->state_of(strip, y);
      EXPECT_TRUE(plan.step(TEST_SPACE(), state).succeeded());
      return Case::get(state);
    };
    std::vector<WaterState> plain;
    this->for_each_scheme(inviscid, dt, [&](auto& plan) { plain.push_back(step(plan)); });
    std::size_t scheme = 0;
    this->for_each_scheme(inviscid.with_viscosity(nu), dt, [&](auto& plan) {
      const WaterState found = step(plan), &without = plain[scheme++];
      EXPECT_EQ(found.height, without.height);
      EXPECT_NE(found.u, without.u);
      EXPECT_NE(found.v, without.v);
      if (sides == WaterSides::periodic) {
        const double size = grid.cells() * rounding<Scalar>(1);
        EXPECT_NEAR(this->sum(found.u), this->sum(without.u), size);
        EXPECT_NEAR(this->sum(found.v), this->sum(without.v), size);
      } else {
        // Nothing rubs along walls: that of v is 0 there.
        EXPECT_NEAR(this->sum(found.u), this->sum(without.u), grid.cells() * rounding<Scalar>(1));
        for (int i = 0; i < grid.nx; ++i) {
          EXPECT_EQ(found.v[static_cast<std::size_t>(i * grid.ny)], 0);
        }
      }
    });
  }
}

/// Noise of the shortest waves in heights and velocities, with the largest steps of leapfrog.
TYPED_TEST(VelocityDiffusion, CalmsNoiseAtTheLimit) {
  using Case = typename TestFixture::Case;
  const Rectangle grid = Rectangle::square(12);
  const double dt = 0.1 / 12,
               nu = TestFixture::Basin::largest_diffusion_number / 2 / dt / (12 * 12);
  const auto noise = basin_values(grid, [](int i, int j) { return (i + j) % 2 == 0 ? 1.0 : -1.0; });
  const Values random = random_values(noise.size(), 3);
  WaterState start{noise, noise, noise};
  for (std::size_t i = 0; i < noise.size(); ++i) {
    start.height[i] = 1 + 1e-3 * (noise[i] + random[i]);
    start.u[i] *= 1e-3;
    start.v[i] = 1e-3 * random[i];
  }
  this->for_each_scheme(this->viscous(typename TestFixture::Strip(grid), nu), dt, [&](auto& plan) {
    auto state = Case::make(grid, rounded_water<typename TestFixture::Scalar>(start));
    EXPECT_TRUE(run_steps(plan, state, 600).succeeded());
    const WaterState end = Case::get(state);
    for (std::size_t i = 0; i < noise.size(); ++i) {
      EXPECT_LT(std::abs(end.height[i] - 1), 4e-3);
      EXPECT_LT(std::abs(end.u[i]), 4e-3);
      EXPECT_LT(std::abs(end.v[i]), 4e-3);
    }
  });
}

TYPED_TEST(VelocityDiffusion, IsTheSameOverRanks) {
  using Case = typename TestFixture::Case;
  using Scalar = typename TestFixture::Scalar;
  const Rectangle grid{9, 14};
  const double dt = 0.05 / grid.nx, nu = 0.1 / dt / (9 * 9);
  const auto y = rounded_water<Scalar>(random_water(grid, 31));
  auto alone = Case::make(grid, y);
  typename Case::RungeKutta3 plan_alone(this->viscous(typename TestFixture::Strip(grid), nu), dt);
  (void)run_steps(plan_alone, alone, 3);
  const WaterState expected = Case::get(alone);
  run_on_ranks<Memory>(3, [&](const Lamina::Transport& transport) {
    const typename TestFixture::Strip strip(transport, grid, Lamina::Partition::blocks(14, 3));
    auto state = state_of_rank<Scalar>(strip, y);
    typename Case::RungeKutta3 plan(this->viscous(strip, nu), dt);
    (void)run_steps(plan, state, 3);
    expect_water_near(Case::get(state), lines_of_rank(strip, expected), rounding<Scalar>(40));
  });
}

TYPED_TEST(VelocityDiffusion, CostsNothingWhereItIsZero) {
  using Case = typename TestFixture::Case;
  const Rectangle grid{8, 8};
  const auto y = random_water(grid, 3);
  for (const double nu : {0.0, 0.5}) {
    const auto basin = this->viscous(typename TestFixture::Strip(grid), nu);
    this->for_each_scheme(basin, 1e-3, [&](auto& plan) {
      auto state = Case::make(grid, y);
      run_steps(plan, state, 2);
      Kokkos::fence();
      const ToolListener listener;
      (void)plan.step(TEST_SPACE(), state);
      Kokkos::fence();
      const auto heard = listener.heard();
      expect_no_allocations(heard);
      const auto diffuses = [](const auto& kernel) {
        return kernel.label.find("VelocityDiffusion") != std::string::npos;
      };
      EXPECT_EQ(std::count_if(heard.kernels.begin(), heard.kernels.end(), diffuses),
                nu > 0 ? 2 : 0);
      const auto costs = plan.kernel_costs();
      EXPECT_EQ(std::count_if(costs.begin(), costs.end(), diffuses), nu > 0 ? 2 : 0);
    });
  }
}

TEST(VelocityDiffusionAccuracy, IsOfSecondOrder) {
  using Fixture = VelocityDiffusion<FieldType<double, Kokkos::LayoutLeft>>;
  using Case = WaterCase<double>;
  const double nu = 0.02, until = 0.5;
  const auto error = [&](int n) {
    const Rectangle grid = Rectangle::square(n);
    const int steps = n * n / 8;  // nu dt / h^2 = 0.08
    Case::RungeKutta3 plan(Fixture::viscous(Lamina::WaterStrip<Memory>(grid), nu), until / steps);
    auto state = Case::make(grid, Fixture::shear(grid));
    EXPECT_TRUE(run_steps(plan, state, steps).succeeded());
    const double exact = std::exp(-nu * std::pow(2 * Fixture::pi, 2) * until);
    const Values u = Case::get(state).u, start = Fixture::shear(grid).u;
    return std::abs(u[0] / start[0] - exact);
  };
  const double coarse = error(16), fine = error(32);
  EXPECT_NEAR(coarse / fine, 4, 0.2);
  EXPECT_LT(fine, 1e-2);
}

TEST(VelocityDiffusionArguments, AreChecked) {
  using Case = WaterCase<double>;
  const Lamina::WaterBasin<double, Memory> basin({4, 4}, 0);
  const auto refusal = [](const auto& call) { return message_of<Lamina::InvalidArgument>(call); };
  EXPECT_EQ(refusal([&] { (void)basin.with_viscosity(-1); }),
            "Lamina::WaterBasin::with_viscosity: argument nu: expected a finite value >= 0, got "
            "-1.000000");
  const auto viscous = basin.with_viscosity(0.5);
  EXPECT_EQ(viscous.viscosity(), 0.5);
  const std::string half = "viscosity: expected nu dt / h^2 <= 0.062500, got 0.160000",
                    whole = "viscosity: expected nu dt / h^2 <= 0.125000, got 0.320000";
  EXPECT_EQ(refusal([&] { const Case::Leapfrog plan(viscous, 0.02); }),
            "Lamina::Leapfrog: " + half);
  EXPECT_EQ(refusal([&] { const Case::RungeKutta3 plan(viscous, 0.04); }),
            "Lamina::RungeKutta3: " + whole);
  EXPECT_EQ(refusal([&] { const Case::SemiImplicit plan(viscous, 0.04); }),
            "Lamina::SemiImplicit: " + whole);
}

}  // namespace LaminaTest
