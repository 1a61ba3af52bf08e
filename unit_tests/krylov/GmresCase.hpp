// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What the tests of `Gmres` share: dense systems, solved by it and by its twin.

#include <lamina/krylov/Gmres.hpp>

#include <gtest/gtest.h>
#include <krylov/DenseSystem.hpp>
#include <reference/Gmres.hpp>
#include <support/FieldTypes.hpp>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace LaminaTest {

using Lamina::SolveStatus;
using Lamina::StoppingCriteria;

template <class Type>
class GmresCase : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Layout = typename Type::layout;
  using Field = TestField<Scalar, Layout>;
  using System = DenseSystem<Scalar, Layout>;
  static constexpr bool is_double = std::is_same_v<Scalar, double>;
  static constexpr double nan = std::numeric_limits<double>::quiet_NaN();

  struct Solved {
    Lamina::SolveReport report;
    Values x;
  };

  /// A x = b over fields of `num_levels`, without a preconditioner.
  static Solved solve(const DenseMatrix& a, const Values& b, const StoppingCriteria& criteria = {},
                      int restart = 30, int num_levels = 1, const Values& guess = {}) {
    const TEST_SPACE space;
    const System system(a, num_levels);
    Lamina::Gmres plan(space, system, Lamina::IdentityPreconditioner(), restart);
    return run(plan, system, b, criteria, guess);
  }
  static Solved solve_with(const DenseMatrix& a, const DenseMatrix& inverse, const Values& b,
                           const StoppingCriteria& criteria = {}, int restart = 30) {
    const TEST_SPACE space;
    const System system(a, 1);
    Lamina::Gmres plan(space, system, System(inverse, 1), restart);
    return run(plan, system, b, criteria, {});
  }
  template <class Plan>
  static Solved run(Plan& plan, const System& system, const Values& b,
                    const StoppingCriteria& criteria, const Values& guess) {
    const int columns = system.num_columns(), levels = system.num_levels();
    const Field b_field(columns, levels, b),
        x(columns, levels, guess.empty() ? Values(b.size(), 0.0) : guess);
    const auto report = plan.solve(TEST_SPACE(), b_field.const_view(), x.view(), criteria);
    expect_consistent(report);
    return {report, x.get()};
  }
  static void expect_consistent(const Lamina::SolveReport& report) {
    EXPECT_EQ(report.residual_history.size(), static_cast<std::size_t>(report.iterations) + 1);
    if (std::isfinite(report.residual_norm)) {
      EXPECT_EQ(report.residual_history.back(), report.relative_residual());
    }
  }
  /// |b - A x| / |b|
  static double true_residual(const DenseMatrix& a, const Values& b, const Values& x) {
    return relative_difference(a.multiply(x), b);
  }

  static Reference::Solution twin(const DenseMatrix& a, const DenseMatrix& inverse, const Values& b,
                                  double tolerance, int max_iterations, int restart,
                                  const Values& guess = {}) {
    return Reference::gmres([&](const Values& x) { return a.multiply(x); },
                            [&](const Values& r) { return inverse.multiply(r); }, b,
                            guess.empty() ? Values(b.size(), 0.0) : guess, tolerance,
                            max_iterations, restart);
  }
  static DenseMatrix identity(int size) {
    return DenseMatrix::diagonal(Values(static_cast<std::size_t>(size), 1.0));
  }
  static void expect_as_twin(const Solved& solved, const Reference::Solution& expected) {
    if constexpr (is_double) {
      EXPECT_EQ(solved.report.iterations, expected.iterations);
      EXPECT_TRUE(all_within(solved.report.residual_history, expected.history, 1e-10,
                             Values(expected.history.size(), 1.0)));
      EXPECT_TRUE(all_within(solved.x, expected.x, 1e-9));
    } else {
      EXPECT_NEAR(solved.report.iterations, expected.iterations, 1 + expected.iterations / 20);
      EXPECT_LT(relative_difference(solved.x, expected.x), 1e-3);
    }
  }
};
}  // namespace LaminaTest
