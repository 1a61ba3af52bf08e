// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/impl/ResidualTrend.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace {

using Lamina::SolveStatus;
using Lamina::Impl::ResidualTrend;

struct Verdict {
  SolveStatus status = SolveStatus::completed;  ///< completed: none
  int looks = 0;
};

/// The first verdict over residual(0), residual(1), ...; the reference is 1.
Verdict judge(const std::function<double(int)>& residual, int window, int looks = 100000,
              int patience = 1) {
  ResidualTrend trend(1, window, patience);
  for (int n = 0; n < looks; ++n) {
    if (const auto status = trend.look(residual(n))) return {*status, n + 1};
  }
  return {SolveStatus::completed, looks};
}

TEST(ResidualTrend, LetsSlowConvergenceGoOnThatBeginsAboveTheReference) {
  const auto slow = judge([](int n) { return 3 * std::pow(0.9999, n); }, 50);
  EXPECT_EQ(slow.status, SolveStatus::completed);
}

TEST(ResidualTrend, CallsAResidualStagnatedThatNoLongerFalls) {
  const auto rounding = judge([](int n) { return n < 30 ? std::pow(0.5, n) : 1e-9; }, 50);
  EXPECT_EQ(rounding.status, SolveStatus::stagnated);
  EXPECT_LE(rounding.looks, 150);
}

TEST(ResidualTrend, CallsGrowthDivergenceWhetherFastOrSlow) {
  const auto fast = judge([](int n) { return std::pow(17.0, n); }, 50);
  EXPECT_EQ(fast.status, SolveStatus::diverged);
  EXPECT_LE(fast.looks, 8);
  const auto slow = judge([](int n) { return std::pow(1.05, n); }, 50);
  EXPECT_EQ(slow.status, SolveStatus::diverged);
  EXPECT_LE(slow.looks, 100);
}

TEST(ResidualTrend, WaitsForWhatIsCarriedAcrossAMesh) {
  const auto transport = [](int n) { return n < 600 ? 1 : std::pow(0.1, n - 600); };
  EXPECT_EQ(judge(transport, 50, 700).status, SolveStatus::stagnated);
  EXPECT_EQ(judge(transport, 50, 700, 20).status, SolveStatus::completed);
  const auto idle = judge([](int) { return 1.0; }, 50, 100000, 20);
  EXPECT_EQ(idle.status, SolveStatus::stagnated);
  EXPECT_LE(idle.looks, 50 * 21);
}

TEST(ResidualTrend, TakesATransientRiseForWhatItIs) {
  const auto transient = [](int n) { return n < 20 ? std::pow(2.0, n) : std::pow(2.0, 40 - n); };
  EXPECT_EQ(judge(transient, 50, 1000).status, SolveStatus::completed);
}

TEST(ResidualTrend, TakesABreakdownAfterGrowthForDivergence) {
  constexpr SolveStatus breakdown = SolveStatus::breakdown_indefinite;
  ResidualTrend trend(1);
  EXPECT_EQ(trend.at_breakdown(breakdown, -1, 1), breakdown);
  (void)trend.look(2e-2);
  (void)trend.look(0.9);
  EXPECT_EQ(trend.at_breakdown(breakdown, -1e-9, 1), breakdown) << "below the reference";
  (void)trend.look(1.1);
  EXPECT_EQ(trend.at_breakdown(breakdown, -1, 1), breakdown);
  EXPECT_EQ(trend.at_breakdown(breakdown, -1e-9, 1), SolveStatus::diverged) << "rounding";
  EXPECT_EQ(trend.at_breakdown(breakdown, -1e-9, 0), breakdown) << "measured, not computed";
  (void)trend.look(2.5);
  EXPECT_EQ(trend.at_breakdown(breakdown, -1, 1), SolveStatus::diverged) << "grown";
  ResidualTrend below(1);  // beyond the accuracy that the precision allows
  (void)below.look(1e-20);
  (void)below.look(1e-9);
  EXPECT_EQ(below.at_breakdown(breakdown, -1e-9, 1), breakdown);
}

TEST(ResidualTrend, LooksForDivergenceAloneWithoutAWindow) {
  EXPECT_EQ(judge([](int) { return 0.5; }, 0).status, SolveStatus::completed);
  EXPECT_EQ(judge([](int n) { return std::pow(1.1, n); }, 0).status, SolveStatus::diverged);
}

TEST(ResidualTrend, DoesNotTakeNoiseBelowTheReferenceForDivergence) {
  const auto noise = [](int n) { return n % 2 == 0 ? 1e-30 : 1e-17; };
  EXPECT_EQ(judge(noise, 0).status, SolveStatus::completed);
}

}  // namespace
