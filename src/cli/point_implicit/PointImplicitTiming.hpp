// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Included by what PointImplicitSolve.cpp.in instantiates.

#include <Kokkos_Timer.hpp>

#include "support/SolveResult.hpp"
#include "support/ranks/RankLink.hpp"

namespace Lamina::Cli {

/// Runs work on the space of a plan, which all ranks begin together: `result` receives its time and
/// how long the host waited for others.
template <class Plan, class Work>
void timed(const Plan& plan, SolveResult& result, const Work& work) {
  const RankLink& link = plan.part().link();
  plan.space().fence();
  (void)sum_of_all(link.ranks(), 0);
  const TransportUse before = link.use();
  const Kokkos::Timer timer;
  work();
  plan.space().fence();
  result.solve_seconds = timer.seconds();
  result.messages = {};
  result.messages.add_waits(link.use().since(before));
}

}  // namespace Lamina::Cli
