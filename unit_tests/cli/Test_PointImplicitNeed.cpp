// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>

#include <utility>

#include <point_implicit/PointImplicitTask.hpp>

namespace LaminaTest {
namespace {

using namespace Lamina::Cli;

TEST(PointImplicitNeed, CoversAFileInDouble) {
  PointImplicitProblem problem;
  problem.matrix = "a.mtx";
  problem.block_size = 100;
  // What was read, and the matrix in double precision
  const double block = 8 * 100.0 * 100.0, rows = 1000, blocks = 1000;
  PointImplicitVariant variant;
  variant.storage = Storage::double_precision;
  const auto need = point_implicit_need(problem, variant, rows, blocks);
  EXPECT_GE(need.space_bytes, 2 * block * blocks + 4 * block * rows);
  EXPECT_LT(need.space_bytes, 1.1 * (2 * block * blocks + 4 * block * rows));
  EXPECT_LT(need.mirror_bytes, block * rows);
}

TEST(PointImplicitNeed, CoversTheUsersMatrixBesideTheRoundedOne) {
  PointImplicitProblem problem;
  problem.matrix = "a.mtx";
  problem.block_size = 100;
  const double block = 8 * 100.0 * 100.0, rows = 10, blocks = 1000;
  PointImplicitVariant variant;
  for (const auto& [storage, bytes] :
       {std::pair{Storage::single_precision, 4.0}, std::pair{Storage::half_precision, 2.0}}) {
    // Both numberings in double precision beside the rounded one
    variant.storage = storage;
    const auto need = point_implicit_need(problem, variant, rows, blocks);
    const double least = (2 + bytes / 8) * block * blocks + 4 * block * rows;
    EXPECT_GE(need.space_bytes, least);
    EXPECT_LT(need.space_bytes, 1.1 * least);
  }
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
  EXPECT_GE(need(Krylov::gmres), need(Krylov::none) + (gmres_restart + 2) * vector);
  problem.matrix = "a.mtx";
  // Beside the matrix in double and in float, each once
  EXPECT_GE(need(Krylov::gmres),
            (gmres_restart + 2) * vector + (8 + 4) * 25 * 14 * rows + 3 * 8 * 25 * rows);
}

}  // namespace
}  // namespace LaminaTest
