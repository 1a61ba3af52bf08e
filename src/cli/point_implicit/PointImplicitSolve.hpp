// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// One solve on one execution space, in phases; instantiated by PointImplicitSolve.cpp.in alone.

#include <lamina/blocks/Asymmetry.hpp>

#include <Kokkos_Timer.hpp>

#include <limits>
#include <type_traits>
#include <vector>

#include "point_implicit/PointImplicitFile.hpp"
#include "point_implicit/PointImplicitIterations.hpp"
#include "point_implicit/PointImplicitOutcome.hpp"
#include "point_implicit/PointImplicitPlan.hpp"
#include "point_implicit/PointImplicitSweeps.hpp"
#include "point_implicit/PointImplicitTask.hpp"
#include "support/machine/Launcher.hpp"
#include "support/machine/Space.hpp"
#include "support/output/Solution.hpp"

namespace Lamina::Cli {

/// The asymmetry of the user's matrix.
template <class Plan>
double asymmetry_of(const Plan& plan, const PointImplicitTask& task) {
  if constexpr (Plan::in_half) {
    return 0;
  } else {
    return plan.with_user_matrix([&](const auto& matrix) {
      return task.rows ? asymmetry(plan.space(), matrix, plan.part().link().transport(),
                                   task.rows->local, VectorOrder::colour)
                       : asymmetry(plan.space(), matrix);
    });
  }
}

/// What is told of the system.
template <class Plan>
PointImplicitResult described(const Plan& plan, const PointImplicitTask& task) {
  PointImplicitResult result;
  const Ranks* ranks = plan.part().ranks();
  result.num_rows = task.num_rows();
  result.num_blocks = static_cast<std::int64_t>(
      sum_of_all(ranks, static_cast<double>(plan.solver().coloured_matrix().num_blocks())));
  result.first_bad_row = plan.part().first_of_all(plan.solver().first_bad_row());
  result.colour_sizes = plan.part().colour_sizes();
  if (task.variant.krylov == Krylov::pcg) result.asymmetry = asymmetry_of(plan, task);
  return result;
}

/// Of the diagonal blocks of all rows.
inline SolveStatus status_of(const PointImplicitResult& result) {
  return result.first_bad_row < 0 ? SolveStatus::completed : SolveStatus::breakdown_zero_pivot;
}

/// Solves and records, or tells why not: `result` receives report, times and kernels.
template <class Plan>
void solve_and_record(const Plan& plan, const PointImplicitTask& task, double rounding,
                      PointImplicitResult& result) {
  const SolveStatus obstacle = obstacle_of(status_of(result), result.asymmetry, rounding);
  const auto was_interrupted = [&] { return result.report.status == SolveStatus::interrupted; };
  const bool by_krylov = plan.krylov() != nullptr;
  if (obstacle != SolveStatus::completed) {
    result.report = unsolved_report(obstacle, plan.residual_norm(plan.solution()), by_krylov);
  } else if (by_krylov) {
    iterate(plan, task.criteria, result);
    if (!was_interrupted()) record_iterations(plan, result);
  } else {
    sweep(plan, task, result);
    if (!was_interrupted()) record_sweeps(plan, task, result);
  }
}

/// Looks at the solution: true residual, error and file.
template <class Plan>
void examine(const Plan& plan, const PointImplicitTask& task, PointImplicitResult& result) {
  const double rhs_norm = result.report.reference_norm;
  plan.part().update_halo(plan.space(), plan.solution());
  const double residual = plan.residual_norm(plan.solution());
  result.true_relative_residual = rhs_norm == 0 ? residual : residual / rhs_norm;
  const std::vector<double> solution = plan.on_host(plan.solution());
  if (task.problem.rhs.empty() && status_of(result) == SolveStatus::completed) {
    result.error = plan.part().error_of_all(error_of(solution, plan.on_host(plan.exact())));
  }
  if (task.output.empty() || !has_solution(result.report)) return;
  const std::vector<double> all = plan.part().values_of_all(solution);
  run_agreed(plan.part().ranks(), [&] {
    const Ranks* const ranks = plan.part().ranks();
    if (ranks == nullptr || ranks->is_first()) write_solution(task, result, all);
  });
}

/// A solve with O stored in one type.
template <class OffDiagonal, ExecutionSpace Execution>
PointImplicitResult solve_stored(const Execution& space, const PointImplicitTask& task) {
  const Kokkos::Timer setup_timer;
  using Plan = PointImplicitPlan<Execution, OffDiagonal>;
  const Plan plan(space, task);
  PointImplicitResult result = described(plan, task);
  plan.space().fence();
  result.setup_seconds = setup_timer.seconds();
  run_agreed(plan.part().ranks(), [&] {
    if (task.on_ready) task.on_ready();
  });

  using Stored = std::conditional_t<Plan::in_half, float, OffDiagonal>;
  constexpr double rounding = 8 * static_cast<double>(std::numeric_limits<Stored>::epsilon());
  solve_and_record(plan, task, rounding, result);
  examine(plan, task, result);
  combine_over_ranks(result, plan.part().link(), task.variant.space->describe(),
                     plan.part().share());
  return result;
}

/// Solves on `Execution` with the storage that the task asks for.
template <ExecutionSpace Execution>
PointImplicitResult solve_on(const Execution& space, const PointImplicitTask& task) {
  switch (task.variant.storage) {
    case Storage::half_precision: return solve_stored<Half>(space, task);
    case Storage::single_precision: return solve_stored<float>(space, task);
    default: return solve_stored<double>(space, task);
  }
}

}  // namespace Lamina::Cli
