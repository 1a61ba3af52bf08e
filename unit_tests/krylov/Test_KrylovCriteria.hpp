// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What `StoppingCriteria` and `SolveReport` promise, by every Krylov solver.

#include <gtest/gtest.h>
#include <krylov/HardSystems.hpp>
#include <krylov/KrylovSubjects.hpp>
#include <reference/ConjugateGradients.hpp>
#include <support/FieldTypes.hpp>
#include <support/MessageOf.hpp>

#include <algorithm>
#include <cmath>

namespace LaminaTest {

using Lamina::SolveStatus;
using Lamina::StoppingCriteria;

template <class Type>
class KrylovCriteria : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Layout = typename Type::layout;
  static constexpr bool is_double = std::is_same_v<Scalar, double>;
  static constexpr double accuracy = is_double ? 1e-9 : 1e-3;

  static auto subjects() { return krylov_subjects<Scalar, Layout>(); }
  static auto on_diagonal(const Values& diagonal, const Values& b) {
    return diagonal_subjects<Scalar, Layout>(diagonal, b);
  }
  static double norm(const Values& values) { return std::sqrt(Reference::dot(values, values)); }
};
TYPED_TEST_SUITE(KrylovCriteria, FieldTypes, FieldTypeNames);

TYPED_TEST(KrylovCriteria, ToleranceIsRelativeToTheRightHandSide) {
  for (const auto& subject : TestFixture::subjects()) {
    SCOPED_TRACE(subject.name);
    Values guess = random_values(subject.b.size(), 8);
    for (double& value : guess) value *= 100;
    const auto solved = subject.solve(subject.b, guess, {.tolerance = 1e-4});
    EXPECT_TRUE(solved.report.converged());
    expect_consistent(solved.report);
    const double size = this->norm(subject.b);
    EXPECT_NEAR(solved.report.reference_norm, size, 1e-6 * size);
    EXPECT_GT(solved.report.residual_history.front(), 10) << "a guess far off";
    EXPECT_LE(solved.report.residual_norm, 1e-4 * size);
    const auto from_zero = subject(subject.b);
    EXPECT_NEAR(from_zero.report.residual_history.front(), 1, 1e-6);
  }
}

TYPED_TEST(KrylovCriteria, ToleranceIsRelativeToTheInitialResidualWhereAskedFor) {
  const StoppingCriteria criteria{.tolerance = 1e-3,
                                  .relative_to = Lamina::Reference::initial_residual};
  for (const auto& subject : TestFixture::subjects()) {
    SCOPED_TRACE(subject.name);
    const Values guess = random_values(subject.b.size(), 8);
    const auto solved = subject.solve(subject.b, guess, criteria);
    EXPECT_TRUE(solved.report.converged());
    EXPECT_EQ(solved.report.reference_norm, solved.report.initial_residual_norm);
    EXPECT_EQ(solved.report.residual_history.front(), 1);
    EXPECT_LE(solved.report.residual_norm, 1e-3 * solved.report.initial_residual_norm);
    const auto again = subject.solve(subject.b, solved.x, criteria);
    EXPECT_GT(again.report.iterations, 0) << "a factor to fall by, whatever the guess";
    // From zero both are the same.
    const auto by_rhs = subject(subject.b, {.tolerance = 1e-3}),
               by_start = subject(subject.b, criteria);
    EXPECT_EQ(by_rhs.report.iterations, by_start.report.iterations);
    EXPECT_TRUE(all_within(by_rhs.report.residual_history, by_start.report.residual_history,
                           TestFixture::accuracy));
  }
}

TYPED_TEST(KrylovCriteria, ASolveFromItsSolutionTakesNoIteration) {
  for (const auto& subject : TestFixture::subjects()) {
    SCOPED_TRACE(subject.name);
    const auto first = subject(subject.b, {.tolerance = 1e-4});
    EXPECT_GT(first.report.iterations, 2);
    // What was updated recursively was the true residual to rounding.
    const double rounding = TestFixture::is_double ? 1e-9 : 1e-4;
    const auto second = subject.solve(subject.b, first.x, {.tolerance = 1e-4 + rounding});
    EXPECT_TRUE(second.report.converged());
    EXPECT_EQ(second.report.iterations, 0);
    EXPECT_EQ(second.x, first.x);
    const auto closer = subject.solve(subject.b, first.x, {.tolerance = 1e-5});
    EXPECT_LT(closer.report.iterations, subject(subject.b, {.tolerance = 1e-5}).report.iterations);
  }
}

