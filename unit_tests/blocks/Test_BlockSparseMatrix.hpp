// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/BlockSparseMatrix.hpp>
#include <lamina/core/Require.hpp>

#include <blocks/BlockCase.hpp>
#include <gtest/gtest.h>
#include <support/MessageOf.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace LaminaTest {

template <class Type>
class BlockSparseMatrix : public testing::Test {
 public:
  using Matrix = Lamina::BlockSparseMatrix<double, Type, Memory>;
};
TYPED_TEST_SUITE(BlockSparseMatrix, OffDiagonalTypes, OffDiagonalTypeNames);

/// y = A x in the twin's numbering.
template <class Matrix>
Values product(const Matrix& matrix, const Values& x, const Padding& padding = {}) {
  const TEST_SPACE space;
  const BlockFieldOfTest x_field(matrix.num_rows(), matrix.block_size(), x, padding),
      y_field(matrix.num_rows(), matrix.block_size(), padding);
  matrix.apply(space, x_field.const_view(), y_field.view());
  EXPECT_TRUE(y_field.surroundings_untouched());
  return y_field.get();
}

TYPED_TEST(BlockSparseMatrix, MultipliesLikeTheTwinForBlocksOfAnySize) {
  for (const int size : awkward_sizes) {
    for (const auto& graph : meshes_for(size)) {
      SCOPED_TRACE(testing::Message() << "size " << size << ", rows " << graph.num_rows());
      const auto twin = random_matrix(graph, size);
      const auto matrix = device_matrix<TypeParam>(twin);
      EXPECT_EQ(matrix.num_rows(), graph.num_rows());
      const Values x = random_values(static_cast<std::size_t>(size * graph.num_rows()), 77);
      EXPECT_TRUE(all_within(product(matrix, x), Reference::multiply(twin, x),
                             rounding<double>(15.0 * size)));
    }
  }
}

TYPED_TEST(BlockSparseMatrix, MultipliesBlocksUpToTheLargest) {
  for (const int size : {256, 257, 1024}) {
    const auto twin = random_matrix(Lamina::FreudenthalMesh(2, 1, 1).graph(), size);
    const Values x = random_values(static_cast<std::size_t>(2 * size), 77);
    EXPECT_TRUE(all_within(product(device_matrix<TypeParam>(twin), x), Reference::multiply(twin, x),
                           rounding<double>(15.0 * size)))
        << size;
  }
}

/// Row 0 coupled with all others, or each row with the next.
inline Lamina::BlockGraph star_or_path(int num_rows, bool star) {
  Lamina::BlockGraph graph;
  graph.offsets = {0};
  for (int row = 0; row < num_rows; ++row) {
    if (star && row == 0) {
      for (int other = 1; other < num_rows; ++other) graph.columns.push_back(other);
    } else if (star) {
      graph.columns.push_back(0);
    } else {
      if (row > 0) graph.columns.push_back(row - 1);
      if (row + 1 < num_rows) graph.columns.push_back(row + 1);
    }
    graph.offsets.push_back(static_cast<std::int64_t>(graph.columns.size()));
  }
  return graph;
}

template <class Type>
void expect_products_of_the_twin(const Lamina::BlockGraph& graph, int size) {
  const auto twin = random_matrix(graph, size);
  const Values x = random_values(static_cast<std::size_t>(size * graph.num_rows()), 77);
  EXPECT_TRUE(all_within(product(device_matrix<Type>(twin), x), Reference::multiply(twin, x),
                         rounding<double>(15.0 * size)))
      << "size " << size << ", rows " << graph.num_rows();
}

TYPED_TEST(BlockSparseMatrix, MultipliesMoreRowsThanTeamsTakeAtOnce) {
  expect_products_of_the_twin<TypeParam>(star_or_path(100000, false), 1);
  expect_products_of_the_twin<TypeParam>(star_or_path(60000, false), 3);
  expect_products_of_the_twin<TypeParam>(star_or_path(6001, false), 9);
  expect_products_of_the_twin<TypeParam>(star_or_path(2001, false), 17);
}

TYPED_TEST(BlockSparseMatrix, MultipliesARowOfManyBlocks) {
  for (const int size : {1, 2, 3, 5, 9, 17}) {
    expect_products_of_the_twin<TypeParam>(star_or_path(2001, true), size);
  }
}

