// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/blocks/Colouring.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/problems/FreudenthalMesh.hpp>

#include <blocks/GraphLists.hpp>
#include <gtest/gtest.h>
#include <support/MessageOf.hpp>

#include <algorithm>
#include <string>

namespace LaminaTest {
namespace {

using Lamina::BlockGraph;
using Lamina::ColourOrdering;

BlockGraph path(int num_rows) {
  BlockGraph graph;
  for (int row = 0; row < num_rows; ++row) {
    if (row > 0) graph.columns.push_back(row - 1);
    if (row + 1 < num_rows) graph.columns.push_back(row + 1);
    graph.offsets.push_back(static_cast<std::int64_t>(graph.columns.size()));
  }
  return graph;
}

TEST(Colouring, InTheHashedOrderHasATailOfTinyColours) {
  const Lamina::FreudenthalMesh mesh(48, 47, 46);
  const auto order = Lamina::natural_order(mesh.graph().num_rows());
  const auto sizes =
      sizes_of(ColourOrdering(mesh.graph(), order, Lamina::greedy_colouring(mesh.graph(), order)));
  EXPECT_EQ(sizes.size(), 11u);
  EXPECT_LT(sizes.back(), 50);
}

TEST(Colouring, TakesTheSmallestColourThatNoNeighbourHas) {
  const BlockGraph graph = path(5);
  EXPECT_EQ(Lamina::greedy_colouring(graph, {0, 1, 2, 3, 4}), (std::vector{0, 1, 0, 1, 0}));
  EXPECT_EQ(Lamina::greedy_colouring(graph, {0, 3, 1, 2, 4}), (std::vector{0, 1, 2, 0, 1}));
}

TEST(Colouring, BalancedIsValidWithNoMoreColoursAndEven) {
  for (const bool hashed : {false, true}) {
    const Lamina::FreudenthalMesh mesh(21, 20, 19);
    const BlockGraph& graph = mesh.graph();
    const auto order =
        hashed ? Lamina::natural_order(graph.num_rows()) : Lamina::reverse_cuthill_mckee(graph);
    const ColourOrdering greedy(graph, order, Lamina::greedy_colouring(graph, order));
    const ColourOrdering balanced(graph, order, Lamina::balanced_colouring(graph, order));
    EXPECT_LE(balanced.num_colours(), greedy.num_colours());
    const auto sizes = sizes_of(balanced);
    EXPECT_GT(*std::min_element(sizes.begin(), sizes.end()),
              graph.num_rows() / balanced.num_colours() / 2);
  }
}

TEST(Colouring, ReverseCuthillMcKeeGoesBreadthFirstByDegreeThenIndex) {
  // 0 - 2 - 4 - 1, 2 - 3, and 5 alone: from 5 (degree 0), then 0 (1), 2, of its others 3 (1), 4
  // (2).
  const BlockGraph graph = BlockGraph::of_pattern({0, 1, 2, 4, 5, 6, 6}, {2, 4, 3, 4, 2, 2});
  EXPECT_EQ(Lamina::reverse_cuthill_mckee(graph), (std::vector{1, 4, 3, 2, 0, 5}));
}

TEST(Colouring, ReverseCuthillMcKeeKeepsCoupledRowsClose) {
  const Lamina::FreudenthalMesh mesh(12, 11, 10);
  const auto order = Lamina::reverse_cuthill_mckee(mesh.graph());
  std::vector<int> position(order.size());
  for (std::size_t n = 0; n < order.size(); ++n) {
    position[static_cast<std::size_t>(order[n])] = static_cast<int>(n);
  }
  int bandwidth = 0;
  const auto lists = lists_of(mesh.graph());
  for (std::size_t row = 0; row < lists.size(); ++row) {
    for (const int j : lists[row]) {
      bandwidth =
          std::max(bandwidth, std::abs(position[row] - position[static_cast<std::size_t>(j)]));
    }
  }
  EXPECT_LT(bandwidth, 500);  // of 1320; three layers of the breadth-first search
}

TEST(BlockGraph, CouplesRowsThatEitherNames) {
  const BlockGraph graph = BlockGraph::of_pattern({0, 3, 3, 4}, {0, 2, 1, 2});
  EXPECT_EQ(lists_of(graph), (std::vector<std::vector<int>>{{1, 2}, {0}, {0}}));
}

TEST(ColourOrdering, SortsRowsByColourAndKeepsTheirOrder) {
  const ColourOrdering ordering(path(5), {4, 3, 2, 1, 0}, {2, 0, 2, 0, 4});
  EXPECT_EQ(ordering.old_rows(), (std::vector{3, 1, 2, 0, 4}));
  EXPECT_EQ(ordering.new_rows(), (std::vector{3, 1, 2, 0, 4}));
  EXPECT_EQ(ordering.offsets(), (std::vector{0, 2, 4, 5}));
  const ColourOrdering empty(BlockGraph{}, {}, {});
  EXPECT_EQ(empty.num_colours(), 0);
  EXPECT_EQ(empty.num_rows(), 0);
  EXPECT_EQ(ColourOrdering::greedy(BlockGraph{}).num_colours(), 0);
}

TEST(ColourOrdering, RefusesWhatIsNotAColouringOrAPermutation) {
  const BlockGraph graph = path(3);
  const auto expect = [&](const std::vector<int>& order, const std::vector<int>& colours,
                          const std::string& message) {
    EXPECT_EQ(message_of<Lamina::InvalidArgument>([&] { ColourOrdering(graph, order, colours); }),
              "Lamina::ColourOrdering: " + message);
  };
  expect(
      {0, 1, 2}, {0, 0, 1},
      "argument colours: expected different colours of the coupled rows 0 and 1, got 0 for both");
  expect({0, 1, 2}, {0, -1, 1}, "argument colours: expected 0 to 2, got -1 for row 1");
  expect({0, 1, 2}, {0, 3, 1}, "argument colours: expected 0 to 2, got 3 for row 1");
  expect({0, 1, 2}, {0, 1}, "argument colours: expected 3 rows, got 2");
  expect({0, 1}, {0, 1, 0}, "argument order: expected 3 rows, got 2");
  expect({0, 1, 1}, {0, 1, 0}, "argument order: expected each row once, got 1 again");
  expect({0, 1, 3}, {0, 1, 0}, "argument order: expected rows 0 to 2, got 3");
}

TEST(BlockGraph, RefusesPatternsThatAreNone) {
  const auto expect = [](const std::vector<std::int64_t>& offsets, const std::vector<int>& columns,
                         const std::string& message) {
    EXPECT_EQ(message_of<Lamina::InvalidArgument>(
                  [&] { static_cast<void>(BlockGraph::of_pattern(offsets, columns)); }),
              "Lamina::BlockGraph::of_pattern: " + message);
  };
  expect({}, {}, "offsets: expected a first entry of 0");
  expect({1, 1}, {}, "offsets: expected a first entry of 0");
  expect({0, 2, 1}, {0}, "offsets: expected entries that do not decrease");
  expect({0, 2}, {0}, "offsets: expected a last entry of 1, the columns, got 2");
  expect({0, 1}, {1}, "columns: expected 0 to 0, got 1");
}

}  // namespace
}  // namespace LaminaTest
