// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// One solve on one execution space; instantiated by PoissonSolve.cpp.in alone.

#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/Pcg.hpp>
#include <lamina/multigrid/MultigridPoisson.hpp>
#include <lamina/multigrid/PoissonMultigridSolver.hpp>
#include <lamina/poisson/FusedPoisson.hpp>
#include <lamina/poisson/PoissonOperator.hpp>
#include <lamina/problems/PoissonProblem.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

#include "poisson/PoissonFile.hpp"
#include "poisson/PoissonStrip.hpp"
#include "poisson/PoissonTask.hpp"
#include "support/LevelTimes.hpp"
#include "support/TimedSolve.hpp"
#include "support/machine/Space.hpp"
#include "support/output/Solution.hpp"

namespace Lamina::Cli {

/// A plan that begins with full multigrid, where that is asked for.
template <class Multigrid, class Plan>
struct MultigridPlan {
  const Multigrid& multigrid;
  Plan& plan;
  bool begins_with_all_levels;

  template <class Execution, class Field>
  SolveReport solve(const Execution& space, const Field& b, const Field& x,
                    const StoppingCriteria& criteria) {
    if (begins_with_all_levels) multigrid.full_multigrid(space, b, x);
    return plan.solve(space, b, x, criteria);
  }
};

template <ExecutionSpace Execution, class Scalar, class LayoutType>
class PoissonSolve {
 public:
  PoissonSolve(const Execution& space, const PoissonTask& task)
      : m_task(task),
        m_space(space),
        m_strip(m_space, task.size, static_cast<std::size_t>(task.size.ny) * sizeof(Scalar),
                task.variant.rank_grid),
        m_problem(make_agreed(ranks(), [&] { return m_strip.template make<Problem>(); })),
        m_operator(make_agreed(
            ranks(), [&] { return m_strip.template make<Operator>(m_task.variant.memory); })),
        m_rhs(make_field("Lamina::Cli::rhs")),
        m_solution(make_field("Lamina::Cli::solution")),
        m_scratch(make_field("Lamina::Cli::scratch")) {
    m_problem.fill_rhs(m_space, m_rhs);
  }

  PoissonResult run() {
    if (is_multigrid(m_task.variant.solver)) {
      solve_by_multigrid();
    } else if (m_task.variant.solver == PoissonSolver::fused_cg) {
      const Model model = make_agreed(ranks(), [&] { return make_model(); });
      FusedPcg cg = make_agreed(ranks(), [&] { return FusedPcg(m_space, model); });
      solve_with(cg, {model.kernel_costs()});
    } else {
      Pcg cg = make_agreed(ranks(), [&] {
        return Pcg(m_space, m_operator, IdentityPreconditioner(), m_strip.decomposition());
      });
      solve_with(cg, {cg.kernel_costs(), m_operator.kernel_costs()});
    }
    m_strip.update_halo(m_space, m_solution);
    m_result.true_relative_residual =
        true_relative_residual(m_space, m_operator, m_rhs, m_solution, m_scratch, ranks());
    const PoissonError error = m_problem.error(m_space, m_solution);
    m_result.error =
        SolutionError{norm_of_all(ranks(), error.l2), largest_of_all(ranks(), error.linf)};
    if (!m_task.output.empty() && has_solution(m_result.report)) write_output();
    return m_result;
  }

 private:
  using Memory = typename Execution::memory_space;
  using FieldType = Kokkos::View<Scalar**, LayoutType, Memory>;
  using Problem = PoissonProblem<Memory>;
  using Operator = PoissonOperator<Scalar, Memory>;
  using Model = FusedPoisson<Scalar, Memory>;
  using Multigrid = PoissonMultigrid<Scalar, Memory>;

  const Ranks* ranks() const { return m_strip.link().ranks(); }

