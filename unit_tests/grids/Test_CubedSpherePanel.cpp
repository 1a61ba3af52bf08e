// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/grids/CubedSpherePanel.hpp>

#include <gtest/gtest.h>
#include <reference/Horizontal.hpp>
#include <support/Compare.hpp>
#include <support/MessageOf.hpp>

#include <map>
#include <numeric>
#include <utility>

namespace {

using Lamina::CubedSpherePanel;
using Lamina::PanelEdge;

constexpr double pi = 3.14159265358979323846;
constexpr double epsilon = std::numeric_limits<double>::epsilon();

struct Size {
  int x, y;
};
constexpr Size sizes[] = {{1, 1},   {2, 2}, {3, 3}, {5, 5}, {17, 17},
                          {64, 64}, {1, 4}, {5, 1}, {3, 7}, {64, 5}};

TEST(CubedSpherePanel, AreasAddUpToASixthOfTheSphere) {
  for (const auto [nx, ny] : sizes) {
    const auto areas = CubedSpherePanel(nx, ny).graph().areas;
    const double sum = std::accumulate(areas.begin(), areas.end(), 0.0);
    // Each area is a sum of four terms of size 1 at most, whose roundings are independent.
    EXPECT_NEAR(sum, 4 * pi / 6, 4 * epsilon * std::sqrt(4.0 * nx * ny) + 4 * epsilon)
        << nx << " x " << ny;
  }
}

TEST(CubedSpherePanel, GeometryAgreesWithTheFormulas) {
  for (const auto [nx, ny] : sizes) {
    for (const bool dirichlet : {false, true}) {
      SCOPED_TRACE(testing::Message() << nx << " x " << ny << (dirichlet ? " dirichlet" : ""));
      const auto expected = Reference::panel(nx, ny, dirichlet);
      const CubedSpherePanel panel(nx, ny);
      const auto graph = panel.graph(dirichlet ? PanelEdge::dirichlet : PanelEdge::zero_flux);
      EXPECT_EQ(graph.num_owned, nx * ny);
      // Terms of size 1 cancel in an area: the error is absolute.
      EXPECT_TRUE(LaminaTest::all_within(panel.areas(), expected.area, 16 * epsilon,
                                         LaminaTest::Values(expected.area.size(), 1)));
      EXPECT_EQ(graph.areas, panel.areas());

      std::map<std::pair<int, int>, double> alphas;
      for (const auto& edge : graph.edges) {
        const auto key = std::minmax(edge.first, edge.second);
        EXPECT_TRUE(alphas.insert({key, edge.length / edge.distance}).second) << "edge twice";
      }
      ASSERT_EQ(alphas.size(), expected.couplings.size());
      // A cross product of neighbouring unit vectors: relative error epsilon / distance.
      const double tolerance = 16 * epsilon * std::max(nx, ny);
      for (const auto& coupling : expected.couplings) {
        const auto found = alphas.find(std::minmax(coupling.first, coupling.second));
        ASSERT_NE(found, alphas.end()) << coupling.first << " - " << coupling.second;
        EXPECT_NEAR(found->second, coupling.alpha, tolerance * coupling.alpha);
      }

      std::vector<double> boundary(expected.area.size(), 0.0);
      for (const auto& edge : graph.boundary_edges) {
        boundary[static_cast<std::size_t>(edge.column)] += edge.length / edge.distance;
      }
      EXPECT_TRUE(
          LaminaTest::all_within(boundary, expected.boundary, tolerance, expected.boundary));
      EXPECT_EQ(graph.boundary_edges.size(),
                dirichlet ? static_cast<std::size_t>(2 * (nx + ny)) : 0u);
    }
  }
}

TEST(CubedSpherePanel, IsSymmetricUnderReflection) {
  const CubedSpherePanel panel(6, 5);
  const auto areas = panel.areas();
  const auto area = [&](int i, int j) {
    return areas[static_cast<std::size_t>(panel.column(i, j))];
  };
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 5; ++j) {
      EXPECT_NEAR(area(i, j), area(5 - i, j), 16 * epsilon);
      EXPECT_NEAR(area(i, j), area(i, 4 - j), 16 * epsilon);
      EXPECT_NEAR(panel.longitude(i, j), -panel.longitude(5 - i, j), 1e-13);
      EXPECT_NEAR(panel.latitude(i, j), -panel.latitude(i, 4 - j), 1e-13);
    }
  }
}

TEST(CubedSpherePanel, CoordinatesAreThoseOfTheGnomonicMap) {
  const CubedSpherePanel panel(4, 3);
  EXPECT_NEAR(panel.corner_longitude(0, 0), -45, 1e-13);
  EXPECT_NEAR(panel.corner_longitude(4, 3), 45, 1e-13);
  EXPECT_NEAR(panel.corner_longitude(2, 1), 0, 1e-13);
  EXPECT_NEAR(panel.corner_latitude(4, 3), 180 / pi * std::atan(1 / std::sqrt(2.0)), 1e-13);
  EXPECT_NEAR(panel.latitude(0, 1), 0, 1e-13);
  EXPECT_NEAR(panel.longitude(3, 0), 180 / pi * std::atan(0.75), 1e-13);
  EXPECT_NEAR(panel.latitude(3, 2), 180 / pi * std::atan(2.0 / 3 / std::sqrt(1 + 0.75 * 0.75)),
              1e-13);
}

TEST(CubedSpherePanel, NumbersColumnsWithTheSecondIndexFastest) {
  const CubedSpherePanel panel(4, 3);
  EXPECT_EQ(panel.num_columns(), 12);
  EXPECT_EQ(panel.column(0, 0), 0);
  EXPECT_EQ(panel.column(0, 2), 2);
  EXPECT_EQ(panel.column(1, 0), 3);
  EXPECT_EQ(panel.column(3, 2), 11);
}

TEST(CubedSpherePanel, RefusesSizesOutOfRange) {
  EXPECT_THROW(CubedSpherePanel(0, 1), Lamina::InvalidArgument);
  EXPECT_THROW(CubedSpherePanel(1, -1), Lamina::InvalidArgument);
  EXPECT_THROW(CubedSpherePanel(65536, 65536), Lamina::InvalidArgument);
  EXPECT_EQ(LaminaTest::message_of<Lamina::InvalidArgument>([] { CubedSpherePanel(0, 7); }),
            "Lamina::CubedSpherePanel: expected at least 1 x 1 cells, got 0 x 7");
}

}  // namespace
