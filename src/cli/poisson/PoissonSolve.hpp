// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// One solve on one execution space; instantiated in Space_<Name>.cpp alone.

#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/Pcg.hpp>
#include <lamina/poisson/FusedPoisson.hpp>
#include <lamina/poisson/PoissonOperator.hpp>
#include <lamina/problems/PoissonProblem.hpp>

#include "poisson/PoissonFile.hpp"
#include "poisson/PoissonTask.hpp"
#include "support/TimedSolve.hpp"
#include "support/output/Solution.hpp"

namespace Lamina::Cli {

template <ExecutionSpace Execution, class Scalar, class LayoutType>
class PoissonSolve {
 public:
  explicit PoissonSolve(const PoissonTask& task)
      : m_task(task),
        m_problem(task.size),
        m_operator(task.size, task.variant.memory),
        m_rhs(make_field("Lamina::Cli::rhs")),
        m_solution(make_field("Lamina::Cli::solution")),
        m_scratch(make_field("Lamina::Cli::scratch")) {
    m_problem.fill_rhs(m_space, m_rhs);
  }

  SolveResult run() {
    if (m_task.variant.solver == PoissonSolver::fused_cg) {
      const FusedPoisson<Scalar, Memory> model(m_space, m_operator);
      FusedPcg cg(m_space, model);
      solve_with(cg, {model.kernel_costs()});
    } else {
      Pcg cg(m_space, m_operator, IdentityPreconditioner());
      solve_with(cg, {cg.kernel_costs(), m_operator.kernel_costs()});
    }
    m_result.true_relative_residual =
        true_relative_residual(m_space, m_operator, m_rhs, m_solution, m_scratch);
    const PoissonError error = m_problem.error(m_space, m_solution);
    m_result.error = SolutionError{error.l2, error.linf};
    if (!m_task.output.empty() && has_solution(m_result.report)) {
      const auto values = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_solution);
      write_poisson_file(m_task, m_result, [&](int i, double* line) {
        for (int j = 0; j < m_task.size.ny; ++j) line[j] = static_cast<double>(values(i, j));
      });
    }
    return m_result;
  }

 private:
  using Memory = typename Execution::memory_space;
  using FieldType = Kokkos::View<Scalar**, LayoutType, Memory>;

  FieldType make_field(const std::string& label) const {
    return FieldType(Kokkos::view_alloc(m_space, label), static_cast<std::size_t>(m_task.size.nx),
                     static_cast<std::size_t>(m_task.size.ny));
  }

  template <class Plan>
  void solve_with(Plan& plan, const std::vector<std::vector<KernelCost>>& costs) {
    m_space.fence();
    m_result.setup_seconds = m_setup_timer.seconds();
    if (m_task.on_ready) m_task.on_ready();
    timed_solve(m_space, plan, m_rhs, m_solution, m_scratch, m_task.criteria, costs, m_result);
  }

  const PoissonTask& m_task;
  Kokkos::Timer m_setup_timer;
  Execution m_space;
  PoissonProblem<Memory> m_problem;
  PoissonOperator<Scalar, Memory> m_operator;
  FieldType m_rhs, m_solution, m_scratch;
  SolveResult m_result;
};

/// Solves on `Execution` in the precision and layout that the task asks for.
template <ExecutionSpace Execution>
SolveResult solve_poisson(const PoissonTask& task) {
  const bool in_double = task.variant.precision == Precision::double_precision;
  if (task.variant.layout == Layout::left) {
    return in_double ? PoissonSolve<Execution, double, Kokkos::LayoutLeft>(task).run()
                     : PoissonSolve<Execution, float, Kokkos::LayoutLeft>(task).run();
  }
  return in_double ? PoissonSolve<Execution, double, Kokkos::LayoutRight>(task).run()
                   : PoissonSolve<Execution, float, Kokkos::LayoutRight>(task).run();
}

}  // namespace Lamina::Cli
