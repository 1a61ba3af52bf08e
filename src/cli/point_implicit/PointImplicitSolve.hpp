// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// One solve on one execution space, in phases; instantiated in Space_<Name>.cpp alone.

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
#include "support/output/Solution.hpp"

namespace Lamina::Cli {

/// What is told of the system.
template <class Plan>
PointImplicitResult described(const Plan& plan, const PointImplicitTask& task) {
  PointImplicitResult result;
  result.num_rows = plan.ordering().num_rows();
  result.num_blocks = plan.solver().coloured_matrix().num_blocks();
  result.first_bad_row = plan.solver().first_bad_row();
  if constexpr (!Plan::in_half) {
    if (task.variant.krylov == Krylov::pcg) {
      result.asymmetry = plan.with_user_matrix(
          [&](const auto& matrix) { return asymmetry(plan.space(), matrix); });
    }
  }
  result.colour_sizes = colour_sizes_of(plan.ordering());
  return result;
}

/// Solves and records, or tells why not: `result` receives report, times and kernels.
template <class Plan>
void solve_and_record(const Plan& plan, const PointImplicitTask& task, double rounding,
                      PointImplicitResult& result) {
  const SolveStatus obstacle = obstacle_of(plan.solver().status(), result.asymmetry, rounding);
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
  const double residual = plan.residual_norm(plan.solution());
  result.true_relative_residual = rhs_norm == 0 ? residual : residual / rhs_norm;
  const std::vector<double> solution = plan.on_host(plan.solution());
  if (task.input->rhs.empty() && plan.solver().status() == SolveStatus::completed) {
    result.error = error_of(solution, plan.on_host(plan.exact()));
  }
  if (!task.output.empty() && has_solution(result.report)) {
    write_solution(task, result, solution);
  }
}

/// A solve with O stored in one type.
template <ExecutionSpace Execution, class OffDiagonal>
PointImplicitResult solve_stored(const PointImplicitTask& task) {
  const Kokkos::Timer setup_timer;
  using Plan = PointImplicitPlan<Execution, OffDiagonal>;
  const Plan plan(task, *task.input);
  PointImplicitResult result = described(plan, task);
  plan.space().fence();
  result.setup_seconds = setup_timer.seconds();
  if (task.on_ready) task.on_ready();

  using Stored = std::conditional_t<Plan::in_half, float, OffDiagonal>;
  constexpr double rounding = 8 * static_cast<double>(std::numeric_limits<Stored>::epsilon());
  solve_and_record(plan, task, rounding, result);
  examine(plan, task, result);
  return result;
}

/// Solves on `Execution` with the storage that the task asks for.
template <ExecutionSpace Execution>
PointImplicitResult solve_point_implicit(const PointImplicitTask& task) {
  switch (task.variant.storage) {
    case Storage::half_precision: return solve_stored<Execution, Half>(task);
    case Storage::single_precision: return solve_stored<Execution, float>(task);
    default: return solve_stored<Execution, double>(task);
  }
}

}  // namespace Lamina::Cli
