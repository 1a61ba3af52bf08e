// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What holds for `Pcg`, `FusedPcg` and `FusedPcgStored` alike: test bodies over a choice of plan.

#include <lamina/core/Require.hpp>

#include <gtest/gtest.h>
#include <krylov/DiagonalTests.hpp>
#include <krylov/PanelProblem.hpp>
#include <reference/ConjugateGradients.hpp>
#include <reference/LinePreconditioner.hpp>
#include <support/MessageOf.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace LaminaTest {

using Lamina::RightHandSide;

/// The plans of one solver.
struct PlainChoice {
  template <class Problem>
  static auto plan(const Problem& problem) {
    return problem.plain_plan();
  }
  template <class System>
  static auto plan_of(const System& system) {
    return Lamina::Pcg(TEST_SPACE(), system, Lamina::IdentityPreconditioner());
  }
};
struct FusedChoice {
  template <class Problem>
  static auto plan(const Problem& problem) {
    return problem.fused_plan();
  }
  template <class System>
  static auto plan_of(const System& system) {
    return Lamina::FusedPcg(TEST_SPACE(), system);
  }
};
struct StoredChoice {
  template <class Problem>
  static auto plan(const Problem& problem) {
    return problem.stored_plan();
  }
  template <class System>
  static auto plan_of(const System& system) {
    return Lamina::FusedPcgStored(TEST_SPACE(), system);
  }
};

/// The twin of a plan, standard or interleaved, on the matrix of a `PanelProblem`.
template <class Choice>
Reference::Solution twin_solution(int size, int num_levels, const Values& b, const Values& guess,
                                  double tolerance, int max_iterations) {
  const auto system = HelmholtzCase<double>::panel(size, size, num_levels);
  const auto matrix = system.matrix(), lines = system.line_matrix();
  const auto apply = [&](const Values& x) { return matrix.multiply(x); };
  const auto precondition = [&](const Values& r) {
    return Reference::precondition(lines, num_levels, r);
  };
  if constexpr (std::is_same_v<Choice, StoredChoice>) {
    return Reference::interleaved_pcg(apply, precondition, b, guess, tolerance, max_iterations);
  } else {
    return Reference::pcg(apply, precondition, b, guess, tolerance, max_iterations);
  }
}

/// Of a plan for 4 columns of 3 levels.
template <class Field, class Plan>
void expect_bad_arguments_refused(Plan plan) {
  const Field good(4, 3), x(4, 3), fewer_columns(3, 3), more_levels(4, 4);
  const auto expect = [&](const char* part, const Field& b, const Field& x,
                          const StoppingCriteria& criteria = {}) {
    const auto message = message_of<Lamina::InvalidArgument>(
        [&] { (void)plan.solve(TEST_SPACE(), b.const_view(), x.view(), criteria); });
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  expect("nothing was thrown", good, x);
  expect("overlap", good, good);
  expect("argument b: expected 4 columns, got 3", fewer_columns, good);
  expect("argument x: expected 3 levels, got 4", good, more_levels);
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {-1.0, std::numeric_limits<double>::quiet_NaN(), infinity}) {
    expect("criteria.tolerance", good, x, {.tolerance = bad});
    expect("criteria.absolute_tolerance", good, x, {.absolute_tolerance = bad});
  }
  expect("criteria.max_iterations", good, x, {.max_iterations = -1});
  for (const int bad : {-1, 1025}) expect("criteria.check_every", good, x, {.check_every = bad});
}

template <class Choice, class Type>
struct SolverTests {
  using Scalar = typename Type::scalar;
  using Layout = typename Type::layout;
  using Problem = PanelProblem<Scalar, Layout>;
  using Field = TestField<Scalar, Layout>;
  static constexpr bool is_double = std::is_same_v<Scalar, double>;
  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();

  static Solved solve(const Problem& problem, const StoppingCriteria& criteria = {},
                      const Values& guess = {}) {
    return problem.solve(Choice::plan(problem), criteria, guess);
  }

