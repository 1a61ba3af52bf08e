// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/SolveReport.hpp>

namespace Lamina {

std::string_view to_string(SolveStatus status) {
  switch (status) {
    case SolveStatus::converged: return "converged";
    case SolveStatus::max_iterations: return "max_iterations";
    case SolveStatus::completed: return "completed";
    case SolveStatus::breakdown_indefinite: return "breakdown_indefinite";
    case SolveStatus::breakdown_zero_pivot: return "breakdown_zero_pivot";
    case SolveStatus::breakdown_not_finite: return "breakdown_not_finite";
    case SolveStatus::stagnated: return "stagnated";
    case SolveStatus::diverged: return "diverged";
    case SolveStatus::interrupted: return "interrupted";
    case SolveStatus::inconsistent: return "inconsistent";
  }
  return "unknown";
}

}  // namespace Lamina
