// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <distributed/SimulatedTransport.hpp>
#include <shallow_water/WaterStrips.hpp>
#include <support/MessageOf.hpp>

#include <limits>
#include <string>

namespace LaminaTest {

template <class Scalar>
struct WaterStrip : testing::Test {
  using Case = WaterCase<Scalar>;
  using Strip = Lamina::WaterStrip<Memory>;
  using Mass = Lamina::VelocityMass<Scalar, Memory>;
};
using WaterStripScalars = testing::Types<double, float>;
TYPED_TEST_SUITE(WaterStrip, WaterStripScalars);

/// A field with its ghosts, (i + 1, j + 1), in the order i * (ny + 2) + j.
template <class View>
Values with_ghosts(const View& view) {
  // The View is part of a larger one.
  using Scalar = typename View::non_const_value_type;
  const TestField<Scalar, Kokkos::LayoutLeft> copy(static_cast<int>(view.extent(0)),
                                                   static_cast<int>(view.extent(1)));
  Kokkos::deep_copy(copy.view(), view);
  return copy.get();
}

TYPED_TEST(WaterStrip, GhostsAreThoseOfTheWholeRectangle) {
  for (const Rectangle& whole :
       {Rectangle{5, 12}, Rectangle{9, 7}, Rectangle{1, 1}, Rectangle{3, 2}}) {
    const auto y = rounded_water<TypeParam>(random_water(whole, 3));
    const auto alone = TestFixture::Case::make(whole, y);
    const Values expected[3] = {with_ghosts(alone.height()), with_ghosts(alone.u()),
                                with_ghosts(alone.v())};
    for (const int num_ranks : {1, 2, 3, 5}) {
      run_on_ranks<Memory>(num_ranks, [&](const Lamina::Transport& transport) {
        for (const auto& [name, lines] : awkward_strips(whole.ny, num_ranks)) {
          SCOPED_TRACE(testing::Message() << text_of(whole) << ", " << name << ", " << num_ranks);
          const typename TestFixture::Strip strip(transport, whole, lines);
          const auto state = state_of_rank<TypeParam>(strip, y);
          const auto [nx, ny] = strip.owned();
          if (ny == 0) continue;
          int n = 0;
          for (const auto& field : {state.height(), state.u(), state.v()}) {
            const Values actual = with_ghosts(field);
            for (int i = 0; i < nx + 2; ++i) {
              for (int j = 0; j < ny + 2; ++j) {
                const int there = i * (whole.ny + 2) + strip.first_line() + j;
                EXPECT_EQ(actual[static_cast<std::size_t>(i * (ny + 2) + j)],
                          expected[n][static_cast<std::size_t>(there)])
                    << "field " << n << ", i " << i - 1 << ", j " << j - 1;
              }
            }
            ++n;
          }
        }
      });
    }
  }
}

/// One message with all three fields to each neighbour; both neighbours may be one rank.
TYPED_TEST(WaterStrip, SendsOneMessageToEachNeighbour) {
  const Rectangle whole{6, 8};
  const auto y = random_water(whole, 4);
  for (const auto& [num_ranks, messages] : {std::pair(2, 2L), std::pair(4, 8L)}) {
    SimulatedWorld world(num_ranks);
    run_on_ranks<Memory>(world, [&](const Lamina::Transport& transport) {
      const typename TestFixture::Strip strip(transport, whole,
                                              Lamina::Partition::blocks(8, transport.size()));
      const auto state = state_of_rank<TypeParam>(strip, y);
      state.exchange(TEST_SPACE());
    });
    EXPECT_EQ(world.num_messages(), 2 * messages);  // `set` exchanges, too
  }
}

/// Strips of any width: one exchange of two values for each line, or several.
TYPED_TEST(WaterStrip, MassSolvesAreThoseOfTheWholeRectangle) {
  using Lamina::VelocityComponent;
  const TEST_SPACE space;
  for (const int ny : {1, 2, 7, 62, 63, 64, 81, 200}) {
    const Rectangle whole{11, ny};
    const Reference::ShallowWater twin(whole, coriolis);
    const auto x = rounded_water<TypeParam>(random_water(whole, 6));
    const WaterState rhs{x.height, twin.mass_u(x.u), twin.mass_v(x.v)};
    for (const int num_ranks : {1, 2, 3, 7}) {
      run_on_ranks<Memory>(num_ranks, [&](const Lamina::Transport& transport) {
        for (const auto& [name, lines] : awkward_strips(ny, num_ranks)) {
          SCOPED_TRACE(testing::Message() << ny << " lines, " << name << ", " << num_ranks);
          const typename TestFixture::Strip strip(transport, whole, lines);
          const typename TestFixture::Mass plan(strip);
          const auto right = state_of_rank<TypeParam>(strip, rhs);
          const auto fields = state_of_rank<TypeParam>(strip, x);
          const Lamina::ShallowWaterState<TypeParam, Memory> out(strip);
          (void)plan.solve(space, VelocityComponent::u, right.u(), 0, fields.u(), 0, fields.u(), 1,
                           out.u());
          (void)plan.solve(space, VelocityComponent::v, right.v(), TypeParam(0.5), fields.v(), 0,
                           fields.v(), 1, out.v());
          WaterState expected = lines_of_rank(strip, x);
          expected.height.assign(expected.height.size(), 0.0);
          for (double& v : expected.v) v *= 1.5;
          expect_water_near(TestFixture::Case::get(out), expected, rounding<TypeParam>(4));
        }
      });
    }
  }
}

TYPED_TEST(WaterStrip, StepsAreThoseOfOneProcess) {
  for (const int num_ranks : {1, 2, 3, 4}) {
    run_on_ranks<Memory>(num_ranks, [&](const Lamina::Transport& transport) {
      for (const Rectangle& whole :
           {Rectangle{16, 128}, Rectangle{31, 97}, Rectangle{7, 13}, Rectangle{64, 3}}) {
        expect_one_run<TypeParam, Lamina::RungeKutta3>(transport, whole, 3);
        expect_one_run<TypeParam, Lamina::Leapfrog>(transport, whole, 4);
      }
    });
  }
}

TYPED_TEST(WaterStrip, StepsByConjugateGradientsToo) {
  const Lamina::MassOptions mass{
      .solver = Lamina::MassSolver::cg,
      .criteria = {.tolerance = std::is_same_v<TypeParam, double> ? 1e-13 : 1e-6}};
  for (const int num_ranks : {1, 2, 4}) {
    run_on_ranks<Memory>(num_ranks, [&](const Lamina::Transport& transport) {
      for (const Rectangle& whole : {Rectangle{16, 33}, Rectangle{7, 3}}) {
        expect_one_run<TypeParam, Lamina::RungeKutta3>(transport, whole, 2, mass);
      }
    });
  }
}

TYPED_TEST(WaterStrip, SemiImplicitStepsAreThoseOfOneProcess) {
  using Lamina::StoppingCriteria;
  Lamina::SemiImplicitOptions fixed, tolerances, current;
  fixed.newton = StoppingCriteria::iterations(2);
  fixed.cg = StoppingCriteria::iterations(3);
  const bool is_double = std::is_same_v<TypeParam, double>;
  tolerances.newton = StoppingCriteria{.tolerance = is_double ? 1e-6 : 1e-3};
  tolerances.cg = StoppingCriteria{.tolerance = 1e-2};
  current = fixed;
  current.reference_height = Lamina::ReferenceHeight::current;
  for (const int num_ranks : {1, 2, 4}) {
    run_on_ranks<Memory>(num_ranks, [&](const Lamina::Transport& transport) {
      for (const auto& options : {fixed, tolerances, current}) {
        expect_one_run<TypeParam, Lamina::SemiImplicit>(transport, {31, 13}, 3, options);
      }
      for (const Rectangle& whole : {Rectangle{16, 64}, Rectangle{8, 3}}) {
        expect_one_run<TypeParam, Lamina::SemiImplicit>(transport, whole, 3, fixed);
      }
    });
  }
}

TYPED_TEST(WaterStrip, KeepsTheOrdersOfTheSchemes) {
  if (std::is_same_v<TypeParam, float>) GTEST_SKIP() << "errors of single precision";
  // The vortex is stationary: what is left is the error of the scheme in space, of second order.
  double error[2] = {}, alone[2] = {};
  for (const int refinement : {0, 1}) {
    const int n = 64 << refinement;
    const double dt = 0.1 / n;
    auto whole = TestFixture::Case::vortex(n);
    typename TestFixture::Case::RungeKutta3 plan_alone(n, dt, coriolis);
    run_steps(plan_alone, whole, 16 << refinement);
    const double time = 1.6 / 64;
    alone[refinement] = Lamina::Vortex(coriolis).error(TEST_SPACE(), whole, time).l2;
    run_on_ranks<Memory>(3, [&](const Lamina::Transport& transport) {
      const typename TestFixture::Strip strip(transport, Rectangle::square(n),
                                              Lamina::Partition::blocks(n, 3));
      Lamina::ShallowWaterState<TypeParam, Memory> state(strip);
      Lamina::Vortex(coriolis).fill_vortex(TEST_SPACE(), state);
      typename TestFixture::Case::RungeKutta3 plan(strip, dt, coriolis);
      run_steps(plan, state, 16 << refinement);
      error[refinement] = Lamina::Vortex(coriolis).error(TEST_SPACE(), state, time).l2;
    });
    EXPECT_NEAR(error[refinement], alone[refinement], 1e-12);
  }
  EXPECT_GT(std::log2(error[0] / error[1]), 1.9);
}

TYPED_TEST(WaterStrip, DiagnosticsAndFaultsAreThoseOfAllRanks) {
  const Rectangle whole{13, 31};
  auto y = rounded_water<TypeParam>(random_water(whole, 9));
  const auto expected = Lamina::diagnose(TEST_SPACE(), TestFixture::Case::make(whole, y), coriolis);
  WaterState dry = y;
  dry.height[static_cast<std::size_t>(5 * 31 + 17)] = -1;
  dry.height[static_cast<std::size_t>(2 * 31 + 30)] = std::numeric_limits<double>::quiet_NaN();
  for (const int num_ranks : {1, 2, 4}) {
    run_on_ranks<Memory>(num_ranks, [&](const Lamina::Transport& transport) {
      for (const auto& [name, lines] : awkward_strips(31, num_ranks)) {
        SCOPED_TRACE(name);
        const typename TestFixture::Strip strip(transport, whole, lines);
        const auto found =
            Lamina::diagnose(TEST_SPACE(), state_of_rank<TypeParam>(strip, y), coriolis);
        const double accuracy = 1e-13;
        EXPECT_NEAR(found.mass, expected.mass, accuracy * expected.mass);
        EXPECT_NEAR(found.energy, expected.energy, accuracy * expected.energy);
        EXPECT_NEAR(found.potential_enstrophy, expected.potential_enstrophy,
                    accuracy * expected.potential_enstrophy);
        EXPECT_NEAR(found.circulation, expected.circulation, 1e-11);
        EXPECT_EQ(found.largest_u, expected.largest_u);
        EXPECT_EQ(found.largest_v, expected.largest_v);
        EXPECT_EQ(found.smallest_height, expected.smallest_height);
        EXPECT_TRUE(found.sound());

        auto state = state_of_rank<TypeParam>(strip, dry);
        const auto fault = Lamina::find_fault(TEST_SPACE(), state);
        EXPECT_EQ(fault.status, Lamina::SolveStatus::diverged);
        EXPECT_EQ(fault.i, 5);
        EXPECT_EQ(fault.j, 17);
        EXPECT_EQ(Lamina::diagnose(TEST_SPACE(), state, coriolis).fault.j, 17);
        Lamina::RungeKutta3<TypeParam, Memory> plan(strip, 1e-3, coriolis);
        plan.check_every(1);
        EXPECT_TRUE(plan.step(TEST_SPACE(), state).broke_down());
      }
    });
  }
}

TYPED_TEST(WaterStrip, IsTheWholeRectangleOnOneProcess) {
  const typename TestFixture::Strip strip(Rectangle{4, 7});
  EXPECT_TRUE(strip.is_whole());
  EXPECT_EQ(strip.owned(), strip.whole());
  EXPECT_EQ(strip.first_line(), 0);
}

TYPED_TEST(WaterStrip, RefusesWhatItCannotDo) {
  using Lamina::InvalidArgument;
  using Strip = typename TestFixture::Strip;
  run_on_ranks<Memory>(2, [&](const Lamina::Transport& transport) {
    const Strip strip(transport, {5, 8}, Lamina::Partition::blocks(8, 2));
    // As large as a strip, but another one
    Lamina::ShallowWaterState<TypeParam, Memory> state(strip);
    Lamina::RungeKutta3<TypeParam, Memory> alone(Rectangle{5, 4}, 1e-3, coriolis);
    const std::string first = transport.rank() == 0 ? "0" : "4";
    EXPECT_EQ(message_of<InvalidArgument>([&] { alone.step(TEST_SPACE(), state); }),
              "Lamina::RungeKutta3::step: argument state: expected lines from 0 on of 4 on one "
              "process, got lines from " +
                  first + " on of 8");
    Lamina::SemiImplicit<TypeParam, Memory> implicit(Rectangle{5, 4}, 1e-3, coriolis);
    EXPECT_THROW(implicit.step(TEST_SPACE(), state), InvalidArgument);
    EXPECT_THROW(Strip(transport, {5, 8}, Lamina::Partition::blocks(7, 2)), Lamina::RankFailure);
    EXPECT_THROW(Strip(transport, {5, 4}, Lamina::Partition::from_owners({0, 1, 0, 1}, 2)),
                 Lamina::RankFailure);
  });
}

}  // namespace LaminaTest
