// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/DefectCorrection.hpp>
#include <lamina/core/Require.hpp>

#include <blocks/SweepCase.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace LaminaTest {

/// What O is rounded to.
using RoundedTypes = testing::Types<float, Lamina::Half>;

using UserMatrix = Lamina::BlockSparseMatrix<double, double, Memory>;

template <class Type>
class DefectCorrection : public testing::Test {};
TYPED_TEST_SUITE(DefectCorrection, RoundedTypes, OffDiagonalTypeNames);

template <class Type>
Lamina::BlockSparseMatrix<double, Type, Memory> rounded_matrix(const UserMatrix& matrix) {
  const TEST_SPACE space;
  if constexpr (in_half<Type>) {
    return matrix.rounded_to_half(space);
  } else {
    return matrix.rounded_to_float(space);
  }
}

inline double norm_of(const Values& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum);
}

/// A random matrix whose values no storage but double holds, and what solves with it. Vectors on
/// the host are in the twin's numbering.
template <class Type>
struct CorrectionCase {
  using Rounded = Lamina::BlockSparseMatrix<double, Type, Memory>;

  Reference::BlockMatrix twin;
  TEST_SPACE space;
  UserMatrix matrix;
  Lamina::PointImplicitSolver<Rounded> solver;
  Lamina::DefectCorrection<UserMatrix, Rounded> correction;
  Values b;

  CorrectionCase(const Lamina::BlockGraph& graph, int size, double coupling = 1)
      : twin(unrounded(graph, size, coupling)),
        matrix(device_matrix<double>(twin)),
        solver(space, rounded_matrix<Type>(matrix), Lamina::ColourOrdering::greedy(graph)),
        correction(space, matrix, solver),
        b(random_values(static_cast<std::size_t>(size * graph.num_rows()), 99)) {}

  static Reference::BlockMatrix unrounded(const Lamina::BlockGraph& graph, int size,
                                          double coupling) {
    auto a = random_matrix(graph, size);
    for (auto& row : a.off) {
      for (auto& entry : row) {
        for (double& value : entry.block) value *= coupling / 3;
      }
    }
    return a;
  }
  BlockFieldOfTest field(const Values& values, const Padding& padding = {}) const {
    const BlockFieldOfTest user(twin.num_rows(), twin.size, values),
        ordered(twin.num_rows(), twin.size, padding);
    solver.to_colour_order(space, user.const_view(), ordered.view());
    return ordered;
  }
  BlockFieldOfTest zero(const Padding& padding = {}) const {
    return field(Values(b.size(), 0.0), padding);
  }
  /// |b - A x| of the twin.
  double residual(const BlockFieldOfTest& x) const {
    const BlockFieldOfTest user(twin.num_rows(), twin.size);
    solver.from_colour_order(space, x.const_view(), user.view());
    Values r = Reference::multiply(twin, user.get());
    for (std::size_t n = 0; n < r.size(); ++n) r[n] = b[n] - r[n];
    return norm_of(r);
  }
};

TYPED_TEST(DefectCorrection, SolvesTheMatrixThatWasRounded) {
  for (const int size : {1, 2, 5, 8, 17}) {
    const CorrectionCase<TypeParam> c(Lamina::FreudenthalMesh(4, 3, 5).graph(), size);
    for (const SweepDirection direction : all_directions) {
      for (const int every : {0, 3}) {
        Lamina::StoppingCriteria criteria;
        criteria.tolerance = 1e-14;
        criteria.check_every = every;
        const auto b = c.field(c.b, all_padding), x = c.zero(column_padding);
        const auto report = c.correction.solve_in_colour_order(c.space, b.const_view(), x.view(),
                                                               criteria, direction);
        EXPECT_EQ(report.status, Lamina::SolveStatus::converged) << size;
        EXPECT_LE(report.iterations, 36);
        EXPECT_LE(c.residual(x), 2e-14 * norm_of(c.b));
        EXPECT_NEAR(report.reference_norm, norm_of(c.b), 1e-12 * norm_of(c.b));
        EXPECT_TRUE(x.surroundings_untouched());
      }
    }
    // Sweeps alone solve the rounded system, and do not know.
    const auto b = c.field(c.b), x = c.zero();
    Lamina::StoppingCriteria criteria;
    criteria.tolerance = 1e-14;
    EXPECT_TRUE(
        c.solver.solve_in_colour_order(c.space, b.const_view(), x.view(), criteria).converged());
    EXPECT_GT(c.residual(x), 1e-11 * norm_of(c.b));
  }
}

// The one before has nothing to say about the residual that is left: two are those of two solves.
TYPED_TEST(DefectCorrection, BeginsEachCorrectionWithZero) {
  const CorrectionCase<TypeParam> c(Lamina::FreudenthalMesh(4, 3, 5).graph(), 3);
  const auto b = c.field(c.b);
  const auto correct = [&](const BlockFieldOfTest& x, int count) {
    auto criteria = Lamina::StoppingCriteria::iterations(count);
    criteria.check_every = 1;
    const auto report =
        c.correction.solve_in_colour_order(c.space, b.const_view(), x.view(), criteria);
    EXPECT_EQ(report.iterations, count);
  };
  const auto together = c.zero(), apart = c.zero();
  correct(together, 2);
  correct(apart, 1);
  correct(apart, 1);
  EXPECT_GT(norm_of(apart.get()), 0.01 * norm_of(c.b));
  EXPECT_LE(relative_difference(together.get(), apart.get()), 1e-14);
}

