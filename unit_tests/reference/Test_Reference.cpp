// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The twins themselves, on systems small enough to check by hand.

#include <gtest/gtest.h>
#include <reference/ConjugateGradients.hpp>
#include <reference/Hash.hpp>
#include <reference/LinePreconditioner.hpp>
#include <reference/Tridiagonal.hpp>

namespace {

using Reference::Values;

TEST(Reference, ThomasSolvesASystemCheckedByHand) {
  // 2 -1 0; -1 2 -1; 0 -1 2 times (1, 2, 3) is (0, 0, 4).
  const auto x = Reference::thomas<double>({0, -1, -1}, {2, 2, 2}, {-1, -1, 0}, {0, 0, 4});
  ASSERT_EQ(x.size(), 3u);
  EXPECT_NEAR(x[0], 1, 1e-15);
  EXPECT_NEAR(x[1], 2, 1e-15);
  EXPECT_NEAR(x[2], 3, 1e-15);
}

TEST(Reference, CyclicThomasSolvesSystemsCheckedByHand) {
  // 4 2 1; 1 5 2; 3 1 6 times (1, 2, 3) is (11, 17, 23).
  const auto x = Reference::cyclic_thomas<double>({1, 1, 1}, {4, 5, 6}, {2, 2, 3}, {11, 17, 23});
  ASSERT_EQ(x.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(x[k], static_cast<double>(k) + 1, 1e-14);
  // 4 3; 3 5 times (1, 2) is (10, 13): both neighbours are the other level.
  const auto two = Reference::cyclic_thomas<double>({1, 2}, {4, 5}, {2, 1}, {10, 13});
  EXPECT_NEAR(two[0], 1, 1e-14);
  EXPECT_NEAR(two[1], 2, 1e-14);
  EXPECT_EQ(Reference::cyclic_thomas<double>({1}, {4}, {3}, {16})[0], 2);
}

TEST(Reference, Splitmix64GivesThePublishedSequence) {
  // First outputs of the generator seeded with 0, from its author's program.
  EXPECT_EQ(Reference::splitmix64(0), 0xE220A8397B1DCDAFu);
  EXPECT_EQ(Reference::splitmix64(1), 0x6E789E6AA1B965F4u);
  EXPECT_EQ(Reference::splitmix64(2), 0x06C45D188009454Fu);
}

TEST(Reference, MatrixOfOneCellIsItsVolume) {
  const auto horizontal = Reference::panel(1, 1, false);
  const auto vertical = Reference::graded(1, 0.5, 0.1, 0.2);
  const auto matrix = Reference::helmholtz_matrix(horizontal, vertical);
  ASSERT_EQ(matrix.rows.size(), 1u);
  const double area = 4 * std::acos(-1.0) / 6, volume = (1.5 * 1.5 * 1.5 - 1) / 3;
  EXPECT_NEAR(matrix.at(0, 0), area * volume, 1e-15);
}

TEST(Reference, BothConjugateGradientsSolveATwoByTwoSystemInTwoSteps) {
  // 4 1; 1 3 times (1/11, 7/11) is (1, 2), a common textbook example.
  const auto apply = [](const Values& x) { return Values{4 * x[0] + x[1], x[0] + 3 * x[1]}; };
  const auto identity = [](const Values& r) { return r; };
  const Values b{1, 2}, start{2, 1};
  const auto standard = Reference::pcg(apply, identity, b, start, 1e-12, 10);
  const auto interleaved = Reference::interleaved_pcg(apply, identity, b, start, 1e-12, 10);
  EXPECT_EQ(standard.iterations, 2);
  EXPECT_EQ(interleaved.iterations, 2);
  for (const auto* solution : {&standard, &interleaved}) {
    EXPECT_NEAR(solution->x[0], 1.0 / 11, 1e-14);
    EXPECT_NEAR(solution->x[1], 7.0 / 11, 1e-14);
    EXPECT_NEAR(solution->history[0], std::sqrt(73.0 / 5), 1e-15 * 4);
  }
}

}  // namespace
