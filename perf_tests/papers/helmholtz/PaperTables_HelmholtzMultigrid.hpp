// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What the paper says of multigrid in section 7.4.1: that on the CPU it takes the total time of a solve down by a
// factor of around four.

#include <lamina/multigrid/MultigridHelmholtz.hpp>

#include <stdexcept>

#include "../../support/PanelSolvers.hpp"
#include "PaperTables_Helmholtz.hpp"

namespace Lamina::Paper {

/// `FusedPcg` with lines and with cycles, each with its set-up, in the precision of the case.
template <class Case>
ToTolerance measure_to_tolerance(const Settings& settings) {
  using Scalar = typename Case::Scalar;
  using Memory = typename Case::Memory;
  const Case c(settings.size);
  const auto rhs = c.right_hand_side();
  const auto solution = c.make_field("Lamina::Paper::solution");
  const auto solve = [&](auto& plan) {
    Kokkos::deep_copy(c.space, solution, Scalar(0));
    const SolveReport report =
        plan.solve(c.space, rhs, solution, {.tolerance = ToTolerance::tolerance});
    if (!report.converged()) throw std::runtime_error("a solve to 1e-5 did not converge");
    return report.iterations;
  };

  ToTolerance result;
  const auto with_lines = [&] {
    Perf::FusedSolver<Case> solver(c);
    result.iterations_with_lines = solve(solver.plan());
  };
  const auto with_cycles = [&] {
    const MultigridPreconditioner<Scalar, Memory> multigrid(
        c.space, ColumnHierarchy(c.panel.graph()), c.grid, c.parameters);
    FusedPcg pcg(c.space, MultigridHelmholtz<Scalar, Memory>(c.space, multigrid));
    result.iterations_with_cycles = solve(pcg);
  };
  result.with_lines = time_of(c.space, settings.repetitions, with_lines);
  result.with_cycles = time_of(c.space, settings.repetitions, with_cycles);
  return result;
}

}  // namespace Lamina::Paper