TYPED_TEST(BlockSparseMatrix, SubtractsTheProductsOffTheDiagonal) {
  const TEST_SPACE space;
  for (const int size : {1, 3, 5, 16, 33}) {
    const auto graph = Lamina::FreudenthalMesh(4, 3, 3).graph();
    auto twin = random_matrix(graph, size);
    const auto matrix = device_matrix<TypeParam>(twin);
    const auto count = static_cast<std::size_t>(size * graph.num_rows());
    const Values x = random_values(count, 7), b = random_values(count, 8);
    for (auto& block : twin.diagonal) std::fill(block.begin(), block.end(), 0.0);
    Values expected = Reference::multiply(twin, x);
    for (std::size_t n = 0; n < count; ++n) expected[n] = b[n] - expected[n];
    const BlockFieldOfTest x_field(graph.num_rows(), size, x), y(graph.num_rows(), size, b);
    matrix.subtract_off_diagonal(space, y.const_view(), x_field.const_view(), y.view());
    EXPECT_TRUE(all_within(y.get(), expected, rounding<double>(15.0 * size))) << size;
  }
}

TYPED_TEST(BlockSparseMatrix, WorksOnPaddedVectorsAndLeavesTheirSurroundingsAlone) {
  for (const int size : {1, 2, 5, 9, 33}) {
    const auto twin = random_matrix(Lamina::FreudenthalMesh(3, 4, 3).graph(), size);
    const auto matrix = device_matrix<TypeParam>(twin);
    const Values x = random_values(static_cast<std::size_t>(size * matrix.num_rows()), 3);
    for (const auto& padding : {column_padding, level_padding, all_padding}) {
      EXPECT_TRUE(all_within(product(matrix, x, padding), Reference::multiply(twin, x),
                             rounding<double>(15.0 * size)))
          << size;
    }
  }
}

TYPED_TEST(BlockSparseMatrix, MultipliesRowsWithoutAnyBlockOffTheDiagonal) {
  for (const int size : {1, 4, 17}) {
    Lamina::BlockGraph graph;
    graph.offsets.assign(8, 0);
    const auto twin = random_matrix(graph, size);
    const Values x = random_values(static_cast<std::size_t>(size * 7), 3);
    EXPECT_TRUE(all_within(product(device_matrix<TypeParam>(twin), x), Reference::multiply(twin, x),
                           rounding<double>(size)));
  }
}

TYPED_TEST(BlockSparseMatrix, SplitsRowsThatHoldTheirDiagonal) {
  for (const int size : {1, 2, 5}) {
    const auto twin = random_matrix(Lamina::FreudenthalMesh(3, 3, 2).graph(), size);
    std::vector<std::int64_t> offsets{0};
    std::vector<int> columns;
    std::vector<Reference::Block> blocks;
    for (int row = 0; row < twin.num_rows(); ++row) {
      const auto i = static_cast<std::size_t>(row);
      auto entries = twin.off[i];
      entries.insert(entries.begin() + row % (static_cast<int>(entries.size()) + 1),
                     {row, twin.diagonal[i]});
      for (const auto& entry : entries) {
        columns.push_back(entry.column);
        blocks.push_back(entry.block);
      }
      offsets.push_back(static_cast<std::int64_t>(columns.size()));
    }
    const auto matrix =
        TestFixture::Matrix::split(TEST_SPACE(), device_copy(offsets), device_copy(columns),
                                   device_blocks<double>(size, blocks));
    const Values x = random_values(static_cast<std::size_t>(size * twin.num_rows()), 5);
    EXPECT_EQ(product(matrix, x), product(device_matrix<TypeParam>(twin), x));
  }
}

TYPED_TEST(BlockSparseMatrix, IsTheSameMatrixAfterRenumbering) {
  const auto twin = random_matrix(Lamina::FreudenthalMesh(4, 3, 5).graph(), 3);
  const auto matrix = device_matrix<TypeParam>(twin);
  const auto ordering = Lamina::ColourOrdering::greedy(matrix.graph());
  const auto renumbered = matrix.renumbered(TEST_SPACE(), ordering);
  const Values x = random_values(static_cast<std::size_t>(3 * twin.num_rows()), 5);
  Values new_x;
  for (const int old_row : ordering.old_rows()) {
    for (int p = 0; p < 3; ++p) new_x.push_back(x[static_cast<std::size_t>(3 * old_row + p)]);
  }
  const Values y = product(matrix, x), new_y = product(renumbered, new_x);
  Values expected;
  for (const int old_row : ordering.old_rows()) {
    for (int p = 0; p < 3; ++p) expected.push_back(y[static_cast<std::size_t>(3 * old_row + p)]);
  }
  EXPECT_TRUE(all_within(new_y, expected, rounding<double>(45)));

  // Nothing is copied where nothing moves.
  const Lamina::ColourOrdering same(
      renumbered.graph(), Lamina::natural_order(twin.num_rows()), [&] {
        std::vector<int> colours;
        for (int k = 0; k < ordering.num_colours(); ++k) {
          const auto c = static_cast<std::size_t>(k);
          colours.insert(
              colours.end(),
              static_cast<std::size_t>(ordering.offsets()[c + 1] - ordering.offsets()[c]), k);
        }
        return colours;
      }());
  EXPECT_EQ(renumbered.renumbered(TEST_SPACE(), same).diagonal().data(),
            renumbered.diagonal().data());
}

