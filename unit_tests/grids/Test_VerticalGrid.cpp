// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/grids/VerticalGrid.hpp>

#include <gtest/gtest.h>
#include <support/MessageOf.hpp>

#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace {

using Lamina::VerticalGrid;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

TEST(VerticalGrid, GradedLevelsGrowFromTheGround) {
  const auto grid = VerticalGrid::graded(4, 0.16);
  ASSERT_EQ(grid.num_levels(), 4);
  ASSERT_EQ(grid.interfaces().size(), 5u);
  const double expected[] = {1, 1.01, 1.04, 1.09, 1.16};
  for (std::size_t k = 0; k < 5; ++k) EXPECT_NEAR(grid.interfaces()[k], expected[k], 2 * epsilon);
  for (std::size_t k = 0; k < 4; ++k) {
    EXPECT_NEAR(grid.thicknesses()[k], (2.0 * k + 1) * 0.01, epsilon * 0.1);
  }
}

TEST(VerticalGrid, ThicknessesOfThinLevelsKeepTheirDigits) {
  // The lowest level is 1e-3 / 1000^2 = 1e-9: as a difference of interfaces it would have 7 digits.
  const int n = 1000;
  const double depth = 1e-3;
  const auto grid = VerticalGrid::graded(n, depth);
  for (int k = 0; k < n; ++k) {
    const double exact =
        static_cast<double>((2.0L * k + 1) * depth / (static_cast<long double>(n) * n));
    EXPECT_NEAR(grid.thicknesses()[static_cast<std::size_t>(k)], exact, 4 * epsilon * exact);
  }
}

TEST(VerticalGrid, UniformLevelsAreEqual) {
  const auto grid = VerticalGrid::uniform(5, 0.1);
  ASSERT_EQ(grid.num_levels(), 5);
  for (const double thickness : grid.thicknesses()) EXPECT_NEAR(thickness, 0.02, epsilon * 0.1);
  for (std::size_t k = 0; k <= 5; ++k) {
    EXPECT_NEAR(grid.interfaces()[k], 1 + 0.02 * static_cast<double>(k), 2 * epsilon);
  }
}

TEST(VerticalGrid, TakesInterfacesOfTheUser) {
  const auto grid = VerticalGrid::from_interfaces({2, 2.5, 4});
  ASSERT_EQ(grid.num_levels(), 2);
  EXPECT_EQ(grid.thicknesses()[0], 0.5);
  EXPECT_EQ(grid.thicknesses()[1], 1.5);
  EXPECT_NEAR(grid.volume(0), (2.5 * 2.5 * 2.5 - 8) / 3, 8 * epsilon);
  EXPECT_NEAR(grid.volume(1), (64 - 2.5 * 2.5 * 2.5) / 3, 64 * epsilon);
}

TEST(VerticalGrid, LevelsAboveAPlaneHaveTheirThicknessesForVolumes) {
  using Lamina::VerticalMetric;
  for (const int n : {1, 2, 7, 128}) {
    for (const auto& grid : {VerticalGrid::graded(n, 3000, VerticalMetric::flat),
                             VerticalGrid::uniform(n, 3000, VerticalMetric::flat)}) {
      EXPECT_EQ(grid.metric(), VerticalMetric::flat);
      EXPECT_EQ(grid.interfaces().front(), 0);
      EXPECT_NEAR(grid.interfaces().back(), 3000, 3000 * epsilon);
      double sum = 0;
      for (int k = 0; k < n; ++k) {
        EXPECT_EQ(grid.volume(k), grid.thicknesses()[static_cast<std::size_t>(k)]);
        sum += grid.volume(k);
      }
      for (int k = 0; k <= n; ++k) EXPECT_EQ(grid.interface_area(k), 1);
      EXPECT_NEAR(sum, 3000, 3000 * epsilon * n) << n;
    }
  }
  EXPECT_EQ(VerticalGrid::uniform(3, 0.1).metric(), VerticalMetric::shell);
  EXPECT_EQ(VerticalGrid::from_interfaces({2, 3}).interface_area(1), 9);
}

