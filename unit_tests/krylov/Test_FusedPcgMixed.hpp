// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <gtest/gtest.h>
#include <krylov/MixedDiagonalSystem.hpp>
#include <krylov/PanelProblem.hpp>
#include <krylov/SolverTests.hpp>
#include <support/FieldTypes.hpp>
#include <support/ToolListener.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace LaminaTest {

struct MixedChoice {
  template <class System>
  static auto plan_of(const System& system) {
    return Lamina::FusedPcg(TEST_SPACE(), system);
  }
};

template <class Type>
class FusedPcgMixed : public testing::Test {
 public:
  using Layout = typename Type::layout;
  using Problem = PanelProblem<double, Layout>;
  using Field = typename Problem::Field;
  using Model = Lamina::MixedHelmholtz<Memory>;
  using OnDiagonal = DiagonalTests<MixedChoice, Type, MixedDiagonalSystem<Layout>>;
  static_assert(Lamina::FusedModel<Model, TEST_SPACE>);

  /// |b - A x|, recomputed in double precision.
  static double true_residual(const Problem& problem, const Values& x) {
    const Field x_field = problem.guess(x), y = problem.guess();
    problem.op().apply(TEST_SPACE(), x_field.const_view(), y.view());
    Values r = problem.b;
    Reference::add(r, -1, y.get());
    return std::sqrt(Reference::dot(r, r));
  }
  static double norm(const Values& values) { return std::sqrt(Reference::dot(values, values)); }
};
TYPED_TEST_SUITE(FusedPcgMixed, DoubleFieldTypes, FieldTypeNames);
LAMINA_DIAGONAL_TESTS(FusedPcgMixed)

TYPED_TEST(FusedPcgMixed, ReachesTheTrueResidualOfDoublePrecision) {
  for (const auto [size, levels] : {PanelSize{3, 7}, {5, 3}, {17, 33}, {31, 16}, {24, 128}}) {
    for (const auto rhs : {RightHandSide::constant, RightHandSide::smooth, RightHandSide::rough}) {
      SCOPED_TRACE(testing::Message() << size << " columns a side, " << levels
                                      << " levels, right-hand side " << static_cast<int>(rhs));
      const typename TestFixture::Problem problem(size, levels, rhs);
      const StoppingCriteria criteria{.tolerance = 1e-9};
      const auto mixed = problem.mixed(criteria), fused = problem.fused(criteria);
      EXPECT_EQ(mixed.report.status, SolveStatus::converged);
      expect_consistent(mixed.report);
      const double residual = this->true_residual(problem, mixed.x);
      EXPECT_LE(residual, 1.0001e-9 * this->norm(problem.b));
      EXPECT_NEAR(mixed.report.residual_norm, residual,
                  1e-4 * residual + 1e-12 * this->norm(problem.b));
      EXPECT_LT(relative_difference(mixed.x, fused.x), 1e-6);
      // Small systems end after a few steps by exact conjugacy, which single precision loses.
      EXPECT_LE(mixed.report.iterations, 1.3 * fused.report.iterations + 20);
      const std::string name =
          "iterations_" + std::to_string(size) + '_' + std::to_string(static_cast<int>(rhs));
      this->RecordProperty(name, std::to_string(fused.report.iterations) + " -> " +
                                     std::to_string(mixed.report.iterations));
    }
  }
}

TYPED_TEST(FusedPcgMixed, TakesTheIterationsOfDoublePrecisionBeyondSmallSystems) {
  for (const auto [size, levels] : {PanelSize{31, 16}, {32, 128}, {64, 7}, {128, 2}}) {
    for (const auto rhs : {RightHandSide::constant, RightHandSide::smooth, RightHandSide::rough}) {
      // A constant excites few of the many equal eigenvalues of a small panel.
      if (rhs == RightHandSide::constant && size < 128) continue;
      SCOPED_TRACE(testing::Message() << size << " columns a side, " << levels
                                      << " levels, right-hand side " << static_cast<int>(rhs));
      const typename TestFixture::Problem problem(size, levels, rhs);
      const int mixed = problem.mixed({.tolerance = 1e-9}).report.iterations;
      const int fused = problem.fused({.tolerance = 1e-9}).report.iterations;
      EXPECT_NEAR(mixed, fused, 0.03 * fused + 1);
    }
  }
}

TYPED_TEST(FusedPcgMixed, StartsFromAGuess) {
  const typename TestFixture::Problem problem(9, 5, RightHandSide::smooth);
  const auto from_zero = problem.mixed({.tolerance = 1e-10});
  const auto solved = problem.mixed({.tolerance = 1e-12}, random_values(problem.b.size(), 9));
  EXPECT_TRUE(solved.report.converged());
  expect_consistent(solved.report);
  EXPECT_NE(solved.report.initial_residual_norm, from_zero.report.initial_residual_norm);
  EXPECT_LT(relative_difference(solved.x, from_zero.x), 1e-6);
}

