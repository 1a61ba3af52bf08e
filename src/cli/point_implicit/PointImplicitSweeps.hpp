// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// A solve by sweeps alone, on one execution space; instantiated by PointImplicitSolve.cpp.in alone.

#include <lamina/core/KernelRecorder.hpp>

#include <algorithm>
#include <vector>

#include "point_implicit/PointImplicitOutcome.hpp"
#include "point_implicit/PointImplicitPlan.hpp"
#include "point_implicit/PointImplicitTask.hpp"
#include "point_implicit/PointImplicitTiming.hpp"

namespace Lamina::Cli {

/// Sweeps until the residual is small enough.
template <class Plan>
SolveReport sweep_to_tolerance(const Plan& plan, const PointImplicitTask& task) {
  const SweepDirection direction = task.variant.direction;
  return plan.correction() != nullptr
             ? plan.correction()->solve_in_colour_order(plan.space(), plan.rhs(), plan.solution(),
                                                        task.criteria, direction)
             : plan.solver().solve_in_colour_order(plan.space(), plan.rhs(), plan.solution(),
                                                   task.criteria, direction);
}

/// Sweeps of a fixed count over blocks as they are stored, without corrections, and what the user's
/// matrix says of them. Ranks end together.
template <class Plan>
SolveReport sweep_to_count(const Plan& plan, const PointImplicitTask& task) {
  StoppingCriteria criteria = task.criteria;
  criteria.stop_requested = [&] {
    const auto& asked = task.criteria.stop_requested;
    return largest_of_all(plan.part().ranks(), asked && asked() ? 1 : 0) > 0;
  };
  SweepHistory history("lamina point-implicit", criteria);
  const auto residual_norm = [&] { return plan.residual_norm(plan.solution()); };
  if (!history.start(residual_norm())) return history.report();  // |b|, as x = 0
  return sweep_to_the_end(history, residual_norm, [&](int count) {
    plan.solver().sweep_in_colour_order(plan.space(), plan.rhs(), plan.solution(),
                                        task.variant.direction, count);
  });
}

/// Solves, timed: `result` receives the report, the time and what of it was waiting. Sweeps of a fixed count are swept twice:
/// the history comes first, as it may end before the count.
template <class Plan>
void sweep(const Plan& plan, const PointImplicitTask& task, PointImplicitResult& result) {
  const auto& space = plan.space();
  const SweepDirection direction = task.variant.direction;
  plan.solver().sweep_in_colour_order(space, plan.rhs(), plan.solution(), direction);  // warms up
  Kokkos::deep_copy(space, plan.solution(), 0.0);
  timed(plan, result, [&] {
    result.report =
        task.criteria.fixed_count ? sweep_to_count(plan, task) : sweep_to_tolerance(plan, task);
  });
  if (!task.criteria.fixed_count || result.report.status == SolveStatus::interrupted) return;
  // As many sweeps, without the looks at the residual that make up a history
  const auto again = plan.make_field("scratch");
  timed(plan, result, [&] {
    plan.solver().sweep_in_colour_order(space, plan.rhs(), again, direction,
                                        result.report.iterations);
  });
}

/// Replays a few sweeps and, where the solve looks at the residual, one look: `result` receives what
/// their kernels took, and the messages of sweeps.
template <class Plan>
void record_sweeps(const Plan& plan, const PointImplicitTask& task, PointImplicitResult& result) {
  constexpr int num_replayed = 3;
  const auto& solver = plan.solver();
  const SweepDirection direction = task.variant.direction;
  const auto scratch = plan.make_field("scratch");
  std::vector<KernelCost> costs = solver.kernel_costs();
  const TransportUse before = plan.part().link().use();
  const KernelRecorder recorder;
  solver.sweep_in_colour_order(plan.space(), plan.rhs(), scratch, direction, num_replayed);
  result.messages.set_traffic(plan.part().link().use().since(before), num_replayed);
  result.bytes_per_iteration = sum_of_bytes(recorder.records(costs)) / num_replayed;
  if (!task.criteria.fixed_count) {
    double bytes_of_look = solver.residual_cost().bytes;
    if (const auto* correction = plan.correction()) {
      const auto more = correction->kernel_costs();
      costs.insert(costs.end(), more.begin(), more.end());
      bytes_of_look = correction->correction_cost().bytes;
      static_cast<void>(correction->solve_in_colour_order(
          plan.space(), plan.rhs(), scratch, StoppingCriteria::iterations(1), direction));
    } else {
      static_cast<void>(solver.residual_norm_in_colour_order(plan.space(), plan.rhs(), scratch));
    }
    result.bytes_per_iteration += bytes_of_look / std::max(1, task.criteria.check_every);
  }
  result.kernels = recorder.records(costs);
}

}  // namespace Lamina::Cli