TEST(VerticalGrid, TakesDepthsOfAnOcean) {
  const auto grid =
      VerticalGrid::from_interfaces({-4000, -1000, -100, 0}, Lamina::VerticalMetric::flat);
  ASSERT_EQ(grid.num_levels(), 3);
  EXPECT_EQ(grid.thicknesses(), (std::vector<double>{3000, 900, 100}));
  EXPECT_EQ(grid.volume(0), 3000);
  EXPECT_THROW(VerticalGrid::from_interfaces({-4000, -1000, 0}), Lamina::InvalidArgument);
  const double largest = std::numeric_limits<double>::max(), nan = std::nan("");
  for (const auto& bad : {std::vector<double>{0, -1},
                          {0, 0},
                          {-largest, largest},
                          {nan, 1},
                          {0, nan},
                          {0, 1, HUGE_VAL},
                          {-HUGE_VAL, 0}}) {
    EXPECT_THROW(VerticalGrid::from_interfaces(bad, Lamina::VerticalMetric::flat),
                 Lamina::InvalidArgument);
  }
}

TEST(VerticalGrid, VolumesAddUpToTheShell) {
  for (const int n : {1, 2, 3, 7, 33, 128}) {
    for (const auto& grid : {VerticalGrid::graded(n, 0.0157), VerticalGrid::uniform(n, 0.0157)}) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += grid.volume(k);
      const long double top = 1.0157L;
      const double exact = static_cast<double>((top * top * top - 1) / 3);
      EXPECT_NEAR(sum, exact, 4 * epsilon * n * exact) << n;
    }
  }
}

TEST(VerticalGrid, RefusesWhatIsNotAGrid) {
  const double infinity = std::numeric_limits<double>::infinity(), nan = infinity * 0;
  using Lamina::InvalidArgument;
  EXPECT_THROW(VerticalGrid::graded(0, 0.1), InvalidArgument);
  EXPECT_THROW(VerticalGrid::graded(-1, 0.1), InvalidArgument);
  EXPECT_THROW(VerticalGrid::graded(3, 0), InvalidArgument);
  EXPECT_THROW(VerticalGrid::graded(3, nan), InvalidArgument);
  EXPECT_THROW(VerticalGrid::uniform(0, 0.1), InvalidArgument);
  EXPECT_THROW(VerticalGrid::uniform(3, infinity), InvalidArgument);
  EXPECT_THROW(VerticalGrid::from_interfaces({}), InvalidArgument);
  EXPECT_THROW(VerticalGrid::from_interfaces({1}), InvalidArgument);
  EXPECT_THROW(VerticalGrid::from_interfaces({0, 1}), InvalidArgument);
  EXPECT_THROW(VerticalGrid::from_interfaces({1, 2, 2}), InvalidArgument);
  EXPECT_THROW(VerticalGrid::from_interfaces({1, 2, nan}), InvalidArgument);
  EXPECT_THROW(VerticalGrid::from_interfaces({1, infinity}), InvalidArgument);
}

TEST(VerticalGrid, RefusesADepthTooSmallForItsInterfacesToDiffer) {
  EXPECT_THROW(VerticalGrid::uniform(128, 1e-16), Lamina::InvalidArgument);
  EXPECT_THROW(VerticalGrid::graded(128, 1e-16), Lamina::InvalidArgument);
}

TEST(VerticalGrid, SaysWhichInterfaceIsWrong) {
  const auto message = LaminaTest::message_of<Lamina::InvalidArgument>([] {
    VerticalGrid::from_interfaces({1, 3, 2});
  });
  EXPECT_NE(message.find("at interface 2"), std::string::npos) << message;
  EXPECT_NE(message.find("strictly increasing"), std::string::npos) << message;
}

}  // namespace