TYPED_TEST(FusedPcgMixed, SolvesAgainWithTheSamePlan) {
  using Field = typename TestFixture::Field;
  const typename TestFixture::Problem problem(8, 5, RightHandSide::rough);
  auto plan = problem.mixed_plan();
  const auto b = problem.b_field().const_view();
  const Field first_x = problem.guess(), second_x = problem.guess();
  // A solve that ends elsewhere in between must leave nothing behind.
  const Field other = problem.guess(random_values(problem.b.size(), 3));
  const auto first = plan.solve(TEST_SPACE(), b, first_x.view(), {.tolerance = 1e-9});
  const auto between = plan.solve(TEST_SPACE(), b, other.view(), {.max_iterations = 3});
  const auto second = plan.solve(TEST_SPACE(), b, second_x.view(), {.tolerance = 1e-9});
  EXPECT_EQ(between.iterations, 3);
  EXPECT_TRUE(first.converged());
  expect_same({second, second_x.get()}, {first, first_x.get()}, 1e-3);
}

TYPED_TEST(FusedPcgMixed, LooksOfTheHostChangeNothing) {
  const typename TestFixture::Problem problem(16, 5, RightHandSide::smooth);
  const auto every = problem.mixed({.tolerance = 1e-9, .check_every = 1});
  EXPECT_GT(every.report.iterations, 40);
  for (const int check_every : {0, 2, 7, 64, 1024}) {
    SCOPED_TRACE(check_every);
    expect_same(problem.mixed({.tolerance = 1e-9, .check_every = check_every}), every, 1e-3);
    for (const int limit : {14, 15}) {
      expect_same(problem.mixed({.max_iterations = limit, .check_every = check_every}),
                  problem.mixed({.max_iterations = limit, .check_every = 1}), 1e-3);
    }
  }
}

TYPED_TEST(FusedPcgMixed, CallsBackWithWhatTheHistoryHolds) {
  const typename TestFixture::Problem problem(8, 3, RightHandSide::smooth);
  std::vector<std::pair<int, double>> heard;
  StoppingCriteria criteria{.tolerance = 1e-9, .check_every = 4};
  criteria.on_check = [&](int iterations, double residual) {
    heard.push_back({iterations, residual});
  };
  const auto solved = problem.mixed(criteria);
  ASSERT_GT(heard.size(), 4u);
  for (const auto& [iterations, residual] : heard) {
    EXPECT_EQ(residual, solved.report.residual_history[static_cast<std::size_t>(iterations)]);
  }
  EXPECT_EQ(heard.back().first, solved.report.iterations);
}

TYPED_TEST(FusedPcgMixed, StopsAtTheIterationLimitWithAllUpdatesApplied) {
  const typename TestFixture::Problem problem(8, 5, RightHandSide::smooth);
  // Up to and beyond the first replacements, at odd and even counts.
  for (const int limit : {0, 1, 2, 13, 24, 25, 26, 27, 28}) {
    for (const int check_every : {1, 5}) {
      SCOPED_TRACE(testing::Message() << limit << " iterations, look every " << check_every);
      const StoppingCriteria criteria{
          .tolerance = 0, .max_iterations = limit, .check_every = check_every};
      const auto solved = problem.mixed(criteria), expected = problem.fused(criteria);
      EXPECT_EQ(solved.report.status, SolveStatus::max_iterations);
      EXPECT_EQ(solved.report.iterations, limit);
      expect_consistent(solved.report);
      EXPECT_TRUE(all_within(solved.x, expected.x, 1e-4));
      const double residual = this->true_residual(problem, solved.x);
      EXPECT_NEAR(solved.report.residual_norm, residual, 1e-6 * residual);
    }
  }
}

TYPED_TEST(FusedPcgMixed, CompletesAFixedCount) {
  const typename TestFixture::Problem problem(8, 5, RightHandSide::smooth);
  for (const int count : {0, 1, 9, 40, 200}) {
    const auto fixed = problem.mixed(StoppingCriteria::iterations(count));
    EXPECT_EQ(fixed.report.status, SolveStatus::completed);
    EXPECT_EQ(fixed.report.iterations, count);
    expect_consistent(fixed.report);
  }
}

TYPED_TEST(FusedPcgMixed, HonoursTheAbsoluteTolerance) {
  const typename TestFixture::Problem problem(8, 5, RightHandSide::smooth);
  const double target = 1e-7 * this->norm(problem.b);
  const auto solved = problem.mixed({.tolerance = 0, .absolute_tolerance = target});
  EXPECT_TRUE(solved.report.converged());
  EXPECT_LE(this->true_residual(problem, solved.x), 1.0001 * target);
  const auto& history = solved.report.residual_history;
  EXPECT_GT(history[history.size() - 2], 1e-7) << "stopped at the first chance";
}

