// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <shallow_water/ExplicitSteps.hpp>

#include <cmath>

namespace LaminaTest {

TYPED_TEST(ExplicitSteps, RungeKuttaIsTheTableau) {
  using Case = typename TestFixture::Case;
  for (const int n : water_sizes) {
    SCOPED_TRACE(testing::Message() << "n " << n);
    const auto y = rounded_water<typename TestFixture::Scalar>(random_water(n, 1));
    const double dt = 0.1 / n;
    auto state = Case::make(n, y);
    const auto report = typename Case::RungeKutta3(n, dt, coriolis).step(TEST_SPACE(), state);
    EXPECT_TRUE(report.succeeded());
    EXPECT_EQ(report.mass_iterations, 0);
    const auto expected = Reference::ShallowWater(n, coriolis).runge_kutta_3(y, dt);
    expect_water_near(Case::get(state), expected, rounding<typename TestFixture::Scalar>(40));
  }
}

TYPED_TEST(ExplicitSteps, AreThoseOfTheFormWithStoredVorticityAndOfPartsOfTheGrid) {
  using Case = typename TestFixture::Case;
  using Scalar = typename TestFixture::Scalar;
  using Kernels = Lamina::Impl::StageKernels<TEST_SPACE, Scalar>;
  for (const int n : water_sizes) {
    SCOPED_TRACE(testing::Message() << "n " << n);
    const auto given = Case::make(n, random_water(n, 4)), base = Case::make(n, random_water(n, 5));
    const typename Case::State sweep(n), stored(n), parts(n), vorticity(n);
    const auto stage_to = [&](const typename Case::State& to) {
      return Lamina::Impl::StageSweep<Scalar>{
          given.fields(),       {static_cast<Scalar>(n), Scalar(coriolis)},
          base.fields().height, Scalar(0.75),
          Scalar(0.25),         Scalar(0.02) / static_cast<Scalar>(n),
          to.fields().height,   to.fields().u,
          to.fields().v};
    };
    const TEST_SPACE space;
    Kernels::sweep(space, Lamina::Impl::CellRange::all(n), stage_to(sweep));
    Kernels::sweep_by_vorticity(space, n, stage_to(stored), vorticity.fields().height);
    // What a halo exchange could be hidden behind, and what must wait for it
    const int edge = n > 2 ? 1 : 0, far = n - edge;
    for (const auto& range :
         {Lamina::Impl::CellRange{edge, far, edge, far}, Lamina::Impl::CellRange{0, n, 0, edge},
          Lamina::Impl::CellRange{0, n, far, n}, Lamina::Impl::CellRange{0, edge, edge, far},
          Lamina::Impl::CellRange{far, n, edge, far}}) {
      Kernels::sweep(space, range, stage_to(parts));
    }
    const auto expected = Case::get(sweep);
    // F is a difference of values divided by h.
    const double scale = rounding<Scalar>(8) * n, largest = 4;
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
  EXPECT_THROW(Plan(4, 0, 0), Lamina::InvalidArgument);
  EXPECT_THROW(Plan(4, -1, 0), Lamina::InvalidArgument);
  EXPECT_THROW(Plan(4, nan, 0), Lamina::InvalidArgument);
  EXPECT_THROW(Plan(4, 0.1, nan), Lamina::InvalidArgument);
  EXPECT_THROW(Plan(4, 0.1, 0, {.solver = Lamina::MassSolver::cg, .criteria = {.tolerance = -1}}),
               Lamina::InvalidArgument);
  EXPECT_THROW(Leapfrog(-1, 0.1, 0), Lamina::InvalidArgument);
  typename Case::State wrong(5);
  const TEST_SPACE space;
  Plan plan(4, 0.1, 0);
  Leapfrog leapfrog(4, 0.1, 0);
  EXPECT_THROW(plan.step(space, wrong), Lamina::InvalidArgument);
  EXPECT_THROW(leapfrog.step(space, wrong), Lamina::InvalidArgument);
  EXPECT_THROW(leapfrog.set_previous(space, wrong), Lamina::InvalidArgument);
}

}  // namespace LaminaTest
