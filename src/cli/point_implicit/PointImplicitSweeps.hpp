// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// A solve by sweeps alone, on one execution space; instantiated in Space_<Name>.cpp alone.

#include <lamina/core/KernelRecorder.hpp>

#include <Kokkos_Timer.hpp>

#include <algorithm>
#include <vector>

#include "point_implicit/PointImplicitOutcome.hpp"
#include "point_implicit/PointImplicitPlan.hpp"
#include "point_implicit/PointImplicitTask.hpp"

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
/// matrix says of them.
template <class Plan>
SolveReport sweep_to_count(const Plan& plan, const PointImplicitTask& task) {
  SweepHistory history("lamina point-implicit", task.criteria);
  const auto residual_norm = [&] { return plan.residual_norm(plan.solution()); };
  if (!history.start(residual_norm())) return history.report();  // |b|, as x = 0
  return sweep_to_the_end(history, residual_norm, [&](int count) {
    plan.solver().sweep_in_colour_order(plan.space(), plan.rhs(), plan.solution(),
                                        task.variant.direction, count);
  });
}

/// The time of as many sweeps, without the looks at the residual that make up a history.
template <class Plan>
double seconds_of_sweeps(const Plan& plan, SweepDirection direction, int count) {
  const auto again = plan.make_field("scratch");
  plan.space().fence();
  const Kokkos::Timer timer;
  plan.solver().sweep_in_colour_order(plan.space(), plan.rhs(), again, direction, count);
  plan.space().fence();
  return timer.seconds();
}

/// Solves, timed: `result` receives the report and the time. Sweeps of a fixed count are swept twice:
/// the history comes first, as it may end before the count.
template <class Plan>
void sweep(const Plan& plan, const PointImplicitTask& task, PointImplicitResult& result) {
  const auto& space = plan.space();
  const SweepDirection direction = task.variant.direction;
  plan.solver().sweep_in_colour_order(space, plan.rhs(), plan.solution(), direction);  // warms up
  Kokkos::deep_copy(space, plan.solution(), 0.0);
  space.fence();
  const Kokkos::Timer timer;
  result.report =
      task.criteria.fixed_count ? sweep_to_count(plan, task) : sweep_to_tolerance(plan, task);
  space.fence();
  result.solve_seconds = timer.seconds();
  if (task.criteria.fixed_count && result.report.status != SolveStatus::interrupted) {
    result.solve_seconds = seconds_of_sweeps(plan, direction, result.report.iterations);
  }
}

/// Replays a few sweeps and, where the solve looks at the residual, one look: `result` receives what
/// their kernels took.
template <class Plan>
void record_sweeps(const Plan& plan, const PointImplicitTask& task, PointImplicitResult& result) {
  constexpr int num_replayed = 3;
  const auto& solver = plan.solver();
  const SweepDirection direction = task.variant.direction;
  const auto scratch = plan.make_field("scratch");
  std::vector<KernelCost> costs = solver.kernel_costs();
  const KernelRecorder recorder;
  solver.sweep_in_colour_order(plan.space(), plan.rhs(), scratch, direction, num_replayed);
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
