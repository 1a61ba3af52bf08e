// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// A solve by a Krylov method, on one execution space; instantiated by PointImplicitSolve.cpp.in alone.

#include <lamina/core/KernelRecorder.hpp>

#include <algorithm>
#include <vector>

#include "point_implicit/PointImplicitOutcome.hpp"
#include "point_implicit/PointImplicitPlan.hpp"
#include "point_implicit/PointImplicitTask.hpp"
#include "point_implicit/PointImplicitTiming.hpp"

namespace Lamina::Cli {

/// Solves, timed: `result` receives the report, the time and what of it was waiting.
template <class Plan>
void iterate(const Plan& plan, const StoppingCriteria& criteria, PointImplicitResult& result) {
  const auto& space = plan.space();
  const auto scratch = plan.make_field("scratch");
  // warms up
  static_cast<void>(
      plan.krylov()->solve(space, plan.rhs(), scratch, StoppingCriteria::iterations(1)));
  timed(plan, result, [&] {
    result.report = plan.krylov()->solve(space, plan.rhs(), plan.solution(), criteria);
  });
}

/// Replays a few iterations: `result` receives what their kernels and messages took.
template <class Plan>
void record_iterations(const Plan& plan, PointImplicitResult& result) {
  const auto scratch = plan.make_field("scratch");
  std::vector<KernelCost> costs = plan.solver().kernel_costs();
  const auto of_matrix =
      plan.with_user_matrix([](const auto& matrix) { return matrix.kernel_costs(); });
  for (const auto& more : {of_matrix, plan.krylov()->kernel_costs()}) {
    costs.insert(costs.end(), more.begin(), more.end());
  }
  const TransportUse before = plan.part().link().use();
  const KernelRecorder recorder;
  const SolveReport report =
      plan.krylov()->solve(plan.space(), plan.rhs(), scratch,
                           StoppingCriteria::iterations(plan.krylov()->num_replayed()));
  result.kernels = recorder.records(costs);
  result.bytes_per_iteration = sum_of_bytes(result.kernels) / std::max(1, report.iterations);
  result.messages.set_traffic(plan.part().link().use().since(before), report.iterations);
}

}  // namespace Lamina::Cli
