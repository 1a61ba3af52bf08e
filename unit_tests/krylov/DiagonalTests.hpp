// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What holds for every Krylov solver on systems with a diagonal matrix: test bodies over a choice of
// plan.

#include <gtest/gtest.h>
#include <krylov/DiagonalSystem.hpp>
#include <krylov/PanelProblem.hpp>

#include <cmath>
#include <type_traits>

namespace LaminaTest {

using Lamina::SolveStatus;
using Lamina::StoppingCriteria;

template <class Choice, class Type,
          class System = DiagonalSystem<typename Type::scalar, typename Type::layout>>
struct DiagonalTests {
  using Scalar = typename Type::scalar;
  using Field = TestField<Scalar, typename Type::layout>;
  static constexpr bool is_double = std::is_same_v<Scalar, double>;

  /// D x = b without preconditioner.
  static Solved solve(const Values& diagonal, const Values& b, const StoppingCriteria& criteria,
                      const Values& guess = {}) {
    const System system(diagonal);
    const int size = static_cast<int>(b.size());
    const Field b_field(size, 1, b), x(size, 1, guess.empty() ? Values(b.size(), 0.0) : guess);
    auto plan = Choice::plan_of(system);
    const auto report = plan.solve(TEST_SPACE(), b_field.const_view(), x.view(), criteria);
    return {report, x.get()};
  }

  static void exact_guess_converges_at_once() {
    // Powers of two: no rounding.
    const Values diagonal{1, 2, 4, 8, 0.5}, x{1, -2, 4, 0.25, 8};
    Values b;
    for (std::size_t i = 0; i < x.size(); ++i) b.push_back(diagonal[i] * x[i]);
    const auto solved = solve(diagonal, b, {}, x);
    EXPECT_EQ(solved.report.status, SolveStatus::converged);
    EXPECT_EQ(solved.report.iterations, 0);
    EXPECT_EQ(solved.x, x);
  }

  static void one_step_suffices_for_a_multiple_of_the_identity() {
    const auto solved = solve(Values(7, 2.0), {1, 2, 3, 4, 5, 6, 7}, {});
    EXPECT_EQ(solved.report.status, SolveStatus::converged);
    EXPECT_EQ(solved.report.iterations, 1);
    EXPECT_EQ(solved.report.residual_norm, 0);
    EXPECT_EQ(solved.x, (Values{0.5, 1, 1.5, 2, 2.5, 3, 3.5}));
    // An exactly zero residual ends a fixed count, too.
    const auto fixed =
        solve(Values(7, 2.0), {1, 2, 3, 4, 5, 6, 7}, StoppingCriteria::iterations(5));
    EXPECT_EQ(fixed.report.status, SolveStatus::converged);
    EXPECT_EQ(fixed.report.iterations, 1);
  }

  static void reports_an_indefinite_operator_at_once() {
    const auto solved = solve({1, 1, -10}, {1, 1, 1}, {}, {5, 6, 7});
    EXPECT_EQ(solved.report.status, SolveStatus::breakdown_indefinite);
    EXPECT_EQ(solved.report.iterations, 0);
    EXPECT_EQ(solved.x, (Values{5, 6, 7}));
    EXPECT_EQ(solve({0, 0}, {1, 1}, {}).report.status, SolveStatus::breakdown_indefinite);
  }

  static void keeps_the_last_good_iterate_of_an_indefinite_operator() {
    Values diagonal, b;
    for (int i = 0; i < 30; ++i) {
      diagonal.push_back(1 + i);
      b.push_back(1);
    }
    diagonal[4] = -1;
    b[4] = 1e-3;  // found out after a few steps
    const auto solved = solve(diagonal, rounded<Scalar>(b), {});
    EXPECT_EQ(solved.report.status, SolveStatus::breakdown_indefinite);
    const int count = solved.report.iterations;
    ASSERT_GT(count, 0);
    ASSERT_LT(count, 30);
    expect_consistent(solved.report);
    const auto good = solve(diagonal, rounded<Scalar>(b), StoppingCriteria::iterations(count));
    EXPECT_EQ(good.report.status, SolveStatus::completed);
    EXPECT_EQ(solved.x, good.x);
    for (const int check_every : {3, 100}) {
      const auto late = solve(diagonal, rounded<Scalar>(b), {.check_every = check_every});
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
    const auto every = solve(rounded<Scalar>(diagonal), b, criteria);
    criteria.check_every = 1024;
    const auto rare = solve(rounded<Scalar>(diagonal), b, criteria);
    EXPECT_GT(every.report.iterations, 1100) << "the ring of rows went round";
    EXPECT_EQ(rare.report.iterations, every.report.iterations);
    EXPECT_EQ(rare.report.status, every.report.status);
    EXPECT_EQ(rare.report.residual_history, every.report.residual_history);
    EXPECT_EQ(rare.x, every.x);
  }

  static void accepts_no_columns() {
    const auto solved = solve({}, {}, {});
    EXPECT_EQ(solved.report.status, SolveStatus::converged);
    EXPECT_EQ(solved.report.iterations, 0);
  }
};

}  // namespace LaminaTest

/// The tests that solvers share, in the suite of one of them, whose fixture names `OnDiagonal`.
#define LAMINA_DIAGONAL_TESTS(Suite)                                                  \
  TYPED_TEST(Suite, ExactGuessConvergesAtOnce) {                                      \
    TestFixture::OnDiagonal::exact_guess_converges_at_once();                         \
  }                                                                                   \
  TYPED_TEST(Suite, OneStepSufficesForAMultipleOfTheIdentity) {                       \
    TestFixture::OnDiagonal::one_step_suffices_for_a_multiple_of_the_identity();      \
  }                                                                                   \
  TYPED_TEST(Suite, ReportsAnIndefiniteOperatorAtOnce) {                              \
    TestFixture::OnDiagonal::reports_an_indefinite_operator_at_once();                \
  }                                                                                   \
  TYPED_TEST(Suite, KeepsTheLastGoodIterateOfAnIndefiniteOperator) {                  \
    TestFixture::OnDiagonal::keeps_the_last_good_iterate_of_an_indefinite_operator(); \
  }                                                                                   \
  TYPED_TEST(Suite, AcceptsNoColumns) { TestFixture::OnDiagonal::accepts_no_columns(); }
