// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What the headers promise about allocations and names, heard through Kokkos Tools.

#include <lamina/core/Require.hpp>

#include <gtest/gtest.h>
#include <krylov/PanelProblem.hpp>
#include <support/FieldTypes.hpp>
#include <support/ToolExpectations.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace LaminaTest {

/// One entry point after the other, on a system that stays the same.
template <class Type>
class Contract : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Problem = PanelProblem<Scalar, typename Type::layout>;
  using Csr = typename Problem::Csr;

  TEST_SPACE space;
  Problem problem{6, 9, Lamina::RightHandSide::rough};
  typename Problem::Field x = problem.guess(), y = problem.guess();
  typename Problem::Preconditioner preconditioner{space, problem.op()};
  typename Problem::Fused fused = problem.fused_plan();
  typename Problem::Stored stored = problem.stored_plan();
  typename Problem::Plain plain = problem.plain_plan();
  typename Problem::CsrPcg csr_pcg = problem.csr_plan();
  Csr csr{space, Lamina::ColumnMesh<Memory>(Lamina::CubedSpherePanel(6, 6).graph()),
          Lamina::VerticalGrid::graded(9, paper_depth), paper_parameters(6)};
  typename Problem::CsrLines lines{space, csr.tridiagonal()};
  // Solutions in mixed precision are in double precision whatever `Scalar` is.
  using LongProblem = PanelProblem<double, typename Type::layout>;
  LongProblem long_problem{6, 9, Lamina::RightHandSide::rough};
  typename LongProblem::Field long_x = long_problem.guess();
  typename LongProblem::Mixed mixed = long_problem.mixed_plan();
  // Rows of 31 columns are filled up on devices.
  Problem odd_problem{31, 2, Lamina::RightHandSide::rough};
  typename Problem::Field odd_x = odd_problem.guess();
  typename Problem::Fused odd_fused = odd_problem.fused_plan();
  LongProblem odd_long_problem{31, 2, Lamina::RightHandSide::rough};
  typename LongProblem::Field odd_long_x = odd_long_problem.guess();
  typename LongProblem::Mixed odd_mixed = odd_long_problem.mixed_plan();

  void solve_mixed(const Lamina::StoppingCriteria& criteria = {}) {
    (void)mixed.solve(space, long_problem.b_field().const_view(), long_x.view(), criteria);
  }
  /// Solves start from zero again.
  void reset() {
    x.set(Values(x.size(), 0.0));
    long_x.set(Values(long_x.size(), 0.0));
    odd_x.set(Values(odd_x.size(), 0.0));
    odd_long_x.set(Values(odd_long_x.size(), 0.0));
  }

  struct EntryPoint {
    std::string name;
    std::function<void()> call;
    bool uses_kokkos_kernels;
  };
  std::vector<EntryPoint> entry_points() {
    const auto b = [this] { return problem.b_field().const_view(); };
    return {
        {"HelmholtzOperator::apply", [=, this] { problem.op().apply(space, b(), y.view()); },
         false},
        {"LinePreconditioner::solve", [=, this] { preconditioner.solve(space, b(), y.view()); },
         false},
        {"LinePreconditioner::refresh", [=, this] { preconditioner.refresh(space, problem.op()); },
         false},
        {"LineSolver::solve", [=, this] { lines.solve(space, b(), y.view()); }, false},
        {"LineSolver::refresh", [=, this] { lines.refresh(space); }, false},
        {"LineSolver::solve of several",
         [=, this] {
           const std::array rhs{b(), b()};
           lines.solve(space, rhs, std::array{y.view(), x.view()});
         },
         false},
        {"CsrHelmholtz::apply", [=, this] { csr.apply(space, b(), y.view()); }, true},
        {"FusedPcg::solve", [=, this] { (void)fused.solve(space, b(), x.view()); }, false},
        {"FusedPcgStored::solve", [=, this] { (void)stored.solve(space, b(), x.view()); }, false},
        {"FusedPcg::solve of odd rows",
         [this] { (void)odd_fused.solve(space, odd_problem.b_field().const_view(), odd_x.view()); },
         false},
        {"FusedPcg::solve in mixed precision", [this] { solve_mixed(); }, false},
        {"FusedPcg::solve in mixed precision of odd rows",
         [this] {
           (void)odd_mixed.solve(space, odd_long_problem.b_field().const_view(), odd_long_x.view());
         },
         false},
        {"Pcg::solve", [=, this] { (void)plain.solve(space, b(), x.view()); }, true},
        {"Pcg::solve with a matrix", [=, this] { (void)csr_pcg.solve(space, b(), x.view()); },
         true},
    };
  }
};
TYPED_TEST_SUITE(Contract, FieldTypes, FieldTypeNames);

/// Whether fused solvers bring fields of this layout to the other one.
template <class Layout>
inline constexpr bool comes_to_other_layout =
    !std::is_same_v<Layout, Lamina::SweepLayout<TEST_SPACE>>;

TYPED_TEST(Contract, NothingIsAllocatedInsideASolve) {
  for (const auto& [name, call, uses_kokkos_kernels] : this->entry_points()) {
    call();  // Kokkos grows scratch of its own at its first use
    this->reset();
    const ToolListener listener;
    call();
    Kokkos::fence();
    expect_no_allocations(listener.heard(), name);
    // The serial product of Kokkos Kernels is a plain loop.
    EXPECT_TRUE(uses_kokkos_kernels || !listener.heard().kernels.empty())
        << name << ": the listener is deaf";
  }
}