  static void agrees_with_the_twin() {
    for (const auto [size, levels] : {PanelSize{1, 3}, {2, 1}, {5, 7}, {12, 5}, {31, 2}}) {
      for (const auto rhs : {RightHandSide::smooth, RightHandSide::rough}) {
        SCOPED_TRACE(testing::Message() << size << " columns a side, " << levels << " levels");
        const Problem problem(size, levels, rhs);
        const auto solved = solve(problem, {.tolerance = 1e-5});
        const auto expected = twin_solution<Choice>(size, levels, problem.b,
                                                    Values(problem.b.size(), 0.0), 1e-5, 1000);
        EXPECT_EQ(solved.report.status, SolveStatus::converged);
        expect_consistent(solved.report);
        if constexpr (is_double) {
          EXPECT_EQ(solved.report.iterations, expected.iterations);
          EXPECT_TRUE(all_within(solved.report.residual_history, expected.history, 1e-9,
                                 Values(expected.history.size(), 1.0)));
          EXPECT_TRUE(all_within(solved.x, expected.x, 1e-9));
        } else {
          EXPECT_NEAR(solved.report.iterations, expected.iterations, 1);
          EXPECT_LT(relative_difference(solved.x, expected.x), 1e-4);
        }
      }
    }
  }

  static void starts_from_a_guess() {
    const int size = 6, levels = 5;
    const Problem problem(size, levels, RightHandSide::smooth);
    const Values guess = rounded<Scalar>(random_values(problem.b.size(), 9));
    const StoppingCriteria criteria{.tolerance = is_double ? 1e-10 : 1e-6};
    const auto from_guess = solve(problem, criteria, guess), from_zero = solve(problem, criteria);
    EXPECT_TRUE(from_guess.report.converged());
    expect_consistent(from_guess.report);
    if constexpr (is_double) {
      const auto expected = twin_solution<Choice>(size, levels, problem.b, guess, 1e-10, 1000);
      EXPECT_NEAR(from_guess.report.iterations, expected.iterations, 1);
      EXPECT_TRUE(all_within(from_guess.x, from_zero.x, 1e-7));
      EXPECT_NE(from_guess.report.initial_residual_norm, from_zero.report.initial_residual_norm);
    } else {
      EXPECT_LT(relative_difference(from_guess.x, from_zero.x), 1e-3);
    }
  }

  static void solves_again_with_the_same_plan() {
    const Problem problem(8, 5, RightHandSide::rough);
    auto plan = Choice::plan(problem);
    const auto first_x = problem.guess(), second_x = problem.guess();
    // A solve that ends elsewhere in between must leave nothing behind.
    const auto other = problem.guess(random_values(problem.b.size(), 3));
    const auto first = plan.solve(TEST_SPACE(), problem.b_field().const_view(), first_x.view());
    const auto between = plan.solve(TEST_SPACE(), problem.b_field().const_view(), other.view(),
                                    {.max_iterations = 3});
    const auto second = plan.solve(TEST_SPACE(), problem.b_field().const_view(), second_x.view());
    EXPECT_EQ(between.iterations, 3);
    EXPECT_TRUE(first.converged());
    expect_same({second, second_x.get()}, {first, first_x.get()}, is_double ? 1e-9 : 1e-3);
  }

  static void looks_of_the_host_change_nothing() {
    const Problem problem(16, 5, RightHandSide::smooth);
    const auto every = solve(problem, {.check_every = 1});
    EXPECT_GT(every.report.iterations, 20);
    for (const int check_every : {0, 2, 7, 64, 1024}) {
      SCOPED_TRACE(check_every);
      expect_same(solve(problem, {.check_every = check_every}), every, is_double ? 1e-9 : 1e-3);
      expect_same(solve(problem, {.max_iterations = 15, .check_every = check_every}),
                  solve(problem, {.max_iterations = 15, .check_every = 1}),
                  is_double ? 1e-9 : 1e-3);
    }
  }

