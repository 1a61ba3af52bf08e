// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Whole solves by `PointImplicitSolver`: criteria, reports, the range of the precision.

#include <lamina/core/Require.hpp>

#include <blocks/PointImplicitCase.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace LaminaTest {

TYPED_TEST(PointImplicitSolver, ReducesTheResidualByTheFactorOfTheNotesInEachSweep) {
  for (const int size : {1, 2, 5, 8}) {
    for (const BlockInverse inverse : all_inverses) {
      const ClosedFormCase<TypeParam> c(12, 11, 10, size, inverse);
      const auto x = c.zero();
      Lamina::StoppingCriteria criteria;
      criteria.tolerance = 1e-13;
      const auto report =
          c.solver.solve_in_colour_order(c.space, c.b.const_view(), x.view(), criteria);
      EXPECT_EQ(report.status, Lamina::SolveStatus::converged);
      EXPECT_LE(report.iterations, 14);
      ASSERT_GE(report.residual_history.size(), 4u);
      EXPECT_EQ(report.residual_history.size(), static_cast<std::size_t>(report.iterations));
      for (std::size_t n = 1; n < 4; ++n) {
        EXPECT_LT(report.residual_history[n] / report.residual_history[n - 1], 0.11) << size;
      }
      EXPECT_TRUE(all_within(x.get(), c.solution.get(), 1e-12));
      EXPECT_NEAR(report.residual_norm,
                  c.solver.residual_norm_in_colour_order(c.space, c.b.const_view(), x.const_view()),
                  1e-6 * report.residual_norm);
    }
  }
}

TYPED_TEST(PointImplicitSolver, ReportsTheResidualOfTheTwin) {
  const SweepCase<TypeParam> c(Lamina::FreudenthalMesh(4, 3, 3).graph(), 5, BlockInverse::lu);
  const auto b = c.field(c.b), x = c.field(c.b);
  const Values product = Reference::multiply(c.twin, c.b);
  double residual2 = 0, rhs2 = 0;
  for (std::size_t n = 0; n < product.size(); ++n) {
    residual2 += (c.b[n] - product[n]) * (c.b[n] - product[n]);
    rhs2 += c.b[n] * c.b[n];
  }
  EXPECT_NEAR(c.solver.residual_norm_in_colour_order(c.space, b.const_view(), x.const_view()),
              std::sqrt(residual2), 1e-12 * std::sqrt(residual2));
  const auto report = c.solver.solve_in_colour_order(c.space, b.const_view(), x.view(),
                                                     Lamina::StoppingCriteria::iterations(0));
  EXPECT_EQ(report.status, Lamina::SolveStatus::completed);
  EXPECT_NEAR(report.reference_norm, std::sqrt(rhs2), 1e-12 * std::sqrt(rhs2));
}

TYPED_TEST(PointImplicitSolver, StopsAsTheCriteriaSay) {
  const ClosedFormCase<TypeParam> c(6, 6, 6, 3);
  const auto solve = [&](const Lamina::StoppingCriteria& criteria) {
    const auto x = c.zero();
    return c.solver.solve_in_colour_order(c.space, c.b.const_view(), x.view(), criteria,
                                          SweepDirection::symmetric);
  };
  auto report = solve(Lamina::StoppingCriteria::iterations(3));
  EXPECT_EQ(report.status, Lamina::SolveStatus::completed);
  EXPECT_EQ(report.iterations, 3);
  EXPECT_EQ(report.residual_history.size(), 3u);

  Lamina::StoppingCriteria criteria;
  criteria.tolerance = 1e-30;
  criteria.max_iterations = 5;
  criteria.check_every = 2;
  std::vector<int> looks;
  criteria.on_check = [&](int sweeps, double) { looks.push_back(sweeps); };
  report = solve(criteria);
  EXPECT_EQ(report.status, Lamina::SolveStatus::max_iterations);
  EXPECT_EQ(report.iterations, 5);
  EXPECT_EQ(looks, (std::vector{0, 2, 4, 5}));
  criteria.stop_requested = [&] { return looks.back() == 2; };
  report = solve(criteria);
  EXPECT_EQ(report.status, Lamina::SolveStatus::interrupted);
  EXPECT_EQ(report.iterations, 2);

  criteria = {};
  criteria.tolerance = 0;
  report = solve(criteria);
  EXPECT_EQ(report.status, Lamina::SolveStatus::stagnated);
  EXPECT_LT(report.relative_residual(), 1e-14);

  criteria.max_iterations = 0;
  EXPECT_EQ(solve(criteria).status, Lamina::SolveStatus::max_iterations);
  criteria.tolerance = -1;
  EXPECT_THROW(solve(criteria), Lamina::InvalidArgument);
}

