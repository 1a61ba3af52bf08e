// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <shallow_water/ExplicitSteps.hpp>
#include <support/ToolExpectations.hpp>

namespace LaminaTest {

TYPED_TEST(ExplicitSteps, LeapfrogStartsWithRungeKutta) {
  using Case = typename TestFixture::Case;
  for (const Rectangle& grid : water_rectangles()) {
    SCOPED_TRACE(text_of(grid));
    const auto y = rounded_water<typename TestFixture::Scalar>(random_water(grid, 2));
    const double dt = 0.1 / grid.nx, accuracy = rounding<typename TestFixture::Scalar>(40);
    const Reference::ShallowWater twin(grid, coriolis);
    auto state = Case::make(grid, y);
    typename Case::Leapfrog plan(grid, dt, coriolis);
    EXPECT_FALSE(plan.has_previous());
    plan.step(TEST_SPACE(), state);
    EXPECT_TRUE(plan.has_previous());
    const auto first = twin.runge_kutta_3(y, dt), second = twin.leapfrog(y, first, dt),
               third = twin.leapfrog(first, second, dt);
    expect_water_near(Case::get(state), first, accuracy);
    expect_same_water(Case::get(plan.previous()), y);
    plan.step(TEST_SPACE(), state);
    expect_water_near(Case::get(state), second, 2 * accuracy);
    expect_water_near(Case::get(plan.previous()), first, accuracy);
    plan.step(TEST_SPACE(), state);
    expect_water_near(Case::get(state), third, 4 * accuracy);
    plan.restart();
    EXPECT_FALSE(plan.has_previous());
  }
}

TYPED_TEST(ExplicitSteps, AllocateNothingAndNameTheirKernels) {
  using Case = typename TestFixture::Case;
  const int n = 20;
  for (const auto solver : {Lamina::MassSolver::direct, Lamina::MassSolver::cg}) {
    typename Case::Leapfrog plan(n, 0.1 / n, coriolis, {.solver = solver});
    plan.check_every(1);
    auto state = Case::vortex(n);
    run_steps(plan, state, 2);  // Kokkos grows scratch at its first use
    Kokkos::fence();
    const ToolListener listener;
    run_steps(plan, state, 2);
    Kokkos::fence();
    expect_no_allocations(listener.heard());
    EXPECT_EQ(listener.heard().regions.front(), "Lamina::Leapfrog::step");
    expect_kernels_of_the_library(listener.heard());
    if (solver == Lamina::MassSolver::direct) {
      expect_costs_of_kernels(plan.kernel_costs(), listener.heard());
    }
  }
}

}  // namespace LaminaTest
