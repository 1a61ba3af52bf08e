// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/SolveReport.hpp>
#include <lamina/shallow_water/StateFault.hpp>

namespace Lamina {

/// What a time step did.
struct StepReport {
  /// `completed`; of iterations that a step holds, the first outcome that is no success:
  /// `max_iterations` where the step was taken with what they reached, or a breakdown, after which
  /// the state is not usable; where the step ended with a look at the state and found a fault, that
  /// of the fault.
  SolveStatus status = SolveStatus::completed;
  int newton_iterations = 0;  ///< Newton corrections (semi-implicit)
  int cg_iterations = 0;      ///< of all solves for the height together (semi-implicit)
  int mass_iterations = 0;    ///< of all velocity mass solves together (`MassSolver::cg`)
  /// Of the Newton iteration (semi-implicit), as last found and at its start; 0 for a fixed number
  /// of corrections.
  double residual_norm = 0, initial_residual_norm = 0;

  /// Of the state after the step, where it was looked at: each 20 steps, unless the plan was
  /// told otherwise by `check_every`. An unstable time step ends with one.
  StateFault fault;

  bool succeeded() const { return status == SolveStatus::completed; }
  bool broke_down() const {
    return status != SolveStatus::completed && status != SolveStatus::max_iterations;
  }
};

}  // namespace Lamina
