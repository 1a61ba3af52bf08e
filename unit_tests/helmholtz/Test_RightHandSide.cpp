// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/helmholtz/RightHandSide.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>
#include <reference/Hash.hpp>

#include <cmath>
#include <limits>

namespace {

using Lamina::CubedSpherePanel;
using Lamina::RightHandSide;
constexpr double pi = 3.14159265358979323846;

TEST(RightHandSide, HashIsThatOfTheTwin) {
  for (const std::uint64_t index : {0ull, 1ull, 2ull, 12345ull, 1ull << 40, ~0ull}) {
    EXPECT_EQ(Lamina::unit_hash(index), Reference::unit_value(index)) << index;
  }
}

TEST(RightHandSide, HashIsBroadbandWithinItsRange) {
  double sum = 0, squares = 0;
  const int count = 100000;
  for (int i = 0; i < count; ++i) {
    const double value = Lamina::unit_hash(static_cast<std::uint64_t>(i));
    ASSERT_GE(value, -1);
    ASSERT_LT(value, 1);
    sum += value;
    squares += value * value;
  }
  // Mean 0 and variance 1/3, within four standard deviations of their estimates.
  EXPECT_NEAR(sum / count, 0, 4 * std::sqrt(1.0 / 3 / count));
  EXPECT_NEAR(squares / count, 1.0 / 3, 4 * std::sqrt(4.0 / 45 / count));
}

TEST(RightHandSide, ValuesAreThoseOfTheirFormulas) {
  const CubedSpherePanel panel(4, 6);
  const int num_levels = 5;
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 6; ++j) {
      for (int k = 0; k < num_levels; ++k) {
        const double x = (2 * i + 1) / 4.0 - 1, y = (2 * j + 1) / 6.0 - 1,
                     z = (k + 0.5) / num_levels;
        const double smooth =
            1 + std::sin(pi * x) * std::cos(0.5 * pi * y) * std::cos(pi * z) + 0.5 * x * y;
        EXPECT_EQ(rhs_value(RightHandSide::constant, panel, num_levels, i, j, k), 1);
        EXPECT_NEAR(rhs_value(RightHandSide::smooth, panel, num_levels, i, j, k), smooth, 1e-14);
        EXPECT_EQ(rhs_value(RightHandSide::rough, panel, num_levels, i, j, k),
                  Reference::unit_value(static_cast<std::uint64_t>(num_levels * (6 * i + j) + k)));
      }
    }
  }
}

TEST(RightHandSide, IntegralsHaveTheAreaAndVolumeAndDoNotDependOnTheLayout) {
  const CubedSpherePanel panel(3, 2);
  const auto grid = Lamina::VerticalGrid::graded(4, 0.3);
  const Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace> left("left", 6, 4);
  const Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace> right("right", 6, 4);
  for (const auto rhs : {RightHandSide::constant, RightHandSide::smooth, RightHandSide::rough}) {
    fill_rhs(rhs, panel, grid, left);
    fill_rhs(rhs, panel, grid, right);
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 2; ++j) {
        for (int k = 0; k < 4; ++k) {
          const double expected =
              panel.area(i, j) * grid.volume(k) * rhs_value(rhs, panel, 4, i, j, k);
          EXPECT_NEAR(left(2 * i + j, k), expected, 1e-15);
          EXPECT_EQ(right(2 * i + j, k), static_cast<float>(left(2 * i + j, k)));
        }
      }
    }
  }
}

}  // namespace