  FieldType make_field(const std::string& label) const {
    return make_agreed(ranks(), [&] {
      return FieldType(Kokkos::view_alloc(m_space, label),
                       static_cast<std::size_t>(m_operator.num_columns()),
                       static_cast<std::size_t>(m_operator.num_levels()));
    });
  }
  /// Of one process, vectors may stay on the chip.
  Model make_model() const {
    return ranks() == nullptr ? Model(m_space, m_operator)
                              : Model(m_space, m_operator, m_strip.decomposition());
  }

  void solve_by_multigrid() {
    const PoissonCycles& cycles = m_task.variant.cycles;
    const auto multigrid =
        m_strip.template make_multigrid<Multigrid>(m_space, m_operator, cycles.smoothing);
    for (int l = 0; l < multigrid.num_levels(); ++l) {
      m_result.levels.push_back({multigrid.rectangle(l)});
    }
    const auto solve = [&](auto&& plan, const std::vector<KernelCost>& costs) {
      MultigridPlan<Multigrid, std::remove_reference_t<decltype(plan)>> all{multigrid, plan,
                                                                            cycles.full_multigrid};
      solve_with(all, {costs});
    };
    if (m_task.variant.solver == PoissonSolver::multigrid) {
      using Solver = PoissonMultigridSolver<Scalar, Memory>;
      Solver solver = make_agreed(ranks(), [&] { return Solver(m_space, multigrid); });
      solve(solver, solver.kernel_costs());
    } else {
      using CycleModel = MultigridPoisson<Scalar, Memory>;
      const auto model = make_agreed(ranks(), [&] { return CycleModel(m_space, multigrid); });
      FusedPcg cg = make_agreed(ranks(), [&] { return FusedPcg(m_space, model); });
      solve(cg, model.kernel_costs());
    }
    const std::string prefix = "Lamina::PoissonMultigrid::";
    // On a device one kernel takes the coarsest levels.
    keep_level_times(m_result, prefix, {prefix + "descend"},
                     {"descend", "ascend", "restrict_rhs", "cycle", "full_cycle"});
  }

  template <class Plan>
  void solve_with(Plan& plan, const std::vector<std::vector<KernelCost>>& costs) {
    m_space.fence();
    m_result.setup_seconds = m_setup_timer.seconds();
    run_agreed(ranks(), [&] {
      if (m_task.on_ready) m_task.on_ready();
    });
    timed_solve(m_space, plan, m_rhs, m_solution, m_scratch, m_task.criteria, costs, m_result,
                m_strip.link());
    combine_over_ranks(m_result, m_strip.link(), m_task.variant.space->describe(), m_strip.share());
  }

  void write_output() const {
    const auto values = make_agreed(ranks(), [&] {
      return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m_solution);
    });
    const int first = m_strip.first_column();
    m_strip.with_lines(
        [&](int i, double* line) {
          for (int j = 0; j < m_task.size.ny; ++j)
            line[j] = static_cast<double>(values(i - first, j));
        },
        [&](const auto& line) { write_poisson_file(m_task, m_result, line); });
  }

  const PoissonTask& m_task;
  Kokkos::Timer m_setup_timer;
  Execution m_space;
  PoissonStrip<Execution> m_strip;
  Problem m_problem;
  Operator m_operator;
  FieldType m_rhs, m_solution, m_scratch;
  PoissonResult m_result;
};

/// Solves on `Execution` in the precision and layout that the task asks for.
template <ExecutionSpace Execution>
PoissonResult solve_on(const Execution& space, const PoissonTask& task) {
  const bool in_double = task.variant.precision == Precision::double_precision;
  if (task.variant.layout == Layout::left) {
    return in_double ? PoissonSolve<Execution, double, Kokkos::LayoutLeft>(space, task).run()
                     : PoissonSolve<Execution, float, Kokkos::LayoutLeft>(space, task).run();
  }
  return in_double ? PoissonSolve<Execution, double, Kokkos::LayoutRight>(space, task).run()
                   : PoissonSolve<Execution, float, Kokkos::LayoutRight>(space, task).run();
}

}  // namespace Lamina::Cli