TYPED_TEST(BlockSparseMatrix, TellsItsGraph) {
  const auto graph = Lamina::FreudenthalMesh(3, 3, 3).graph();
  const auto found = device_matrix<TypeParam>(random_matrix(graph, 2)).graph();
  EXPECT_EQ(found.offsets, graph.offsets);
  EXPECT_EQ(found.columns, graph.columns);
  const typename TestFixture::Matrix empty;
  EXPECT_EQ(empty.num_rows(), 0);
  EXPECT_EQ(empty.graph().num_rows(), 0);
}

TYPED_TEST(BlockSparseMatrix, RefusesRowsThatAreNotAsTheyShouldBe) {
  using Matrix = typename TestFixture::Matrix;
  const Reference::Block one{1};
  const auto refusal = [&](const std::vector<std::int64_t>& offsets,
                           const std::vector<int>& columns, int rows, bool split) {
    const std::vector<Reference::Block> blocks(columns.size(), one),
        diagonal(static_cast<std::size_t>(rows), one);
    return message_of<Lamina::InvalidArgument>([&] {
      if (split) {
        Matrix::split(TEST_SPACE(), device_copy(offsets), device_copy(columns),
                      device_blocks<double>(1, blocks));
      } else {
        const std::size_t scaled = in_half<TypeParam> ? 1 : 0;
        Matrix(TEST_SPACE(), device_copy(offsets), device_copy(columns),
               device_blocks<double>(1, diagonal), device_blocks<TypeParam>(1, blocks),
               Kokkos::View<float**, Kokkos::LayoutRight, Memory>(
                   "LaminaTest::scales", scaled * diagonal.size(), scaled));
      }
    });
  };
  const auto expect = [&](const std::vector<std::int64_t>& offsets, const std::vector<int>& columns,
                          const std::string& message) {
    EXPECT_EQ(refusal(offsets, columns, 2, false),
              "Lamina::BlockSparseMatrix: argument " + message);
  };
  EXPECT_EQ(refusal({0, 1, 2}, {1, 0}, 2, false), "nothing was thrown");
  expect({0, 1}, {1}, "row_offsets: expected 3 entries, got 2");
  expect({1, 1, 2}, {1, 0}, "row_offsets: expected to begin with 0, got 1");
  expect({0, 1, 3}, {1, 0}, "row_offsets: expected to end with 2, the number of columns, got 3");
  expect({0, 3, 2}, {1, 0}, "row_offsets: row 1: expected no decrease, got 3 and 2");
  expect({0, 1, 2}, {1, 2}, "columns: row 1: expected 0 to 1, got 2");
  expect({0, 1, 2}, {-1, 0}, "columns: row 0: expected 0 to 1, got -1");
  expect({0, 2, 2}, {1, 1}, "columns: row 0: expected each column once, got 1 again");
  expect({0, 1, 2}, {1, 1},
         "columns: row 1: expected blocks off the diagonal only, got the diagonal one");

  const auto expect_split = [&](const std::vector<std::int64_t>& offsets,
                                const std::vector<int>& columns, const std::string& message) {
    EXPECT_EQ(refusal(offsets, columns, 2, true),
              "Lamina::BlockSparseMatrix::split: argument " + message);
  };
  EXPECT_EQ(refusal({0, 2, 3}, {1, 0, 1}, 2, true), "nothing was thrown");
  expect_split({0, 1, 2}, {1, 1}, "columns: row 0: expected a diagonal block, got none");
  expect_split({0, 2, 3}, {0, 0, 1}, "columns: row 0: expected each column once, got 0 again");
  expect_split({}, {}, "row_offsets: expected entries, got none");
}

