// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/problems/FreudenthalMesh.hpp>

#include <blocks/GraphLists.hpp>
#include <gtest/gtest.h>
#include <reference/Blocks.hpp>
#include <support/MessageOf.hpp>

#include <algorithm>
#include <array>

namespace LaminaTest {
namespace {

TEST(FreudenthalMesh, CouplesTheVerticesOfTetrahedra) {
  for (const auto& [nx, ny, nz] :
       {std::array{1, 1, 1}, std::array{2, 1, 1}, std::array{3, 2, 5}, std::array{4, 4, 4}}) {
    const Lamina::FreudenthalMesh mesh(nx, ny, nz);
    EXPECT_EQ(mesh.lattice_ids(), Reference::hashed_ids(nx * ny * nz));
    const auto expected = Reference::freudenthal_neighbours(nx, ny, nz);
    const auto lists = lists_of(mesh.graph());
    for (std::size_t row = 0; row < lists.size(); ++row) {
      EXPECT_TRUE(std::is_sorted(lists[row].begin(), lists[row].end()));
      std::vector<int> ids;
      for (const int neighbour : lists[row]) {
        ids.push_back(mesh.lattice_ids()[static_cast<std::size_t>(neighbour)]);
      }
      std::sort(ids.begin(), ids.end());
      EXPECT_EQ(ids, expected[static_cast<std::size_t>(mesh.lattice_ids()[row])]);
    }
  }
}

TEST(FreudenthalMesh, HasTheStructureOfTheNotes) {
  const auto check = [](int nx, int ny, int nz, double blocks_per_row) {
    const Lamina::FreudenthalMesh mesh(nx, ny, nz);
    const Lamina::BlockGraph& graph = mesh.graph();
    EXPECT_NEAR(static_cast<double>(graph.offsets.back()) / graph.num_rows(), blocks_per_row, 0.05);
    const auto sizes = sizes_of(Lamina::ColourOrdering::greedy(graph));
    EXPECT_EQ(sizes.size(), 8u);
    const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
    EXPECT_GT(*most, 0.17 * graph.num_rows());
    EXPECT_LT(*most, 0.20 * graph.num_rows());
    EXPECT_LT(*least, 0.05 * graph.num_rows());
  };
  check(19, 18, 18, 12.7);
  check(48, 47, 46, 13.49);
}

TEST(FreudenthalMesh, RefusesExtentsThatAreNone) {
  EXPECT_EQ(message_of<Lamina::InvalidArgument>([] { Lamina::FreudenthalMesh(0, 1, 1); }),
            "Lamina::FreudenthalMesh: expected extents >= 1, got 0 x 1 x 1");
  EXPECT_EQ(message_of<Lamina::InvalidArgument>(
                [] { Lamina::FreudenthalMesh(1 << 20, 1 << 20, 1 << 30); }),
            "Lamina::FreudenthalMesh: expected fewer than 2^31 vertices, got 1048576 x 1048576 x "
            "1073741824");
}

}  // namespace
}  // namespace LaminaTest