TYPED_TEST(PointImplicitSolver, EndsWhenAskedAndRefusesCallsInTheUsersOrderUntilThen) {
  const ClosedFormCase<TypeParam> c(4, 4, 4, 2);
  const auto x = c.zero(), other = c.zero();
  Lamina::StoppingCriteria criteria;
  criteria.tolerance = 1e-30;
  criteria.on_check = [&](int, double) {
    EXPECT_THROW(c.solver.sweep(c.space, c.b.const_view(), other.view()), Lamina::InvalidArgument);
    EXPECT_THROW((void)c.solver.solve(c.space, c.b.const_view(), other.view()),
                 Lamina::InvalidArgument);
  };
  int looks = 0;
  criteria.stop_requested = [&] { return ++looks == 3; };  // the first one is at the guess
  const auto report = c.solver.solve(c.space, c.b.const_view(), x.view(), criteria);
  EXPECT_EQ(report.status, Lamina::SolveStatus::interrupted);
  EXPECT_EQ(report.iterations, 2);
  c.solver.sweep(c.space, c.b.const_view(), other.view(), SweepDirection::forward, 2);
  EXPECT_TRUE(all_within(x.get(), other.get(), rounding<double>(10)));
}

TYPED_TEST(PointImplicitSolver, EndsAtOnceForARightHandSideOfZero) {
  const ClosedFormCase<TypeParam> c(3, 3, 3, 2);
  const auto zero = c.zero(), x = c.zero();
  Kokkos::deep_copy(x.view(), 1.0);
  const auto report = c.solver.solve_in_colour_order(c.space, zero.const_view(), x.view());
  EXPECT_EQ(report.status, Lamina::SolveStatus::converged);
  EXPECT_EQ(report.iterations, 0);
  EXPECT_EQ(report.relative_residual(), 0);
  EXPECT_EQ(x.get(), Values(x.size(), 0.0));
}

TYPED_TEST(PointImplicitSolver, SaysWhenSweepsDivergeOrAreNotFinite) {
  const auto graph = Lamina::FreudenthalMesh(3, 3, 3).graph();
  auto twin = random_matrix(graph, 2);
  for (auto& row : twin.off) {
    for (auto& entry : row) {
      for (double& value : entry.block) value = 0.5;
    }
  }
  const auto colours = Lamina::ColourOrdering::greedy(graph);
  const SweepCase<TypeParam> c(graph, twin, colours, BlockInverse::inverse);
  auto x = c.field(Values(c.b.size(), 0.0));
  const auto b = c.field(c.b);
  for (const auto& criteria :
       {Lamina::StoppingCriteria{}, Lamina::StoppingCriteria::iterations(60)}) {
    const auto report = c.solver.solve_in_colour_order(c.space, b.const_view(), x.view(), criteria);
    EXPECT_EQ(report.status, Lamina::SolveStatus::diverged);
    EXPECT_LT(report.iterations, 60);
    x = c.field(Values(c.b.size(), 0.0));
  }
  Values bad = c.b;
  for (const double value : {std::numeric_limits<double>::quiet_NaN(), 1 / 0.0}) {
    bad[5] = value;
    const Values before = x.get();
    const auto report =
        c.solver.solve_in_colour_order(c.space, c.field(bad).const_view(), x.view());
    EXPECT_EQ(report.status, Lamina::SolveStatus::breakdown_not_finite);
    EXPECT_FALSE(std::isfinite(report.residual_norm));
    EXPECT_FALSE(std::isfinite(report.relative_residual()));
    EXPECT_EQ(x.get(), before);
  }
  EXPECT_EQ(c.solver.solve_in_colour_order(c.space, b.const_view(), c.field(bad).view()).status,
            Lamina::SolveStatus::breakdown_not_finite);
}

