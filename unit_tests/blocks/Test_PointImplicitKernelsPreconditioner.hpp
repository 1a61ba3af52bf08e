// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/PointImplicitKernelsPreconditioner.hpp>

#include <blocks/BlockCase.hpp>
#include <gtest/gtest.h>

#if defined(LAMINA_HAS_BSR_MATRIX)
#include <KokkosKernels_Handle.hpp>
#include <KokkosSparse_gmres.hpp>
#include <KokkosSparse_spmv.hpp>
#endif

#include <vector>

namespace LaminaTest {

template <class Type>
class PointImplicitKernelsPreconditioner : public testing::Test {};
TYPED_TEST_SUITE(PointImplicitKernelsPreconditioner, UnscaledTypes, OffDiagonalTypeNames);

#if !defined(LAMINA_HAS_BSR_MATRIX)

TYPED_TEST(PointImplicitKernelsPreconditioner, IsThereWithKokkosKernels4) {
  GTEST_SKIP() << "Kokkos Kernels before 4.0 has no block matrices and no GMRES";
}

#else

using KernelsVector =
    Kokkos::View<double*, Kokkos::Device<TEST_SPACE, typename TEST_SPACE::memory_space>>;

inline KernelsVector kernels_vector(const Values& values) {
  const KernelsVector vector("LaminaTest::vector", values.size());
  Kokkos::deep_copy(vector, device_copy(values));
  return vector;
}
inline Values values_of(const KernelsVector& vector) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), vector);
  return {host.data(), host.data() + host.size()};
}

TYPED_TEST(PointImplicitKernelsPreconditioner, WorksOnTheSameMatrix) {
  const TEST_SPACE space;
  for (const int size : {1, 2, 5, 33}) {
    for (const auto& graph : meshes_for(size)) {
      const auto twin = random_matrix(graph, size);
      const auto a = Lamina::bsr_matrix<double>(space, device_matrix<TypeParam>(twin));
      EXPECT_EQ(a.numRows(), graph.num_rows());
      EXPECT_EQ(a.blockDim(), size);
      EXPECT_EQ(a.nnz(), graph.columns.size() + static_cast<std::size_t>(graph.num_rows()));
      if (graph.num_rows() == 0) continue;
      const Values x = random_values(static_cast<std::size_t>(graph.num_rows() * size), 3);
      const KernelsVector y("LaminaTest::y", x.size());
      KokkosSparse::spmv("N", 1.0, a, kernels_vector(x), 0.0, y);
      EXPECT_TRUE(all_within(values_of(y), Reference::multiply(twin, x), 1e-13)) << size;
    }
  }
}

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
  auto a = Lamina::bsr_matrix<double>(space, solver.coloured_matrix());
  const Values rhs = random_values(static_cast<std::size_t>(4 * graph.num_rows()), 4);
  const auto iterations = [&](auto* m, const KernelsVector& x) {
    using Memory = typename TEST_SPACE::memory_space;
    KokkosKernels::Experimental::KokkosKernelsHandle<std::size_t, int, double, TEST_SPACE, Memory,
                                                     Memory>
        handle;
    handle.create_gmres_handle(50, 1e-12, 3);
    KernelsVector b = kernels_vector(rhs), solution = x;
    KokkosSparse::Experimental::gmres(&handle, a, b, solution, m);
    const int count = handle.get_gmres_handle()->get_num_iters();
    EXPECT_LT(handle.get_gmres_handle()->get_end_rel_res(), 1e-12);
    handle.destroy_gmres_handle();
    return count;
  };
  using Base = KokkosSparse::Experimental::Preconditioner<decltype(a)>;
  const KernelsVector x("LaminaTest::x", rhs.size()), plain_x("LaminaTest::x", rhs.size());
  const int with = iterations(static_cast<Base*>(&preconditioner), x);
  const int without = iterations(static_cast<Base*>(nullptr), plain_x);
  EXPECT_LT(3 * with, 2 * without);
  EXPECT_TRUE(all_within(values_of(x), values_of(plain_x), 1e-10));
}

#endif

}  // namespace LaminaTest
