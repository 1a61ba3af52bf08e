// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string_view>
#include <vector>

namespace Lamina {

/// Why a solve ended. Numerical failure is a status, never an exception and never a silent NaN.
enum class SolveStatus {
  converged,             ///< the residual test was met
  max_iterations,        ///< the iteration limit was reached first
  completed,             ///< a fixed number of iterations was asked for and done
  breakdown_indefinite,  ///< <p, A p> <= 0 or <r, M^-1 r> <= 0: operator or preconditioner is not
                         ///< symmetric positive definite
  breakdown_zero_pivot,  ///< a factorisation met a pivot that is zero or not finite
  breakdown_not_finite,  ///< a residual or scalar product became infinite or NaN
  stagnated,             ///< the residual no longer falls, for example since the precision allows
                         ///< no less
  diverged,              ///< the residual grows beyond all bounds: x is no result
  interrupted,           ///< the caller asked for it, see `StoppingCriteria::stop_requested`
  inconsistent,          ///< a singular system has no solution, see `ColumnNullSpace`
};

/// The name used in reports and JSON files, e.g. "max_iterations".
std::string_view to_string(SolveStatus status);

/// Outcome of an iterative solve. All norms are 2-norms over the owned columns of the recursively
/// updated residual, unless said otherwise.
struct SolveReport {
  SolveStatus status = SolveStatus::max_iterations;
  /// Number of executed updates of the solution.
  int iterations = 0;
  /// `FusedPcg`: how often rounding made it compute b - A x anew and start its directions anew.
  int restarts = 0;
  double initial_residual_norm = 0;  ///< |b - A x| of the initial guess
  /// What residuals are relative to, |b| or |r_0|, see `StoppingCriteria::relative_to`.
  double reference_norm = 0;
  double residual_norm = 0;
  /// |r_k| / reference_norm, from the initial guess on: one entry more than iterations. Entry 0 is
  /// 1 for x = 0, and 0 where the reference vanishes.
  std::vector<double> residual_history;

  double relative_residual() const {  ///< not finite where one of the norms is not
    return reference_norm == 0 ? 0 : residual_norm / reference_norm;
  }
  bool converged() const { return status == SolveStatus::converged; }
  /// True where the solve did what was asked: converged, or completed a fixed count.
  bool succeeded() const { return converged() || status == SolveStatus::completed; }
};

}  // namespace Lamina
