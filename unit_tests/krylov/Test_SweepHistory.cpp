// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/krylov/SweepHistory.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace {

using Lamina::SolveReport;
using Lamina::SolveStatus;
using Lamina::StoppingCriteria;

/// Sweeps that leave residual(0), residual(1), ...; |b| is 1.
SolveReport report_of(const StoppingCriteria& criteria,
                      const std::function<double(int)>& residual) {
  Lamina::SweepHistory history("Test", criteria);
  int sweeps = 0;
  EXPECT_TRUE(history.start(1));
  return Lamina::sweep_to_the_end(
      history, [&] { return residual(sweeps); }, [&](int count) { sweeps += count; });
}

TEST(SweepHistory, LetsSweepsConvergeThatTakeThousands) {
  StoppingCriteria criteria;
  criteria.max_iterations = 50000;
  const auto report = report_of(criteria, [](int n) { return std::pow(0.9985, n); });
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_EQ(report.iterations, 7670);
}

TEST(SweepHistory, FindsDivergenceHoweverSeldomItLooks) {
  const auto growing = [](int n) { return std::pow(17.0, n); };
  for (const bool fixed : {false, true}) {
    for (const int every : {0, 1, 7, 49, 50, 60}) {
      StoppingCriteria criteria = StoppingCriteria::iterations(50);
      criteria.fixed_count = fixed;
      criteria.check_every = every;
      const auto report = report_of(criteria, growing);
      EXPECT_EQ(report.status, SolveStatus::diverged) << fixed << every;
      if (every <= 1) {
        EXPECT_EQ(report.iterations, 8);
      }
      if (every == 7) {
        EXPECT_EQ(report.iterations, 14);
      }
    }
  }
}

TEST(SweepHistory, AFewSweepsThatRaiseTheResidualAreNoDivergence) {
  const auto rising = [](int n) { return n == 0 ? 1 : 1e7 * std::pow(0.5, n); };
  EXPECT_EQ(report_of(StoppingCriteria::iterations(1), rising).status, SolveStatus::completed);
  EXPECT_EQ(report_of({}, rising).status, SolveStatus::converged);
}

TEST(SweepHistory, ToleranceRefersToWhatTheCriteriaSay) {
  StoppingCriteria criteria;
  criteria.tolerance = 1e-3;
  const auto falling = [](int n) { return 1e-2 * std::pow(0.0625, n); };  // a good guess
  auto report = report_of(criteria, falling);
  EXPECT_EQ(report.iterations, 1);
  EXPECT_EQ(report.reference_norm, 1);
  EXPECT_EQ(report.initial_residual_norm, 1e-2);
  criteria.relative_to = Lamina::Reference::initial_residual;
  report = report_of(criteria, falling);
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_EQ(report.iterations, 3);
  EXPECT_EQ(report.reference_norm, 1e-2);
  EXPECT_EQ(report.residual_history.front(), 0.0625);
}

TEST(SweepHistory, StagnatesWhereSweepsNoLongerHelp) {
  StoppingCriteria criteria;
  criteria.tolerance = 0;
  for (const int every : {1, 3}) {
    criteria.check_every = every;
    const auto report =
        report_of(criteria, [](int n) { return std::max(std::pow(0.1, n), 1e-15); });
    EXPECT_EQ(report.status, SolveStatus::stagnated);
    EXPECT_EQ(report.residual_norm, 1e-15);
  }
}

}  // namespace
