// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// New values on the same graph: a matrix or plan with them is the one that is made from them.

#include <lamina/blocks/DefectCorrection.hpp>
#include <lamina/blocks/PointImplicitPreconditioner.hpp>
#include <lamina/core/Require.hpp>

#include <blocks/SweepCase.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace LaminaTest {

template <class Type>
class PointImplicitUpdate : public testing::Test {};
TYPED_TEST_SUITE(PointImplicitUpdate, OffDiagonalTypes, OffDiagonalTypeNames);

/// Other values on the same graph, which leave no value as it was.
inline Reference::BlockMatrix other_values(Reference::BlockMatrix a) {
  std::uint64_t seed = 500;
  for (std::size_t i = 0; i < a.off.size(); ++i) {
    for (double& value : a.diagonal[i]) value *= -1.5;
    for (auto& entry : a.off[i]) {
      const Values noise = random_values(entry.block.size(), ++seed);
      for (std::size_t n = 0; n < noise.size(); ++n) entry.block[n] = 0.02 * noise[n];
      entry.block = exact_in_half(entry.block);
    }
  }
  return a;
}

/// The bytes of a View.
template <class View>
std::vector<unsigned char> bytes_of(const View& view) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  std::vector<unsigned char> bytes(host.size() * sizeof(typename View::value_type));
  if (!bytes.empty()) std::memcpy(bytes.data(), host.data(), bytes.size());
  return bytes;
}
template <class Matrix>
void expect_same_values(const Matrix& a, const Matrix& b) {
  EXPECT_EQ(bytes_of(a.diagonal()), bytes_of(b.diagonal()));
  EXPECT_EQ(bytes_of(a.off_diagonal()), bytes_of(b.off_diagonal()));
  EXPECT_EQ(bytes_of(a.row_scales()), bytes_of(b.row_scales()));
}

/// Values of one matrix in the offsets and columns of another.
template <class Matrix>
Matrix on_pattern_of(const Matrix& pattern, const Matrix& values) {
  return Matrix(TEST_SPACE(), pattern.row_offsets(), pattern.columns(), values.diagonal(),
                values.off_diagonal(), values.row_scales());
}

TYPED_TEST(PointImplicitUpdate, MakesThePlanOfTheNewValues) {
  const TEST_SPACE space;
  for (const int size : {1, 2, 3, 5, 8, 9, 16, 17, 33}) {
    for (const auto& graph : meshes_for(size)) {
      const auto old_twin = random_matrix(graph, size), new_twin = other_values(old_twin);
      const auto colours = Lamina::ColourOrdering::greedy(graph);
      const auto old_matrix = device_matrix<TypeParam>(old_twin);
      // Views of its own, and the offsets and columns of the first one.
      const auto new_matrix = device_matrix<TypeParam>(new_twin);
      const auto same_views = on_pattern_of(old_matrix, new_matrix);
      for (const BlockInverse inverse :
           {BlockInverse::lu, BlockInverse::lu_pivoted, BlockInverse::inverse}) {
        SCOPED_TRACE(testing::Message() << "size " << size << ", rows " << graph.num_rows()
                                        << ", inverse " << static_cast<int>(inverse));
        const SolverOfTest<TypeParam> fresh(space, new_matrix, colours, inverse);
        SolverOfTest<TypeParam> solver(space, old_matrix, colours, inverse);
        const bool copied =
            solver.coloured_matrix().diagonal().data() != old_matrix.diagonal().data();
        if (!copied && graph.num_rows() > 0) {
          EXPECT_THROW(solver.update(space, new_matrix), Lamina::InvalidArgument);
          continue;
        }
        const int rows = graph.num_rows();
        const auto count = static_cast<std::size_t>(rows * size);
        const BlockFieldOfTest b(rows, size, random_values(count, 4));
        for (const auto* values : {&old_matrix, &new_matrix, &old_matrix, &same_views}) {
          solver.update(space, *values);
          EXPECT_EQ(solver.status(), Lamina::SolveStatus::completed);
        }
        expect_same_values(solver.coloured_matrix(), fresh.coloured_matrix());
        const BlockFieldOfTest x(rows, size), expected(rows, size);
        solver.sweep(space, b.const_view(), x.view(), SweepDirection::symmetric, 2);
        fresh.sweep(space, b.const_view(), expected.view(), SweepDirection::symmetric, 2);
        EXPECT_EQ(x.get(), expected.get());
      }
    }
  }
}

