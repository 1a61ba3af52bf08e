// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/krylov/Gmres.hpp>
#include <lamina/lines/LineSolver.hpp>

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
class Gmres : public testing::Test {
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
TYPED_TEST_SUITE(Gmres, FieldTypes, FieldTypeNames);

TYPED_TEST(Gmres, AgreesWithTheTwin) {
  const double tolerance = TestFixture::is_double ? 1e-10 : 1e-4;
  for (const auto& [columns, levels] :
       {std::pair{1, 1}, {2, 1}, {1, 3}, {5, 7}, {31, 2}, {13, 17}, {211, 1}}) {
    const int size = columns * levels;
    const auto a = DenseMatrix::convection(size);
    const Values b =
        rounded<typename TestFixture::Scalar>(random_values(static_cast<std::size_t>(size), 4));
    for (const int restart : {1, 2, 5, 30}) {
      SCOPED_TRACE(testing::Message() << size << " unknowns, restart " << restart);
      const StoppingCriteria criteria{.tolerance = tolerance, .max_iterations = 90};
      const auto expected = this->twin(a, this->identity(size), b, tolerance, 90, restart);
      const auto solved = this->solve(a, b, criteria, restart, levels);
      this->expect_as_twin(solved, expected);
      const bool converged = expected.iterations < 90;
      if (converged) {
        EXPECT_EQ(solved.report.status, SolveStatus::converged);
        EXPECT_LT(this->true_residual(a, b, solved.x),
                  tolerance * (TestFixture::is_double ? 1.001 : 1.1));
      }
    }
  }
}

TYPED_TEST(Gmres, PreconditionsOnTheRight) {
  // The residual that falls is that of the system itself, whatever the preconditioner.
  const int size = 53;
  auto a = DenseMatrix::convection(size);
  for (int i = 0; i < size; ++i) {
    for (int k = 0; k < size; ++k) a.at(i, k) *= 1 + i % 5;
  }
  DenseMatrix inverse(size);
  for (int i = 0; i < size; ++i) {
    inverse.at(i, i) = 0.5 / (1 + i % 5);
    if (i > 0) inverse.at(i, i - 1) = 0.25 / (1 + i % 3);
  }
  const Values b =
      rounded<typename TestFixture::Scalar>(random_values(static_cast<std::size_t>(size), 6));
  const double tolerance = TestFixture::is_double ? 1e-10 : 1e-4;
  for (const int restart : {3, 10, 60}) {
    SCOPED_TRACE(restart);
    const auto expected = this->twin(a, inverse, b, tolerance, 200, restart);
    const auto solved =
        this->solve_with(a, inverse, b, {.tolerance = tolerance, .max_iterations = 200}, restart);
    this->expect_as_twin(solved, expected);
  }
}

TYPED_TEST(Gmres, StaysOrthogonalDownToRoundingInOneCycle) {
  // Classical Gram-Schmidt without a correction loses its basis half-way down.
  const int size = 90;
  DenseMatrix a(size);
  for (int i = 0; i < size; ++i) {
    a.at(i, i) = std::pow(10.0, -5.0 * i / (size - 1));
    if (i + 1 < size) a.at(i, i + 1) = 0.5 * a.at(i, i);
  }
  const Values b =
      rounded<typename TestFixture::Scalar>(random_values(static_cast<std::size_t>(size), 8));
  const double tolerance = TestFixture::is_double ? 1e-12 : 1e-4;
  const auto expected = this->twin(a, this->identity(size), b, tolerance, 2 * size, size + 20);
  const auto solved =
      this->solve(a, b, {.tolerance = tolerance, .max_iterations = 2 * size}, size + 20);
  EXPECT_EQ(solved.report.status, SolveStatus::converged);
  EXPECT_NEAR(solved.report.iterations, expected.iterations, TestFixture::is_double ? 1 : 8);
  EXPECT_LE(solved.report.iterations, size + 2);  // of one cycle
  // Recursive residuals are true ones all the way down.
  const int count = expected.iterations * 4 / 5;
  const auto shorter = this->solve(a, b, {.tolerance = 0, .max_iterations = count}, size);
  const auto longer = this->solve(a, b, {.tolerance = 0, .max_iterations = count + 1}, size);
  const double recursive = longer.report.residual_history[static_cast<std::size_t>(count)];
  EXPECT_NEAR(shorter.report.relative_residual(), recursive, 1e-2 * recursive);
}

TYPED_TEST(Gmres, StartsFromAGuess) {
  const int size = 35;
  const auto a = DenseMatrix::convection(size);
  const Values b = rounded<typename TestFixture::Scalar>(random_values(35, 4)),
               guess = rounded<typename TestFixture::Scalar>(random_values(35, 9));
  const double tolerance = TestFixture::is_double ? 1e-10 : 1e-4;
  const StoppingCriteria criteria{.tolerance = tolerance, .max_iterations = 300};
  const auto solved = this->solve(a, b, criteria, 5, 7, guess);
  this->expect_as_twin(solved, this->twin(a, this->identity(size), b, tolerance, 300, 5, guess));
  EXPECT_NE(solved.report.residual_history[0], 1);
  EXPECT_EQ(solved.report.residual_history[0],
            solved.report.initial_residual_norm / solved.report.reference_norm);
  auto relative = criteria;
  relative.relative_to = Lamina::Reference::initial_residual;
  const auto to_initial = this->solve(a, b, relative, 5, 7, guess);
  EXPECT_EQ(to_initial.report.residual_history[0], 1);
  EXPECT_EQ(to_initial.report.reference_norm, to_initial.report.initial_residual_norm);
  EXPECT_LE(to_initial.report.iterations, solved.report.iterations);
  // The solution as a guess converges at once.
  EXPECT_EQ(this->solve(a, b, {.tolerance = 10 * tolerance}, 5, 7, solved.x).report.iterations, 0);
}

TYPED_TEST(Gmres, EndsExactlyWhereTheKrylovSpaceEnds) {
  const auto one = this->solve(DenseMatrix::diagonal(Values(7, 2.0)), {1, 2, 3, 4, 5, 6, 7});
  EXPECT_EQ(one.report.status, SolveStatus::converged);
  EXPECT_EQ(one.report.iterations, 1);
  EXPECT_TRUE(
      all_within(one.x, {0.5, 1, 1.5, 2, 2.5, 3, 3.5}, TestFixture::is_double ? 1e-15 : 1e-6));
  // A = I + u v^T has a minimal polynomial of degree 2, whatever its size.
  const int size = 41;
  auto a = this->identity(size);
  const Values u = random_values(41, 1), v = random_values(41, 2), b = random_values(41, 3);
  for (int i = 0; i < size; ++i) {
    for (int k = 0; k < size; ++k) {
      a.at(i, k) += u[static_cast<std::size_t>(i)] * v[static_cast<std::size_t>(k)];
    }
  }
  const double tolerance = TestFixture::is_double ? 1e-13 : 1e-5;
  for (const int restart : {2, 3, 30}) {
    const auto two = this->solve(a, b, {.tolerance = tolerance}, restart);
    EXPECT_EQ(two.report.status, SolveStatus::converged) << restart;
    EXPECT_EQ(two.report.iterations, 2) << restart;
  }
  // A fixed count goes on beyond it, and does no harm.
  const auto fixed = this->solve(a, b, StoppingCriteria::iterations(9), 30);
  EXPECT_TRUE(fixed.report.succeeded());
  EXPECT_LT(this->true_residual(a, b, fixed.x), TestFixture::is_double ? 1e-14 : 1e-5);
}

TYPED_TEST(Gmres, ReportsWhereASingularSystemHasNoSolution) {
  DenseMatrix nilpotent(2);
  nilpotent.at(0, 1) = 1;
  // A (0, 1) = (1, 0), which A maps to 0: the space ends without a solution.
  for (const auto& [a, b] : {std::pair{nilpotent, Values{0, 1}},
                             {nilpotent, {1, 1}},
                             {DenseMatrix(3), {1, 2, 3}},
                             {DenseMatrix::diagonal({1, 2, 0}), {1, 1, 1}}}) {
    const auto solved = this->solve(a, b);
    EXPECT_EQ(solved.report.status, SolveStatus::stagnated);
    EXPECT_GE(solved.report.relative_residual(), 0.5);
    EXPECT_LT(solved.report.iterations, 12);
    for (const double value : solved.x) EXPECT_TRUE(std::isfinite(value));
    const auto fixed = this->solve(a, b, StoppingCriteria::iterations(5));
    EXPECT_EQ(fixed.report.status, SolveStatus::completed);
    for (const double value : fixed.x) EXPECT_TRUE(std::isfinite(value));
  }
  const auto consistent = this->solve(DenseMatrix::diagonal({1, 2, 0}), {1, 1, 0});
  EXPECT_EQ(consistent.report.status, SolveStatus::converged);
  EXPECT_EQ(consistent.report.iterations, 2);
}

TYPED_TEST(Gmres, StagnatesOverACyclicShiftUntilTheCycleIsLongEnough) {
  const int size = 12;
  DenseMatrix shift(size);
  for (int i = 0; i < size; ++i) shift.at(i, (i + 1) % size) = 1;
  Values b(12, 0.0);
  b[0] = 3;
  for (const int restart : {1, 5, 11}) {
    const auto stuck = this->solve(shift, b, {}, restart);
    EXPECT_EQ(stuck.report.status, SolveStatus::stagnated) << restart;
    EXPECT_EQ(stuck.report.relative_residual(), 1) << restart;
    EXPECT_LE(stuck.report.iterations, 70) << restart;
  }
  const auto solved = this->solve(shift, b, {}, size);
  EXPECT_EQ(solved.report.status, SolveStatus::converged);
  EXPECT_EQ(solved.report.iterations, size);
  EXPECT_EQ(solved.report.residual_norm, 0);
}

TYPED_TEST(Gmres, SaysWhatThePrecisionDoesNotAllow) {
  const auto a = DenseMatrix::convection(60);
  const auto solved = this->solve(a, random_values(60, 4), {.tolerance = 1e-18}, 10);
  EXPECT_EQ(solved.report.status, SolveStatus::stagnated);
  EXPECT_LT(solved.report.relative_residual(), TestFixture::is_double ? 1e-13 : 1e-5);
}

TYPED_TEST(Gmres, LooksOfTheHostChangeNothing) {
  const auto a = DenseMatrix::convection(221);
  const Values b = random_values(221, 4);
  for (const int restart : {7, 40}) {
    const auto every = this->solve(a, b, {.check_every = 1}, restart, 17);
    EXPECT_TRUE(every.report.converged());
    EXPECT_GT(every.report.iterations, 15);
    for (const int check_every : {0, 2, 7, 64, 1024}) {
      SCOPED_TRACE(check_every);
      const auto rare = this->solve(a, b, {.check_every = check_every}, restart, 17);
      EXPECT_EQ(rare.report.status, every.report.status);
      EXPECT_EQ(rare.report.iterations, every.report.iterations);
      EXPECT_EQ(rare.report.residual_history, every.report.residual_history);
      EXPECT_EQ(rare.x, every.x);
    }
  }
}

TYPED_TEST(Gmres, CallsBackAtEachLook) {
  std::vector<std::pair<int, double>> heard;
  StoppingCriteria criteria{.check_every = 3};
  criteria.on_check = [&](int iterations, double residual) {
    heard.push_back({iterations, residual});
  };
  const auto solved = this->solve(DenseMatrix::convection(60), random_values(60, 4), criteria, 7);
  ASSERT_TRUE(solved.report.converged());
  ASSERT_GT(heard.size(), 3u);
  EXPECT_EQ(heard[0], std::pair(3, solved.report.residual_history[3]));
  EXPECT_EQ(heard[1], std::pair(6, solved.report.residual_history[6]));
  EXPECT_EQ(heard[2], std::pair(7, solved.report.residual_history[7]));
  EXPECT_EQ(heard.back(), std::pair(solved.report.iterations, solved.report.relative_residual()));
}

TYPED_TEST(Gmres, StopsAtLimitsAndFixedCounts) {
  const auto a = DenseMatrix::convection(60);
  const Values b = random_values(60, 4);
  for (const int limit : {0, 1, 5, 8}) {
    for (const int check_every : {1, 4}) {
      const auto solved = this->solve(
          a, b, {.tolerance = 1e-6, .max_iterations = limit, .check_every = check_every}, 5);
      EXPECT_EQ(solved.report.status, SolveStatus::max_iterations);
      EXPECT_EQ(solved.report.iterations, limit);
      // All of them are in the solution.
      EXPECT_NEAR(this->true_residual(a, b, solved.x), solved.report.relative_residual(), 1e-6);
      const auto fixed = this->solve(a, b, StoppingCriteria::iterations(limit), 5);
      EXPECT_EQ(fixed.report.status, SolveStatus::completed);
      EXPECT_EQ(fixed.x, solved.x);
    }
  }
  const auto all = this->solve(a, b);
  const double target = 1e-3 * all.report.reference_norm;
  const auto absolute = this->solve(a, b, {.tolerance = 0, .absolute_tolerance = target});
  EXPECT_TRUE(absolute.report.converged());
  EXPECT_LE(absolute.report.residual_norm, target);
  EXPECT_LT(absolute.report.iterations, all.report.iterations);
}

TYPED_TEST(Gmres, EndsTrivialSystemsAtOnce) {
  const auto a = DenseMatrix::convection(10);
  for (const auto& criteria :
       {StoppingCriteria{}, StoppingCriteria::iterations(4), StoppingCriteria{.tolerance = 0}}) {
    const auto zero = this->solve(a, Values(10, 0.0), criteria, 30, 1, random_values(10, 3));
    EXPECT_EQ(zero.report.status, SolveStatus::converged);
    EXPECT_EQ(zero.report.iterations, 0);
    EXPECT_EQ(zero.x, Values(10, 0.0));
    EXPECT_EQ(zero.report.relative_residual(), 0);
  }
  const auto exact = this->solve(DenseMatrix::diagonal({1, 2, 4}), {1, 4, 8}, {}, 30, 1, {1, 2, 2});
  EXPECT_EQ(exact.report.status, SolveStatus::converged);
  EXPECT_EQ(exact.report.iterations, 0);
  EXPECT_EQ(exact.x, (Values{1, 2, 2}));
  EXPECT_EQ(this->solve(DenseMatrix(0), {}).report.status, SolveStatus::converged);
}

TYPED_TEST(Gmres, ReportsWhatIsNotFinite) {
  auto a = DenseMatrix::convection(10);
  for (const double bad : {TestFixture::nan, std::numeric_limits<double>::infinity()}) {
    Values b = random_values(10, 4);
    b[7] = bad;
    EXPECT_EQ(this->solve(a, b).report.status, SolveStatus::breakdown_not_finite) << bad;
    EXPECT_EQ(this->solve(a, random_values(10, 4), {}, 30, 1, b).report.status,
              SolveStatus::breakdown_not_finite);
  }
  // One that shows in the second image only: the first iteration is in the solution.
  auto late = DenseMatrix::diagonal(Values(6, 1.0));
  late.at(1, 0) = 1;
  const Values b{1, 0, 0, 0, 0, 0};
  const DenseMatrix inverse = DenseMatrix::diagonal({1, TestFixture::nan, 1, 1, 1, 1});
  for (const int check_every : {1, 9}) {
    const auto solved = this->solve_with(late, inverse, b, {.check_every = check_every});
    EXPECT_EQ(solved.report.status, SolveStatus::breakdown_not_finite);
    EXPECT_FALSE(solved.report.succeeded());
  }
  // The plan has no NaN left in it.
  const TEST_SPACE space;
  const typename TestFixture::System system(a, 1);
  Lamina::Gmres plan(space, system, Lamina::IdentityPreconditioner());
  Values spoilt = random_values(10, 4);
  const auto expected = this->run(plan, system, random_values(10, 4), {}, {});
  spoilt[2] = TestFixture::nan;
  (void)this->run(plan, system, random_values(10, 4), {}, spoilt);
  const auto again = this->run(plan, system, random_values(10, 4), {}, {});
  EXPECT_EQ(again.x, expected.x);
  EXPECT_EQ(again.report.residual_history, expected.report.residual_history);
}

TYPED_TEST(Gmres, WorksOverTheWholeRangeOfThePrecision) {
  const auto a = DenseMatrix::convection(40);
  const Values b = rounded<typename TestFixture::Scalar>(random_values(40, 4));
  const StoppingCriteria criteria{.tolerance = TestFixture::is_double ? 1e-10 : 1e-4};
  const auto expected = this->solve(a, b, criteria, 10);
  const bool is_double = TestFixture::is_double;
  for (const double factor : {is_double ? 0x1p-700 : 0x1p-100, is_double ? 0x1p700 : 0x1p100}) {
    Values scaled_b = b, scaled_x = expected.x;
    for (double& value : scaled_b) value *= factor;
    for (double& value : scaled_x) value *= factor;
    const auto solved = this->solve(a, scaled_b, criteria, 10);
    EXPECT_EQ(solved.report.status, SolveStatus::converged) << factor;
    EXPECT_EQ(solved.report.iterations, expected.report.iterations) << factor;
    EXPECT_TRUE(all_within(solved.x, scaled_x, is_double ? 1e-9 : 1e-3)) << factor;
    EXPECT_NEAR(solved.report.reference_norm / factor, expected.report.reference_norm, 1e-6);
  }
  // The matrix, too
  for (const double factor : {is_double ? 0x1p-600 : 0x1p-60, is_double ? 0x1p600 : 0x1p60}) {
    DenseMatrix scaled = a;
    for (double& value : scaled.entries) value *= factor;
    const auto solved = this->solve(scaled, b, criteria, 10);
    EXPECT_EQ(solved.report.status, SolveStatus::converged) << factor;
    EXPECT_EQ(solved.report.iterations, expected.report.iterations) << factor;
  }
}

TYPED_TEST(Gmres, TakesPaddedFieldsAndLeavesWhatIsAroundThem) {
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  const auto a = DenseMatrix::convection(35);
  const Values b = random_values(35, 4);
  const auto expected = this->solve(a, b, {}, 5, 7);
  const typename TestFixture::System system(a, 7);
  Lamina::Gmres plan(space, system, Lamina::IdentityPreconditioner(), 5);
  for (const auto& padding : {column_padding, level_padding, all_padding}) {
    const Field b_field(5, 7, b, padding), x(5, 7, padding);
    const auto report = plan.solve(space, b_field.const_view(), x.view());
    EXPECT_EQ(report.iterations, expected.report.iterations);
    EXPECT_TRUE(all_within(x.get(), expected.x, TestFixture::is_double ? 1e-12 : 1e-4));
    EXPECT_TRUE(x.surroundings_untouched());
  }
}

TYPED_TEST(Gmres, ReportsAPreconditionerWithAZeroPivot) {
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  const Field b(3, 1, {1, 1, 1}), x(3, 1), diagonal(3, 1, {1, 0, 3}), none(3, 1);
  const Lamina::LineSolver lines(
      space, Lamina::SymmetricTridiagonal{diagonal.const_view(), none.const_view()});
  Lamina::Gmres plan(space, typename TestFixture::System(DenseMatrix::diagonal({1, 2, 3}), 1),
                     lines);
  const auto report = plan.solve(space, b.const_view(), x.view());
  EXPECT_EQ(report.status, SolveStatus::breakdown_zero_pivot);
  EXPECT_EQ(report.residual_history, Values{1});
  EXPECT_EQ(x.get(), Values(3, 0.0));
}

TYPED_TEST(Gmres, RefusesBadArguments) {
  using Field = typename TestFixture::Field;
  const TEST_SPACE space;
  const typename TestFixture::System system(DenseMatrix::convection(12), 3);
  Lamina::Gmres plan(space, system, Lamina::IdentityPreconditioner());
  const Field good(4, 3), other(4, 3), fewer(3, 3), more(4, 4);
  EXPECT_THROW((void)plan.solve(space, fewer.const_view(), good.view()), Lamina::InvalidArgument);
  EXPECT_THROW((void)plan.solve(space, good.const_view(), more.view()), Lamina::InvalidArgument);
  for (const double bad : {-1.0, TestFixture::nan}) {
    EXPECT_THROW((void)plan.solve(space, good.const_view(), other.view(), {.tolerance = bad}),
                 Lamina::InvalidArgument);
  }
  EXPECT_THROW((void)plan.solve(space, good.const_view(), other.view(), {.check_every = 1025}),
               Lamina::InvalidArgument);
  for (const int bad : {-1, 0, 257}) {
    EXPECT_THROW(Lamina::Gmres(space, system, Lamina::IdentityPreconditioner(), bad),
                 Lamina::InvalidArgument);
  }
  EXPECT_EQ(Lamina::Gmres(space, system, Lamina::IdentityPreconditioner(), 256).restart(), 256);
}

}  // namespace LaminaTest
