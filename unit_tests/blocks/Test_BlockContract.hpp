// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What the headers promise about allocations, names and fences, heard through Kokkos Tools.

#include <lamina/blocks/DefectCorrection.hpp>
#include <lamina/blocks/PointImplicitPreconditioner.hpp>

#include <blocks/BlockCase.hpp>
#include <gtest/gtest.h>
#include <support/OwnStream.hpp>
#include <support/ToolExpectations.hpp>

#include <functional>
#include <string>
#include <vector>

namespace LaminaTest {

/// One entry point after the other, on a system that stays the same.
class BlockContract : public testing::Test {
 public:
  using Matrix = Lamina::BlockSparseMatrix<double, float, Memory>;

  TEST_SPACE space;
  Lamina::BlockGraph graph = Lamina::FreudenthalMesh(4, 3, 3).graph();
  Matrix matrix = device_matrix<float>(random_matrix(graph, 5));
  Lamina::PointImplicitSolver<Matrix> solver{space, matrix, Lamina::ColourOrdering::greedy(graph)};
  Lamina::PointImplicitPreconditioner<Matrix> preconditioner{solver, Lamina::VectorOrder::user};
  Matrix in_order = matrix.renumbered(space, solver.ordering());
  using UserMatrix = Lamina::BlockSparseMatrix<double, double, Memory>;
  UserMatrix user_matrix = device_matrix<double>(random_matrix(graph, 5));
  Lamina::DefectCorrection<UserMatrix, Matrix> correction{space, user_matrix, solver};
  BlockFieldOfTest b{36, 5, random_values(180, 4)}, x{36, 5}, y{36, 5};