TYPED_TEST(BlockSparseMatrix, RefusesToLoseWhatMattersWhenItRounds) {
  using Matrix = typename TestFixture::Matrix;
  const auto accepts = [&](double diagonal, double other, double above = 0) {
    const auto offsets = device_copy(std::vector<std::int64_t>{0, 2, 4});
    const auto columns = device_copy(std::vector<int>{0, 1, 1, 0});
    const std::vector<Reference::Block> blocks{{1, 0, 0, 1},
                                               {0, 0, 0, 0},
                                               {above == 0 ? diagonal : above, 0, 0, diagonal},
                                               {0, other, -other, 0}};
    try {
      Matrix::split(TEST_SPACE(), offsets, columns, device_blocks<double>(2, blocks));
      return true;
    } catch (const Lamina::InvalidArgument& error) {
      EXPECT_EQ(std::string(error.what()),
                "Lamina::BlockSparseMatrix::split: row 1: expected values off the diagonal within "
                "the range of float");
      return false;
    }
  };
  const bool rounds = !std::is_same_v<TypeParam, double>;
  EXPECT_EQ(accepts(1e39, 1e39), !rounds);
  EXPECT_EQ(accepts(4e-50, 1e-50), !rounds);
  EXPECT_EQ(accepts(1e-30, 1e-40), true) << "denormal, but nothing beside the diagonal";
  EXPECT_EQ(accepts(1e-36, 1e-40), !rounds);
  EXPECT_EQ(accepts(1, 1e-300), true);
  EXPECT_EQ(accepts(1e-45, 6e-46, 1), !rounds) << "beside the diagonal of another component";
  EXPECT_EQ(accepts(1e30, -1e30), true);
}

TEST(RoundedToFloat, IsWhatSplitMakesOfTheSameBlocksAndRefusesTheSame) {
  const TEST_SPACE space;
  using Double = Lamina::BlockSparseMatrix<double, double, Memory>;
  using Single = Lamina::BlockSparseMatrix<double, float, Memory>;
  const auto offsets = device_copy(std::vector<std::int64_t>{0, 2, 4});
  const auto columns = device_copy(std::vector<int>{0, 1, 1, 0});
  std::vector<Reference::Block> blocks{
      {1, 0.1, 0.2, 3}, {0.1, 1e-40, -0.7, 1e9}, {2, 0.3, 0, 1}, {1 / 3.0, 5, 1e-20, 7}};
  const auto all = device_blocks<double>(2, blocks);
  const Double matrix = Double::split(space, offsets, columns, all);
  const Single rounded = matrix.rounded_to_float(space);
  const auto values = [](const Single& some) {
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), some.off_diagonal());
    return std::vector<float>(host.data(), host.data() + host.size());
  };
  EXPECT_EQ(values(rounded), values(Single::split(space, offsets, columns, all)));
  EXPECT_EQ(rounded.diagonal().data(), matrix.diagonal().data());
  EXPECT_EQ(rounded.columns().data(), matrix.columns().data());
  EXPECT_EQ(Double().rounded_to_float(space).num_rows(), 0);
  blocks[3][2] = 1e39;
  const Double large = Double::split(space, offsets, columns, device_blocks<double>(2, blocks));
  EXPECT_THROW((void)large.rounded_to_float(space), Lamina::InvalidArgument);
}

TYPED_TEST(BlockSparseMatrix, RefusesBlocksAndVectorsThatDoNotFit) {
  using Matrix = typename TestFixture::Matrix;
  const TEST_SPACE space;
  const auto offsets = device_copy(std::vector<std::int64_t>{0, 0});
  const auto columns = device_copy(std::vector<int>{});
  using Blocks = Kokkos::View<double***, Kokkos::LayoutLeft, Memory>;
  using Off = Kokkos::View<TypeParam***, Kokkos::LayoutLeft, Memory>;
  EXPECT_THROW(Matrix(space, offsets, columns, Blocks("LaminaTest::d", 2, 3, 1), Off()),
               Lamina::InvalidArgument);
  EXPECT_THROW(Matrix(space, offsets, columns, Blocks("LaminaTest::d", 2, 2, 1),
                      Off("LaminaTest::o", 3, 3, 0)),
               Lamina::InvalidArgument);
  EXPECT_THROW(Matrix(space, offsets, columns, Blocks("LaminaTest::d", 1025, 1025, 1),
                      Off("LaminaTest::o", 1025, 1025, 0)),
               Lamina::InvalidArgument);
  using Unmanaged = Kokkos::View<const double***, Kokkos::LayoutLeft, Memory>;
  const double value = 1;  // Views of more rows than can be numbered are not looked into
  EXPECT_THROW(Matrix(space, offsets, columns, Unmanaged(&value, 1, 1, std::size_t{1} << 31),
                      Off("LaminaTest::o", 1, 1, 0)),
               Lamina::InvalidArgument);
  const auto matrix =
      device_matrix<TypeParam>(random_matrix(Lamina::FreudenthalMesh(2, 2, 2).graph(), 3));
  const BlockFieldOfTest good(8, 3), few(7, 3), narrow(8, 2);
  EXPECT_THROW(matrix.apply(space, few.const_view(), good.view()), Lamina::InvalidArgument);
  EXPECT_THROW(matrix.apply(space, good.const_view(), narrow.view()), Lamina::InvalidArgument);
  EXPECT_THROW(
      matrix.subtract_off_diagonal(space, good.const_view(), narrow.const_view(), good.view()),
      Lamina::InvalidArgument);
}

}  // namespace LaminaTest
