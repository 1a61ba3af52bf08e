// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Work runs on the caller's instance and waits for nothing.

#include <gtest/gtest.h>
#include <krylov/PanelProblem.hpp>
#include <support/FieldTypes.hpp>
#include <support/OwnStream.hpp>
#include <support/ToolListener.hpp>

#include <functional>
#include <string>
#include <vector>

namespace LaminaTest {

template <class Scalar, class Layout>
void expect_work_on_own_instance() {
  const OwnStream stream{};
  {
    const auto space = stream.space();
    const std::uint32_t own = OwnStream::id(space);
    ASSERT_NE(own, OwnStream::id(TEST_SPACE())) << "ids do not tell instances apart";
    using Problem = PanelProblem<Scalar, Layout>;
    const Problem problem(6, 9, Lamina::RightHandSide::rough);
    auto x = problem.guess();
    const auto y = problem.guess();
    const auto b = problem.b_field().const_view();
    typename Problem::Preconditioner preconditioner(space, problem.op());
    const typename Problem::Csr csr(
        space, Lamina::ColumnMesh<Memory>(Lamina::CubedSpherePanel(6, 6).graph()),
        Lamina::VerticalGrid::graded(9, paper_depth), paper_parameters(6));
    typename Problem::CsrLines lines(space, csr.tridiagonal());
    auto fused = problem.fused_plan();
    auto stored = problem.stored_plan();
    auto plain = problem.plain_plan();
    // Its solutions are in double precision whatever `Scalar` is.
    using LongProblem = PanelProblem<double, Layout>;
    const LongProblem long_problem(6, 9, Lamina::RightHandSide::rough);
    auto mixed = long_problem.mixed_plan();
    auto long_x = long_problem.guess();
    const auto long_b = long_problem.b_field().const_view();
    // Rows of 31 columns are filled up on devices.
    const Problem odd_problem(31, 2, Lamina::RightHandSide::rough);
    const LongProblem odd_long_problem(31, 2, Lamina::RightHandSide::rough);
    auto odd_fused = odd_problem.fused_plan();
    auto odd_mixed = odd_long_problem.mixed_plan();
    auto odd_x = odd_problem.guess();
    auto odd_long_x = odd_long_problem.guess();
    const auto odd_b = odd_problem.b_field().const_view();
    const auto odd_long_b = odd_long_problem.b_field().const_view();
    const int check_every = 5;
    const Lamina::StoppingCriteria criteria{.check_every = check_every};
    Lamina::SolveReport report;

    struct EntryPoint {
      std::string name;
      std::function<void()> call;
      bool is_solver;
      std::size_t more_looks = 0;  // at most, beside those every so many iterations
    };
    const std::vector<EntryPoint> entry_points{
        {"HelmholtzOperator::apply", [&] { problem.op().apply(space, b, y.view()); }, false},
        {"LinePreconditioner::solve", [&] { preconditioner.solve(space, b, y.view()); }, false},
        {"LinePreconditioner::refresh", [&] { preconditioner.refresh(space, problem.op()); },
         false},
        {"LineSolver::solve", [&] { lines.solve(space, b, y.view()); }, false},
        {"LineSolver::refresh", [&] { lines.refresh(space); }, false},
        {"FusedPcg::solve", [&] { report = fused.solve(space, b, x.view(), criteria); }, true},
        {"FusedPcgStored::solve", [&] { report = stored.solve(space, b, x.view(), criteria); },
         true},
        // One look at the start; of five replacements at most down to 1e-5 each has one, a few
        // where it is expected, and one more for the passes that it repeats.
        {"FusedPcg::solve in mixed precision",
         [&] { report = mixed.solve(space, long_b, long_x.view(), criteria); }, true, 1 + 5 * 5},
        {"FusedPcg::solve of odd rows",
         [&] { report = odd_fused.solve(space, odd_b, odd_x.view(), criteria); }, true},
        {"FusedPcg::solve in mixed precision of odd rows",
         [&] { report = odd_mixed.solve(space, odd_long_b, odd_long_x.view(), criteria); }, true,
         1 + 5 * 5},
        {"Pcg::solve", [&] { report = plain.solve(space, b, x.view(), criteria); }, true},
    };
    for (const auto& [name, call, is_solver, more_looks] : entry_points) {
      call();  // Kokkos grows scratch of its own at its first use
      x.set(Values(x.size(), 0.0));
      long_x.set(Values(long_x.size(), 0.0));
      odd_x.set(Values(odd_x.size(), 0.0));
      odd_long_x.set(Values(odd_long_x.size(), 0.0));
      Kokkos::fence();
      const ToolListener listener;
      call();
      const auto heard = listener.heard();
      ASSERT_FALSE(heard.kernels.empty()) << name;
      for (const auto& kernel : heard.kernels) {
        EXPECT_EQ(kernel.device, own)
            << name << ": kernel " << kernel.label << " on another instance";
      }
      if (!is_solver) {
        EXPECT_TRUE(heard.fences.empty()) << name << ": " << heard.fences.front().label;
        continue;
      }
      const auto looks = static_cast<std::size_t>(report.iterations / check_every + 1);
      std::size_t fences = 0;
      for (const auto& fence : heard.fences) {
        EXPECT_EQ(fence.device, own) << name << ": fence " << fence.label << " of another instance";
        ++fences;
      }
      // A copy of scalars to the host may announce a fence beside the one that follows it.
      EXPECT_GE(fences, looks) << name;
      EXPECT_LE(fences, 2 * (looks + more_looks)) << name;
    }
  }
}
template <class Type>
class Instance : public testing::Test {};
TYPED_TEST_SUITE(Instance, FieldTypes, FieldTypeNames);

TYPED_TEST(Instance, OfTheCallerDoesAllTheWorkAndIsNotWaitedFor) {
  if (!instances_are_told_apart) {
    GTEST_SKIP() << "fences and instances are told apart by Kokkos 4 on a device only";
  }
  expect_work_on_own_instance<typename TypeParam::scalar, typename TypeParam::layout>();
}

}  // namespace LaminaTest
