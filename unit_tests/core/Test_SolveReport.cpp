// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/SolveReport.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace {

using Lamina::SolveReport;
using Lamina::SolveStatus;

TEST(SolveReport, StatusesHaveTheNamesOfTheJsonFiles) {
  EXPECT_EQ(to_string(SolveStatus::converged), "converged");
  EXPECT_EQ(to_string(SolveStatus::max_iterations), "max_iterations");
  EXPECT_EQ(to_string(SolveStatus::completed), "completed");
  EXPECT_EQ(to_string(SolveStatus::breakdown_indefinite), "breakdown_indefinite");
  EXPECT_EQ(to_string(SolveStatus::breakdown_zero_pivot), "breakdown_zero_pivot");
  EXPECT_EQ(to_string(SolveStatus::breakdown_not_finite), "breakdown_not_finite");
  EXPECT_EQ(to_string(SolveStatus::stagnated), "stagnated");
  EXPECT_EQ(to_string(SolveStatus::diverged), "diverged");
  EXPECT_EQ(to_string(SolveStatus::interrupted), "interrupted");
  EXPECT_EQ(to_string(SolveStatus::inconsistent), "inconsistent");
}

TEST(SolveReport, RelativeResidualIsAQuotientAndZeroForAZeroReference) {
  SolveReport report;
  report.reference_norm = 4;
  report.residual_norm = 1;
  EXPECT_EQ(report.relative_residual(), 0.25);
  report.reference_norm = 0;
  EXPECT_EQ(report.relative_residual(), 0);
  report.reference_norm = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(report.relative_residual()));
}

TEST(SolveReport, SucceedsWhenConvergedOrCompletedOnly) {
  SolveReport report;
  for (const auto status : {SolveStatus::max_iterations, SolveStatus::breakdown_indefinite,
                            SolveStatus::breakdown_zero_pivot, SolveStatus::breakdown_not_finite,
                            SolveStatus::stagnated, SolveStatus::diverged, SolveStatus::interrupted,
                            SolveStatus::inconsistent}) {
    report.status = status;
    EXPECT_FALSE(report.succeeded()) << to_string(status);
    EXPECT_FALSE(report.converged()) << to_string(status);
  }
  report.status = SolveStatus::completed;
  EXPECT_TRUE(report.succeeded());
  EXPECT_FALSE(report.converged());
  report.status = SolveStatus::converged;
  EXPECT_TRUE(report.succeeded());
  EXPECT_TRUE(report.converged());
}

}  // namespace
