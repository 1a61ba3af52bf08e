// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What solves by an iterative plan have in common; included by what is instantiated for each space.

#include <lamina/core/KernelRecorder.hpp>
#include <lamina/core/SolveReport.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/krylov/TrueResidual.hpp>

#include <Kokkos_Timer.hpp>

#include <algorithm>
#include <utility>
#include <vector>

#include "support/ranks/RankLink.hpp"

namespace Lamina::Cli {

/// |b - A x| / |b|, or |b - A x| where b is 0; scratch becomes b - A x. Fences `space`. Over ranks
/// halo columns of x are up to date.
template <class Execution, class Operator, class Field>
double true_relative_residual(const Execution& space, const Operator& op, const Field& b,
                              const Field& x, const Field& scratch, const Ranks* ranks = nullptr) {
  // Added up in the order of the residual: of x = 0 the quotient is 1.
  const auto owned =
      Kokkos::subview(b, std::pair(0, static_cast<int>(op.num_owned())), Kokkos::ALL);
  const double residual = norm_of_all(ranks, true_residual_norm(space, op, b, x, scratch)),
               size = norm_of_all(ranks, two_norm(space, owned));
  return size > 0 ? residual / size : residual;
}

/// Bytes that one iteration moves, from the records of a replay of `iterations`, an even number:
/// some kernels run in every other iteration. Those that run at the start or the end of a solve
/// alone drop out of the integer quotient.
inline double bytes_per_iteration(const std::vector<KernelRecord>& records, long iterations) {
  double bytes = 0;
  for (const KernelRecord& record : records) {
    if (record.calls == 0) continue;
    const long calls_in_two = 2 * record.calls / iterations;
    bytes +=
        record.bytes / static_cast<double>(record.calls) * static_cast<double>(calls_in_two) / 2;
  }
  return bytes;
}

/// Solves A x = b, timed and without instrumentation, between a short solve that warms up and another
/// one that is instrumented. x and scratch are 0 before; `result` receives the report, the time of
/// the solve, and what its kernels and messages were in a replay of a few iterations.
template <class Execution, class Plan, class Field, class Result>
void timed_solve(const Execution& space, Plan& plan, const Field& b, const Field& x,
                 const Field& scratch, const StoppingCriteria& criteria,
                 const std::vector<std::vector<KernelCost>>& costs, Result& result,
                 const RankLink& link = {}) {
  // An odd number of iterations above 1 takes every kernel.
  static_cast<void>(plan.solve(space, b, scratch, StoppingCriteria::iterations(3)));
  space.fence();
  (void)sum_of_all(link.ranks(), 0);  // all begin together
  const TransportUse before = link.use();
  const Kokkos::Timer timer;
  result.report = plan.solve(space, b, x, criteria);
  space.fence();
  result.solve_seconds = timer.seconds();
  const TransportUse in_solve = link.use();
  result.messages.add_waits(in_solve.since(before));
  if (result.report.status == SolveStatus::interrupted) return;

  // An even number, and more than twice the calls of any kernel at the start and the end of a solve
  constexpr int num_replayed = 8;
  Kokkos::deep_copy(space, scratch, typename Field::value_type(0));
  std::vector<KernelCost> all_costs;
  for (const auto& part : costs) all_costs.insert(all_costs.end(), part.begin(), part.end());
  const KernelRecorder recorder;
  const SolveReport replay =
      plan.solve(space, b, scratch, StoppingCriteria::iterations(num_replayed));
  result.kernels = recorder.records(all_costs);
  result.bytes_per_iteration = bytes_per_iteration(result.kernels, std::max(replay.iterations, 1));
  result.messages.set_traffic_of_solve(link.use().since(in_solve), replay.iterations);
}

}  // namespace Lamina::Cli
