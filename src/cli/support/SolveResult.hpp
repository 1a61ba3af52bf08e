// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/KernelRecord.hpp>
#include <lamina/core/SolveReport.hpp>

#include <optional>
#include <vector>

#include "support/ranks/RankRecord.hpp"

namespace Lamina::Cli {

/// How far a solution is from the exact one; the model says in which norms.
struct SolutionError {
  double l2 = 0;
  double linf = 0;  ///< largest |e|
};

/// What came of a solve, of any model.
struct SolveResult {
  SolveReport report;  ///< of a run in time, iterations are steps, and only they and the status set
  double true_relative_residual = 0;   ///< recomputed from the solution; none of a run in time
  std::optional<SolutionError> error;  ///< where an exact solution is known
  double setup_seconds = 0, solve_seconds = 0;
  std::vector<KernelRecord> kernels;  ///< of a replay of a few iterations
  double bytes_per_iteration = 0;     ///< as the kernels count them; 0: not known
  RankMessages messages{};            ///< of this process, to others
  /// Of a solve over several ranks. Times above are those of the slowest rank, and kernels move the
  /// bytes of all.
  std::optional<RankRecord> ranks{};
};

}  // namespace Lamina::Cli