TYPED_TEST(DefectCorrection, EndsWhenAskedAndRefusesAnotherSolveUntilThen) {
  const CorrectionCase<TypeParam> c(Lamina::FreudenthalMesh(4, 3, 3).graph(), 5);
  const auto b = c.field(c.b), x = c.zero(), other = c.zero();
  Lamina::StoppingCriteria criteria;
  criteria.tolerance = 1e-14;
  criteria.on_check = [&](int, double) {
    EXPECT_THROW(
        (void)c.correction.solve_in_colour_order(c.space, b.const_view(), other.view(), criteria),
        Lamina::InvalidArgument);
  };
  int looks = 0;
  criteria.stop_requested = [&] { return ++looks == 3; };  // the first one is at the guess
  const auto report =
      c.correction.solve_in_colour_order(c.space, b.const_view(), x.view(), criteria);
  EXPECT_EQ(report.status, Lamina::SolveStatus::interrupted);
  EXPECT_EQ(report.iterations, 2);
  EXPECT_NEAR(report.residual_norm, c.residual(x), 1e-12 * norm_of(c.b));
}

TYPED_TEST(DefectCorrection, ReportsTheResidualOfTheTwin) {
  const CorrectionCase<TypeParam> c(Lamina::FreudenthalMesh(4, 3, 3).graph(), 5);
  const auto b = c.field(c.b), x = c.field(random_values(c.b.size(), 5));
  const double expected = c.residual(x);
  EXPECT_NEAR(c.correction.residual_norm_in_colour_order(c.space, b.const_view(), x.const_view()),
              expected, 1e-12 * expected);
  std::vector<double> looks;
  auto criteria = Lamina::StoppingCriteria::iterations(5);
  criteria.check_every = 2;
  criteria.on_check = [&](int, double residual) { looks.push_back(residual); };
  const auto report =
      c.correction.solve_in_colour_order(c.space, b.const_view(), x.view(), criteria);
  EXPECT_EQ(report.status, Lamina::SolveStatus::completed);
  EXPECT_EQ(report.iterations, 5);
  EXPECT_EQ(report.residual_history, std::vector<double>(looks.begin() + 1, looks.end()));
  EXPECT_NEAR(looks.front(), expected / norm_of(c.b), 1e-12 * looks.front());
  EXPECT_NEAR(report.residual_norm, c.residual(x), 1e-12 * expected);
  EXPECT_NEAR(report.initial_residual_norm, expected, 1e-12 * expected);
}

TYPED_TEST(DefectCorrection, SaysWhyItEnded) {
  const auto graph = Lamina::FreudenthalMesh(3, 3, 3).graph();
  const CorrectionCase<TypeParam> c(graph, 2);
  const auto b = c.field(c.b), zero = c.zero();
  auto x = c.field(c.b);
  auto report = c.correction.solve_in_colour_order(c.space, zero.const_view(), x.view());
  EXPECT_EQ(report.status, Lamina::SolveStatus::converged);
  EXPECT_EQ(x.get(), Values(x.size(), 0.0));
  Lamina::StoppingCriteria criteria;
  criteria.tolerance = 0;
  report = c.correction.solve_in_colour_order(c.space, b.const_view(), x.view(), criteria);
  EXPECT_EQ(report.status, Lamina::SolveStatus::stagnated);
  EXPECT_LT(report.relative_residual(), 1e-14);
  criteria.max_iterations = 2;
  x = c.zero();
  EXPECT_EQ(c.correction.solve_in_colour_order(c.space, b.const_view(), x.view(), criteria).status,
            Lamina::SolveStatus::max_iterations);
  Values bad = c.b;
  bad[5] = std::numeric_limits<double>::quiet_NaN();
  const Values before = x.get();
  EXPECT_EQ(c.correction.solve_in_colour_order(c.space, c.field(bad).const_view(), x.view()).status,
            Lamina::SolveStatus::breakdown_not_finite);
  EXPECT_EQ(x.get(), before);
  criteria.tolerance = -1;
  EXPECT_THROW(
      (void)c.correction.solve_in_colour_order(c.space, b.const_view(), x.view(), criteria),
      Lamina::InvalidArgument);
  const CorrectionCase<TypeParam> strong(graph, 2, 100);
  for (const auto& some : {Lamina::StoppingCriteria{}, Lamina::StoppingCriteria::iterations(40)}) {
    const auto y = strong.zero();
    report = strong.correction.solve_in_colour_order(strong.space, b.const_view(), y.view(), some);
    EXPECT_EQ(report.status, Lamina::SolveStatus::diverged);
    EXPECT_LT(report.iterations, 40);
  }
}

