// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <gtest/gtest.h>
#include <krylov/PanelProblem.hpp>
#include <poisson/PoissonCase.hpp>
#include <support/FieldTypes.hpp>

namespace LaminaTest {

/// Solves by `solve(criteria)` and asks for the end after some looks. Expects the end within one more
/// iteration, and the result of a solve that may take so many iterations and no more.
template <class Solve>
void expect_to_stop_when_asked(const char* name, const Solve& solve) {
  for (const int check_every : {1, 3}) {
    for (const int asked_at : {1, 2, 5, 6}) {  // odd and even counts: updates may come in pairs
      SCOPED_TRACE(testing::Message() << name << ": asked at look " << asked_at << " of every "
                                      << check_every << " iterations");
      Lamina::StoppingCriteria criteria{.tolerance = 1e-6, .check_every = check_every};
      int looks = 0;
      criteria.stop_requested = [&] { return ++looks >= asked_at; };
      const auto stopped = solve(criteria);
      EXPECT_EQ(stopped.report.status, Lamina::SolveStatus::interrupted);
      EXPECT_FALSE(stopped.report.succeeded());
      EXPECT_EQ(looks, asked_at);
      EXPECT_LE(stopped.report.iterations, asked_at * check_every);
      EXPECT_GT(stopped.report.iterations, (asked_at - 1) * check_every - 1);

      const auto limited = solve({.tolerance = 1e-6,
                                  .max_iterations = stopped.report.iterations,
                                  .check_every = check_every});
      EXPECT_EQ(limited.report.status, Lamina::SolveStatus::max_iterations);
      EXPECT_EQ(stopped.report.residual_history.size(), limited.report.residual_history.size());
      EXPECT_TRUE(all_within(stopped.x, limited.x, 1e-4));
    }
  }
}

template <class Type>
class StopRequest : public testing::Test {};
TYPED_TEST_SUITE(StopRequest, FieldTypes, FieldTypeNames);

TYPED_TEST(StopRequest, EndsASolveWithTheIterateThatIsReported) {
  const PanelProblem<typename TypeParam::scalar, typename TypeParam::layout> problem(
      24, 5, Lamina::RightHandSide::rough);
  expect_to_stop_when_asked(
      "Pcg", [&](const Lamina::StoppingCriteria& criteria) { return problem.plain(criteria); });
  expect_to_stop_when_asked("FusedPcg", [&](const Lamina::StoppingCriteria& criteria) {
    return problem.fused(criteria);
  });
  expect_to_stop_when_asked("FusedPcgStored", [&](const Lamina::StoppingCriteria& criteria) {
    return problem.stored(criteria);
  });
  expect_to_stop_when_asked(
      "Gmres", [&](const Lamina::StoppingCriteria& criteria) { return problem.gmres(criteria); });
  if constexpr (std::is_same_v<typename TypeParam::scalar, double>) {
    expect_to_stop_when_asked(
        "FusedPcg in mixed precision",
        [&](const Lamina::StoppingCriteria& criteria) { return problem.mixed(criteria); });
  }
}

TYPED_TEST(StopRequest, EndsASolveOfUpdatesInPairs) {
  using Case = PoissonCase<typename TypeParam::scalar, typename TypeParam::layout>;
  const int n = 33;
  const Values b = rounded<typename TypeParam::scalar>(random_square(n, 7));
  expect_to_stop_when_asked(
      "FusedPcg without preconditioner", [&](const Lamina::StoppingCriteria& criteria) {
        return Case::solve(Case::fused(typename Case::Operator(n)), n, b, criteria);
      });
}

TYPED_TEST(StopRequest, ComesTooLateForASolveThatHasEnded) {
  const PanelProblem<typename TypeParam::scalar, typename TypeParam::layout> problem(
      8, 3, Lamina::RightHandSide::smooth);
  Lamina::StoppingCriteria criteria{.max_iterations = 4, .check_every = 1};
  criteria.stop_requested = [] { return true; };
  EXPECT_EQ(problem.fused(criteria).report.iterations, 1);
  criteria.max_iterations = 0;
  EXPECT_EQ(problem.fused(criteria).report.status, Lamina::SolveStatus::max_iterations);
}

}  // namespace LaminaTest
