// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/PointImplicitSolver.hpp>
#include <lamina/blocks/impl/BlockKernels.hpp>
#include <lamina/blocks/impl/slices/BlockSlices.hpp>
#include <lamina/problems/FreudenthalMesh.hpp>

#include <blocks/BlockCase.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace LaminaTest {

using Lamina::Impl::SliceShape;

template <class Type>
class BlockSlices : public testing::Test {};
TYPED_TEST_SUITE(BlockSlices, OffDiagonalTypes, OffDiagonalTypeNames);

/// The inverses of the diagonal blocks of a matrix.
template <class Matrix>
auto inverses_of(const TEST_SPACE& space, const Matrix& matrix) {
  using Blocks = Kokkos::View<double***, Kokkos::LayoutLeft, Memory>;
  const int size = matrix.block_size(), num_rows = matrix.num_rows();
  using Kernels = Lamina::Impl::FactorKernels<TEST_SPACE, double>;
  const int num_slots = Kernels::num_slots(space, num_rows, size);
  const Blocks inverses("inverses", size, size, num_rows),
      scratch("scratch", size, size, num_slots);
  const Kokkos::View<int**, Kokkos::LayoutLeft, Memory> pivots("pivots", size, num_slots);
  const Kokkos::View<int, Memory> first_bad("first_bad");
  Kokkos::deep_copy(space, first_bad, num_rows);
  Kernels::prepare(space, num_rows,
                   Lamina::Impl::DiagonalBlocks<double>{.values = matrix.diagonal().data()},
                   {.kind = Lamina::BlockInverse::inverse,
                    .size = size,
                    .num_slots = num_slots,
                    .values = inverses.data(),
                    .scratch = scratch.data(),
                    .pivots = pivots.data()},
                   first_bad.data());
  int bad = 0;
  Kokkos::deep_copy(space, bad, first_bad);
  space.fence();
  EXPECT_EQ(bad, num_rows);
  return inverses;
}

/// Several right-hand sides of each row: a vector times 1, 2, 4, ...
inline Values in_sides(const Values& values, int size, int num_rhs) {
  Values sides;
  for (std::size_t row = 0; row < values.size(); row += static_cast<std::size_t>(size)) {
    for (int r = 0; r < num_rhs; ++r) {
      for (int p = 0; p < size; ++p) {
        sides.push_back(std::ldexp(values[row + static_cast<std::size_t>(p)], r));
      }
    }
  }
  return sides;
}

/// Two sweeps with slices of a given shape, over vectors in the order of the colours.
template <class OffDiagonal>
Values swept_in_slices(const Lamina::ColourOrdering& colours,
                       const Lamina::BlockSparseMatrix<double, OffDiagonal, Memory>& matrix,
                       const SliceShape& shape, int splits, const Values& b, const Values& guess,
                       int num_rhs, const Padding& padding) {
  using Vector = Lamina::Impl::BlockVector<double>;
  using ConstVector = Lamina::Impl::BlockVector<const double>;
  const TEST_SPACE space;
  const Lamina::Impl::BlockSlices<double, OffDiagonal, Memory> slices(
      space, shape, matrix.block_rows(), Lamina::Impl::to_host(space, matrix.row_offsets()),
      colours.offsets(), inverses_of(space, matrix).data());
  EXPECT_TRUE(slices.exist());
  const int size = matrix.block_size(), row_values = size * num_rhs;
  const BlockFieldOfTest rhs(matrix.num_rows(), row_values, in_sides(b, size, num_rhs));
  const BlockFieldOfTest x(matrix.num_rows(), row_values, in_sides(guess, size, num_rhs), padding);
  const auto rhs_view = rhs.const_view();
  const auto x_view = x.view();
  for (int n = 0; n < 2 * colours.num_colours(); ++n) {
    const int colour = n % colours.num_colours();
    Lamina::Impl::SliceKernels<TEST_SPACE, double, OffDiagonal>::sweep(
        "LaminaTest::sweep", space, slices.rows(), slices.first_slice(colour),
        slices.first_slice(colour + 1), splits, ConstVector(rhs_view), Vector(x_view), num_rhs);
  }
  space.fence();
  return x.get();
}

/// Two sweeps with slices of every shape against the twin, of one block size.
template <class OffDiagonal>
void expect_sweeps_like_the_twin(const Lamina::BlockGraph& graph,
                                 const Lamina::ColourOrdering& colours, int size) {
  const auto twin = random_matrix(graph, size);
  const auto matrix = device_matrix<OffDiagonal>(twin).renumbered(TEST_SPACE(), colours);
  const auto count = static_cast<std::size_t>(size * graph.num_rows());
  const Values b = random_values(count, 99), guess = random_values(count, 98);
  // The twin has the user's numbering.
  const auto renumbered = [&](const Values& values, bool back) {
    Values result(values.size());
    for (int row = 0; row < graph.num_rows(); ++row) {
      const int old_row = colours.old_rows()[static_cast<std::size_t>(row)];
      for (int p = 0; p < size; ++p) {
        const auto here = static_cast<std::size_t>(row * size + p),
                   there = static_cast<std::size_t>(old_row * size + p);
        (back ? result[there] : result[here]) = back ? values[here] : values[there];
      }
    }
    return result;
  };
  Values expected = guess;
  for (int n = 0; n < 2; ++n) Reference::gauss_seidel(twin, b, expected, colours.old_rows());
  for (const bool few_rows : {false, true}) {
    const SliceShape shape(size, few_rows);
    for (int splits = 1; splits <= shape.max_splits(); splits *= 2) {
      SCOPED_TRACE(testing::Message()
                   << "size " << size << ", few rows " << few_rows << ", splits " << splits);
      for (const Padding& padding : {Padding{}, all_padding}) {  // for wide loads of x, and not
        const Values x =
            swept_in_slices<OffDiagonal>(colours, matrix, shape, splits, renumbered(b, false),
                                         renumbered(guess, false), 1, padding);
        EXPECT_TRUE(all_within(renumbered(x, true), expected, rounding<double>(30.0 * size)));
      }
      constexpr int num_rhs = 15;  // of as many kernels as there are
      const Padding even_rows{0, 0, 0, size * num_rhs % 2};
      const Values sides =
          swept_in_slices<OffDiagonal>(colours, matrix, shape, splits, renumbered(b, false),
                                       renumbered(guess, false), num_rhs, even_rows);
      double largest = 0;
      for (const double value : expected) largest = std::max(largest, std::abs(value));
      EXPECT_TRUE(all_within(sides, in_sides(renumbered(expected, false), size, num_rhs),
                             rounding<double>(30.0 * size),
                             in_sides(Values(expected.size(), largest), size, num_rhs)));
    }
  }
}