TYPED_TEST(DefectCorrection, LeavesXAloneWhereAPivotIsNotUsable) {
  const auto graph = Lamina::FreudenthalMesh(3, 3, 3).graph();
  auto twin = random_matrix(graph, 2);
  twin.diagonal[7] = Reference::Block(4, 0.0);
  const auto matrix = device_matrix<double>(twin);
  const TEST_SPACE space;
  const Lamina::PointImplicitSolver solver(space, rounded_matrix<TypeParam>(matrix),
                                           Lamina::ColourOrdering::greedy(graph));
  const Lamina::DefectCorrection correction(space, matrix, solver);
  EXPECT_EQ(correction.status(), Lamina::SolveStatus::breakdown_zero_pivot);
  const Values values = random_values(54, 3);
  const BlockFieldOfTest b(27, 2, values), x(27, 2, values);
  const auto report = correction.solve_in_colour_order(space, b.const_view(), x.view());
  EXPECT_EQ(report.status, Lamina::SolveStatus::breakdown_zero_pivot);
  EXPECT_GT(report.residual_norm, 0);
  EXPECT_EQ(x.get(), values);
}

/// Column p of all blocks is written in another unit: then an error that is hardly seen in the
/// residual is large in x.
TYPED_TEST(DefectCorrection, GetsUnknownsOfVeryDifferentUnitsRight) {
  constexpr double units[] = {1e-8, 1, 1e8};
  const auto graph = Lamina::FreudenthalMesh(3, 3, 2).graph();
  auto twin = CorrectionCase<TypeParam>::unrounded(graph, 3, 1);
  const auto in_units = [&](Reference::Block& block) {
    for (std::size_t n = 0; n < block.size(); ++n) block[n] *= units[n / 3];
  };
  for (auto& block : twin.diagonal) in_units(block);
  for (auto& row : twin.off) {
    for (auto& entry : row) in_units(entry.block);
  }
  const auto matrix = device_matrix<double>(twin);
  const TEST_SPACE space;
  const Lamina::PointImplicitSolver solver(space, rounded_matrix<TypeParam>(matrix),
                                           Lamina::ColourOrdering::greedy(graph));
  const Lamina::DefectCorrection correction(space, matrix, solver);
  Values solution = random_values(54, 3);
  for (std::size_t n = 0; n < 54; ++n) solution[n] /= units[n % 3];
  const BlockFieldOfTest user(18, 3, Reference::multiply(twin, solution)), b(18, 3), x(18, 3),
      found(18, 3);
  solver.to_colour_order(space, user.const_view(), b.view());
  Lamina::StoppingCriteria criteria;
  criteria.tolerance = 1e-15;
  EXPECT_EQ(correction.solve_in_colour_order(space, b.const_view(), x.view(), criteria).status,
            Lamina::SolveStatus::converged);
  solver.from_colour_order(space, x.const_view(), found.view());
  Values actual = found.get();
  for (std::size_t n = 0; n < 54; ++n) {
    actual[n] *= units[n % 3];
    solution[n] *= units[n % 3];
  }
  EXPECT_TRUE(all_within(actual, solution, 1e-12));
}

TYPED_TEST(DefectCorrection, StatesItsTraffic) {
  const CorrectionCase<TypeParam> c(Lamina::FreudenthalMesh(4, 4, 4).graph(), 5);
  const double blocks = static_cast<double>(c.matrix.num_blocks());
  const auto cost = c.correction.correction_cost();
  EXPECT_EQ(cost.bytes, blocks * (8 * 25 + 4) + 64 * (8.0 * 25 + 3 * 8 * 5 + 4 + 4 * 8 * 5));
  EXPECT_EQ(cost.flops, 50 * (blocks + 64) + 64 * 5);
}

TYPED_TEST(DefectCorrection, RefusesWhatDoesNotFit) {
  const CorrectionCase<TypeParam> c(Lamina::FreudenthalMesh(3, 3, 3).graph(), 2);
  const auto refuse = [&](const Lamina::BlockGraph& graph, int size) {
    const auto other = device_matrix<double>(random_matrix(graph, size));
    EXPECT_THROW(Lamina::DefectCorrection(c.space, other, c.solver), Lamina::InvalidArgument);
  };
  refuse(Lamina::FreudenthalMesh(3, 3, 2).graph(), 2);
  refuse(Lamina::FreudenthalMesh(3, 3, 3).graph(), 3);
  refuse(Lamina::FreudenthalMesh(27, 1, 1).graph(), 2);
  const BlockFieldOfTest good(27, 2), few(26, 2), wide(27, 3);
  EXPECT_THROW((void)c.correction.solve_in_colour_order(c.space, few.const_view(), good.view()),
               Lamina::InvalidArgument);
  EXPECT_THROW((void)c.correction.solve_in_colour_order(c.space, good.const_view(), wide.view()),
               Lamina::InvalidArgument);
  EXPECT_THROW((void)c.correction.residual_norm_in_colour_order(c.space, wide.const_view(),
                                                                good.const_view()),
               Lamina::InvalidArgument);
}

}  // namespace LaminaTest
