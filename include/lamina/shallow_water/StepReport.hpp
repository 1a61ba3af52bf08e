// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/SolveReport.hpp>
#include <lamina/shallow_water/StateFault.hpp>

namespace Lamina {

/// The outcome of a time step.
struct StepReport {
  /// `completed`, or the first outcome of its iterations that is no success: `max_iterations`, with
  /// which the step was still taken, or a breakdown, after which the state is not usable. Where the
  /// step checked the state and found a fault, it is the status of the fault.
  SolveStatus status = SolveStatus::completed;
  int newton_iterations = 0;  ///< Newton corrections (semi-implicit)
  int cg_iterations = 0;      ///< of all solves for the height together (semi-implicit)
  int mass_iterations = 0;    ///< of all velocity mass solves together (`MassSolver::cg`)
  /// The last and the first residual of the Newton iteration (semi-implicit). 0 for a fixed number
  /// of corrections.
  double residual_norm = 0, initial_residual_norm = 0;

  /// The fault of the state after the step, where the step checked it: every 20 steps, unless
  /// `check_every` changed that. An unstable time step ends with a fault.
  StateFault fault;

  bool succeeded() const { return status == SolveStatus::completed; }
  bool broke_down() const {
    return status != SolveStatus::completed && status != SolveStatus::max_iterations;
  }
};

}  // namespace Lamina
