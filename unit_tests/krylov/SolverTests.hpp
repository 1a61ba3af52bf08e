// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What holds for `Pcg`, `FusedPcg` and `FusedPcgStored` alike: test bodies over a choice of plan.

#include <lamina/core/Require.hpp>

#include <gtest/gtest.h>
#include <krylov/DiagonalSystem.hpp>
#include <krylov/PanelProblem.hpp>
#include <reference/ConjugateGradients.hpp>
#include <reference/LinePreconditioner.hpp>
#include <support/MessageOf.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace LaminaTest {

using Lamina::RightHandSide;
using Lamina::SolveStatus;
using Lamina::StoppingCriteria;

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

template <class Choice, class Type>
struct SolverTests {
  using Scalar = typename Type::scalar;
  using Layout = typename Type::layout;
  using Problem = PanelProblem<Scalar, Layout>;
  using Field = TestField<Scalar, Layout>;
  using Diagonal = DiagonalSystem<Scalar, Layout>;
  static constexpr bool is_double = std::is_same_v<Scalar, double>;
  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();

  static Solved solve(const Problem& problem, const StoppingCriteria& criteria = {},
                      const Values& guess = {}) {
    return problem.solve(Choice::plan(problem), criteria, guess);
  }
  /// D x = b by CG without preconditioner.
  static Solved solve_diagonal(const Values& diagonal, const Values& b,
                               const StoppingCriteria& criteria, const Values& guess = {}) {
    const Diagonal system(diagonal);
    const int size = static_cast<int>(b.size());
    const Field b_field(size, 1, b), x(size, 1, guess.empty() ? Values(b.size(), 0.0) : guess);
    auto plan = Choice::plan_of(system);
    const auto report = plan.solve(TEST_SPACE(), b_field.const_view(), x.view(), criteria);
    return {report, x.get()};
  }