TYPED_TEST(FusedPcgMixed, ZeroRightHandSideConvergesAtOnce) {
  typename TestFixture::Problem problem(5, 3, RightHandSide::smooth);
  problem.set_rhs(Values(problem.b.size(), 0.0));
  for (const auto& criteria :
       {StoppingCriteria{}, StoppingCriteria::iterations(4), StoppingCriteria{.tolerance = 0}}) {
    const auto solved = problem.mixed(criteria);
    EXPECT_EQ(solved.report.status, SolveStatus::converged);
    EXPECT_EQ(solved.report.iterations, 0);
    EXPECT_EQ(solved.report.relative_residual(), 0);
    expect_consistent(solved.report);
    EXPECT_EQ(solved.x, Values(problem.b.size(), 0.0));
  }
}

TYPED_TEST(FusedPcgMixed, ReportsWhatIsNotFiniteAndLeavesTheSolutionAlone) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {nan, std::numeric_limits<double>::infinity()}) {
    for (const int check_every : {1, 10}) {
      typename TestFixture::Problem problem(5, 3, RightHandSide::smooth);
      Values b = problem.b;
      b[7] = bad;
      problem.set_rhs(b);
      const Values guess(b.size(), 0.5);
      const auto solved = problem.mixed({.check_every = check_every}, guess);
      EXPECT_EQ(solved.report.status, SolveStatus::breakdown_not_finite) << bad;
      EXPECT_EQ(solved.report.iterations, 0);
      EXPECT_EQ(solved.x, guess);
    }
  }
  const typename TestFixture::Problem problem(5, 3, RightHandSide::smooth);
  Values guess(problem.b.size(), 0.0);
  guess[3] = nan;
  EXPECT_EQ(problem.mixed({}, guess).report.status, SolveStatus::breakdown_not_finite);
}

TYPED_TEST(FusedPcgMixed, DoesNotDependOnTheUnitsOfTheRightHandSide) {
  // Far beyond the range of single precision, and by a power of two: no rounding differs.
  typename TestFixture::Problem problem(9, 17, RightHandSide::smooth);
  const auto expected = problem.mixed({.tolerance = 1e-9});
  const Values b = problem.b;
  for (const double factor : {0x1p-300, 0x1p-40, 0x1p-19, 0x1p+19, 0x1p+40, 0x1p+300}) {
    SCOPED_TRACE(factor);
    Values scaled_b = b;
    for (double& value : scaled_b) value *= factor;
    problem.set_rhs(scaled_b);
    auto scaled = problem.mixed({.tolerance = 1e-9});
    for (double& value : scaled.x) value /= factor;
    EXPECT_NEAR(scaled.report.residual_norm / factor, expected.report.residual_norm,
                1e-3 * expected.report.residual_norm);
    scaled.report.residual_norm = expected.report.residual_norm;
    scaled.report.initial_residual_norm = expected.report.initial_residual_norm;
    expect_same(scaled, expected, 1e-3);
  }
}

TYPED_TEST(FusedPcgMixed, ComputesTheFirstResidualOnceWhereItNeedsNoScale) {
  typename TestFixture::Problem problem(9, 17, RightHandSide::smooth);
  const Values b = problem.b;
  const double norm = this->norm(b);
  const auto count_residuals = [&](double size) {
    Values scaled_b = b;
    for (double& value : scaled_b) value *= size / norm;
    problem.set_rhs(scaled_b);
    const ToolListener listener;
    EXPECT_TRUE(problem.mixed({.tolerance = 1e-9}).report.converged());
    const auto kernels = listener.heard().kernels;
    return std::count_if(kernels.begin(), kernels.end(), [](const auto& kernel) {
      return kernel.label == "Lamina::MixedHelmholtz::residual";
    });
  };
  const auto once = count_residuals(0x1p+10);
  EXPECT_GE(once, 2) << "the first one, and that of the solution";
  EXPECT_EQ(count_residuals(0x1p+30), once + 1);
  EXPECT_EQ(count_residuals(0x1p-30), once + 1);
}