  struct EntryPoint {
    std::string name;
    std::function<void()> call;
    bool fences;
  };
  std::vector<EntryPoint> entry_points() {
    return {
        {"BlockSparseMatrix::apply", [this] { matrix.apply(space, b.const_view(), y.view()); },
         false},
        {"BlockSparseMatrix::subtract_off_diagonal",
         [this] { matrix.subtract_off_diagonal(space, b.const_view(), x.const_view(), y.view()); },
         false},
        {"PointImplicitSolver::sweep_in_colour_order",
         [this] { solver.sweep_in_colour_order(space, b.const_view(), x.view()); }, false},
        {"PointImplicitSolver::solve_diagonal_in_colour_order",
         [this] { solver.solve_diagonal_in_colour_order(space, b.const_view(), y.view()); }, false},
        {"PointImplicitSolver::to_colour_order",
         [this] { solver.to_colour_order(space, b.const_view(), y.view()); }, false},
        {"PointImplicitSolver::from_colour_order",
         [this] { solver.from_colour_order(space, b.const_view(), y.view()); }, false},
        {"PointImplicitSolver::sweep", [this] { solver.sweep(space, b.const_view(), x.view()); },
         false},
        {"PointImplicitPreconditioner::solve",
         [this] { preconditioner.solve(space, b.const_view(), y.view()); }, false},
        {"PointImplicitSolver::residual_norm_in_colour_order",
         [this] {
           (void)solver.residual_norm_in_colour_order(space, b.const_view(), x.const_view());
         },
         true},
        {"PointImplicitSolver::solve_in_colour_order",
         [this] { (void)solver.solve_in_colour_order(space, b.const_view(), x.view()); }, true},
        {"PointImplicitSolver::update", [this] { solver.update(space, matrix); }, false},
        {"DefectCorrection::update", [this] { correction.update(space, user_matrix); }, false},
        {"BlockSparseMatrix::update", [this] { in_order.update(space, matrix); }, false},
        {"PointImplicitSolver::solve",
         [this] { (void)solver.solve(space, b.const_view(), x.view()); }, true},
        {"DefectCorrection::residual_norm_in_colour_order",
         [this] {
           (void)correction.residual_norm_in_colour_order(space, b.const_view(), x.const_view());
         },
         true},
        {"DefectCorrection::solve_in_colour_order",
         [this] {
           (void)correction.solve_in_colour_order(space, b.const_view(), x.view(),
                                                  Lamina::StoppingCriteria::iterations(2));
         },
         true},
    };
  }
};

TEST_F(BlockContract, NothingIsAllocatedInsideACall) {
  for (const auto& [name, call, fences] : entry_points()) {
    call();  // Kokkos grows scratch of its own at its first use
    const ToolListener listener;
    call();
    Kokkos::fence();
    expect_no_allocations(listener.heard(), name);
    EXPECT_FALSE(listener.heard().kernels.empty()) << name << ": the listener is deaf";
  }
}

TEST_F(BlockContract, NamesBeginWithThatOfTheLibrary) {
  const ToolListener listener;
  {
    const auto again = device_matrix<float>(random_matrix(graph, 3));
    for (const auto inverse : {Lamina::BlockInverse::lu, Lamina::BlockInverse::inverse}) {
      const Lamina::PointImplicitSolver plan(space, again, Lamina::ColourOrdering::greedy(graph),
                                             inverse);
      const Lamina::PointImplicitSolver in_half(space, again.rounded_to_half(space),
                                                Lamina::ColourOrdering::greedy(graph), inverse);
      const auto user = device_matrix<double>(random_matrix(graph, 3));
      const Lamina::PointImplicitSolver in_float(space, user.rounded_to_float(space),
                                                 Lamina::ColourOrdering::greedy(graph), inverse);
      const Lamina::DefectCorrection corrected(space, user, in_float);
    }
  }
  for (const auto& entry : entry_points()) entry.call();
  std::size_t ours = 0;
  for (const auto& label : listener.heard().allocations) {
    ours += starts_with(label, "Lamina::");
    // Kokkos::Serial::scratch_mem, say, at the first reduction of a process
    const bool of_kokkos = starts_with(label, "Kokkos::");
    EXPECT_TRUE(starts_with(label, "Lamina::") || starts_with(label, "LaminaTest::") || of_kokkos)
        << label;
  }
  EXPECT_GT(ours, 8u);
  expect_kernels_of_the_library(listener.heard());
}

TEST_F(BlockContract, EachCallIsARegionAndASweepOneKernelAColour) {
  for (const auto& entry : entry_points()) {
    const ToolListener listener;
    entry.call();
    const auto& heard = listener.heard();
    ASSERT_FALSE(heard.regions.empty()) << entry.name;
    EXPECT_EQ(heard.regions.front(), "Lamina::" + entry.name);
    EXPECT_EQ(heard.regions_closed, static_cast<long>(heard.regions.size())) << entry.name;
    if (entry.name == "PointImplicitSolver::sweep_in_colour_order") {
      EXPECT_EQ(heard.kernels.size(), static_cast<std::size_t>(solver.ordering().num_colours()));
    }
  }
}

TEST_F(BlockContract, CostsNameKernelsThatRun) {
  auto costs = solver.kernel_costs();
  for (const auto& more : {matrix.kernel_costs(), correction.kernel_costs()}) {
    costs.insert(costs.end(), more.begin(), more.end());
  }
  const ToolListener listener;
  for (const auto& entry : entry_points()) entry.call();
  expect_costs_of_kernels(costs, listener.heard());
}

TEST_F(BlockContract, WorkIsOnTheInstanceOfTheCallerAndNotWaitedFor) {
  if (!instances_are_told_apart) {
    GTEST_SKIP() << "fences and instances are told apart by Kokkos 4 on a device only";
  }
  const OwnStream stream{};
  space = stream.space();
  for (const auto& [name, call, fences] : entry_points()) {
    call();
    Kokkos::fence();
    const ToolListener listener;
    call();
    const auto heard = listener.heard();
    for (const auto& kernel : heard.kernels) EXPECT_EQ(kernel.device, OwnStream::id(space)) << name;
    for (const auto& fence : heard.fences) EXPECT_EQ(fence.device, OwnStream::id(space)) << name;
    EXPECT_EQ(!heard.fences.empty(), fences) << name;
  }
  space = TEST_SPACE();
}

}  // namespace LaminaTest
