// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/PointImplicitPreconditioner.hpp>
#include <lamina/krylov/Pcg.hpp>

#include <blocks/BlockCase.hpp>
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace LaminaTest {

template <class Type>
class PointImplicitPreconditioner : public testing::Test {};
TYPED_TEST_SUITE(PointImplicitPreconditioner, OffDiagonalTypes, OffDiagonalTypeNames);

TYPED_TEST(PointImplicitPreconditioner, IsASweepFromZero) {
  const TEST_SPACE space;
  const auto graph = Lamina::FreudenthalMesh(4, 3, 3).graph();
  const auto twin = random_matrix(graph, 3);
  const Lamina::PointImplicitSolver solver(space, device_matrix<TypeParam>(twin),
                                           Lamina::ColourOrdering::greedy(graph));
  using Lamina::VectorOrder, Lamina::SweepDirection;
  const BlockFieldOfTest r(36, 3, random_values(108, 4)), z(36, 3, random_values(108, 5)), x(36, 3);
  for (const auto direction :
       {SweepDirection::forward, SweepDirection::backward, SweepDirection::symmetric}) {
    for (const int num_sweeps : {1, 2}) {
      const Lamina::PointImplicitPreconditioner coloured(solver, VectorOrder::colour, direction,
                                                         num_sweeps),
          user(solver, VectorOrder::user, direction, num_sweeps);
      coloured.solve(space, r.const_view(), z.view());
      Kokkos::deep_copy(space, x.view(), 0.0);
      solver.sweep_in_colour_order(space, r.const_view(), x.view(), direction, num_sweeps);
      EXPECT_EQ(z.get(), x.get());
      user.solve(space, r.const_view(), z.view());
      Kokkos::deep_copy(space, x.view(), 0.0);
      solver.sweep(space, r.const_view(), x.view(), direction, num_sweeps);
      EXPECT_EQ(z.get(), x.get());
    }
  }
  const Lamina::PointImplicitPreconditioner once(solver, VectorOrder::user);
  once.solve(space, r.const_view(), z.view());
  Kokkos::deep_copy(space, x.view(), 0.0);
  solver.sweep(space, r.const_view(), x.view(), SweepDirection::symmetric);
  EXPECT_EQ(z.get(), x.get());
  EXPECT_THROW(
      Lamina::PointImplicitPreconditioner(solver, VectorOrder::user, SweepDirection::forward, 0),
      Lamina::InvalidArgument);
  EXPECT_THROW(once.solve(space, z.const_view(), z.view()), Lamina::InvalidArgument);
}

/// The same with dense blocks: D_i is a multiple of one plus a symmetric block of entries up to 1.
inline Reference::BlockMatrix dense_symmetric_matrix(const Lamina::BlockGraph& graph, int size) {
  auto a = symmetric_matrix(graph, size);
  const auto n = static_cast<std::size_t>(size);
  for (std::size_t i = 0; i < a.off.size(); ++i) {
    const Values noise = random_values(n * n, 1000 + i);
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t q = 0; q < n; ++q) {
        const double value = noise[std::max(p, q) * n + std::min(p, q)];
        a.diagonal[i][q * n + p] = p == q ? 10.0 + size + value : value;
      }
    }
    for (auto& entry : a.off[i]) {
      const auto j = static_cast<std::size_t>(entry.column);
      const auto rows = a.off.size();
      const Values values = random_values(n * n, 5000 + std::min(i, j) * rows + std::max(i, j));
      for (std::size_t p = 0; p < n; ++p) {
        for (std::size_t q = 0; q < n; ++q) {
          entry.block[q * n + p] = 0.5 / size * values[i < j ? q * n + p : p * n + q];
        }
      }
      entry.block = exact_in_half(entry.block);
    }
  }
  return a;
}