  /// The twin, standard or interleaved, on the matrix of the same problem.
  static Reference::Solution twin(int size, int num_levels, const Values& b, const Values& guess,
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

  static void agrees_with_the_twin() {
    for (const auto [size, levels] : {PanelSize{1, 3}, {2, 1}, {5, 7}, {12, 5}, {31, 2}}) {
      for (const auto rhs : {RightHandSide::smooth, RightHandSide::rough}) {
        SCOPED_TRACE(testing::Message() << size << " columns a side, " << levels << " levels");
        const Problem problem(size, levels, rhs);
        const auto solved = solve(problem, {.tolerance = 1e-5});
        const auto expected =
            twin(size, levels, problem.b, Values(problem.b.size(), 0.0), 1e-5, 1000);
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
      const auto expected = twin(size, levels, problem.b, guess, 1e-10, 1000);
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
            twin(size, levels, problem.b, Values(problem.b.size(), 0.0), 0, limit);
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

  static void exact_guess_converges_at_once() {
    // Powers of two: no rounding.
    const Values diagonal{1, 2, 4, 8, 0.5}, x{1, -2, 4, 0.25, 8};
    Values b;
    for (std::size_t i = 0; i < x.size(); ++i) b.push_back(diagonal[i] * x[i]);
    const auto solved = solve_diagonal(diagonal, b, {}, x);
    EXPECT_EQ(solved.report.status, SolveStatus::converged);
    EXPECT_EQ(solved.report.iterations, 0);
    EXPECT_EQ(solved.x, x);
  }

  static void one_step_suffices_for_a_multiple_of_the_identity() {
    const auto solved = solve_diagonal(Values(7, 2.0), {1, 2, 3, 4, 5, 6, 7}, {});
    EXPECT_EQ(solved.report.status, SolveStatus::converged);
    EXPECT_EQ(solved.report.iterations, 1);
    EXPECT_EQ(solved.report.residual_norm, 0);
    EXPECT_EQ(solved.x, (Values{0.5, 1, 1.5, 2, 2.5, 3, 3.5}));
    // An exactly zero residual ends a fixed count, too.
    const auto fixed =
        solve_diagonal(Values(7, 2.0), {1, 2, 3, 4, 5, 6, 7}, StoppingCriteria::iterations(5));
    EXPECT_EQ(fixed.report.status, SolveStatus::converged);
    EXPECT_EQ(fixed.report.iterations, 1);
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

  static void reports_an_indefinite_operator_at_once() {
    const auto solved = solve_diagonal({1, 1, -10}, {1, 1, 1}, {}, {5, 6, 7});
    EXPECT_EQ(solved.report.status, SolveStatus::breakdown_indefinite);
    EXPECT_EQ(solved.report.iterations, 0);
    EXPECT_EQ(solved.x, (Values{5, 6, 7}));
    EXPECT_EQ(solve_diagonal({0, 0}, {1, 1}, {}).report.status, SolveStatus::breakdown_indefinite);
  }

  static void keeps_the_last_good_iterate_of_an_indefinite_operator() {
    Values diagonal, b;
    for (int i = 0; i < 30; ++i) {
      diagonal.push_back(1 + i);
      b.push_back(1);
    }
    diagonal[4] = -1;
    b[4] = 1e-3;  // found out after a few steps
    const auto solved = solve_diagonal(diagonal, rounded<Scalar>(b), {});
    EXPECT_EQ(solved.report.status, SolveStatus::breakdown_indefinite);
    const int count = solved.report.iterations;
    ASSERT_GT(count, 0);
    ASSERT_LT(count, 30);
    expect_consistent(solved.report);
    const auto good =
        solve_diagonal(diagonal, rounded<Scalar>(b), StoppingCriteria::iterations(count));
    EXPECT_EQ(good.report.status, SolveStatus::completed);
    EXPECT_EQ(solved.x, good.x);
    for (const int check_every : {3, 100}) {
      const auto late = solve_diagonal(diagonal, rounded<Scalar>(b), {.check_every = check_every});
      EXPECT_EQ(late.report.status, SolveStatus::breakdown_indefinite);
      EXPECT_EQ(late.report.iterations, count);
      EXPECT_EQ(late.x, good.x);
      EXPECT_EQ(late.report.residual_history, solved.report.residual_history);
    }
  }

  static void long_solves_keep_their_history_between_rare_looks() {
    // More passes than the device remembers: 2500 steps on a badly conditioned diagonal.
    Values diagonal;
    for (int i = 0; i < 400; ++i)
      diagonal.push_back(std::pow(10.0, i * (is_double ? 12.0 : 6.0) / 399));
    const Values b(diagonal.size(), 1.0);
    StoppingCriteria criteria{.tolerance = 0, .max_iterations = 2500, .check_every = 1};
    const auto every = solve_diagonal(rounded<Scalar>(diagonal), b, criteria);
    criteria.check_every = 1024;
    const auto rare = solve_diagonal(rounded<Scalar>(diagonal), b, criteria);
    EXPECT_GT(every.report.iterations, 1100) << "the ring of rows went round";
    EXPECT_EQ(rare.report.iterations, every.report.iterations);
    EXPECT_EQ(rare.report.status, every.report.status);
    EXPECT_EQ(rare.report.residual_history, every.report.residual_history);
    EXPECT_EQ(rare.x, every.x);
  }

  static void refuses_bad_arguments() {
    const Problem problem(2, 3, RightHandSide::smooth);
    const TEST_SPACE space;
    auto plan = Choice::plan(problem);
    const Field good(4, 3), x(4, 3), fewer_columns(3, 3), more_levels(4, 4);
    const auto message = [&](const Field& b, const Field& x, const StoppingCriteria& criteria) {
      return message_of<Lamina::InvalidArgument>(
          [&] { (void)plan.solve(space, b.const_view(), x.view(), criteria); });
    };
    EXPECT_EQ(message(good, x, {}), "nothing was thrown");
    EXPECT_NE(message(good, good, {}).find("overlap"), std::string::npos);
    EXPECT_NE(message(fewer_columns, good, {}).find("argument b: expected 4 columns, got 3"),
              std::string::npos);
    EXPECT_NE(message(good, more_levels, {}).find("argument x: expected 3 levels, got 4"),
              std::string::npos);
    for (const double bad : {-1.0, nan, std::numeric_limits<double>::infinity()}) {
      EXPECT_NE(message(good, x, {.tolerance = bad}).find("criteria.tolerance"), std::string::npos);
      EXPECT_NE(message(good, x, {.absolute_tolerance = bad}).find("criteria.absolute_tolerance"),
                std::string::npos);
    }
    EXPECT_NE(message(good, x, {.max_iterations = -1}).find("criteria.max_iterations"),
              std::string::npos);
    for (const int bad : {-1, 1025}) {
      EXPECT_NE(message(good, x, {.check_every = bad}).find("criteria.check_every"),
                std::string::npos);
    }
  }

  static void accepts_no_columns() {
    const auto solved = solve_diagonal({}, {}, {});
    EXPECT_EQ(solved.report.status, SolveStatus::converged);
    EXPECT_EQ(solved.report.iterations, 0);
  }
};

}  // namespace LaminaTest

/// The tests that both solvers share, in the suite of one of them.
#define LAMINA_SOLVER_TESTS(Suite, Choice)                                                        \
  template <class Type>                                                                           \
  class Suite : public testing::Test {                                                            \
   public:                                                                                        \
    using Tests = SolverTests<Choice, Type>;                                                      \
  };                                                                                              \
  TYPED_TEST_SUITE(Suite, FieldTypes, FieldTypeNames);                                            \
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
  TYPED_TEST(Suite, ExactGuessConvergesAtOnce) {                                                  \
    TestFixture::Tests::exact_guess_converges_at_once();                                          \
  }                                                                                               \
  TYPED_TEST(Suite, OneStepSufficesForAMultipleOfTheIdentity) {                                   \
    TestFixture::Tests::one_step_suffices_for_a_multiple_of_the_identity();                       \
  }                                                                                               \
  TYPED_TEST(Suite, ReportsWhatIsNotFinite) { TestFixture::Tests::reports_what_is_not_finite(); } \
  TYPED_TEST(Suite, ReportsAnIndefiniteOperatorAtOnce) {                                          \
    TestFixture::Tests::reports_an_indefinite_operator_at_once();                                 \
  }                                                                                               \
  TYPED_TEST(Suite, KeepsTheLastGoodIterateOfAnIndefiniteOperator) {                              \
    TestFixture::Tests::keeps_the_last_good_iterate_of_an_indefinite_operator();                  \
  }                                                                                               \
  TYPED_TEST(Suite, LongSolvesKeepTheirHistoryBetweenRareLooks) {                                 \
    TestFixture::Tests::long_solves_keep_their_history_between_rare_looks();                      \
  }                                                                                               \
  TYPED_TEST(Suite, RefusesBadArguments) { TestFixture::Tests::refuses_bad_arguments(); }         \
  TYPED_TEST(Suite, AcceptsNoColumns) { TestFixture::Tests::accepts_no_columns(); }
