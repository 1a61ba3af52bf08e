// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// `Gmres` over block systems, with sweeps as its preconditioner: what it comes to, beside Kokkos
// Kernels where that has one, and what its header promises about allocations, names and fences.

#include <lamina/blocks/PointImplicitKernelsPreconditioner.hpp>
#include <lamina/blocks/PointImplicitPreconditioner.hpp>
#include <lamina/krylov/Gmres.hpp>

#include <blocks/BlockCase.hpp>
#include <blocks/KernelsGmres.hpp>
#include <gtest/gtest.h>
#include <support/OwnStream.hpp>
#include <support/ToolExpectations.hpp>

#include <string>
#include <vector>

namespace LaminaTest {

class GmresBlocks : public testing::Test {
 public:
  using Matrix = Lamina::BlockSparseMatrix<double, double, Memory>;
  using Preconditioner = Lamina::PointImplicitPreconditioner<Matrix>;
  static constexpr auto forward = Lamina::SweepDirection::forward;

  TEST_SPACE space;
  Lamina::BlockGraph graph = Lamina::FreudenthalMesh(9, 8, 7).graph();
  int rows = graph.num_rows();
  Values rhs = random_values(static_cast<std::size_t>(4 * rows), 4);
  Lamina::PointImplicitSolver<Matrix> solver{space, device_matrix<double>(random_matrix(graph, 4)),
                                             Lamina::ColourOrdering::greedy(graph)};
  BlockFieldOfTest b{rows, 4, rhs}, x{rows, 4};

  Lamina::Gmres<Matrix, Preconditioner> plan(Lamina::SweepDirection direction = forward,
                                             int restart = 30) const {
    return {space, solver.coloured_matrix(),
            Preconditioner(solver, Lamina::VectorOrder::colour, direction), restart};
  }
};

TEST_F(GmresBlocks, SweepsInEveryDirectionHelp) {
  using Lamina::SweepDirection;
  Lamina::Gmres plain(space, solver.coloured_matrix(), Lamina::IdentityPreconditioner());
  const BlockFieldOfTest plain_x(rows, 4);
  const Lamina::StoppingCriteria criteria{.tolerance = 1e-12};
  const auto without = plain.solve(space, b.const_view(), plain_x.view(), criteria);
  EXPECT_EQ(without.status, Lamina::SolveStatus::converged);
  for (const auto direction :
       {SweepDirection::forward, SweepDirection::backward, SweepDirection::symmetric}) {
    auto preconditioned = plan(direction);
    Kokkos::deep_copy(space, x.view(), 0.0);
    const auto report = preconditioned.solve(space, b.const_view(), x.view(), criteria);
    EXPECT_EQ(report.status, Lamina::SolveStatus::converged);
    EXPECT_LT(3 * report.iterations, 2 * without.iterations);
    EXPECT_TRUE(all_within(x.get(), plain_x.get(), 1e-10));
    EXPECT_NEAR(solver.residual_norm_in_colour_order(space, b.const_view(), x.const_view()),
                report.residual_norm, 1e-13 * report.reference_norm);
  }
}

TEST_F(GmresBlocks, TakesAsManyIterationsAsThatOfKokkosKernels) {
#if !defined(LAMINA_HAS_BSR_MATRIX)
  GTEST_SKIP() << "Kokkos Kernels before 4.0 has no GMRES";
#else
  const auto a = Lamina::bsr_matrix<double>(space, solver.coloured_matrix());
  Lamina::PointImplicitKernelsPreconditioner<Matrix, TEST_SPACE> preconditioner(
      solver, Lamina::VectorOrder::colour);
  const auto expected = kernels_gmres(a, rhs, 30, 1e-10, &preconditioner);
  auto ours = plan();
  const auto report = ours.solve(space, b.const_view(), x.view(), {.tolerance = 1e-10});
  EXPECT_EQ(report.status, Lamina::SolveStatus::converged);
  EXPECT_NEAR(report.iterations, expected.iterations, 1);
  EXPECT_TRUE(all_within(x.get(), expected.x, 1e-8));
#endif
}

TEST_F(GmresBlocks, AllocatesNothingInASolveAndBearsTheNameOfTheLibrary) {
  std::vector<std::string> allocations;
  auto plan = [&] {
    const ToolListener setup;
    auto made = this->plan(forward, 4);
    allocations = setup.heard().allocations;
    return made;
  }();
  EXPECT_GT(allocations.size(), 5u);
  for (const auto& label : allocations) EXPECT_TRUE(starts_with(label, "Lamina::")) << label;
  const auto costs = plan.kernel_costs();
  (void)plan.solve(space, b.const_view(), x.view());
  Kokkos::deep_copy(x.view(), 0.0);
  const ToolListener listener;
  EXPECT_TRUE(plan.solve(space, b.const_view(), x.view()).converged());
  const auto& heard = listener.heard();
  expect_no_allocations(heard);
  EXPECT_GT(heard.kernels.size(), 20u);
  expect_kernels_of_the_library(heard);
  ASSERT_FALSE(heard.regions.empty());
  EXPECT_EQ(heard.regions.front(), "Lamina::Gmres::solve");
  EXPECT_EQ(heard.regions_closed, static_cast<long>(heard.regions.size()));
  expect_costs_of_kernels(costs, heard);
}

TEST_F(GmresBlocks, WorksOnTheInstanceOfTheCallerAndFencesItAtLooksOnly) {
  if (!instances_are_told_apart) {
    GTEST_SKIP() << "fences and instances are told apart by Kokkos 4 on a device only";
  }
  const OwnStream stream{};
  const TEST_SPACE own = stream.space();
  auto plan = this->plan();
  const Lamina::StoppingCriteria criteria{.check_every = 5};
  (void)plan.solve(own, b.const_view(), x.view(), criteria);
  Kokkos::deep_copy(x.view(), 0.0);
  Kokkos::fence();
  const ToolListener listener;
  const auto report = plan.solve(own, b.const_view(), x.view(), criteria);
  const auto& heard = listener.heard();
  for (const auto& kernel : heard.kernels) {
    EXPECT_EQ(kernel.device, OwnStream::id(own)) << kernel.label;
  }
  for (const auto& fence : heard.fences) EXPECT_EQ(fence.device, OwnStream::id(own)) << fence.label;
  // Looks within cycles and at their ends, the initial one, and coefficients that go to the device;
  // a copy may announce a fence beside the one that follows it.
  const auto looks = static_cast<std::size_t>(report.iterations / 5 + 1);
  EXPECT_GE(heard.fences.size(), looks);
  EXPECT_LE(heard.fences.size(), 2 * (2 * looks + 4));
}

}  // namespace LaminaTest