TYPED_TEST(KrylovCriteria, ARightHandSideOfZeroIsSolvedByZeroFromAnyGuess) {
  for (const auto& subject : TestFixture::subjects()) {
    SCOPED_TRACE(subject.name);
    const Values zero(subject.b.size(), 0.0);
    for (auto criteria : {StoppingCriteria{}, StoppingCriteria::iterations(3),
                          StoppingCriteria{.tolerance = 0, .max_iterations = 2}}) {
      for (const int check_every : {0, 5}) {
        criteria.check_every = check_every;
        const auto solved = subject.solve(zero, random_values(zero.size(), 4), criteria);
        EXPECT_EQ(solved.report.status, SolveStatus::converged);
        EXPECT_EQ(solved.report.iterations, 0);
        EXPECT_EQ(solved.report.reference_norm, 0);
        EXPECT_EQ(solved.report.residual_norm, 0);
        EXPECT_EQ(solved.report.residual_history, Values{0.0});
        EXPECT_EQ(solved.x, zero);
      }
    }
  }
}

TYPED_TEST(KrylovCriteria, PaddedViewsAreSolvedForAsOthers) {
  using Scalar = typename TypeParam::scalar;
  const auto plain = krylov_subjects<Scalar, typename TypeParam::layout>();
  for (const auto& padding : {column_padding, level_padding, all_padding}) {
    const auto padded = krylov_subjects<Scalar, typename TypeParam::layout>(padding);
    for (std::size_t n = 0; n < plain.size(); ++n) {
      SCOPED_TRACE(plain[n].name);
      const Values guess = rounded<Scalar>(random_values(plain[n].b.size(), 8));
      const auto expected = plain[n].solve(plain[n].b, guess, {});
      const auto solved = padded[n].solve(plain[n].b, guess, {});
      EXPECT_TRUE(solved.report.converged());
      EXPECT_EQ(solved.report.iterations, expected.report.iterations);
      EXPECT_TRUE(all_within(solved.report.residual_history, expected.report.residual_history,
                             TestFixture::accuracy));
      EXPECT_TRUE(all_within(solved.x, expected.x, TestFixture::accuracy));
    }
  }
}

TYPED_TEST(KrylovCriteria, InconsistentSystemsDiverge) {
  // A kernel, and a right-hand side that is not orthogonal to it.
  Values diagonal, b;
  for (int i = 0; i < 40; ++i) {
    diagonal.push_back(i);
    b.push_back(1 + i % 3);
  }
  for (const auto& subject : TestFixture::on_diagonal(diagonal, b)) {
    SCOPED_TRACE(subject.name);
    for (auto criteria : {StoppingCriteria{}, StoppingCriteria::iterations(2000)}) {
      for (const int check_every : {0, 7}) {
        criteria.check_every = check_every;
        const auto solved = subject(b, criteria);
        EXPECT_EQ(solved.report.status, SolveStatus::diverged)
            << to_string(solved.report.status) << " after " << solved.report.iterations
            << ", residual " << solved.report.relative_residual();
        // In mixed precision it is 621 on a device.
        EXPECT_LT(solved.report.iterations, Lamina::runs_on_host<TEST_SPACE> ? 300 : 1000);
        EXPECT_GT(solved.report.relative_residual(), 1);
        expect_consistent(solved.report);
      }
    }
  }
}

TYPED_TEST(KrylovCriteria, APlanThatSolvesRefusesAnotherSolve) {
  for (const auto& subject : TestFixture::subjects()) {
    SCOPED_TRACE(subject.name);
    // The subject solves by copies of one plan.
    StoppingCriteria criteria{.check_every = 1};
    int refused = 0;
    criteria.on_check = [&](int, double) {
      const auto message = message_of<Lamina::InvalidArgument>([&] { (void)subject(subject.b); });
      refused += message.find("one solve at a time") != std::string::npos;
    };
    const auto solved = subject(subject.b, criteria);
    EXPECT_TRUE(solved.report.converged());
    EXPECT_GT(refused, 0);
    // And is free again afterwards, also where a callback threw.
    criteria.on_check = [](int, double) { throw 1; };
    EXPECT_THROW((void)subject(subject.b, criteria), int);
    EXPECT_TRUE(subject(subject.b).report.converged());
  }
}

// --- The whole range of the precision ---