/// Powers of two change nothing but exponents.
TYPED_TEST(PointImplicitSolver, SolvesAlikeWhateverTheMagnitudeOfTheRightHandSide) {
  const ClosedFormCase<TypeParam> c(5, 4, 3, 3);
  const auto solve = [&](const Values& rhs, const BlockFieldOfTest& x) {
    const BlockFieldOfTest b(60, 3, rhs);
    Lamina::StoppingCriteria criteria;
    criteria.tolerance = 1e-13;
    return c.solver.solve_in_colour_order(c.space, b.const_view(), x.view(), criteria);
  };
  const auto usual = c.zero();
  const auto expected = solve(c.b.get(), usual);
  for (const double factor : {0x1p-960, 0x1p-700, 0x1p-500, 0x1p500, 0x1p700, 0x1p1000}) {
    const auto scaled = [&](Values values) {
      for (double& value : values) value *= factor;
      return values;
    };
    const auto x = c.zero();
    const auto report = solve(scaled(c.b.get()), x);
    EXPECT_EQ(report.status, Lamina::SolveStatus::converged) << factor;
    EXPECT_EQ(report.iterations, expected.iterations) << factor;
    EXPECT_NEAR(report.reference_norm / factor, expected.reference_norm, 1e-14);
    for (std::size_t n = 0; n < expected.residual_history.size(); ++n) {
      EXPECT_NEAR(report.residual_history[n], expected.residual_history[n],
                  1e-12 * expected.residual_history[n]);
    }
    EXPECT_EQ(x.get(), scaled(usual.get()));
  }
}

TYPED_TEST(PointImplicitSolver, NormsTakeValuesOfVeryDifferentMagnitudes) {
  const ClosedFormCase<TypeParam> c(3, 3, 3, 2);
  const auto norm = [&](const std::vector<double>& some) {
    Values values(54, 0.0);
    std::copy(some.begin(), some.end(), values.begin() + 7);
    const BlockFieldOfTest b(27, 2, values);
    return c.solver.residual_norm_in_colour_order(c.space, b.const_view(), c.zero().const_view());
  };
  EXPECT_DOUBLE_EQ(norm({3e-200, -4e-200, 1e-290}), 5e-200);
  EXPECT_DOUBLE_EQ(norm({1e-300, 3, 4}), 5);
  EXPECT_DOUBLE_EQ(norm({1e-300, 3e200, 1, -4e200}), 5e200);
  EXPECT_DOUBLE_EQ(norm({5e-324}), 5e-324);
  EXPECT_DOUBLE_EQ(norm({1e308, 1e308}), std::sqrt(2) * 1e308);
  EXPECT_EQ(norm({}), 0);
  EXPECT_EQ(norm({1.7e308, 1.7e308}), std::numeric_limits<double>::infinity());
  EXPECT_EQ(norm({1e-200, -1 / 0.0}), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(norm({1e200, std::numeric_limits<double>::quiet_NaN(), 1e-200})));
}

TYPED_TEST(PointImplicitSolver, AGoodGuessSavesSweepsUnlessTheToleranceIsOfItsResidual) {
  const ClosedFormCase<TypeParam> c(6, 6, 6, 3);
  Lamina::StoppingCriteria criteria;
  criteria.tolerance = 1e-8;
  const auto sweeps = [&](const BlockFieldOfTest& x) {
    return c.solver.solve_in_colour_order(c.space, c.b.const_view(), x.view(), criteria).iterations;
  };
  const auto x = c.zero();
  const int all = sweeps(x);
  EXPECT_GE(all, 4);
  EXPECT_EQ(sweeps(x), 0);
  const auto guess = c.zero();
  c.solver.sweep_in_colour_order(c.space, c.b.const_view(), guess.view(), SweepDirection::forward,
                                 2);
  criteria.relative_to = Lamina::Reference::initial_residual;
  EXPECT_GE(sweeps(guess), all - 1);
}

TYPED_TEST(PointImplicitSolver, LeavesTheSolutionAloneWhereASolveBreaksDown) {
  const auto graph = Lamina::FreudenthalMesh(3, 3, 3).graph();
  auto twin = random_matrix(graph, 2);
  twin.diagonal[5].assign(4, 0.0);
  const SweepCase<TypeParam> c(graph, twin, Lamina::ColourOrdering::greedy(graph),
                               BlockInverse::inverse);
  const Values start = random_values(c.b.size(), 123);
  const BlockFieldOfTest b(27, 2, c.b), x(27, 2, start);
  EXPECT_EQ(c.solver.solve(c.space, b.const_view(), x.view()).status,
            Lamina::SolveStatus::breakdown_zero_pivot);
  EXPECT_EQ(x.get(), start);
}

}  // namespace LaminaTest
