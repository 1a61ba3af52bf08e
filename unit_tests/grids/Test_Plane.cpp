// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/grids/Plane.hpp>

#include <gtest/gtest.h>
#include <support/MessageOf.hpp>

#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace {

using Lamina::PlaneSide;
using Lamina::PlaneSides;

TEST(Plane, GivesEveryColumnOfAPeriodicOneItsFourNeighbours) {
  const int nx = 4, ny = 3;
  const auto graph = Lamina::plane(nx, ny, {}, 8, 3);
  EXPECT_EQ(graph.num_owned, nx * ny);
  EXPECT_TRUE(graph.boundary_edges.empty());
  ASSERT_EQ(graph.edges.size(), 2u * nx * ny);

  std::vector<std::set<std::pair<int, double>>> neighbours(static_cast<std::size_t>(nx * ny));
  for (const auto& edge : graph.edges) {
    const double alpha = edge.length / edge.distance;
    neighbours[static_cast<std::size_t>(edge.first)].insert({edge.second, alpha});
    neighbours[static_cast<std::size_t>(edge.second)].insert({edge.first, alpha});
  }
  for (int i = 0; i < nx; ++i) {
    for (int j = 0; j < ny; ++j) {
      // Cells of 2 x 1: across x length 1 over distance 2, across y the inverse.
      const std::set<std::pair<int, double>> expected{{ny * ((i + 1) % nx) + j, 0.5},
                                                      {ny * ((i + nx - 1) % nx) + j, 0.5},
                                                      {ny * i + (j + 1) % ny, 2.0},
                                                      {ny * i + (j + ny - 1) % ny, 2.0}};
      EXPECT_EQ(neighbours[static_cast<std::size_t>(ny * i + j)], expected) << i << ", " << j;
    }
  }
  for (const double area : graph.areas) EXPECT_EQ(area, 2);
}

TEST(Plane, HasValuesOnDirichletSidesAndNothingThroughWalls) {
  const auto graph = Lamina::plane(2, 3,
                                   {.west = PlaneSide::dirichlet,
                                    .east = PlaneSide::zero_flux,
                                    .south = PlaneSide::dirichlet,
                                    .north = PlaneSide::dirichlet},
                                   4, 3);
  EXPECT_EQ(graph.edges.size(), 3u + 4u);
  // Cells of 2 x 1: (0, 0) has west and south, (0, 1) west, (0, 2) west and north, and so on.
  const std::vector<int> columns{0, 0, 1, 2, 2, 3, 5};
  ASSERT_EQ(graph.boundary_edges.size(), columns.size());
  for (std::size_t e = 0; e < columns.size(); ++e) {
    EXPECT_EQ(graph.boundary_edges[e].column, columns[e]);
    const bool across_x = e == 0 || e == 2 || e == 3;
    EXPECT_EQ(graph.boundary_edges[e].length, across_x ? 1 : 2);
    EXPECT_EQ(graph.boundary_edges[e].distance, across_x ? 1 : 0.5);
  }
  EXPECT_EQ(graph.centres.periods, (std::array<double, 2>{0, 0}));
}

TEST(Plane, AddsUpTheTwoEdgesOfTwoPeriodicCells) {
  const auto graph =
      Lamina::plane(2, 1, {.south = PlaneSide::zero_flux, .north = PlaneSide::zero_flux}, 4, 3);
  ASSERT_EQ(graph.edges.size(), 1u);
  EXPECT_EQ(graph.edges[0].length, 6);
  EXPECT_EQ(graph.edges[0].distance, 2);
  EXPECT_EQ(graph.centres.periods, (std::array<double, 2>{4, 0}));
  EXPECT_TRUE(Lamina::plane(1, 1).edges.empty());
  EXPECT_EQ(Lamina::plane(2, 2).edges.size(), 4u);
}

TEST(Plane, RefusesSizesAndLengthsOutOfRange) {
  EXPECT_THROW(Lamina::plane(0, 3), Lamina::InvalidArgument);
  EXPECT_THROW(Lamina::plane(3, 0), Lamina::InvalidArgument);
  EXPECT_THROW(Lamina::plane(-3, 3), Lamina::InvalidArgument);
  EXPECT_THROW(Lamina::plane(65536, 65536), Lamina::InvalidArgument);
  EXPECT_THROW(Lamina::plane(3, 3, {}, 0, 1), Lamina::InvalidArgument);
  EXPECT_THROW(Lamina::plane(3, 3, {}, 1, -1), Lamina::InvalidArgument);
}

TEST(Plane, RefusesLengthsThatAreNotFinite) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_THROW(Lamina::plane(3, 3, {}, infinity, 1), Lamina::InvalidArgument);
  EXPECT_THROW(Lamina::plane(3, 3, {}, 1, infinity * 0), Lamina::InvalidArgument);
}

TEST(Plane, RefusesOnePeriodicSideOfTwo) {
  EXPECT_EQ(
      LaminaTest::message_of<Lamina::InvalidArgument>(
          [] { (void)Lamina::plane(3, 3, {.west = PlaneSide::zero_flux}); }),
      "Lamina::plane: argument sides: west and east: expected both or none periodic, got one");
}

}  // namespace