TYPED_TEST(PointImplicitPreconditioner, IsSymmetricPositiveDefiniteForDenseBlocks) {
  const TEST_SPACE space;
  const auto graph = Lamina::FreudenthalMesh(4, 3, 3).graph();
  for (const int size : {1, 2, 5, 17, 33}) {
    const auto twin = dense_symmetric_matrix(graph, size);
    const auto count = static_cast<std::size_t>(36 * size);
    const Values r1 = random_values(count, 4), r2 = random_values(count, 5);
    const BlockFieldOfTest r1_field(36, size, r1), r2_field(36, size, r2), z(36, size);
    const auto dot = [](const Values& a, const Values& b) {
      double sum = 0;
      for (std::size_t n = 0; n < a.size(); ++n) sum += a[n] * b[n];
      return sum;
    };
    for (const auto inverse : {Lamina::BlockInverse::lu, Lamina::BlockInverse::lu_pivoted,
                               Lamina::BlockInverse::inverse}) {
      const Lamina::PointImplicitSolver solver(space, device_matrix<TypeParam>(twin),
                                               Lamina::ColourOrdering::greedy(graph), inverse);
      for (const int num_sweeps : {1, 2}) {
        const Lamina::PointImplicitPreconditioner preconditioner(
            solver, num_sweeps == 1 ? Lamina::VectorOrder::user : Lamina::VectorOrder::colour,
            Lamina::SweepDirection::symmetric, num_sweeps);
        preconditioner.solve(space, r2_field.const_view(), z.view());
        const double r1_z2 = dot(r1, z.get()), r2_z2 = dot(r2, z.get());
        preconditioner.solve(space, r1_field.const_view(), z.view());
        const double r2_z1 = dot(r2, z.get()), r1_z1 = dot(r1, z.get());
        EXPECT_GT(r1_z1, 0) << size;
        EXPECT_GT(r2_z2, 0) << size;
        EXPECT_NEAR(r1_z2, r2_z1, 1e-13 * (r1_z1 + r2_z2)) << size;
      }
    }
  }
}

TYPED_TEST(PointImplicitPreconditioner, HelpsConjugateGradients) {
  const TEST_SPACE space;
  const auto graph = Lamina::FreudenthalMesh(13, 12, 11).graph();
  const auto twin = symmetric_matrix(graph, 3);
  const auto matrix = device_matrix<TypeParam>(twin);
  const Lamina::PointImplicitSolver solver(space, matrix, Lamina::ColourOrdering::greedy(graph));
  ASSERT_EQ(solver.status(), Lamina::SolveStatus::completed);
  const int rows = graph.num_rows();
  const auto count = static_cast<std::size_t>(3 * rows);
  const BlockFieldOfTest b(rows, 3, random_values(count, 4)), x(rows, 3), plain_x(rows, 3);
  Lamina::StoppingCriteria criteria;
  criteria.tolerance = 1e-12;
  Lamina::Pcg pcg(space, solver.coloured_matrix(),
                  Lamina::PointImplicitPreconditioner(solver, Lamina::VectorOrder::colour));
  const auto report = pcg.solve(space, b.const_view(), x.view(), criteria);
  EXPECT_EQ(report.status, Lamina::SolveStatus::converged);
  EXPECT_LT(solver.residual_norm_in_colour_order(space, b.const_view(), x.const_view()),
            1e-11 * report.reference_norm);
  Lamina::Pcg plain(space, solver.coloured_matrix(), Lamina::IdentityPreconditioner());
  const auto without = plain.solve(space, b.const_view(), plain_x.view(), criteria);
  EXPECT_EQ(without.status, Lamina::SolveStatus::converged);
  EXPECT_LT(3 * report.iterations, 2 * without.iterations);
  EXPECT_TRUE(all_within(x.get(), plain_x.get(), 1e-9));

  // The same in the user's order, over the user's matrix.
  const BlockFieldOfTest user_b(rows, 3), user_x(rows, 3), expected(rows, 3);
  solver.from_colour_order(space, b.const_view(), user_b.view());
  solver.from_colour_order(space, x.const_view(), expected.view());
  Lamina::Pcg in_user_order(space, matrix,
                            Lamina::PointImplicitPreconditioner(solver, Lamina::VectorOrder::user));
  const auto same = in_user_order.solve(space, user_b.const_view(), user_x.view(), criteria);
  EXPECT_EQ(same.iterations, report.iterations);
  EXPECT_TRUE(all_within(user_x.get(), expected.get(), 1e-9));
}

TYPED_TEST(PointImplicitPreconditioner, TellsConjugateGradientsOfABadPivot) {
  const TEST_SPACE space;
  const auto graph = Lamina::FreudenthalMesh(3, 2, 2).graph();
  auto twin = random_matrix(graph, 2);
  twin.diagonal[3].assign(4, 0.0);
  const Lamina::PointImplicitSolver solver(space, device_matrix<TypeParam>(twin),
                                           Lamina::ColourOrdering::greedy(graph));
  Lamina::Pcg pcg(space, solver.coloured_matrix(),
                  Lamina::PointImplicitPreconditioner(solver, Lamina::VectorOrder::colour));
  const BlockFieldOfTest b(12, 2, random_values(24, 4)), x(12, 2);
  EXPECT_EQ(pcg.solve(space, b.const_view(), x.view()).status,
            Lamina::SolveStatus::breakdown_zero_pivot);
}

}  // namespace LaminaTest