/// Right-hand sides and all that belongs to them times a power of two.
inline Values times(Values values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

TYPED_TEST(KrylovCriteria, NormsAreSafeOverTheWholeRangeOfThePrecision) {
  constexpr bool is_double = TestFixture::is_double;
  for (const auto& subject : TestFixture::subjects()) {
    double largest = 0;
    for (const double value : subject.b) largest = std::max(largest, std::abs(value));
    const double unit = std::ldexp(1.0, -std::ilogb(largest));
    const Values guess = rounded<typename TypeParam::scalar>(random_values(subject.b.size(), 8));
    for (const int exponent : {is_double ? -990 : -100, is_double ? -664 : -80,
                               is_double ? 664 : 85, is_double ? 990 : 90}) {
      const double factor = std::ldexp(unit, exponent);
      for (const bool from_guess : {false, true}) {
        for (const int check_every : {0, 4}) {
          SCOPED_TRACE(testing::Message() << subject.name << " times " << factor << ", guess "
                                          << from_guess << ", look every " << check_every);
          const Values start = from_guess ? guess : Values(guess.size(), 0.0);
          const StoppingCriteria criteria{.tolerance = 1e-5, .check_every = check_every};
          const auto expected = subject.solve(subject.b, start, criteria);
          const auto solved =
              subject.solve(times(subject.b, factor), times(start, factor), criteria);
          EXPECT_EQ(solved.report.status, SolveStatus::converged);
          EXPECT_EQ(solved.report.iterations, expected.report.iterations);
          EXPECT_NEAR(solved.report.reference_norm / factor, expected.report.reference_norm,
                      1e-6 * expected.report.reference_norm);
          EXPECT_TRUE(all_within(solved.report.residual_history, expected.report.residual_history,
                                 TestFixture::accuracy));
          EXPECT_TRUE(all_within(times(solved.x, 1 / factor), expected.x, TestFixture::accuracy));
        }
      }
    }
  }
}

TYPED_TEST(KrylovCriteria, AFixedCountOrAnInitialResidualOutOfRangeIsScaledToo) {
  constexpr bool is_double = TestFixture::is_double;
  for (const auto& subject : TestFixture::subjects()) {
    for (const double factor : {is_double ? 0x1p-700 : 0x1p-90, is_double ? 0x1p+700 : 0x1p+85}) {
      for (auto criteria : {StoppingCriteria::iterations(5), StoppingCriteria{.tolerance = 1e-3}}) {
        SCOPED_TRACE(testing::Message() << subject.name << " times " << factor);
        criteria.relative_to = Lamina::Reference::initial_residual;
        const auto expected = subject(subject.b, criteria);
        const auto solved = subject(times(subject.b, factor), criteria);
        EXPECT_EQ(solved.report.status, expected.report.status);
        EXPECT_EQ(solved.report.iterations, expected.report.iterations);
        EXPECT_TRUE(all_within(times(solved.x, 1 / factor), expected.x, TestFixture::accuracy));
      }
    }
  }
}

TYPED_TEST(KrylovCriteria, AGuessThatIsWorseThanNoneByTheWholeRangeIsDropped) {
  if (!TestFixture::is_double) GTEST_SKIP() << "single precision has no such range";
  for (const auto& subject : TestFixture::subjects()) {
    const auto expected = subject(subject.b);
    for (const double b_factor : {1.0, 0x1p-700}) {
      for (const double guess_factor : {0x1p+700, 1.0}) {
        if (guess_factor == b_factor) continue;
        SCOPED_TRACE(testing::Message()
                     << subject.name << ": " << b_factor << ", " << guess_factor);
        const Values guess = times(random_values(subject.b.size(), 8), guess_factor);
        const auto solved = subject.solve(times(subject.b, b_factor), guess, {});
        EXPECT_TRUE(solved.report.converged());
        EXPECT_TRUE(all_within(times(solved.x, 1 / b_factor), expected.x, 1e-4));
      }
    }
  }
}

TYPED_TEST(KrylovCriteria, WhatThePrecisionCannotHoldIsNoResult) {
  using Limits = std::numeric_limits<typename TypeParam::scalar>;
  const double tiny = Limits::denorm_min(), huge = Limits::max() / 2, one = 1;
  const double small = std::sqrt(static_cast<double>(Limits::min())), large = 1 / small;
  struct Case {
    double diagonal, b;
    SolveStatus status;
  };
  for (const auto& [diagonal, b, status] :
       {Case{one, tiny, SolveStatus::stagnated}, Case{large, 2 * tiny, SolveStatus::stagnated},
        Case{large, small * small, SolveStatus::stagnated},
        Case{small * small, large, SolveStatus::breakdown_not_finite},
        Case{small, huge, SolveStatus::breakdown_not_finite}}) {
    const Values diagonals{diagonal, 2 * diagonal, 4 * diagonal};
    for (const auto& subject : TestFixture::on_diagonal(diagonals, Values(3, b))) {
      SCOPED_TRACE(testing::Message() << subject.name << ": " << diagonal << " x = " << b);
      if (subject.name == "FusedPcg in mixed precision" && diagonal != 1)
        continue;  // no single precision operator
      EXPECT_EQ(subject(subject.b).report.status, status);
    }
  }
  // A single entry that is not zero, however small it is, is no right-hand side of zero.
  Values b(3, 0.0);
  b[1] = 1000 * tiny;
  for (const auto& subject : TestFixture::on_diagonal({1, 2, 4}, b)) {
    SCOPED_TRACE(subject.name);
    const auto solved = subject(b, {.tolerance = 1e-2});
    EXPECT_TRUE(solved.report.converged());
    EXPECT_EQ(solved.x, (Values{0, 500 * tiny, 0}));
  }
}

// --- Systems without a solution ---

TYPED_TEST(KrylovCriteria, ANeumannProblemWithAMeanDiverges) {
  using Scalar = typename TypeParam::scalar;
  const int size = 100;
  Values b = random_values(size, 3);
  for (double& value : b) value += 0.5;
  const Lamina::Pcg plan(TEST_SPACE(), NeumannSystem<Scalar>{size},
                         Lamina::IdentityPreconditioner());
  const auto neumann = subject<Scalar, typename TypeParam::layout>("Pcg", plan, b, size);
  const auto solved = neumann(rounded<Scalar>(b));
  EXPECT_EQ(solved.report.status, SolveStatus::diverged)
      << to_string(solved.report.status) << ' ' << solved.report.relative_residual();
  EXPECT_LT(solved.report.iterations, 10 * size);
}

/// |r| rises by 1e10 on the way, while the preconditioned residual falls.
TYPED_TEST(KrylovCriteria, ABadlyScaledSystemDoesNotDivergeThatThePreconditionerMends) {
  using Scalar = typename TypeParam::scalar;
  const int size = 60;
  Kokkos::View<Scalar*, Memory> scales("LaminaTest::scales", size);
  const auto host = Kokkos::create_mirror_view(scales);
  for (int i = 0; i < size; ++i) {
    host(i) = static_cast<Scalar>(std::pow(10.0, 12.0 * i / (size - 1)));
  }
  Kokkos::deep_copy(scales, host);
  const BadlyScaledSystem<Scalar> system{scales};
  const Lamina::Pcg plan(TEST_SPACE(), system, system);
  Values b(size, 0.0);
  b[0] = 1;
  const auto scaled = subject<Scalar, typename TypeParam::layout>("Pcg", plan, b, size);
  const auto solved = scaled(b, {.tolerance = 1e-5});
  EXPECT_EQ(solved.report.status, SolveStatus::converged)
      << to_string(solved.report.status) << ' ' << solved.report.relative_residual();
  const auto& history = solved.report.residual_history;
  EXPECT_GT(*std::max_element(history.begin(), history.end()), 1e9) << "a rise to be judged";
  EXPECT_NEAR(solved.x.front(), static_cast<double>(size) / (size + 1), 1e-4);
}

/// Alternating signs are in the kernel of x + (W x - 2 x + E x) / 4.
TYPED_TEST(KrylovCriteria, ASingularPeriodicSystemDiverges) {
  using Scalar = typename TypeParam::scalar;
  const int n = 64;
  const Lamina::FusedPcg plan(TEST_SPACE(), Lamina::PeriodicHelmholtz<Scalar, Memory>(n, -0.25, 0));
  Values b = random_square(n, 3);
  for (int i = 0; i < n * n; ++i) {
    b[static_cast<std::size_t>(i)] += (i / n) % 2 == 0 ? 0.5 : -0.5;
  }
  const auto periodic =
      subject<Scalar, typename TypeParam::layout>("FusedPcg without preconditioner", plan, b, n);
  const auto solved = periodic(b);
  EXPECT_EQ(solved.report.status, SolveStatus::diverged)
      << to_string(solved.report.status) << ' ' << solved.report.relative_residual() << " after "
      << solved.report.iterations;
}

}  // namespace LaminaTest
