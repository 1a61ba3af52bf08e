// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <gtest/gtest.h>
#include <krylov/PanelProblem.hpp>
#include <support/FieldTypes.hpp>

#include <algorithm>
#include <cmath>

namespace LaminaTest {

using Lamina::RightHandSide;

/// Counts that differ by one at most and histories that differ by 1e-9 at most where both have
/// entries.
inline void expect_equivalent(const Solved& actual, const Solved& expected, const char* name) {
  SCOPED_TRACE(name);
  EXPECT_TRUE(actual.report.converged());
  EXPECT_NEAR(actual.report.iterations, expected.report.iterations, 1);
  const auto size =
      std::min(actual.report.residual_history.size(), expected.report.residual_history.size());
  EXPECT_TRUE(all_within(first_entries(actual.report.residual_history, size),
                         first_entries(expected.report.residual_history, size), 1e-9,
                         Values(size, 1.0)));
}

template <class Type>
class SolversInDouble : public testing::Test {};
TYPED_TEST_SUITE(SolversInDouble, DoubleFieldTypes, FieldTypeNames);

TYPED_TEST(SolversInDouble, AgreeInIterationsAndHistory) {
  using Problem = PanelProblem<double, typename TypeParam::layout>;
  for (const auto [size, levels] : {PanelSize{5, 3}, {17, 33}, {32, 16}, {24, 128}}) {
    for (const auto rhs : {RightHandSide::constant, RightHandSide::smooth, RightHandSide::rough}) {
      SCOPED_TRACE(testing::Message() << size << " columns a side, " << levels
                                      << " levels, right-hand side " << static_cast<int>(rhs));
      const Problem problem(size, levels, rhs);
      const auto plain = problem.plain();
      EXPECT_TRUE(plain.report.converged());
      expect_equivalent(problem.fused(), plain, "fused");
      expect_equivalent(problem.stored(), plain, "stored");
      expect_equivalent(problem.csr(), plain, "csr");
    }
  }
}

TYPED_TEST(SolversInDouble, HistoryOfAConstantDoesNotDependOnLevelsOrDepth) {
  using Problem = PanelProblem<double, typename TypeParam::layout>;
  const auto expected = Problem(32, 1, RightHandSide::constant).fused();
  for (const int levels : {2, 7, 33, 128}) {
    for (const double depth : {0.00157, 0.0157, 1.0}) {
      SCOPED_TRACE(testing::Message() << levels << " levels, depth " << depth);
      const Problem problem(32, levels, RightHandSide::constant, depth);
      const auto solved = problem.fused();
      expect_equivalent(solved, expected, "fused");
      expect_equivalent(problem.plain(), expected, "plain");
      // Its solution is the constant 1.
      EXPECT_LT(relative_difference(solved.x, Values(solved.x.size(), 1.0)), 1e-4);
    }
  }
}

TYPED_TEST(SolversInDouble, ThePapersGridTakesTheHundredIterationsOfThePaper) {
  // 2 levels stand for 128: the history does not depend on them.
  using Problem = PanelProblem<double, typename TypeParam::layout>;
  const auto constant = Problem(256, 2, RightHandSide::constant).fused();
  EXPECT_TRUE(constant.report.converged());
  EXPECT_NEAR(constant.report.iterations, 100, 1);
  const auto smooth = Problem(256, 2, RightHandSide::smooth).fused();
  const auto rough = Problem(256, 2, RightHandSide::rough).fused();
  EXPECT_GT(smooth.report.iterations, constant.report.iterations);
  EXPECT_LT(rough.report.iterations, constant.report.iterations);
  this->RecordProperty("iterations_constant", constant.report.iterations);
  this->RecordProperty("iterations_smooth", smooth.report.iterations);
  this->RecordProperty("iterations_rough", rough.report.iterations);
}

}  // namespace LaminaTest
