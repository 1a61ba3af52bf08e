// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/PointImplicitKernelsPreconditioner.hpp>

#include <blocks/BlockCase.hpp>
#include <blocks/KernelsGmres.hpp>
#include <gtest/gtest.h>

#include <type_traits>

namespace LaminaTest {

template <class Type>
class PointImplicitKernelsPreconditioner : public testing::Test {};
TYPED_TEST_SUITE(PointImplicitKernelsPreconditioner, UnscaledTypes, OffDiagonalTypeNames);

#if !defined(LAMINA_HAS_BSR_MATRIX)

TYPED_TEST(PointImplicitKernelsPreconditioner, IsThereWithKokkosKernels4) {
  GTEST_SKIP() << "Kokkos Kernels before 4.0 has no block matrices and no GMRES";
}

#else

TYPED_TEST(PointImplicitKernelsPreconditioner, IsASweepFromZero) {
  const TEST_SPACE space;
  const auto graph = Lamina::FreudenthalMesh(4, 3, 3).graph();
  const auto twin = random_matrix(graph, 3);
  const Lamina::PointImplicitSolver solver(space, device_matrix<TypeParam>(twin),
                                           Lamina::ColourOrdering::greedy(graph));
  using Matrix = std::decay_t<decltype(solver.coloured_matrix())>;
  using Preconditioner = Lamina::PointImplicitKernelsPreconditioner<Matrix, TEST_SPACE>;
  const Values r = random_values(108, 4), before = random_values(108, 5);
  for (const auto direction :
       {Lamina::SweepDirection::forward, Lamina::SweepDirection::symmetric}) {
    const BlockFieldOfTest b(36, 3, r), x(36, 3), user_x(36, 3);
    solver.sweep_in_colour_order(space, b.const_view(), x.view(), direction, 2);
    solver.sweep(space, b.const_view(), user_x.view(), direction, 2);
    const Values z = x.get();
    const Preconditioner preconditioner(solver, Lamina::VectorOrder::colour, direction, 2),
        in_user_order(solver, Lamina::VectorOrder::user, direction, 2);
    const KernelsVector user_y = kernels_vector(before);
    in_user_order.apply(kernels_vector(r), user_y);
    EXPECT_EQ(values_of(user_y), user_x.get());
    const KernelsVector y = kernels_vector(before);
    preconditioner.apply(kernels_vector(r), y);
    EXPECT_EQ(values_of(y), z);
    Kokkos::deep_copy(y, kernels_vector(before));
    preconditioner.apply(kernels_vector(r), y, "N", 2.0, -1.0);
    Values sum(z.size());
    for (std::size_t n = 0; n < z.size(); ++n) sum[n] = 2 * z[n] - before[n];
    EXPECT_TRUE(all_within(values_of(y), sum, 1e-14));
    EXPECT_THROW(preconditioner.apply(kernels_vector(r), y, "T"), Lamina::InvalidArgument);
    EXPECT_THROW(preconditioner.apply(y, y), Lamina::InvalidArgument);
  }
  EXPECT_THROW(
      Preconditioner(solver, Lamina::VectorOrder::user, Lamina::SweepDirection::forward, 0),
      Lamina::InvalidArgument);
}

TYPED_TEST(PointImplicitKernelsPreconditioner, HelpsGmres) {
  const TEST_SPACE space;
  const auto graph = Lamina::FreudenthalMesh(9, 8, 7).graph();
  const auto twin = random_matrix(graph, 4);
  const Lamina::PointImplicitSolver solver(space, device_matrix<TypeParam>(twin),
                                           Lamina::ColourOrdering::greedy(graph));
  using Matrix = std::decay_t<decltype(solver.coloured_matrix())>;
  Lamina::PointImplicitKernelsPreconditioner<Matrix, TEST_SPACE> preconditioner(
      solver, Lamina::VectorOrder::colour);
  const auto a = Lamina::bsr_matrix<double>(space, solver.coloured_matrix());
  const Values rhs = random_values(static_cast<std::size_t>(4 * graph.num_rows()), 4);
  using Base = KokkosSparse::Experimental::Preconditioner<std::decay_t<decltype(a)>>;
  const auto solve = [&](Base* m) { return kernels_gmres(a, rhs, 50, 1e-12, m); };
  const auto with = solve(&preconditioner), without = solve(nullptr);
  EXPECT_LT(with.relative_residual, 1e-12);
  EXPECT_LT(without.relative_residual, 1e-12);
  EXPECT_LT(3 * with.iterations, 2 * without.iterations);
  EXPECT_TRUE(all_within(with.x, without.x, 1e-10));
}

#endif

}  // namespace LaminaTest
