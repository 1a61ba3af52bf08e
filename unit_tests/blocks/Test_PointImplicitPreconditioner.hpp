// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/PointImplicitPreconditioner.hpp>
#include <lamina/krylov/Pcg.hpp>

#include <blocks/BlockCase.hpp>
#include <gtest/gtest.h>

#include <vector>

namespace LaminaTest {

template <class Type>
class PointImplicitPreconditioner : public testing::Test {};
TYPED_TEST_SUITE(PointImplicitPreconditioner, OffDiagonalTypes, OffDiagonalTypeNames);

/// O_ji is the transpose of O_ij, and the diagonal barely dominates: symmetric positive definite.
inline Reference::BlockMatrix symmetric_matrix(const Lamina::BlockGraph& graph, int size) {
  auto a = random_matrix(graph, size);
  const auto n = static_cast<std::size_t>(size);
  for (std::size_t i = 0; i < a.off.size(); ++i) {
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t q = 0; q < n; ++q) a.diagonal[i][q * n + p] = p == q ? 7.05 : 0.0;
    }
    for (auto& entry : a.off[i]) {
      const auto j = static_cast<std::size_t>(entry.column);
      for (std::size_t p = 0; p < n; ++p) {
        for (std::size_t q = 0; q < n; ++q) {
          entry.block[q * n + p] = p == q ? -0.5 : i < j ? 0.001 * p : 0.001 * q;
        }
      }
      entry.block = rounded<float>(entry.block);
    }
  }
  return a;
}

TYPED_TEST(PointImplicitPreconditioner, IsASymmetricSweepFromZero) {
  const TEST_SPACE space;
  const auto graph = Lamina::FreudenthalMesh(4, 3, 3).graph();
  const auto twin = random_matrix(graph, 3);
  const Lamina::PointImplicitSolver solver(space, device_matrix<TypeParam>(twin),
                                           Lamina::ColourOrdering::greedy(graph));
  const Lamina::PointImplicitPreconditioner once(solver), twice(solver, 2);
  const BlockFieldOfTest r(36, 3, random_values(108, 4)), z(36, 3, random_values(108, 5)), x(36, 3);
  for (const int num_sweeps : {1, 2}) {
    (num_sweeps == 1 ? once : twice).solve(space, r.const_view(), z.view());
    Kokkos::deep_copy(space, x.view(), 0.0);
    solver.sweep(space, r.const_view(), x.view(), Lamina::SweepDirection::symmetric, num_sweeps);
    EXPECT_EQ(z.get(), x.get());
  }
  EXPECT_THROW(Lamina::PointImplicitPreconditioner(solver, 0), Lamina::InvalidArgument);
}

TYPED_TEST(PointImplicitPreconditioner, HelpsConjugateGradients) {
  const TEST_SPACE space;
  const auto graph = Lamina::FreudenthalMesh(13, 12, 11).graph();
  const auto twin = symmetric_matrix(graph, 3);
  const Lamina::PointImplicitSolver solver(space, device_matrix<TypeParam>(twin),
                                           Lamina::ColourOrdering::greedy(graph));
  ASSERT_EQ(solver.status(), Lamina::SolveStatus::completed);
  const int rows = graph.num_rows();
  const auto count = static_cast<std::size_t>(3 * rows);
  const BlockFieldOfTest b(rows, 3, random_values(count, 4)), x(rows, 3), plain_x(rows, 3);
  Lamina::StoppingCriteria criteria;
  criteria.tolerance = 1e-12;
  Lamina::Pcg pcg(space, solver.matrix(), Lamina::PointImplicitPreconditioner(solver));
  const auto report = pcg.solve(space, b.const_view(), x.view(), criteria);
  EXPECT_EQ(report.status, Lamina::SolveStatus::converged);
  EXPECT_LT(solver.residual_norm(space, b.const_view(), x.const_view()),
            1e-11 * report.initial_residual_norm);
  Lamina::Pcg plain(space, solver.matrix(), Lamina::IdentityPreconditioner());
  const auto without = plain.solve(space, b.const_view(), plain_x.view(), criteria);
  EXPECT_EQ(without.status, Lamina::SolveStatus::converged);
  EXPECT_LT(3 * report.iterations, 2 * without.iterations);
  EXPECT_TRUE(all_within(x.get(), plain_x.get(), 1e-9));
}

TYPED_TEST(PointImplicitPreconditioner, TellsConjugateGradientsOfABadPivot) {
  const TEST_SPACE space;
  const auto graph = Lamina::FreudenthalMesh(3, 2, 2).graph();
  auto twin = random_matrix(graph, 2);
  twin.diagonal[3].assign(4, 0.0);
  const Lamina::PointImplicitSolver solver(space, device_matrix<TypeParam>(twin),
                                           Lamina::ColourOrdering::greedy(graph));
  Lamina::Pcg pcg(space, solver.matrix(), Lamina::PointImplicitPreconditioner(solver));
  const BlockFieldOfTest b(12, 2, random_values(24, 4)), x(12, 2);
  EXPECT_EQ(pcg.solve(space, b.const_view(), x.view()).status,
            Lamina::SolveStatus::breakdown_zero_pivot);
}

}  // namespace LaminaTest
