// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <shallow_water/WaterCase.hpp>
#include <support/ToolListener.hpp>

#include <limits>

namespace LaminaTest {

template <class Type>
struct ExplicitSteps : testing::Test {
  using Scalar = typename Type::scalar;
  using Case = WaterCase<Scalar, typename Type::layout>;
};
TYPED_TEST_SUITE(ExplicitSteps, FieldTypes, FieldTypeNames);

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

TYPED_TEST(ExplicitSteps, LeapfrogStartsWithRungeKutta) {
  using Case = typename TestFixture::Case;
  for (const int n : water_sizes) {
    SCOPED_TRACE(testing::Message() << "n " << n);
    const auto y = rounded_water<typename TestFixture::Scalar>(random_water(n, 2));
    const double dt = 0.1 / n, accuracy = rounding<typename TestFixture::Scalar>(40);
    const Reference::ShallowWater twin(n, coriolis);
    auto state = Case::make(n, y);
    typename Case::Leapfrog plan(n, dt, coriolis);
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

TYPED_TEST(ExplicitSteps, BothMassSolversAgreeToTheTolerance) {
  using Case = typename TestFixture::Case;
  using Scalar = typename TestFixture::Scalar;
  for (const int n : {1, 2, 7, 33, 64}) {
    const auto y = random_water(n, 3);
    const double dt = 0.1 / n;
    const auto after = [&](const Lamina::MassOptions& mass, int& iterations) {
      auto state = Case::make(n, y);
      typename Case::Leapfrog plan(n, dt, coriolis, mass);
      iterations = 0;
      for (int step = 0; step < 3; ++step) {
        const auto report = plan.step(TEST_SPACE(), state);
        EXPECT_TRUE(report.succeeded());
        iterations += report.mass_iterations;
      }
      return Case::get(state);
    };
    int none = 0, few = 0, many = 0, three = 0;
    const auto direct = after({}, none);
    EXPECT_EQ(none, 0);
    const auto with_cg = [&](double tolerance, int& iterations) {
      return after({.solver = Lamina::MassSolver::cg, .criteria = {.tolerance = tolerance}},
                   iterations);
    };
    const double tight = std::is_same_v<Scalar, double> ? 1e-12 : 1e-6;
    expect_water_near(with_cg(tight, many), direct, 20 * n * tight + rounding<Scalar>(40));
    expect_water_near(with_cg(1e-3, few), direct, 20 * n * 1e-3);
    EXPECT_LE(few, many);
    (void)after(
        {.solver = Lamina::MassSolver::cg, .criteria = Lamina::StoppingCriteria::iterations(3)},
        three);
    // Three for each of two solves in each of 3 + 1 + 1 stages, fewer where there are fewer
    // directions
    EXPECT_LE(three, 30);
    if (n > 7) {
      EXPECT_EQ(three, 30);
    }
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

TYPED_TEST(ExplicitSteps, MassSolvesOfAFixedCountNeedNoTest) {
  using Case = typename TestFixture::Case;
  using Scalar = typename Case::State::scalar_type;
  const int n = 18;
  for (const int count : {1, 2, 3, 4}) {
    Lamina::MassOptions options{.solver = Lamina::MassSolver::cg,
                                .criteria = Lamina::StoppingCriteria::iterations(count)};
    typename Case::RungeKutta3 plan(n, 0.1 / n, coriolis, options);
    options.criteria.absolute_tolerance = 1e-300;  // never met, but tested
    typename Case::RungeKutta3 tested(n, 0.1 / n, coriolis, options);
    auto state = Case::vortex(n, 0.3, 0.2), expected = Case::vortex(n, 0.3, 0.2);
    for (int step = 0; step < 2; ++step) {
      (void)plan.step(TEST_SPACE(), state);
      (void)tested.step(TEST_SPACE(), expected);
    }
    const auto y = Case::get(state), twin = Case::get(expected);
    SCOPED_TRACE(count);
    EXPECT_TRUE(all_within(y.height, twin.height, rounding<Scalar>(100)));
    EXPECT_TRUE(all_within(y.u, twin.u, rounding<Scalar>(100), Values(y.u.size(), 1.0)));
    EXPECT_TRUE(all_within(y.v, twin.v, rounding<Scalar>(100), Values(y.v.size(), 1.0)));
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
    EXPECT_TRUE(listener.heard().allocations.empty());
    EXPECT_EQ(listener.heard().deallocations, 0);
    EXPECT_EQ(listener.heard().regions.front(), "Lamina::Leapfrog::step");
    for (const auto& kernel : listener.heard().kernels) {
      EXPECT_TRUE(starts_with(kernel.label, "Lamina::") || starts_with(kernel.label, "Kokkos::"))
          << kernel.label;
    }
    for (const auto& cost : plan.kernel_costs()) {
      EXPECT_GT(cost.bytes, 0) << cost.label;
      if (solver == Lamina::MassSolver::cg) continue;
      const auto& kernels = listener.heard().kernels;
      EXPECT_TRUE(std::any_of(kernels.begin(), kernels.end(), [&](const auto& kernel) {
        return kernel.label == cost.label;
      })) << cost.label;
    }
  }
}

}  // namespace LaminaTest
