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

namespace LaminaTest {

/// Calls things with an instance of its own, and listens to what Kokkos does.
class InstanceListener {
 public:
  TEST_SPACE space() const { return m_stream.space(); }

  /// Expects kernels of `call` on this instance, and no fence.
  void expect_no_wait(const std::string& name, const std::function<void()>& call) const {
    call();  // Kokkos grows scratch of its own at its first use
    const auto heard = listen(name, call);
    EXPECT_TRUE(heard.fences.empty()) << name << ": " << heard.fences.front().label;
  }

  /// Expects kernels of a solve on this instance, and no fences but those of its looks.
  /// \param more_looks  at most, beside those every so many iterations
  template <class Plan, class Field>
  void expect_looks(const std::string& name, Plan plan, const Field& b, Field x,
                    std::size_t more_looks = 0) const {
    const int check_every = 5;
    const Lamina::StoppingCriteria criteria{.check_every = check_every};
    Lamina::SolveReport report;
    const auto solve = [&] { report = plan.solve(space(), b.const_view(), x.view(), criteria); };
    solve();
    x.set(Values(x.size(), 0.0));
    const auto heard = listen(name, solve);
    for (const auto& fence : heard.fences) {
      EXPECT_EQ(fence.device, own()) << name << ": fence " << fence.label << " of another instance";
    }
    const auto looks = static_cast<std::size_t>(report.iterations / check_every + 1);
    // A copy of scalars to the host may announce a fence beside the one that follows it.
    EXPECT_GE(heard.fences.size(), looks) << name;
    EXPECT_LE(heard.fences.size(), 2 * (looks + more_looks)) << name;
  }

 private:
  std::uint32_t own() const { return OwnStream::id(space()); }
  ToolListener::Heard listen(const std::string& name, const std::function<void()>& call) const {
    EXPECT_NE(own(), OwnStream::id(TEST_SPACE())) << "ids do not tell instances apart";
    Kokkos::fence();
    const ToolListener listener;
    call();
    auto heard = listener.heard();
    EXPECT_FALSE(heard.kernels.empty()) << name;
    for (const auto& kernel : heard.kernels) {
      EXPECT_EQ(kernel.device, own())
          << name << ": kernel " << kernel.label << " on another instance";
    }
    return heard;
  }

  OwnStream m_stream;
};

template <class Type>
class Instance : public testing::Test {
 protected:
  using Problem = PanelProblem<typename Type::scalar, typename Type::layout>;
  /// Its solutions are in double precision whatever the type is.
  using LongProblem = PanelProblem<double, typename Type::layout>;

  void SetUp() override {
    if (!instances_are_told_apart) {
      GTEST_SKIP() << "fences and instances are told apart by Kokkos 4 on a device only";
    }
  }

  // Of five replacements at most down to 1e-5 each has one look, a few where it is expected, and one
  // more for the passes that it repeats. There is one at the start.
  static constexpr std::size_t looks_of_replacements = 1 + 5 * 5;
  static constexpr auto rough = Lamina::RightHandSide::rough;
  InstanceListener m_listener;
};
TYPED_TEST_SUITE(Instance, FieldTypes, FieldTypeNames);

TYPED_TEST(Instance, OfTheCallerDoesTheWorkOfOperatorsWithoutAWait) {
  const auto space = this->m_listener.space();
  using Problem = typename TestFixture::Problem;
  const Problem problem(6, 9, this->rough);
  const auto b = problem.b_field().const_view();
  const auto y = problem.guess();
  typename Problem::Preconditioner preconditioner(space, problem.op());
  const typename Problem::Csr csr(
      space, Lamina::ColumnMesh<Memory>(Lamina::CubedSpherePanel(6, 6).graph()),
      Lamina::VerticalGrid::graded(9, paper_depth), paper_parameters(6));
  typename Problem::CsrLines lines(space, csr.tridiagonal());
  this->m_listener.expect_no_wait("HelmholtzOperator::apply",
                                  [&] { problem.op().apply(space, b, y.view()); });
  this->m_listener.expect_no_wait("LinePreconditioner::solve",
                                  [&] { preconditioner.solve(space, b, y.view()); });
  this->m_listener.expect_no_wait("LinePreconditioner::refresh",
                                  [&] { preconditioner.refresh(space, problem.op()); });
  this->m_listener.expect_no_wait("LineSolver::solve", [&] { lines.solve(space, b, y.view()); });
  this->m_listener.expect_no_wait("LineSolver::refresh", [&] { lines.refresh(space); });
}

TYPED_TEST(Instance, OfTheCallerDoesTheWorkOfSolversAndIsWaitedForAtLooks) {
  const auto check = [&](const std::string& rows, int size, int num_levels) {
    SCOPED_TRACE(rows);
    const typename TestFixture::Problem problem(size, num_levels, this->rough);
    const typename TestFixture::LongProblem long_problem(size, num_levels, this->rough);
    this->m_listener.expect_looks("FusedPcg", problem.fused_plan(), problem.b_field(),
                                  problem.guess());
    this->m_listener.expect_looks("FusedPcg in mixed precision", long_problem.mixed_plan(),
                                  long_problem.b_field(), long_problem.guess(),
                                  this->looks_of_replacements);
    this->m_listener.expect_looks("FusedPcgStored", problem.stored_plan(), problem.b_field(),
                                  problem.guess());
    this->m_listener.expect_looks("Pcg", problem.plain_plan(), problem.b_field(), problem.guess());
  };
  check("rows of packs", 6, 9);
  check("rows of 31 columns, which are filled up on devices", 31, 2);
}

}  // namespace LaminaTest
