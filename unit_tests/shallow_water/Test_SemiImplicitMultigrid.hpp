// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Semi-implicit steps whose corrections are preconditioned by multigrid.

#include <shallow_water/BasinCase.hpp>
#include <support/ToolExpectations.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace LaminaTest {

template <class Type>
struct SemiImplicitMultigrid : WaterBasin<Type> {
  using typename WaterBasin<Type>::Scalar;
  using typename WaterBasin<Type>::Case;
  using Options = Lamina::SemiImplicitOptions;
  static constexpr double tight = std::is_same_v<Scalar, double> ? 1e-13 : 1e-6;

  static Options with_multigrid(Options options) {
    options.preconditioner = Lamina::CgPreconditioner::multigrid;
    return options;
  }
  static double sum(const Values& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
  }
  /// Small waves of all lengths on deep water: their Courant number is dt / h times the root of the depth.
  static WaterState deep_water(const Rectangle& grid, double depth) {
    const Values zero(static_cast<std::size_t>(grid.cells()), 0.0);
    Values height = random_values(zero.size(), 3);
    for (double& value : height) value = depth * (1 + 0.001 * value);
    return rounded_water<Scalar>({height, zero, zero});
  }
};
TYPED_TEST_SUITE(SemiImplicitMultigrid, FieldTypes, FieldTypeNames);

TYPED_TEST(SemiImplicitMultigrid, MakesTheSameCorrections) {
  using Case = typename TestFixture::Case;
  using Scalar = typename TestFixture::Scalar;
  using Options = typename TestFixture::Options;
  for (const Rectangle& grid : {Rectangle{1, 1}, Rectangle{3, 3}, Rectangle{1, 6}, Rectangle{7, 2},
                                Rectangle{31, 13}, Rectangle{16, 24}}) {
    for (const auto sides : {WaterSides::periodic, WaterSides::walls}) {
      const typename TestFixture::Strip strip(grid, sides);
      const auto basin = this->basin_of(strip, this->bottom_on(grid), this->coriolis_on(grid));
      auto y = rounded_water<Scalar>(random_water(grid, 1));
      if (sides == WaterSides::walls) {
        for (int i = 0; i < grid.nx; ++i) y.v[static_cast<std::size_t>(i * grid.ny)] = 0;
      }
      for (const auto height : {Lamina::ReferenceHeight::current, Lamina::ReferenceHeight::one}) {
        SCOPED_TRACE(testing::Message()
                     << text_of(grid) << ", walls " << (sides == WaterSides::walls) << ", height "
                     << static_cast<int>(height));
        const Options options{.newton = Lamina::StoppingCriteria::iterations(2),
                              .cg = {.tolerance = TestFixture::tight},
                              .reference_height = height};
        auto state = this->state_of(strip, y), expected = this->state_of(strip, y);
        typename Case::SemiImplicit plan(basin, 1.0 / grid.nx, this->with_multigrid(options)),
            plain(basin, 1.0 / grid.nx, options);
        EXPECT_TRUE(plan.step(TEST_SPACE(), state).succeeded());
        EXPECT_TRUE(plain.step(TEST_SPACE(), expected).succeeded());
        expect_water_near(Case::get(state), Case::get(expected),
                          300 * TestFixture::tight + rounding<Scalar>(200));
        const double mass = this->sum(y.height);
        EXPECT_NEAR(this->sum(Case::get(state).height), mass, rounding<Scalar>(50) * mass);
      }
    }
  }
}

/// Waves of Courant numbers 1 to 50, where iterations without a preconditioner grow.
TYPED_TEST(SemiImplicitMultigrid, CountsDoNotDependOnTheCourantNumber) {
  using Case = typename TestFixture::Case;
  const Rectangle grid{64, 48};
  const double dt = 0.2 / grid.nx;
  int least_plain = 0;
  for (const double courant : {1.0, 5.0, 50.0}) {
    const double depth = std::pow(courant / 0.2, 2);
    const auto y = this->deep_water(grid, depth);
    const auto run = [&](const typename TestFixture::Options& options) {
      auto state = Case::make(grid, y);
      typename Case::SemiImplicit plan(grid, dt, 0, options);
      const auto report = plan.step(TEST_SPACE(), state);
      EXPECT_EQ(report.status, Lamina::SolveStatus::completed);
      const double mass = this->sum(y.height);
      EXPECT_NEAR(this->sum(Case::get(state).height), mass,
                  rounding<typename TestFixture::Scalar>(50) * mass);
      return report;
    };
    const typename TestFixture::Options options{.newton = Lamina::StoppingCriteria::iterations(2),
                                                .cg = {.tolerance = 1e-4}};
    SCOPED_TRACE(courant);
    const int count = run(this->with_multigrid(options)).cg_iterations,
              plain = run(options).cg_iterations;
    EXPECT_LE(count, 2 * 5);
    EXPECT_GE(plain, least_plain);
    least_plain = plain;
  }
  EXPECT_GT(least_plain, 100);
}

TYPED_TEST(SemiImplicitMultigrid, AllocatesNothingAndNamesItsKernels) {
  using Case = typename TestFixture::Case;
  const int n = 20;
  typename Case::SemiImplicit plan(n, 3.0 / n, coriolis, this->with_multigrid({}));
  plan.check_every(1);
  auto state = Case::vortex(n);
  run_steps(plan, state, 1);  // Kokkos grows scratch at its first use
  Kokkos::fence();
  const ToolListener listener;
  const auto report = plan.step(TEST_SPACE(), state);
  Kokkos::fence();
  ASSERT_GT(report.newton_iterations, 1);
  expect_no_allocations(listener.heard());
  expect_kernels_of_the_library(listener.heard());
  expect_costs_of_kernels(plan.kernel_costs(), listener.heard());
}

}  // namespace LaminaTest
