// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/krylov/impl/basis/HessenbergProblem.hpp>
#include <lamina/krylov/impl/basis/KrylovBasis.hpp>

#include <gtest/gtest.h>
#include <reference/Gmres.hpp>
#include <support/Compare.hpp>

#include <cmath>

namespace LaminaTest {
namespace {

TEST(HessenbergProblem, HasTheMinimumOfTheLeastSquaresProblem) {
  Lamina::Impl::HessenbergProblem problem(8);
  Reference::Columns columns;
  for (int twice = 0; twice < 2; ++twice) {  // nothing is left of the first time
    problem.clear();
    columns.clear();
    EXPECT_EQ(problem.residual(), 1);
    for (int j = 0; j < 8; ++j) {
      Values h;
      for (int i = 0; i <= j + 1; ++i)
        h.push_back(std::sin(1.0 + 3 * i + 5 * j) + (i == j ? 2 : 0));
      h.back() = std::abs(h.back());
      problem.append(h.data(), h.back());
      columns.emplace_back(h.begin(), h.end());
      Values expected, y(static_cast<std::size_t>(j + 1));
      const double minimum = Reference::least_squares(columns, 1, expected);
      problem.solve(y.data());
      EXPECT_NEAR(problem.residual(), minimum, 1e-14);
      EXPECT_TRUE(all_within(y, expected, 1e-12));
    }
  }
}

TEST(HessenbergProblem, TellsADependentColumn) {
  Lamina::Impl::HessenbergProblem problem(2);
  const double h[] = {0, 0};
  problem.append(h, 0);
  EXPECT_EQ(problem.last_diagonal(), 0);
  EXPECT_EQ(problem.residual(), 0);
  problem.drop_last();
  EXPECT_EQ(problem.count(), 0);
}

TEST(SquareSums, AreSafeOverTheWholeRange) {
  using Lamina::Impl::SquareSums;
  for (const double factor : {0x1p-1070, 0x1p-1000, 0x1p-500, 1.0, 0x1p500, 0x1p1000, 0x1p1021}) {
    SquareSums sums;
    sums.add(3 * factor);
    sums.add(4 * factor);
    const double values[] = {sums.plain, sums.of_small, sums.of_large};
    EXPECT_NEAR(SquareSums::norm<double>(values) / factor, 5, 1e-14) << factor;
  }
  for (const double bad : {HUGE_VAL, std::nan("")}) {
    SquareSums sums;
    sums.add(bad);
    const double values[] = {sums.plain, sums.of_small, sums.of_large};
    EXPECT_FALSE(std::isfinite(SquareSums::norm<double>(values)));
  }
}

TEST(SquareSums, ScalesAreExactPowersOfTwo) {
  using Lamina::Impl::power_of_two_below;
  EXPECT_EQ(power_of_two_below(1), 1);
  EXPECT_EQ(power_of_two_below(0.99), 0.5);
  EXPECT_EQ(power_of_two_below(1e10), 0x1p33);
  for (const double none : {0.0, 0x1p-1050, HUGE_VAL, std::nan("")}) {
    EXPECT_EQ(power_of_two_below(none), 1);
  }
}

}  // namespace
}  // namespace LaminaTest
