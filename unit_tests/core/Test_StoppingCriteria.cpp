// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/core/impl/RequireCriteria.hpp>

#include <gtest/gtest.h>
#include <support/MessageOf.hpp>

#include <limits>
#include <string>

namespace LaminaTest {
namespace {

using Lamina::StoppingCriteria;

std::string refusal(const StoppingCriteria& criteria) {
  return message_of<Lamina::InvalidArgument>(
      [&] { Lamina::Impl::require_criteria("Solver::solve", criteria, 1024); });
}

TEST(StoppingCriteria, IterationsAsksForAFixedCount) {
  const auto criteria = StoppingCriteria::iterations(7);
  EXPECT_EQ(criteria.max_iterations, 7);
  EXPECT_EQ(criteria.tolerance, 0);
  EXPECT_EQ(criteria.absolute_tolerance, 0);
  EXPECT_TRUE(criteria.fixed_count);
}

TEST(StoppingCriteria, AreRelativeToTheRightHandSideUnlessSaidOtherwise) {
  const StoppingCriteria criteria;
  EXPECT_EQ(criteria.relative_to, Lamina::Reference::rhs);
  EXPECT_GT(criteria.tolerance, 0);
  EXPECT_EQ(criteria.absolute_tolerance, 0);
  EXPECT_FALSE(criteria.fixed_count);
  EXPECT_FALSE(criteria.on_check);
  EXPECT_FALSE(criteria.stop_requested);
}

TEST(StoppingCriteria, AreRefusedOutOfRange) {
  const std::string accepted = "nothing was thrown", name = "Lamina::Solver::solve: criteria.";
  EXPECT_EQ(refusal({}), accepted);
  EXPECT_EQ(refusal({.tolerance = 0, .max_iterations = 0, .check_every = 1024}), accepted);
  EXPECT_EQ(refusal({.tolerance = -1}), name + "tolerance: expected a value >= 0, got -1.000000");
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(refusal({.tolerance = nan}), name + "tolerance: expected a value >= 0, got nan");
  EXPECT_EQ(refusal({.absolute_tolerance = infinity}),
            name + "absolute_tolerance: expected a value >= 0, got inf");
  EXPECT_EQ(refusal({.max_iterations = -1}),
            name + "max_iterations: expected a value >= 0, got -1");
  EXPECT_EQ(refusal({.check_every = -1}), name + "check_every: expected 0 to 1024, got -1");
  EXPECT_EQ(refusal({.check_every = 1025}), name + "check_every: expected 0 to 1024, got 1025");
}

}  // namespace
}  // namespace LaminaTest
