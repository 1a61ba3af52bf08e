// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/grids/CubedSpherePanel.hpp>
#include <lamina/problems/VoronoiPlane.hpp>

#include <gtest/gtest.h>
#include <helmholtz/MeshNeighbours.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace LaminaTest {
namespace {

std::size_t longest_list(const Lamina::ColumnGraph& graph, int width) {
  std::size_t longest = 0;
  for (const auto& list : listed_edges(neighbours_of(graph), width)) {
    longest = std::max(longest, list.edges.size());
  }
  return longest;
}

TEST(ColumnEdges, AreThoseOfTheMesh) {
  for (const int num_x : {1, 2, 5}) {
    for (const int num_y : {1, 2, 7}) {
      const auto graph = Lamina::CubedSpherePanel(num_x, num_y).graph();
      for (const int width : {2, 4}) expect_edges_are_the_mesh(graph, width);
      EXPECT_LE(longest_list(graph, 4), 2u);
    }
  }
}

TEST(ColumnEdges, OfPolygonsAreSharedOut) {
  const auto graph = Lamina::voronoi_plane(24, 26, 0.4);
  std::vector<int> later(graph.areas.size(), 0);
  for (const auto& edge : graph.edges)
    ++later[static_cast<std::size_t>(std::min(edge.first, edge.second))];
  EXPECT_GT(*std::max_element(later.begin(), later.end()), Lamina::Impl::ListedEdges::most);
  expect_edges_are_the_mesh(graph, 4);
  EXPECT_LE(longest_list(graph, 4), Lamina::Impl::ListedEdges::most);
}

TEST(ColumnEdges, AreListedInAscendingOrder) {
  const auto mesh = neighbours_of(Lamina::CubedSpherePanel(5, 3).graph());
  const auto edges = find_column_edges(mesh, find_column_packs(mesh, 4), 4);
  const auto neighbours = [&](std::size_t column) {
    std::vector<int> found;
    for (const auto& edge : edges[column].edges) found.push_back(edge.neighbour);
    return found;
  };
  ASSERT_EQ(edges.size(), 15u);
  EXPECT_EQ(neighbours(4), (std::vector{5, 7}));
  EXPECT_EQ(neighbours(5), std::vector{8}) << "the last one of its row";
  EXPECT_EQ(neighbours(13), std::vector{14}) << "in the last row";
}

TEST(ColumnEdges, AreAsManyAsAColumnMustList) {
  const auto complete = [](int columns) {
    Lamina::ColumnGraph graph;
    graph.areas.assign(static_cast<std::size_t>(columns), 1);
    for (int a = 0; a < columns; ++a) {
      for (int b = a + 1; b < columns; ++b) graph.edges.push_back({a, b, 1, 1});
    }
    return graph;
  };
  expect_edges_are_the_mesh(complete(7), 4);
  EXPECT_LE(longest_list(complete(7), 4), Lamina::Impl::ListedEdges::most);
  expect_edges_are_the_mesh(complete(11), 4);
  EXPECT_GT(longest_list(complete(11), 4), Lamina::Impl::ListedEdges::most) << "55 edges";
}

/// A panel in which some columns of the middle row have an edge more.
Lamina::ColumnGraph panel_with_shortcuts(int num_rows, int length) {
  auto graph = Lamina::CubedSpherePanel(num_rows, length).graph();
  const int middle = num_rows / 2 * length + length / 2;
  for (const int i : {0, 2, 3, 5}) graph.edges.push_back({middle + i, middle - 70 + 4 * i, 1, 2});
  return graph;
}

TEST(ColumnEdges, BesidePacksAreTheOthers) {
  for (const int width : {2, 4}) {
    const auto graph = panel_with_shortcuts(12, 32);
    const auto rest = expect_some_packs_hold(neighbours_of(graph), width);
    EXPECT_GE(rest.size(), 5u);
    EXPECT_LE(rest.size(), 40u);
    expect_edges_are_the_mesh(graph, width);
  }
}

TEST(ColumnEdges, AreThoseOfAStar) {
  Lamina::ColumnGraph star;  // one column with five neighbours
  star.areas.assign(6, 1.0);
  for (int i = 1; i < 6; ++i) star.edges.push_back({0, i, 1, 1});
  for (const int width : {2, 4}) {
    EXPECT_EQ(expect_some_packs_hold(neighbours_of(star), width).front(), 0);
    expect_edges_are_the_mesh(star, width);
  }
}

}  // namespace
}  // namespace LaminaTest
