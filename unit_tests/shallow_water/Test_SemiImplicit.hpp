// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <shallow_water/WaterCase.hpp>
#include <support/ToolExpectations.hpp>

#include <limits>

namespace LaminaTest {

using Lamina::ReferenceHeight;
using Lamina::StoppingCriteria;

template <class Type>
struct SemiImplicit : testing::Test {
  using Scalar = typename Type::scalar;
  using Case = WaterCase<Scalar, typename Type::layout>;
  static constexpr double tight = std::is_same_v<Scalar, double> ? 1e-13 : 1e-6;

  static Lamina::SemiImplicitOptions corrections(int count, ReferenceHeight height) {
    return {.newton = StoppingCriteria::iterations(count),
            .cg = {.tolerance = tight},
            .reference_height = height};
  }
};
TYPED_TEST_SUITE(SemiImplicit, FieldTypes, FieldTypeNames);

TYPED_TEST(SemiImplicit, MakesTheCorrectionsOfItsHeader) {
  using Case = typename TestFixture::Case;
  using Scalar = typename TestFixture::Scalar;
  for (const Rectangle& grid :
       {Rectangle{1, 1}, Rectangle{2, 2}, Rectangle{3, 3}, Rectangle{8, 8}, Rectangle{33, 33},
        Rectangle{1, 6}, Rectangle{7, 2}, Rectangle{31, 13}, Rectangle{8, 37}}) {
    const auto y = rounded_water<Scalar>(random_water(grid, 1));
    const double dt = 0.5 / grid.nx;
    const Reference::ShallowWater twin(grid, coriolis);
    WaterState one = y;
    for (double& height : one.height) height = 1;
    for (const auto height : {ReferenceHeight::current, ReferenceHeight::one}) {
      for (const int count : {0, 1, 2, 3}) {
        SCOPED_TRACE(testing::Message() << text_of(grid) << ", corrections " << count);
        auto state = Case::make(grid, y);
        typename Case::SemiImplicit plan(grid, dt, coriolis, this->corrections(count, height));
        const auto report = plan.step(TEST_SPACE(), state);
        EXPECT_TRUE(report.succeeded());
        EXPECT_EQ(report.newton_iterations, count);
        const auto expected =
            twin.semi_implicit(y, height == ReferenceHeight::one ? one : y, dt, count);
        expect_water_near(Case::get(state), expected,
                          100 * TestFixture::tight + rounding<Scalar>(60));
      }
    }
  }
}

TYPED_TEST(SemiImplicit, SolvesTheTrapezoidalRule) {
  using Case = typename TestFixture::Case;
  using Scalar = typename TestFixture::Scalar;
  const int n = 32;
  const double dt = 0.2 / n, tolerance = std::is_same_v<Scalar, double> ? 1e-9 : 1e-4;
  const Reference::ShallowWater twin(n, coriolis);
  const auto y = rounded_water<Scalar>(twin.vortex(0.2, 0.1));
  for (const auto height : {ReferenceHeight::current, ReferenceHeight::one}) {
    auto state = Case::make(n, y);
    typename Case::SemiImplicit plan(
        n, dt, coriolis,
        {.newton = {.tolerance = tolerance, .max_iterations = 100}, .reference_height = height});
    const auto report = plan.step(TEST_SPACE(), state);
    EXPECT_TRUE(report.succeeded());
    EXPECT_GT(report.newton_iterations, 1);
    EXPECT_LE(report.residual_norm, tolerance * report.initial_residual_norm);
    const double initial = twin.norm(twin.residual(y, y, dt));
    EXPECT_NEAR(report.initial_residual_norm, initial, 1e-4 * initial);
    EXPECT_LE(twin.norm(twin.residual(y, Case::get(state), dt)), 1.2 * tolerance * initial);
  }
}

TYPED_TEST(SemiImplicit, TellsWhatDidNotConverge) {
  using Case = typename TestFixture::Case;
  const int n = 16;
  auto state = Case::vortex(n);
  typename Case::SemiImplicit few(n, 0.2 / n, coriolis,
                                  {.newton = {.tolerance = 1e-5, .max_iterations = 1}});
  auto report = few.step(TEST_SPACE(), state);
  EXPECT_EQ(report.status, Lamina::SolveStatus::max_iterations);
  EXPECT_FALSE(report.broke_down());
  EXPECT_EQ(report.newton_iterations, 1);

  typename Case::SemiImplicit few_cg(n, 0.2 / n, coriolis,
                                     {.cg = {.tolerance = 1e-6, .max_iterations = 1}});
  report = few_cg.step(TEST_SPACE(), state);
  EXPECT_EQ(report.status, Lamina::SolveStatus::max_iterations);

  WaterState y = random_water(n, 2);
  y.u[5] = std::numeric_limits<double>::quiet_NaN();
  typename Case::SemiImplicit plan(n, 0.2 / n, coriolis);
  for (const bool fixed : {false, true}) {
    auto broken = Case::make(n, y);
    if (fixed)
      plan = typename Case::SemiImplicit(n, 0.2 / n, coriolis,
                                         this->corrections(2, ReferenceHeight::one));
    report = plan.step(TEST_SPACE(), broken);
    EXPECT_EQ(report.status, Lamina::SolveStatus::breakdown_not_finite);
    EXPECT_TRUE(report.broke_down());
    // The state is what it was.
    const auto kept = Case::get(broken);
    EXPECT_TRUE(std::isnan(kept.u[5]));
    EXPECT_EQ(kept.v, rounded<typename TestFixture::Scalar>(y.v));
  }
}

TYPED_TEST(SemiImplicit, LeavesWaterAtRestAlone) {
  using Case = typename TestFixture::Case;
  const int n = 12;
  const Values zero(static_cast<std::size_t>(n) * n, 0.0), one(zero.size(), 1.0);
  for (const bool fixed : {false, true}) {
    auto state = Case::make(n, {one, zero, zero});
    auto options = this->corrections(2, ReferenceHeight::one);
    if (!fixed) options = {};
    typename Case::SemiImplicit plan(n, 1.0 / n, coriolis, options);
    const auto report = plan.step(TEST_SPACE(), state);
    EXPECT_TRUE(report.succeeded());
    EXPECT_EQ(report.newton_iterations, fixed ? 2 : 0);
    expect_same_water(Case::get(state), {one, zero, zero});
  }
}

TYPED_TEST(SemiImplicit, RefusesBadArguments) {
  using Case = typename TestFixture::Case;
  using Plan = typename Case::SemiImplicit;
  EXPECT_THROW(Plan(0, 0.1, 0), Lamina::InvalidArgument);
  EXPECT_THROW(Plan(Rectangle{0, 4}, 0.1, 0), Lamina::InvalidArgument);
  EXPECT_THROW(Plan(4, -0.1, 0), Lamina::InvalidArgument);
  EXPECT_THROW(Plan(4, 0.1, std::nan("")), Lamina::InvalidArgument);
  EXPECT_THROW(Plan(4, 0.1, 0, {.newton = {.tolerance = -1}}), Lamina::InvalidArgument);
  EXPECT_THROW(Plan(4, 0.1, 0, {.cg = {.max_iterations = -1}}), Lamina::InvalidArgument);
  Plan plan(4, 0.1, 0);
  for (const Rectangle& other : {Rectangle{5, 5}, Rectangle{4, 5}, Rectangle{5, 4}}) {
    typename Case::State wrong(other);
    EXPECT_THROW(plan.step(TEST_SPACE(), wrong), Lamina::InvalidArgument);
  }
}

TYPED_TEST(SemiImplicit, AllocatesNothingAndNamesItsKernels) {
  using Case = typename TestFixture::Case;
  const int n = 20;
  typename Case::SemiImplicit plan(n, 0.3 / n, coriolis);
  plan.check_every(1);
  auto state = Case::vortex(n);
  run_steps(plan, state, 1);  // Kokkos grows scratch at its first use
  Kokkos::fence();
  const ToolListener listener;
  const auto report = plan.step(TEST_SPACE(), state);
  Kokkos::fence();
  ASSERT_GT(report.newton_iterations, 1);
  expect_no_allocations(listener.heard());
  EXPECT_EQ(listener.heard().regions.front(), "Lamina::SemiImplicit::step");
  expect_kernels_of_the_library(listener.heard());
  expect_costs_of_kernels(plan.kernel_costs(), listener.heard());
}

/// A fixed count of iterations ends without a residual; with a tolerance that is never met it has
/// one.
TYPED_TEST(SemiImplicit, FixedCountsOfIterationsNeedNoTest) {
  using Case = typename TestFixture::Case;
  using Scalar = typename Case::State::scalar_type;
  for (const auto height : {Lamina::ReferenceHeight::one, Lamina::ReferenceHeight::current}) {
    for (const int count : {1, 2, 3, 4}) {
      const int n = 18;
      Lamina::SemiImplicitOptions options{.newton = Lamina::StoppingCriteria::iterations(2),
                                          .cg = Lamina::StoppingCriteria::iterations(count),
                                          .reference_height = height};
      typename Case::SemiImplicit plan(n, 0.5 / n, coriolis, options);
      options.cg.absolute_tolerance = 1e-300;
      typename Case::SemiImplicit tested(n, 0.5 / n, coriolis, options);
      auto state = Case::vortex(n, 0.3, 0.2), expected = Case::vortex(n, 0.3, 0.2);
      for (int step = 0; step < 2; ++step) {
        EXPECT_EQ(plan.step(TEST_SPACE(), state).cg_iterations, 2 * count);
        EXPECT_EQ(tested.step(TEST_SPACE(), expected).cg_iterations, 2 * count);
      }
      const auto y = Case::get(state), twin = Case::get(expected);
      SCOPED_TRACE(count);
      EXPECT_TRUE(all_within(y.height, twin.height, rounding<Scalar>(100)));
      EXPECT_TRUE(all_within(y.u, twin.u, rounding<Scalar>(100), Values(y.u.size(), 1.0)));
      EXPECT_TRUE(all_within(y.v, twin.v, rounding<Scalar>(100), Values(y.v.size(), 1.0)));
    }
  }
}

}  // namespace LaminaTest