  static void calls_back_at_each_look() {
    const Problem problem(8, 3, RightHandSide::smooth);
    std::vector<std::pair<int, double>> heard;
    StoppingCriteria criteria{.check_every = 4};
    criteria.on_check = [&](int iterations, double residual) {
      heard.push_back({iterations, residual});
    };
    const auto solved = solve(problem, criteria);
    ASSERT_FALSE(heard.empty());
    EXPECT_EQ(heard.size(), static_cast<std::size_t>(solved.report.iterations / 4 + 1));
    for (const auto& [iterations, residual] : heard) {
      EXPECT_EQ(residual, solved.report.residual_history[static_cast<std::size_t>(iterations)]);
    }
    EXPECT_EQ(heard.back().first, solved.report.iterations);
  }

  static void stops_at_the_iteration_limit() {
    const int size = 8, levels = 5;
    const Problem problem(size, levels, RightHandSide::smooth);
    for (const int limit : {0, 1, 2, 13}) {
      for (const int check_every : {1, 5}) {
        SCOPED_TRACE(testing::Message() << limit << " iterations, look every " << check_every);
        const auto solved = solve(problem, {.max_iterations = limit, .check_every = check_every});
        EXPECT_EQ(solved.report.status, SolveStatus::max_iterations);
        EXPECT_FALSE(solved.report.succeeded());
        EXPECT_EQ(solved.report.iterations, limit);
        expect_consistent(solved.report);
        EXPECT_GT(solved.report.relative_residual(), 1e-5);
        // All updates were applied, the pending one too, and no more than these.
        const auto expected =
            twin_solution<Choice>(size, levels, problem.b, Values(problem.b.size(), 0.0), 0, limit);
        EXPECT_TRUE(all_within(solved.x, expected.x, is_double ? 1e-9 : 1e-3));
      }
    }
  }

  static void completes_a_fixed_count() {
    const Problem problem(8, 5, RightHandSide::smooth);
    for (const int count : {0, 1, 9}) {
      const auto fixed = solve(problem, StoppingCriteria::iterations(count));
      auto limited = solve(problem, {.tolerance = 0, .max_iterations = count});
      EXPECT_EQ(fixed.report.status, SolveStatus::completed);
      EXPECT_TRUE(fixed.report.succeeded());
      EXPECT_EQ(limited.report.status, SolveStatus::max_iterations);
      limited.report.status = SolveStatus::completed;
      expect_same(fixed, limited, is_double ? 1e-9 : 1e-3);
    }
  }

  static void a_fixed_count_goes_on_beyond_convergence() {
    const Problem problem(8, 5, RightHandSide::smooth);
    const int enough = solve(problem).report.iterations;
    const auto solved = solve(problem, StoppingCriteria::iterations(enough + 5));
    EXPECT_EQ(solved.report.status, SolveStatus::completed);
    EXPECT_EQ(solved.report.iterations, enough + 5);
    EXPECT_LT(solved.report.relative_residual(), 1e-5);
  }

  static void honours_the_absolute_tolerance() {
    const Problem problem(8, 5, RightHandSide::smooth);
    const auto all = solve(problem, {.tolerance = 1e-5});
    const double target = 1e-3 * all.report.initial_residual_norm;
    const auto solved = solve(problem, {.tolerance = 0, .absolute_tolerance = target});
    EXPECT_TRUE(solved.report.converged());
    EXPECT_LE(solved.report.residual_norm, target);
    const auto& history = solved.report.residual_history;
    EXPECT_GT(history[history.size() - 2], 1e-3) << "stopped at the first chance";
  }

  static void zero_right_hand_side_converges_at_once() {
    Problem problem(5, 3, RightHandSide::smooth);
    problem.set_rhs(Values(problem.b.size(), 0.0));
    for (const auto& criteria :
         {StoppingCriteria{}, StoppingCriteria::iterations(4), StoppingCriteria{.tolerance = 0}}) {
      const auto solved = solve(problem, criteria);
      EXPECT_EQ(solved.report.status, SolveStatus::converged);
      EXPECT_EQ(solved.report.iterations, 0);
      EXPECT_EQ(solved.report.relative_residual(), 0);
      expect_consistent(solved.report);
      EXPECT_EQ(solved.x, Values(problem.b.size(), 0.0));
    }
  }