TYPED_TEST(PointImplicitUpdate, ReachesCopiesAndSweepsThatComeAgain) {
  const auto graph = Lamina::FreudenthalMesh(4, 3, 3).graph();
  SweepCase<TypeParam> c(graph, 5, BlockInverse::inverse);
  const Lamina::PointImplicitPreconditioner preconditioner(c.solver, Lamina::VectorOrder::user);
  const auto first = device_matrix<TypeParam>(c.twin);
  const auto new_twin = other_values(c.twin);
  const auto second = device_matrix<TypeParam>(new_twin);
  const BlockFieldOfTest b(36, 5, c.b), x(36, 5);
  for (int n = 0; n < 4; ++n) {
    c.twin = n % 2 == 0 ? new_twin : random_matrix(graph, 5);
    c.solver.update(c.space, n % 2 == 0 ? second : first);
    for (int again = 0; again < 3; ++again) {
      preconditioner.solve(c.space, b.const_view(), x.view());
      EXPECT_TRUE(all_within(x.get(), c.expected(Values(180, 0.0), SweepDirection::symmetric, 1),
                             c.tolerance()))
          << n;
    }
  }
}

TYPED_TEST(PointImplicitUpdate, FindsPivotsThatAreNotUsable) {
  const auto graph = Lamina::FreudenthalMesh(3, 3, 3).graph();
  for (const int size : {3, 9}) {
    for (const BlockInverse inverse :
         {BlockInverse::lu, BlockInverse::lu_pivoted, BlockInverse::inverse}) {
      SweepCase<TypeParam> c(graph, random_matrix(graph, size),
                             Lamina::ColourOrdering::greedy(graph), inverse);
      const auto good = device_matrix<TypeParam>(c.twin);
      auto twin = c.twin;
      const int first = c.ordering.old_rows()[7], second = c.ordering.old_rows()[20];
      for (const int row : {first, second}) {  // their last column is their first one
        auto& block = twin.diagonal[static_cast<std::size_t>(row)];
        std::copy_n(block.begin(), size, block.end() - size);
      }
      const auto bad = device_matrix<TypeParam>(twin);
      const auto copy = c.solver;
      const BlockFieldOfTest b(27, size, c.b), x(27, size);
      for (int n = 0; n < 2; ++n) {
        c.solver.update(c.space, bad);
        EXPECT_EQ(copy.solve(c.space, b.const_view(), x.view()).status,
                  Lamina::SolveStatus::breakdown_zero_pivot);
        EXPECT_EQ(copy.status(), Lamina::SolveStatus::breakdown_zero_pivot);
        EXPECT_EQ(c.solver.first_bad_row(), first);
        c.solver.update(c.space, good);
        EXPECT_EQ(copy.first_bad_row(), -1);
        EXPECT_TRUE(c.solver.solve(c.space, b.const_view(), x.view()).converged());
      }
    }
  }
}

/// The plan reads the user's Views where rows are in the order of their colours.
TYPED_TEST(PointImplicitUpdate, TakesNewValuesInPlaceWhereNoRowMoves) {
  const TEST_SPACE space;
  const auto graph = Lamina::FreudenthalMesh(4, 3, 3).graph();
  const auto colours = Lamina::ColourOrdering::greedy(graph);
  const auto old_matrix = device_matrix<TypeParam>(random_matrix(graph, 3)),
             new_matrix = device_matrix<TypeParam>(other_values(random_matrix(graph, 3)));
  const auto in_order = old_matrix.renumbered(space, colours);
  std::vector<int> by_colour;
  for (int k = 0; k < colours.num_colours(); ++k) {
    by_colour.resize(static_cast<std::size_t>(colours.offsets()[static_cast<std::size_t>(k) + 1]),
                     k);
  }
  const Lamina::ColourOrdering same_order(in_order.graph(), Lamina::natural_order(36), by_colour);
  SolverOfTest<TypeParam> solver(space, in_order, same_order);
  EXPECT_THROW(solver.update(space, new_matrix.renumbered(space, colours)),
               Lamina::InvalidArgument);
  in_order.update(space, new_matrix);
  solver.update(space, in_order);
  const SolverOfTest<TypeParam> fresh(space, new_matrix, colours);
  const BlockFieldOfTest b(36, 3, random_values(108, 4)), x(36, 3), expected(36, 3);
  solver.sweep_in_colour_order(space, b.const_view(), x.view());
  fresh.sweep_in_colour_order(space, b.const_view(), expected.view());
  EXPECT_EQ(x.get(), expected.get());
}

