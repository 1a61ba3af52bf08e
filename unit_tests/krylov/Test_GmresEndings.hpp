// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// How solves by `Gmres` end where there is nothing to solve, or no solution.

#include <lamina/lines/LineSolver.hpp>

#include <krylov/GmresCase.hpp>

namespace LaminaTest {

template <class Type>
class GmresEndings : public GmresCase<Type> {};
TYPED_TEST_SUITE(GmresEndings, FieldTypes, FieldTypeNames);

TYPED_TEST(GmresEndings, EndsExactlyWhereTheKrylovSpaceEnds) {
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

TYPED_TEST(GmresEndings, APlanThatSolvesRefusesAnotherSolve) {
  const TEST_SPACE space;
  const Values b{1, 2, 3};
  const typename TestFixture::System system(DenseMatrix::diagonal({1, 2, 3}), 1);
  Lamina::Gmres plan(space, system, Lamina::IdentityPreconditioner(), 2);
  auto copy = plan;
  StoppingCriteria criteria;
  int refused = 0;
  criteria.on_check = [&](int, double) {
    EXPECT_THROW((void)TestFixture::run(copy, system, b, {}, {}), Lamina::InvalidArgument);
    ++refused;
  };
  EXPECT_TRUE(TestFixture::run(plan, system, b, criteria, {}).report.converged());
  EXPECT_GT(refused, 0);
  EXPECT_TRUE(TestFixture::run(copy, system, b, {}, {}).report.converged());
}

TYPED_TEST(GmresEndings, ReportsWhereASingularSystemHasNoSolution) {
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

TYPED_TEST(GmresEndings, StagnatesOverACyclicShiftUntilTheCycleIsLongEnough) {
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

TYPED_TEST(GmresEndings, SaysWhatThePrecisionDoesNotAllow) {
  const auto a = DenseMatrix::convection(60);
  const auto solved = this->solve(a, random_values(60, 4), {.tolerance = 1e-18}, 10);
  EXPECT_EQ(solved.report.status, SolveStatus::stagnated);
  EXPECT_LT(solved.report.relative_residual(), TestFixture::is_double ? 1e-13 : 1e-5);
}

TYPED_TEST(GmresEndings, EndsTrivialSystemsAtOnce) {
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

TYPED_TEST(GmresEndings, ReportsWhatIsNotFinite) {
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

TYPED_TEST(GmresEndings, ReportsAPreconditionerWithAZeroPivot) {
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

}  // namespace LaminaTest
