// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <krylov/GmresCase.hpp>

namespace LaminaTest {

template <class Type>
class Gmres : public GmresCase<Type> {};
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
  EXPECT_NEAR(solved.report.iterations, expected.iterations, TestFixture::is_double ? 3 : 8);
  EXPECT_LE(solved.report.iterations, size + 3);  // of one cycle
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
  // Subnormal numbers, of 39 and of 19 bits
  for (const double factor : {0x1p-1035, 0x1p-1055}) {
    if (!is_double) break;
    const double rounding = 0x1p-1074 / factor;
    Values scaled_b = b;
    for (double& value : scaled_b) value *= factor;
    auto solved = this->solve(a, scaled_b, {.tolerance = 1e3 * rounding}, 10);
    EXPECT_EQ(solved.report.status, SolveStatus::converged) << factor;
    for (double& value : solved.x) value /= factor;
    EXPECT_TRUE(all_within(solved.x, expected.x, 1e5 * rounding)) << factor;
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
