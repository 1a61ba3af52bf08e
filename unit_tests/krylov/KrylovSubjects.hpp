// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Each Krylov solver of the library behind one interface, for what holds for all of them.

#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/shallow_water/PeriodicHelmholtz.hpp>

#include <krylov/MixedDiagonalSystem.hpp>
#include <krylov/PanelProblem.hpp>
#include <poisson/PoissonCase.hpp>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace LaminaTest {

/// A solver with a system, and a right-hand side for it.
struct KrylovSubject {
  std::string name;
  Values b;
  std::function<Solved(const Values& b, const Values& guess, const Lamina::StoppingCriteria&)>
      solve;

  Solved operator()(const Values& rhs, const Lamina::StoppingCriteria& criteria = {}) const {
    return solve(rhs, Values(rhs.size(), 0.0), criteria);
  }
};

/// Copies of the plan share its workspace: one subject makes one solve at a time.
template <class Scalar, class Layout, class Plan>
KrylovSubject subject(const std::string& name, const Plan& plan, const Values& b, int num_columns,
                      const Padding& padding = {}) {
  const int num_levels = static_cast<int>(b.size()) / num_columns;
  const auto solve = [plan, num_columns, num_levels, padding](
                         const Values& rhs, const Values& guess,
                         const Lamina::StoppingCriteria& criteria) {
    using Field = TestField<Scalar, Layout>;
    const Field b_field(num_columns, num_levels, rhs, padding),
        x(num_columns, num_levels, guess, padding);
    Plan own = plan;
    const auto report = own.solve(TEST_SPACE(), b_field.const_view(), x.view(), criteria);
    EXPECT_TRUE(x.surroundings_untouched());
    return Solved{report, x.get()};
  };
  return {name, b, solve};
}

/// On well-posed systems.
template <class Scalar, class Layout>
std::vector<KrylovSubject> krylov_subjects(const Padding& padding = {}) {
  const PanelProblem<Scalar, Layout> problem(6, 5, Lamina::RightHandSide::rough);
  const auto on_panel = [&](const char* name, const auto& plan) {
    return subject<Scalar, Layout>(name, plan, problem.b, problem.num_columns(), padding);
  };
  std::vector<KrylovSubject> subjects{on_panel("Pcg", problem.plain_plan()),
                                      on_panel("Pcg with a matrix", problem.csr_plan()),
                                      on_panel("FusedPcg", problem.fused_plan()),
                                      on_panel("FusedPcgStored", problem.stored_plan())};
  if constexpr (std::is_same_v<Scalar, double>) {
    subjects.push_back(on_panel("FusedPcg in mixed precision", problem.mixed_plan()));
  }
  using Square = PoissonCase<Scalar, Layout>;
  const int n = 9;
  subjects.push_back(subject<Scalar, Layout>("FusedPcg without preconditioner",
                                             Square::fused(typename Square::Operator(n)),
                                             rounded<Scalar>(random_square(n, 21)), n, padding));
  return subjects;
}

/// On systems with a diagonal matrix.
template <class Scalar, class Layout>
std::vector<KrylovSubject> diagonal_subjects(const Values& diagonal, const Values& b) {
  const int size = static_cast<int>(b.size());
  const DiagonalSystem<Scalar, Layout> system(diagonal);
  const TEST_SPACE space;
  std::vector<KrylovSubject> subjects{
      subject<Scalar, Layout>("Pcg", Lamina::Pcg(space, system, Lamina::IdentityPreconditioner()),
                              b, size),
      subject<Scalar, Layout>("FusedPcg", Lamina::FusedPcg(space, system), b, size),
      subject<Scalar, Layout>("FusedPcgStored", Lamina::FusedPcgStored(space, system), b, size)};
  if constexpr (std::is_same_v<Scalar, double>) {
    const MixedDiagonalSystem<Layout> mixed(diagonal);
    subjects.push_back(subject<double, Layout>("FusedPcg in mixed precision",
                                               Lamina::FusedPcg(space, mixed), b, size));
  }
  return subjects;
}

}  // namespace LaminaTest
