// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <shallow_water/ExplicitSteps.hpp>

#include <limits>
#include <type_traits>
#include <vector>

namespace LaminaTest {

template <class Scalar>
struct VelocityMass : testing::Test {
  using Case = WaterCase<Scalar>;
  using Plan = Lamina::VelocityMass<Scalar, Memory>;
  static constexpr double tight = std::is_same_v<Scalar, double> ? 1e-13 : 1e-6;

  static std::vector<Lamina::MassOptions> both_solvers() {
    return {{}, {.solver = Lamina::MassSolver::cg, .criteria = {.tolerance = tight}}};
  }
};
using VelocityMassScalars = testing::Types<double, float>;
TYPED_TEST_SUITE(VelocityMass, VelocityMassScalars);

TYPED_TEST(VelocityMass, AddsTheSolutionToOtherFields) {
  using Case = typename TestFixture::Case;
  using Lamina::VelocityComponent;
  struct Factors {
    TypeParam a, b, c;
  };
  const TEST_SPACE space;
  for (const Rectangle& grid : water_rectangles()) {
    const Reference::ShallowWater twin(grid, coriolis);
    const auto x = rounded_water<TypeParam>(random_water(grid, 6)), other = random_water(grid, 7);
    const auto rhs = Case::make(grid, {x.height, twin.mass_u(x.u), twin.mass_v(x.v)});
    for (const auto& options : TestFixture::both_solvers()) {
      const typename TestFixture::Plan plan(grid, options);
      for (const auto& [a, b, c] :
           {Factors{0.75, 0.25, 0.5}, Factors{0, 0, 1}, Factors{1, 0, -2}}) {
        SCOPED_TRACE(testing::Message()
                     << text_of(grid) << ", factors " << a << ' ' << b << ' ' << c);
        // What has no factor is not read.
        auto unread = other;
        const double nan = std::numeric_limits<double>::quiet_NaN();
        if (a == 0) unread.u.assign(unread.u.size(), nan);
        if (b == 0) unread.v.assign(unread.v.size(), nan);
        const auto fields = Case::make(grid, unread), out = Case::make(grid, other);
        (void)plan.solve(space, VelocityComponent::u, rhs.u(), a, fields.u(), b, fields.v(), c,
                         out.u());
        (void)plan.solve(space, VelocityComponent::v, rhs.v(), a, fields.u(), b, fields.v(), c,
                         out.v());
        auto expected = rounded_water<TypeParam>(other);
        for (std::size_t i = 0; i < x.u.size(); ++i) {
          const double sum = a * expected.u[i] + b * expected.v[i];
          expected.u[i] = sum + c * x.u[i];
          expected.v[i] = sum + c * x.v[i];
        }
        expect_water_near(Case::get(out), expected,
                          rounding<TypeParam>(10) + 3 * TestFixture::tight);
        // One of the terms may be where the result goes.
        if (b == 0) continue;
        (void)plan.solve(space, VelocityComponent::u, rhs.u(), a, fields.u(), b, fields.v(), c,
                         fields.u());
        EXPECT_EQ(Case::get(fields).u, Case::get(out).u);
      }
    }
  }
}

TYPED_TEST(VelocityMass, ReportsIterationsOfConjugateGradientsAlone) {
  using Case = typename TestFixture::Case;
  const int n = 16;
  const auto rhs = Case::make(n, random_water(n, 8)), out = Case::make(n, random_water(n, 9));
  for (const auto& options : TestFixture::both_solvers()) {
    const typename TestFixture::Plan plan(n, options);
    const auto report = plan.solve(TEST_SPACE(), Lamina::VelocityComponent::u, rhs.u(), 0, out.u(),
                                   0, out.u(), 1, out.u());
    const bool direct = options.solver == Lamina::MassSolver::direct;
    EXPECT_EQ(report.status,
              direct ? Lamina::SolveStatus::completed : Lamina::SolveStatus::converged);
    EXPECT_EQ(report.iterations == 0, direct) << report.iterations;
    EXPECT_EQ(plan.options().solver, options.solver);
  }
}

TYPED_TEST(VelocityMass, StatesItsTraffic) {
  using Plan = typename TestFixture::Plan;
  const auto direct = Plan(9).kernel_costs();
  ASSERT_EQ(direct.size(), 2u);
  for (const auto& cost : direct) EXPECT_EQ(cost.bytes, 3.0 * 81 * sizeof(TypeParam));
  EXPECT_EQ(Plan(Rectangle{9, 5}).kernel_costs().front().bytes, 3.0 * 45 * sizeof(TypeParam));
  for (const auto& cost : Plan(9, {.solver = Lamina::MassSolver::cg}).kernel_costs()) {
    EXPECT_GT(cost.bytes, 0) << cost.label;
  }
}

TYPED_TEST(VelocityMass, RefusesBadArguments) {
  using Plan = typename TestFixture::Plan;
  EXPECT_THROW(Plan(0), Lamina::InvalidArgument);
  EXPECT_THROW(Plan(Rectangle{3, 0}), Lamina::InvalidArgument);
  EXPECT_THROW(Plan(4, {.solver = Lamina::MassSolver::cg, .criteria = {.tolerance = -1}}),
               Lamina::InvalidArgument);
}

TYPED_TEST(ExplicitSteps, BothMassSolversAgreeToTheTolerance) {
  using Case = typename TestFixture::Case;
  using Scalar = typename TestFixture::Scalar;
  for (const Rectangle& grid : {Rectangle{1, 1}, Rectangle{2, 2}, Rectangle{7, 7},
                                Rectangle{64, 64}, Rectangle{33, 8}, Rectangle{9, 31}}) {
    const int n = grid.nx;
    const auto y = random_water(grid, 3);
    const double dt = 0.1 / n;
    const auto after = [&](const Lamina::MassOptions& mass, int& iterations) {
      auto state = Case::make(grid, y);
      typename Case::Leapfrog plan(grid, dt, coriolis, mass);
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
    if (grid.nx > 7 && grid.ny > 7) {
      EXPECT_EQ(three, 30);
    }
  }
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

}  // namespace LaminaTest