TYPED_TEST(PointImplicitUpdate, RefusesOtherGraphs) {
  const TEST_SPACE space;
  const auto graph = Lamina::FreudenthalMesh(3, 3, 3).graph();
  const auto matrix = device_matrix<TypeParam>(random_matrix(graph, 2));
  SolverOfTest<TypeParam> solver(space, matrix, Lamina::ColourOrdering::greedy(graph));
  EXPECT_THROW(solver.update(space, device_matrix<TypeParam>(random_matrix(graph, 3))),
               Lamina::InvalidArgument);
  const auto fewer = Lamina::FreudenthalMesh(3, 3, 2).graph();
  EXPECT_THROW(solver.update(space, device_matrix<TypeParam>(random_matrix(fewer, 2))),
               Lamina::InvalidArgument);
  auto twin = random_matrix(graph, 2);
  std::swap(twin.off[5][0], twin.off[5][1]);  // another order of the same blocks
  EXPECT_THROW(solver.update(space, device_matrix<TypeParam>(twin)), Lamina::InvalidArgument);
  EXPECT_THROW(matrix.update(space, matrix), Lamina::InvalidArgument);
  EXPECT_THROW(matrix.update(space, device_blocks<double>(2, random_matrix(graph, 2).diagonal)),
               Lamina::InvalidArgument);
}

/// Block rows that hold their diagonal blocks in turn first, last and between.
struct WholeRows {
  std::vector<std::int64_t> offsets{0};
  std::vector<int> columns;
  std::vector<Reference::Block> blocks;

  explicit WholeRows(const Reference::BlockMatrix& a) {
    for (std::size_t i = 0; i < a.off.size(); ++i) {
      const std::size_t place = i % 3 == 0 ? 0 : i % 3 == 1 ? a.off[i].size() : a.off[i].size() / 2;
      for (std::size_t k = 0; k <= a.off[i].size(); ++k) {
        if (k == place) {
          columns.push_back(static_cast<int>(i));
          blocks.push_back(a.diagonal[i]);
        }
        if (k == a.off[i].size()) break;
        columns.push_back(a.off[i][k].column);
        blocks.push_back(a.off[i][k].block);
      }
      offsets.push_back(static_cast<std::int64_t>(columns.size()));
    }
  }
};

TYPED_TEST(PointImplicitUpdate, SplitsNewBlocksAsTheFirstOnes) {
  const TEST_SPACE space;
  using Matrix = Lamina::BlockSparseMatrix<double, TypeParam, Memory>;
  for (const int size : {1, 2, 3, 5, 8, 9, 17, 33}) {
    for (const auto& graph : meshes_for(size)) {
      if (graph.num_rows() == 0) continue;
      auto old_twin = random_matrix(graph, size), new_twin = other_values(old_twin);
      for (auto& row : new_twin.off) {
        for (auto& entry : row) {
          for (double& value : entry.block) value *= 1.0 / 3;  // to be rounded
        }
      }
      const WholeRows old_rows(old_twin), new_rows(new_twin);
      const auto offsets = device_copy(old_rows.offsets);
      const auto columns = device_copy(old_rows.columns);
      const auto new_blocks = device_blocks<double>(size, new_rows.blocks);
      const Matrix matrix =
          Matrix::split(space, offsets, columns, device_blocks<double>(size, old_rows.blocks));
      const Matrix copy = matrix;
      matrix.update(space, new_blocks);
      expect_same_values(copy, Matrix::split(space, offsets, columns, new_blocks));
    }
  }
}

