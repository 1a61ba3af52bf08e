// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>

#include "PointImplicitTask.hpp"

namespace LaminaTest {
namespace {

using namespace Lamina::Cli;

TEST(PointImplicitNeed, CoversAFileWhileItIsSplit) {
  PointImplicitProblem problem;
  problem.matrix = "a.mtx";
  problem.block_size = 100;
  // What was read and the diagonal in double precision, the others rounded
  const double block = 8 * 100.0 * 100.0, rows = 10, blocks = 1000;
  const auto need = point_implicit_need(problem, {}, rows, blocks);
  EXPECT_GE(need.space_bytes, 1.5 * block * blocks + 2 * block * rows);
  EXPECT_LT(need.space_bytes, 1.1 * (1.5 * block * blocks + 2 * block * rows));
  EXPECT_LT(need.mirror_bytes, block * rows);
}

TEST(PointImplicitNeed, CoversBothNumberingsFactorsAndInverses) {
  PointImplicitProblem problem;
  problem.block_size = 100;
  const double block = 8 * 100.0 * 100.0, rows = 1000, blocks = 14 * rows;
  PointImplicitVariant variant;
  variant.storage = Storage::double_precision;
  const auto need = point_implicit_need(problem, variant, rows, blocks);
  EXPECT_GE(need.space_bytes, 2 * block * blocks + 4 * block * rows);
  EXPECT_LT(need.space_bytes, 1.1 * (2 * block * blocks + 4 * block * rows));
}

TEST(PointImplicitNeed, CoversAMatrixInFloatWhileItIsRoundedToHalf) {
  PointImplicitProblem problem;
  problem.block_size = 100;
  const double values = 100.0 * 100.0, rows = 1000, blocks = 14 * rows;
  PointImplicitVariant variant;
  variant.storage = Storage::half_precision;
  const auto need = point_implicit_need(problem, variant, rows, blocks);
  const double least = (4 + 2) * values * blocks + 8 * values * rows;
  EXPECT_GE(need.space_bytes, least);
  EXPECT_LT(need.space_bytes, 1.1 * least);
}

TEST(PointImplicitNeed, CoversTheTablesOfASmallMeshOfLargeBlocks) {
  PointImplicitProblem problem;
  problem.block_size = 1024;
  const auto need = point_implicit_need(problem, {}, 1, 0);
  EXPECT_GE(need.space_bytes, 130.0 * 8 * 1024 * 1024);
  EXPECT_GE(need.mirror_bytes, 101.0 * 8 * 1024 * 1024);
}

TEST(PointImplicitNeed, CoversTheVectorsOfKrylovMethods) {
  PointImplicitProblem problem;
  const double rows = 1000, vector = 8 * 5 * rows;
  const auto need = [&](Krylov krylov) {
    PointImplicitVariant variant;
    variant.krylov = krylov;
    return point_implicit_need(problem, variant, rows, 14 * rows).space_bytes;
  };
  EXPECT_GE(need(Krylov::pcg), need(Krylov::none) + 4 * vector);
  // The basis, and the matrix once more with its diagonal, in double precision
  EXPECT_GE(need(Krylov::gmres), need(Krylov::none) + 51 * vector + 8 * 25 * 15 * rows);
}

}  // namespace
}  // namespace LaminaTest
