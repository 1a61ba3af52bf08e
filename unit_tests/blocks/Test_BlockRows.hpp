// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Sweeps that read the blocks as the matrix has them: on a device in tiles, by kernels that begin
// while the colour before is at work. Small blocks with inverses are read in slices there, for
// which the same must hold.

#include <lamina/blocks/Colouring.hpp>

#include <blocks/SweepCase.hpp>
#include <gtest/gtest.h>

#include <cstdint>

namespace LaminaTest {

template <class Type>
class BlockRows : public testing::Test {};
TYPED_TEST_SUITE(BlockRows, OffDiagonalTypes, OffDiagonalTypeNames);

/// Each row is coupled to the one before and the one after it.
inline Lamina::BlockGraph line_graph(int num_rows) {
  Lamina::BlockGraph graph;
  for (int row = 0; row < num_rows; ++row) {
    if (row > 0) graph.columns.push_back(row - 1);
    if (row + 1 < num_rows) graph.columns.push_back(row + 1);
    graph.offsets.push_back(static_cast<std::int64_t>(graph.columns.size()));
  }
  return graph;
}

/// Colours of 3000 rows: teams of a large device take a chunk of them after the other.
TYPED_TEST(BlockRows, AreSweptLikeTheTwinWhereTeamsHaveManyOfThem) {
  const SweepCase<TypeParam> c(line_graph(6000), 8, BlockInverse::lu);
  ASSERT_EQ(c.ordering.num_colours(), 2);
  constexpr int num_sweeps = 3;
  const auto b = c.field(c.b), x = c.field(c.b);
  c.solver.sweep_in_colour_order(c.space, b.const_view(), x.view(), SweepDirection::symmetric,
                                 num_sweeps);
  EXPECT_TRUE(all_within(c.values(x), c.expected(c.b, SweepDirection::symmetric, num_sweeps),
                         num_sweeps * c.tolerance()));
}

/// The first colour must not read b before the kernel that writes it has ended: here one that would
/// let it begin. So few rows that a device has room for both.
TYPED_TEST(BlockRows, SweepsSeeWhatTheKernelBeforeWrote) {
  for (const BlockInverse inverse : {BlockInverse::lu, BlockInverse::inverse}) {
    for (const int size : {8, 20}) {
      const SweepCase<TypeParam> c(line_graph(600), size, inverse);
      const auto solution = c.field(c.b), b = c.field(c.b), x = c.field(c.b);
      for (int n = 0; n < 10; ++n) {
        Kokkos::deep_copy(c.space, b.view(), 0.0);
        c.solver.coloured_matrix().apply(c.space, solution.const_view(), b.view());
        c.solver.sweep_in_colour_order(c.space, b.const_view(), x.view());
      }
      EXPECT_TRUE(all_within(c.values(x), c.b, 10 * c.tolerance()))
          << "size " << size << ", inverse " << static_cast<int>(inverse);
    }
  }
}

}  // namespace LaminaTest