TYPED_TEST(FusedPcgMixed, WorksOnPaddedViewsAndLeavesTheirSurroundingsAlone) {
  using Field = typename TestFixture::Field;
  for (const int size : {7, 31}) {  // devices fill up rows of 31
    SCOPED_TRACE(size);
    const typename TestFixture::Problem problem(size, 9, RightHandSide::rough);
    const auto expected = problem.mixed({.tolerance = 1e-9});
    for (const auto& padding : {column_padding, level_padding, all_padding}) {
      const Field b(size * size, 9, problem.b, padding), x(size * size, 9, padding);
      auto plan = problem.mixed_plan();
      const auto report = plan.solve(TEST_SPACE(), b.const_view(), x.view(), {.tolerance = 1e-9});
      EXPECT_TRUE(report.converged());
      EXPECT_NEAR(report.iterations, expected.report.iterations, 1);
      EXPECT_LT(relative_difference(x.get(), expected.x), 1e-7);
      EXPECT_TRUE(x.surroundings_untouched());
    }
  }
}

TEST(FusedPcgMixedLayouts, SolveAlike) {
  // Right-hand side and solution turn in memory that lies between directions.
  for (const int size : {7, 16}) {
    SCOPED_TRACE(size);
    const PanelProblem<double, Kokkos::LayoutLeft> left(size, 9, RightHandSide::rough);
    PanelProblem<double, Kokkos::LayoutRight> right(size, 9, RightHandSide::rough);
    right.set_rhs(left.b);
    const Values guess = random_values(left.b.size(), 4);
    for (const double tolerance : {1e-3, 1e-9}) {  // one residual is replaced, and several
      expect_alike(left.mixed({.tolerance = tolerance}, guess),
                   right.mixed({.tolerance = tolerance}, guess), 1e-3);
    }
  }
}

TYPED_TEST(FusedPcgMixed, StagnatesWhereDoublePrecisionAllowsNoSmallerResidual) {
  const typename TestFixture::Problem problem(16, 64, RightHandSide::smooth);
  const auto solved = problem.mixed({.tolerance = 1e-15});
  EXPECT_EQ(solved.report.status, SolveStatus::stagnated);
  EXPECT_FALSE(solved.report.succeeded());
  EXPECT_LT(solved.report.iterations, 1000);
  EXPECT_LT(solved.report.relative_residual(), 1e-9);
  expect_consistent(solved.report);
  const double residual = this->true_residual(problem, solved.x);
  EXPECT_NEAR(solved.report.residual_norm, residual, 0.5 * residual);
}

TYPED_TEST(FusedPcgMixed, SolvesAgainAndAgainWhatSinglePrecisionRoundsMuch) {
  // Entries that single precision does not hold: each replacement gains seven digits at most.
  Values diagonal, b;
  for (int i = 0; i < 40; ++i) {
    diagonal.push_back(1 + i / 3.0);
    b.push_back(1 + 0.01 * i);
  }
  const auto solved = TestFixture::OnDiagonal::solve(diagonal, b, {.tolerance = 1e-14});
  EXPECT_EQ(solved.report.status, SolveStatus::converged);
  for (std::size_t i = 0; i < b.size(); ++i) {
    EXPECT_NEAR(solved.x[i], b[i] / diagonal[i], 1e-12);
  }
}

TYPED_TEST(FusedPcgMixed, StartsItsDirectionsAnewWhereRoundingBreaksTheRecurrence) {
  int restarts = 0;
  for (const int size : {12, 16, 20, 60}) {
    Values diagonal;
    for (int i = 0; i < size; ++i) {
      diagonal.push_back((i < size / 2 ? 1 : 1e5) * (1 + 1e-3 * i));
    }
    const Values b(diagonal.size(), 1.0);
    const auto solved = TestFixture::OnDiagonal::solve(diagonal, b, {.tolerance = 1e-9});
    EXPECT_EQ(solved.report.status, SolveStatus::converged) << size;
    expect_consistent(solved.report);
    restarts += solved.report.restarts;
  }
  if (Lamina::runs_on_host<TEST_SPACE>) {
    EXPECT_GT(restarts, 0) << "nothing was to be repaired";
  }
}

TYPED_TEST(FusedPcgMixed, RefusesBadArguments) {
  const typename TestFixture::Problem problem(2, 3, RightHandSide::smooth);
  expect_bad_arguments_refused<typename TestFixture::Field>(problem.mixed_plan());
}

TEST(FusedPcgMixedOverHalos, RefusesColumnsThatNothingWouldUpdate) {
  const auto graph = irregular_graph(3, 1);
  const TEST_SPACE space;
  const Lamina::ColumnMesh<Memory> mesh(graph);
  const auto grid = Lamina::VerticalGrid::graded(4, 0.1);
  const Lamina::HelmholtzParameters parameters{.omega2 = 1, .lambda2 = 1};
  const Lamina::MixedHelmholtz<Memory> model(
      space, Lamina::HelmholtzOperator<double, Memory>(mesh, grid, parameters),
      Lamina::HelmholtzOperator<float, Memory>(mesh, grid, parameters));
  EXPECT_THROW(Lamina::FusedPcg(space, model), Lamina::InvalidArgument);
}

}  // namespace LaminaTest
