// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/Asymmetry.hpp>

#include <blocks/BlockCase.hpp>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace LaminaTest {

template <class Type>
class Asymmetry : public testing::Test {};
TYPED_TEST_SUITE(Asymmetry, UnscaledTypes, OffDiagonalTypeNames);

/// All entries 0.5, those of the diagonal blocks 2.
inline Reference::BlockMatrix even_matrix(const Lamina::BlockGraph& graph, int size) {
  auto a = random_matrix(graph, size);
  for (auto& block : a.diagonal) block.assign(block.size(), 2.0);
  for (auto& row : a.off) {
    for (auto& entry : row) entry.block.assign(entry.block.size(), 0.5);
  }
  return a;
}

TYPED_TEST(Asymmetry, IsZeroForSymmetricMatricesAlone) {
  const TEST_SPACE space;
  const auto graph = Lamina::FreudenthalMesh(3, 3, 2).graph();
  for (const int size : {1, 2, 5, 33}) {
    auto twin = even_matrix(graph, size);
    EXPECT_EQ(Lamina::asymmetry(space, device_matrix<TypeParam>(twin)), 0);
    twin.off[4].back().block.back() = 0.25;
    EXPECT_EQ(Lamina::asymmetry(space, device_matrix<TypeParam>(twin)), 0.125);
    twin.off[4].back().block.back() = std::numeric_limits<double>::infinity();
    EXPECT_FALSE(std::isfinite(Lamina::asymmetry(space, device_matrix<TypeParam>(twin))));
  }
  auto twin = even_matrix(graph, 2);
  twin.diagonal[7][1] = 1;  // (1, 0)
  EXPECT_EQ(Lamina::asymmetry(space, device_matrix<TypeParam>(twin)), 0.5);
}

TYPED_TEST(Asymmetry, SeesBlocksWithoutACounterpart) {
  const TEST_SPACE space;
  auto twin = even_matrix(Lamina::FreudenthalMesh(2, 2, 1).graph(), 3);
  twin.off[0].pop_back();
  EXPECT_EQ(Lamina::asymmetry(space, device_matrix<TypeParam>(twin)), 0.25);
}

TYPED_TEST(Asymmetry, OfAnEmptyMatrixIsZero) {
  const TEST_SPACE space;
  using Matrix = Lamina::BlockSparseMatrix<double, TypeParam, typename TEST_SPACE::memory_space>;
  EXPECT_EQ(Lamina::asymmetry(space, Matrix()), 0);
}

}  // namespace LaminaTest
