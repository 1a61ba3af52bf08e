// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/grids/HilbertOrder.hpp>
#include <lamina/grids/Plane.hpp>
#include <lamina/grids/SphereTriangulation.hpp>

#include <gtest/gtest.h>
#include <support/MessageOf.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <vector>

namespace LaminaTest {
namespace {

using Lamina::ColumnGraph;

/// The share of edges whose columns are at most so far apart in the numbering.
double share_of_near(const ColumnGraph& graph, int distance) {
  double near = 0;
  for (const auto& edge : graph.edges) near += std::abs(edge.first - edge.second) <= distance;
  return near / static_cast<double>(graph.edges.size());
}

void expect_same_grid(const Lamina::OrderedColumns& ordered, const ColumnGraph& before) {
  std::vector<int> numbers = ordered.original;
  std::sort(numbers.begin(), numbers.end());
  for (std::size_t c = 0; c < numbers.size(); ++c) EXPECT_EQ(numbers[c], static_cast<int>(c));
  const auto old = [&](int column) { return ordered.original[static_cast<std::size_t>(column)]; };
  for (std::size_t c = 0; c < before.areas.size(); ++c) {
    const auto index = static_cast<std::size_t>(ordered.original[c]);
    EXPECT_EQ(ordered.graph.areas[c], before.areas[index]);
    EXPECT_EQ(ordered.graph.centres.points[c], before.centres.points[index]);
  }
  ASSERT_EQ(ordered.graph.edges.size(), before.edges.size());
  for (std::size_t n = 0; n < before.edges.size(); ++n) {
    EXPECT_EQ(old(ordered.graph.edges[n].first), before.edges[n].first);
    EXPECT_EQ(old(ordered.graph.edges[n].second), before.edges[n].second);
    EXPECT_EQ(ordered.graph.edges[n].length, before.edges[n].length);
    EXPECT_EQ(ordered.graph.edges[n].distance, before.edges[n].distance);
  }
  ASSERT_EQ(ordered.graph.boundary_edges.size(), before.boundary_edges.size());
  for (std::size_t n = 0; n < before.boundary_edges.size(); ++n) {
    EXPECT_EQ(old(ordered.graph.boundary_edges[n].column), before.boundary_edges[n].column);
  }
}

TEST(HilbertOrder, BringsNeighboursOfASphereTogether) {
  const auto graph = Lamina::voronoi_cells(Lamina::icosahedral_triangulation(20));
  const auto ordered = Lamina::along_hilbert_curve(graph);
  expect_same_grid(ordered, graph);
  // Of 4002 columns
  EXPECT_GT(share_of_near(ordered.graph, 64), 0.75);
  EXPECT_GT(share_of_near(ordered.graph, 64), share_of_near(graph, 64));
  // The curve takes steps of a few cells, also from one face of the cube to the next.
  double longest = 0;
  for (std::size_t c = 1; c < ordered.original.size(); ++c) {
    const auto &a = ordered.graph.centres.points[c - 1], &b = ordered.graph.centres.points[c];
    longest = std::max(longest, std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
  }
  EXPECT_LT(longest, 0.3) << "four cells; the side of a face is 1.15";
}

TEST(HilbertOrder, TakesPlanesAndBoundaries) {
  const auto plane = Lamina::plane(32, 8, {}, 4, 1);
  const auto ordered = Lamina::along_hilbert_curve(plane);
  expect_same_grid(ordered, plane);
  EXPECT_GT(share_of_near(ordered.graph, 16), 0.7);
  const auto panel = Lamina::CubedSpherePanel(9, 7).graph(Lamina::PanelEdge::dirichlet);
  expect_same_grid(Lamina::along_hilbert_curve(panel), panel);
  const auto one = Lamina::CubedSpherePanel(1, 1).graph();
  expect_same_grid(Lamina::along_hilbert_curve(one), one);
  EXPECT_TRUE(Lamina::along_hilbert_curve({}).original.empty());
}

TEST(HilbertOrder, RefusesPartsOfGrids) {
  auto graph = Lamina::plane(4, 3);
  graph.num_owned = 10;
  EXPECT_EQ(message_of<Lamina::InvalidArgument>([&] { Lamina::along_hilbert_curve(graph); }),
            "Lamina::along_hilbert_curve: graph: expected no halo columns, got 2");
  graph = Lamina::plane(4, 3);
  graph.centres.points.pop_back();
  EXPECT_EQ(message_of<Lamina::InvalidArgument>([&] { Lamina::along_hilbert_curve(graph); }),
            "Lamina::along_hilbert_curve: graph: expected centres of 12 columns, got 11");
}

}  // namespace
}  // namespace LaminaTest