TYPED_TEST(Contract, AllocationsBearTheNameOfTheLibrary) {
  const ToolListener listener;
  {
    const typename TestFixture::Problem problem(3, 4, Lamina::RightHandSide::smooth);
    const auto fused = problem.fused_plan();
    const auto stored = problem.stored_plan();
    const auto mixed = problem.mixed_plan();
    const auto plain = problem.plain_plan();
    const auto csr = problem.csr_plan();
  }
  std::size_t ours = 0;
  for (const auto& label : listener.heard().allocations) {
    if (starts_with(label, "LaminaTest::")) continue;
    ours += starts_with(label, "Lamina::");
    EXPECT_TRUE(starts_with(label, "Lamina::")) << '"' << label << '"';
  }
  EXPECT_GT(ours, 10u);
}

TYPED_TEST(Contract, KernelsBearTheNameOfTheLibrary) {
  for (const auto& [name, call, uses_kokkos_kernels] : this->entry_points()) {
    this->reset();
    const ToolListener listener;
    call();
    Kokkos::fence();
    std::size_t ours = 0;
    for (const auto& kernel : listener.heard().kernels) {
      const bool own = starts_with(kernel.label, "Lamina::");
      ours += own;
      // Fills and copies of Views are Kokkos' own; sparse products and level-1 operations those of
      // Kokkos Kernels, which does not name them all.
      EXPECT_TRUE(own || uses_kokkos_kernels || starts_with(kernel.label, "Kokkos::"))
          << name << ": " << kernel.label;
    }
    EXPECT_TRUE(ours > 0 || uses_kokkos_kernels) << name;
    if (name != "CsrHelmholtz::apply") {
      const auto& regions = listener.heard().regions;
      ASSERT_FALSE(regions.empty()) << name;
      EXPECT_EQ(regions.front(), "Lamina::" + name.substr(0, name.find(' ')));
    }
  }
}

TYPED_TEST(Contract, CostsNameKernelsThatRun) {
  std::vector<Lamina::KernelCost> costs;
  const auto add = [&](const std::vector<Lamina::KernelCost>& more) {
    costs.insert(costs.end(), more.begin(), more.end());
  };
  add(this->problem.op().kernel_costs());
  add(this->preconditioner.kernel_costs());
  add(this->lines.kernel_costs());
  add(Lamina::MixedHelmholtz<Memory>(
          this->space, this->long_problem.op(),
          Lamina::HelmholtzOperator<float, Memory>(
              Lamina::ColumnMesh<Memory>(Lamina::CubedSpherePanel(6, 6).graph()),
              Lamina::VerticalGrid::graded(9, paper_depth), paper_parameters(6)))
          .kernel_costs());
  const Lamina::FusedHelmholtz<typename TestFixture::Scalar, Memory> model(this->space,
                                                                           this->problem.op());
  add(model.kernel_costs());
  add(Lamina::FusedHelmholtzStored<typename TestFixture::Scalar, Memory>(this->space,
                                                                         this->problem.op())
          .kernel_costs());
  const ToolListener listener;
  for (const auto& entry : this->entry_points()) {
    this->reset();  // or there would be nothing left to do
    entry.call();
  }
  // The last pass of a fixed count bears a name of its own.
  (void)this->fused.solve(this->space, this->problem.b_field().const_view(), this->x.view(),
                          Lamina::StoppingCriteria::iterations(1));
  this->reset();
  this->solve_mixed(Lamina::StoppingCriteria::iterations(1));
  if (Lamina::runs_on_host<TEST_SPACE> && !comes_to_other_layout<typename TypeParam::layout>) {
    std::erase_if(costs, [](const Lamina::KernelCost& cost) {
      return starts_with(cost.label, "Lamina::ColumnOrder::");
    });
  }
  expect_costs_of_kernels(costs, listener.heard());
}

TYPED_TEST(Contract, FieldsComeToTheLayoutOfTheSweepsAndToTheOrderOfTheModel) {
  constexpr bool on_device = !Lamina::runs_on_host<TEST_SPACE>;
  constexpr bool other_layout = comes_to_other_layout<typename TypeParam::layout>;
  int found = 0;
  for (const auto& [name, call, uses_kokkos_kernels] : this->entry_points()) {
    const bool fused = starts_with(name, "FusedPcg");
    const bool odd = name.find("odd rows") != std::string::npos;
    const ToolListener listener;
    call();
    const auto& kernels = listener.heard().kernels;
    const auto times = [&](const char* label) {
      return std::count_if(kernels.begin(), kernels.end(),
                           [&](const auto& kernel) { return kernel.label == label; });
    };
    const bool copied = fused && (other_layout || (on_device && odd));
    const auto to_places = times("Lamina::ColumnOrder::to_places");
    if (name.find("mixed") == std::string::npos) {
      EXPECT_EQ(to_places, copied ? 2 : 0) << name;
    } else {  // b again for each true residual
      EXPECT_EQ(to_places >= 2, copied) << name;
    }
    EXPECT_EQ(times("Lamina::ColumnOrder::from_places"), copied ? 1 : 0) << name;
    found += fused;
  }
  EXPECT_EQ(found, 5);
}

TYPED_TEST(Contract, RegionsAreClosedOnEveryPath) {
  const ToolListener listener;
  for (const auto& entry : this->entry_points()) entry.call();
  const typename TestFixture::Problem::Field wrong(3, 3);
  EXPECT_THROW((void)this->fused.solve(this->space, wrong.const_view(), this->x.view()),
               Lamina::InvalidArgument);
  EXPECT_THROW((void)this->plain.solve(this->space, wrong.const_view(), this->x.view()),
               Lamina::InvalidArgument);
  EXPECT_EQ(listener.heard().regions_closed, static_cast<long>(listener.heard().regions.size()));
}

}  // namespace LaminaTest