  static void reports_what_is_not_finite() {
    for (const double bad : {nan, std::numeric_limits<double>::infinity()}) {
      for (const int check_every : {1, 10}) {
        Problem problem(5, 3, RightHandSide::smooth);
        Values b = problem.b;
        b[7] = bad;
        problem.set_rhs(b);
        const auto solved = solve(problem, {.check_every = check_every});
        EXPECT_EQ(solved.report.status, SolveStatus::breakdown_not_finite) << bad;
        EXPECT_EQ(solved.report.iterations, 0);
        EXPECT_FALSE(solved.report.succeeded());
      }
    }
    const Problem problem(5, 3, RightHandSide::smooth);
    Values guess(problem.b.size(), 0.0);
    guess[3] = nan;
    EXPECT_EQ(solve(problem, {}, guess).report.status, SolveStatus::breakdown_not_finite);
  }

  static void refuses_bad_arguments() {
    const Problem problem(2, 3, RightHandSide::smooth);
    expect_bad_arguments_refused<Field>(Choice::plan(problem));
  }
};

}  // namespace LaminaTest

/// The tests that both solvers share, in the suite of one of them.
#define LAMINA_SOLVER_TESTS(Suite, Choice)                                                        \
  template <class Type>                                                                           \
  class Suite : public testing::Test {                                                            \
   public:                                                                                        \
    using Tests = SolverTests<Choice, Type>;                                                      \
    using OnDiagonal = DiagonalTests<Choice, Type>;                                               \
  };                                                                                              \
  TYPED_TEST_SUITE(Suite, FieldTypes, FieldTypeNames);                                            \
  LAMINA_DIAGONAL_TESTS(Suite)                                                                    \
  TYPED_TEST(Suite, AgreesWithTheTwin) { TestFixture::Tests::agrees_with_the_twin(); }            \
  TYPED_TEST(Suite, StartsFromAGuess) { TestFixture::Tests::starts_from_a_guess(); }              \
  TYPED_TEST(Suite, SolvesAgainWithTheSamePlan) {                                                 \
    TestFixture::Tests::solves_again_with_the_same_plan();                                        \
  }                                                                                               \
  TYPED_TEST(Suite, LooksOfTheHostChangeNothing) {                                                \
    TestFixture::Tests::looks_of_the_host_change_nothing();                                       \
  }                                                                                               \
  TYPED_TEST(Suite, CallsBackAtEachLook) { TestFixture::Tests::calls_back_at_each_look(); }       \
  TYPED_TEST(Suite, StopsAtTheIterationLimitWithAllUpdatesApplied) {                              \
    TestFixture::Tests::stops_at_the_iteration_limit();                                           \
  }                                                                                               \
  TYPED_TEST(Suite, CompletesAFixedCount) { TestFixture::Tests::completes_a_fixed_count(); }      \
  TYPED_TEST(Suite, FixedCountGoesOnBeyondConvergence) {                                          \
    TestFixture::Tests::a_fixed_count_goes_on_beyond_convergence();                               \
  }                                                                                               \
  TYPED_TEST(Suite, HonoursTheAbsoluteTolerance) {                                                \
    TestFixture::Tests::honours_the_absolute_tolerance();                                         \
  }                                                                                               \
  TYPED_TEST(Suite, ZeroRightHandSideConvergesAtOnce) {                                           \
    TestFixture::Tests::zero_right_hand_side_converges_at_once();                                 \
  }                                                                                               \
  TYPED_TEST(Suite, LongSolvesKeepTheirHistoryBetweenRareLooks) {                                 \
    TestFixture::OnDiagonal::long_solves_keep_their_history_between_rare_looks();                 \
  }                                                                                               \
  TYPED_TEST(Suite, ReportsWhatIsNotFinite) { TestFixture::Tests::reports_what_is_not_finite(); } \
  TYPED_TEST(Suite, RefusesBadArguments) { TestFixture::Tests::refuses_bad_arguments(); }
