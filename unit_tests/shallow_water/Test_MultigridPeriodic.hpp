// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <shallow_water/PeriodicMultigridCase.hpp>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace LaminaTest {

template <class Type>
struct MultigridPeriodic : testing::Test {};
TYPED_TEST_SUITE(MultigridPeriodic, PeriodicMultigridTypes, FieldTypeNames);

TYPED_TEST(MultigridPeriodic, SolvesFromAnyGuess) {
  using Scalar = typename TypeParam::scalar;
  using Case = PeriodicMultigridCase<Scalar>;
  const double tolerance = std::is_same_v<Scalar, double> ? 1e-14 : 1e-6;
  for (const Rectangle& grid : {Rectangle{1, 1}, Rectangle{2, 2}, Rectangle{1, 7}, Rectangle{9, 1},
                                Rectangle{17, 17}, Rectangle{40, 2}, Rectangle{31, 40}}) {
    const Values x_exact = rounded<Scalar>(random_water(grid, 5).u);
    for (const auto guess : {Lamina::InitialGuess::given, Lamina::InitialGuess::zero}) {
      SCOPED_TRACE(testing::Message() << text_of(grid) << ", guess " << static_cast<int>(guess));
      const Case c(grid, 5, rough_height(grid));
      const typename Case::Operator op(grid, 5, 5, c.weight, guess);
      const Lamina::PeriodicMultigrid<Scalar, Memory> multigrid(c.space, op);
      const auto b = c.field(c.twin.levels().front().apply(x_exact));
      Lamina::FusedPcg pcg(c.space, typename Case::Model(multigrid));
      // Again and again: a solve leaves something in the vectors of the plan.
      for (int n = 0; n < 3; ++n) {
        const auto x = c.field(Values(c.size(), 3.0));
        const auto report = pcg.solve(c.space, b.const_view(), x.view(), {.tolerance = tolerance});
        EXPECT_TRUE(report.converged());
        EXPECT_TRUE(all_within(x.get(), x_exact, rounding<Scalar>(1000)));
      }
    }
  }
}

TYPED_TEST(MultigridPeriodic, IsIteratedAsItIsSolved) {
  using Scalar = typename TypeParam::scalar;
  using Case = PeriodicMultigridCase<Scalar>;
  const Rectangle grid{18, 23};
  const Case c(grid, 5, rough_height(grid));
  for (const auto guess : {Lamina::InitialGuess::given, Lamina::InitialGuess::zero}) {
    const typename Case::Operator op(grid, 5, 5, c.weight, guess);
    Lamina::FusedPcg plan(
        c.space, typename Case::Model(Lamina::PeriodicMultigrid<Scalar, Memory>(c.space, op)));
    const auto b = c.field(random_values(c.size(), 2));
    for (const int count : {3, 1, 2, 4}) {
      const auto solved = c.field(Values(c.size(), 2.0)), iterated = c.field(solved.get());
      const auto report = plan.iterate(c.space, b.const_view(), iterated.view(), count);
      EXPECT_EQ(report.iterations, count);
      (void)plan.solve(c.space, b.const_view(), solved.view(),
                       Lamina::StoppingCriteria::iterations(count));
      EXPECT_TRUE(all_within(iterated.get(), solved.get(), rounding<Scalar>(200)));
    }
  }
}

TYPED_TEST(MultigridPeriodic, SolvesByCyclesAlone) {
  using Scalar = typename TypeParam::scalar;
  using Case = PeriodicMultigridCase<Scalar>;
  const Rectangle grid{18, 23};
  const Values x_exact = rounded<Scalar>(random_water(grid, 5).u);
  const Case c(grid, 5, rough_height(grid));
  for (const auto guess : {Lamina::InitialGuess::given, Lamina::InitialGuess::zero}) {
    const typename Case::Operator op(grid, 5, 5, c.weight, guess);
    Lamina::FusedRichardson cycles(
        c.space, typename Case::Model(Lamina::PeriodicMultigrid<Scalar, Memory>(c.space, op)));
    const auto b = c.field(c.twin.levels().front().apply(x_exact));
    for (int n = 0; n < 2; ++n) {
      const auto x = c.field(Values(c.size(), 3.0));
      const auto report =
          cycles.solve(c.space, b.const_view(), x.view(), Lamina::StoppingCriteria::iterations(30));
      EXPECT_EQ(report.status, Lamina::SolveStatus::completed);
      EXPECT_TRUE(all_within(x.get(), x_exact, rounding<Scalar>(1000)));
    }
  }
}

/// Right-hand sides whose squares leave the range are scaled.
TYPED_TEST(MultigridPeriodic, SolvesTinySystems) {
  using Scalar = typename TypeParam::scalar;
  const Rectangle grid{13, 8};
  const PeriodicMultigridCase<Scalar> c(grid, 5, rough_height(grid));
  const Scalar factor = std::is_same_v<Scalar, double> ? Scalar(0x1p-540) : Scalar(0x1p-100);
  const Values one = random_values(c.size(), 2);
  Values tiny = rounded<Scalar>(one);
  for (double& value : tiny) value *= static_cast<double>(factor);
  Values expected, found;
  EXPECT_EQ(c.solve_by_cg(tiny, 1e-5, &found).iterations,
            c.solve_by_cg(one, 1e-5, &expected).iterations);
  for (double& value : found) value /= static_cast<double>(factor);
  EXPECT_TRUE(all_within(found, expected, rounding<Scalar>(100)));
}

/// Courant numbers C = 1 ... 50 of waves of speed 1: c = C^2 / 4.
TEST(MultigridPeriodicConvergence, DependsNeitherOnSizeNorOnCourantNumber) {
  const auto most = [](const auto& height, Lamina::WaterSides sides) {
    std::pair<int, int> counts{0, 0};
    for (const Rectangle& grid :
         {Rectangle::square(33), Rectangle{63, 47}, Rectangle{1, 90}, Rectangle{96, 64}}) {
      for (const double courant : {1.0, 5.0, 50.0}) {
        const PeriodicMultigridCase<double> c(grid, courant * courant / 4, height(grid), sides);
        const auto history = c.solve_by_cg(random_values(c.size(), 6), 1e-10).residual_history;
        EXPECT_GT(history.size(), 2u);
        const auto few = std::find_if(history.begin(), history.end(),
                                      [](double residual) { return residual <= 1e-5; });
        counts.first = std::max(counts.first, static_cast<int>(few - history.begin()));
        counts.second = std::max(counts.second, static_cast<int>(history.size()) - 1);
      }
    }
    return counts;
  };
  for (const auto sides : {Lamina::WaterSides::periodic, Lamina::WaterSides::walls}) {
    const auto [few, many] = most([](const Rectangle&) { return Values(); }, sides);
    EXPECT_LE(few, 6);
    EXPECT_LE(many, 10);
    const auto [few_rough, many_rough] = most(rough_height, sides);
    EXPECT_LE(few_rough, 6);
    EXPECT_LE(many_rough, 10);
    const auto [few_hilly, many_hilly] = most(hilly_height, sides);
    EXPECT_LE(few_hilly, 6);
    EXPECT_LE(many_hilly, 11);
  }
}

}  // namespace LaminaTest