TYPED_TEST(PointImplicitUpdate, RefusesToLoseWhatMattersWhenItRounds) {
  const TEST_SPACE space;
  using Matrix = Lamina::BlockSparseMatrix<double, TypeParam, Memory>;
  const auto graph = Lamina::FreudenthalMesh(3, 1, 1).graph();
  const auto twin = random_matrix(graph, 2);
  const WholeRows rows(twin);
  const auto offsets = device_copy(rows.offsets);
  const auto columns = device_copy(rows.columns);
  const Matrix matrix =
      Matrix::split(space, offsets, columns, device_blocks<double>(2, rows.blocks));
  const auto updates = [&](double value, double factor) {
    auto changed = twin;
    changed.off[1][1].block[2] = value;
    for (double& entry : changed.diagonal[1]) entry *= factor;
    const auto blocks = device_blocks<double>(2, WholeRows(changed).blocks);
    try {
      matrix.update(space, blocks);
    } catch (const Lamina::InvalidArgument& error) {
      EXPECT_NE(std::string(error.what()).find("row 1:"), std::string::npos) << error.what();
      return false;
    }
    return true;
  };
  const bool in_double = std::is_same_v<TypeParam, double>;
  EXPECT_EQ(updates(1e39, 1), in_double);
  EXPECT_EQ(updates(-1e39, 1), in_double);
  EXPECT_EQ(updates(1e-39, 1e-38), in_double);
  EXPECT_TRUE(updates(1e-39, 1));  // negligible
  EXPECT_TRUE(updates(0, 1e-38));
}

TEST(PointImplicitUpdateOfFloat, ReachesDefectCorrections) {
  const TEST_SPACE space;
  const auto graph = Lamina::FreudenthalMesh(4, 3, 3).graph();
  const auto twin = random_matrix(graph, 3);
  auto changed = twin;
  for (auto& row : changed.off) {
    for (auto& entry : row) {
      for (double& value : entry.block) value /= 3;
    }
  }
  const auto first = device_matrix<double>(twin), other = device_matrix<double>(changed);
  const Lamina::BlockSparseMatrix<double, double, Memory> second(
      space, first.row_offsets(), first.columns(), first.diagonal(), other.off_diagonal());
  const auto rounded = first.rounded_to_float(space);
  Lamina::PointImplicitSolver solver(space, rounded, Lamina::ColourOrdering::greedy(graph));
  Lamina::DefectCorrection correction(space, first, solver);
  rounded.update(space, second);
  solver.update(space, rounded);
  correction.update(space, second);
  const Values solution = random_values(108, 4);
  const BlockFieldOfTest user_b(36, 3, Reference::multiply(changed, solution)), b(36, 3), x(36, 3),
      user_x(36, 3);
  solver.to_colour_order(space, user_b.const_view(), b.view());
  const auto report =
      correction.solve_in_colour_order(space, b.const_view(), x.view(), {.tolerance = 1e-14});
  EXPECT_TRUE(report.converged());
  solver.from_colour_order(space, x.const_view(), user_x.view());
  EXPECT_TRUE(all_within(user_x.get(), solution, 1e-12));
}

TEST(PointImplicitUpdateOfFloat, RoundsNewValuesAsTheFirstOnes) {
  const TEST_SPACE space;
  const auto graph = Lamina::FreudenthalMesh(4, 3, 3).graph();
  for (const int size : {1, 3, 8}) {
    auto twin = random_matrix(graph, size);
    const auto first = device_matrix<double>(twin);
    const auto rounded = first.rounded_to_float(space);
    const auto updates = [&](double value) {
      auto changed = other_values(twin);
      for (double& entry : changed.off[1][0].block) entry = value;
      const auto other = device_matrix<double>(changed);
      const Lamina::BlockSparseMatrix<double, double, Memory> shares(
          space, first.row_offsets(), first.columns(), first.diagonal(), other.off_diagonal());
      rounded.update(space, shares);
      expect_same_values(rounded, shares.rounded_to_float(space));
    };
    updates(1.0 / 3);
    EXPECT_THROW(updates(1e39), Lamina::InvalidArgument);
  }
}

TEST(PointImplicitUpdateOfHalf, RoundsNewValuesAsTheFirstOnes) {
  const TEST_SPACE space;
  const auto graph = Lamina::FreudenthalMesh(4, 3, 3).graph();
  for (const int size : {1, 3, 8}) {
    auto twin = random_matrix(graph, size);
    const auto first = device_matrix<float>(twin);
    const auto rounded = first.rounded_to_half(space);
    auto other = device_matrix<float>(other_values(twin));
    EXPECT_THROW(rounded.update(space, other), Lamina::InvalidArgument) << "another diagonal";
    const Lamina::BlockSparseMatrix<double, float, Memory> shares(
        space, first.row_offsets(), first.columns(), first.diagonal(), other.off_diagonal());
    rounded.update(space, shares);
    expect_same_values(rounded, shares.rounded_to_half(space));
  }
}

}  // namespace LaminaTest