TYPED_TEST(BlockSlices, SweepLikeTheTwinInEveryShape) {
  if constexpr (Lamina::runs_on_host<TEST_SPACE>) {
    GTEST_SKIP() << "host spaces have no slices";
  } else {
    for (int size = 1; size <= SliceShape::max_size; ++size) {
      const auto graph = size <= 9 ? Lamina::FreudenthalMesh(7, 5, 6).graph()
                                   : Lamina::FreudenthalMesh(3, 4, 3).graph();
      expect_sweeps_like_the_twin<TypeParam>(graph, Lamina::ColourOrdering::greedy(graph), size);
    }
  }
}

/// Rows of 0, 1, 17 and 70 blocks: some need more rounds than splits have batches, some colours have
/// one row, or no block at all.
TYPED_TEST(BlockSlices, SweepRowsOfVeryDifferentLengths) {
  if constexpr (Lamina::runs_on_host<TEST_SPACE>) {
    GTEST_SKIP() << "host spaces have no slices";
  } else {
    constexpr int num_rows = 140, long_row = 0, short_row = 1;
    std::vector<std::set<int>> neighbours(num_rows);
    std::vector<int> colour_of(num_rows, 2);
    const auto couple = [&](int hub, int first, int count) {
      for (int row = first; row < first + count; ++row) {
        neighbours[static_cast<std::size_t>(hub)].insert(row);
        neighbours[static_cast<std::size_t>(row)].insert(hub);
        colour_of[static_cast<std::size_t>(row)] = 1;
      }
    };
    couple(long_row, 2, 70);
    couple(short_row, 72, 17);
    colour_of[long_row] = colour_of[short_row] = 0;
    colour_of[num_rows - 1] = 3;
    Lamina::BlockGraph graph;
    for (const auto& row : neighbours) {
      graph.columns.insert(graph.columns.end(), row.begin(), row.end());
      graph.offsets.push_back(static_cast<std::int64_t>(graph.columns.size()));
    }
    const Lamina::ColourOrdering colours(graph, Lamina::natural_order(num_rows), colour_of);
    ASSERT_EQ(colours.num_colours(), 4);
    for (const int size : {1, 2, 3, 8, 9, 12, 16}) {
      expect_sweeps_like_the_twin<TypeParam>(graph, colours, size);
    }
  }
}

/// The solver falls back to block rows where slices would be mostly empty.
TYPED_TEST(BlockSlices, AreNotMadeWhereColoursHaveOneRow) {
  if constexpr (Lamina::runs_on_host<TEST_SPACE>) {
    GTEST_SKIP() << "host spaces have no slices";
  } else {
    constexpr int num_rows = 260, size = 8;
    Lamina::BlockGraph graph;  // complete
    for (int row = 0; row < num_rows; ++row) {
      for (int column = 0; column < num_rows; ++column) {
        if (column != row) graph.columns.push_back(column);
      }
      graph.offsets.push_back(static_cast<std::int64_t>(graph.columns.size()));
    }
    const auto colours = Lamina::ColourOrdering::greedy(graph);
    ASSERT_EQ(colours.num_colours(), num_rows);
    const auto twin = random_matrix(graph, size);
    const TEST_SPACE space;
    const Lamina::PointImplicitSolver solver(space, device_matrix<TypeParam>(twin), colours);
    const Lamina::Impl::BlockSlices<double, TypeParam, Memory> slices(
        space, SliceShape::of(size, 1, space.concurrency()), solver.coloured_matrix().block_rows(),
        Lamina::Impl::to_host(space, solver.coloured_matrix().row_offsets()), colours.offsets(),
        nullptr);
    EXPECT_FALSE(slices.exist());

    const Values b = random_values(static_cast<std::size_t>(size * num_rows), 99);
    Values expected(b.size(), 0);
    Reference::gauss_seidel(twin, b, expected, colours.old_rows());
    const BlockFieldOfTest user(num_rows, size, b), rhs(num_rows, size), x(num_rows, size),
        result(num_rows, size);
    solver.to_colour_order(space, user.const_view(), rhs.view());
    Kokkos::deep_copy(space, x.view(), 0.0);
    solver.sweep_in_colour_order(space, rhs.const_view(), x.view());
    solver.from_colour_order(space, x.const_view(), result.view());
    space.fence();
    EXPECT_TRUE(all_within(result.get(), expected, rounding<double>(30.0 * size)));
  }
}

}  // namespace LaminaTest
