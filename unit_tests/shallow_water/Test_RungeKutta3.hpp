// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <shallow_water/ExplicitSteps.hpp>

#include <cmath>

namespace LaminaTest {

TYPED_TEST(ExplicitSteps, RungeKuttaIsTheTableau) {
  using Case = typename TestFixture::Case;
  for (const Rectangle& grid : water_rectangles()) {
    SCOPED_TRACE(text_of(grid));
    const auto y = rounded_water<typename TestFixture::Scalar>(random_water(grid, 1));
    const double dt = 0.1 / grid.nx;
    auto state = Case::make(grid, y);
    const auto report = typename Case::RungeKutta3(grid, dt, coriolis).step(TEST_SPACE(), state);
    EXPECT_TRUE(report.succeeded());
    EXPECT_EQ(report.mass_iterations, 0);
    const auto expected = Reference::ShallowWater(grid, coriolis).runge_kutta_3(y, dt);
    expect_water_near(Case::get(state), expected, rounding<typename TestFixture::Scalar>(40));
  }
}

TYPED_TEST(ExplicitSteps, AreThoseOfTheFormWithStoredVorticityAndOfPartsOfTheGrid) {
  using Case = typename TestFixture::Case;
  using Scalar = typename TestFixture::Scalar;
  using Kernels = Lamina::Impl::StageKernels<TEST_SPACE, Scalar>;
  for (const Rectangle& grid : water_rectangles()) {
    SCOPED_TRACE(text_of(grid));
    const auto [nx, ny] = grid;
    const auto given = Case::make(grid, random_water(grid, 4)),
               base = Case::make(grid, random_water(grid, 5));
    const typename Case::State sweep(grid), stored(grid), parts(grid), vorticity(grid);
    const auto stage_to = [&](const typename Case::State& to) {
      return Lamina::Impl::StageSweep<Scalar>{
          given.fields(),       {static_cast<Scalar>(grid.nx), Scalar(coriolis)},
          base.fields().height, Scalar(0.75),
          Scalar(0.25),         Scalar(0.02) / static_cast<Scalar>(grid.nx),
          to.fields().height,   to.fields().u,
          to.fields().v};
    };
    const TEST_SPACE space;
    Kernels::sweep(space, Lamina::Impl::CellRange::all(grid), stage_to(sweep));
    Kernels::sweep_by_vorticity(space, grid, stage_to(stored), vorticity.fields().height);
    // What a halo exchange could be hidden behind, and what must wait for it
    const int edge = nx > 2 && ny > 2 ? 1 : 0, far_x = nx - edge, far_y = ny - edge;
    for (const auto& range :
         {Lamina::Impl::CellRange{edge, far_x, edge, far_y},
          Lamina::Impl::CellRange{0, nx, 0, edge}, Lamina::Impl::CellRange{0, nx, far_y, ny},
          Lamina::Impl::CellRange{0, edge, edge, far_y},
          Lamina::Impl::CellRange{far_x, nx, edge, far_y}}) {
      Kernels::sweep(space, range, stage_to(parts));
    }
    const auto expected = Case::get(sweep);
    // F is a difference of values divided by h.
    const double scale = rounding<Scalar>(8) * nx, largest = 4;
    for (const auto& other : {Case::get(stored), Case::get(parts)}) {
      EXPECT_TRUE(all_within(other.height, expected.height, rounding<Scalar>(4)));
      const Values sizes(other.u.size(), largest);
      EXPECT_TRUE(all_within(other.u, expected.u, scale, sizes));
      EXPECT_TRUE(all_within(other.v, expected.v, scale, sizes));
    }
  }
}

TYPED_TEST(ExplicitSteps, RefuseBadArguments) {
  using Case = typename TestFixture::Case;
  using Plan = typename Case::RungeKutta3;
  using Leapfrog = typename Case::Leapfrog;
  const double nan = std::nan("");
  EXPECT_THROW(Plan(0, 0.1, 0), Lamina::InvalidArgument);
  EXPECT_THROW(Plan(Rectangle{4, 0}, 0.1, 0), Lamina::InvalidArgument);
  EXPECT_THROW(Plan(4, 0, 0), Lamina::InvalidArgument);
  EXPECT_THROW(Plan(4, -1, 0), Lamina::InvalidArgument);
  EXPECT_THROW(Plan(4, nan, 0), Lamina::InvalidArgument);
  EXPECT_THROW(Plan(4, 0.1, nan), Lamina::InvalidArgument);
  EXPECT_THROW(Plan(4, 0.1, 0, {.solver = Lamina::MassSolver::cg, .criteria = {.tolerance = -1}}),
               Lamina::InvalidArgument);
  EXPECT_THROW(Leapfrog(-1, 0.1, 0), Lamina::InvalidArgument);
  const TEST_SPACE space;
  Plan plan(4, 0.1, 0);
  Leapfrog leapfrog(4, 0.1, 0);
  for (const Rectangle& other : {Rectangle{5, 5}, Rectangle{4, 5}, Rectangle{5, 4}}) {
    typename Case::State wrong(other);
    EXPECT_THROW(plan.step(space, wrong), Lamina::InvalidArgument);
    EXPECT_THROW(leapfrog.step(space, wrong), Lamina::InvalidArgument);
    EXPECT_THROW(leapfrog.set_previous(space, wrong), Lamina::InvalidArgument);
  }
}

}  // namespace LaminaTest
