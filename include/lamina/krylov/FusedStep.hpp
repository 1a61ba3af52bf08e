// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>

namespace Lamina {

/// What the sweeps of pass n of the fused PCG need to know, in device memory. Each pass writes its
/// scalar products into a row of its own,
///
///   row n = { <r_n, r_n>, <r_n, z_n>, <p_n, q_n> },
///
/// and the next sweep computes alpha and beta from the rows: no host, no extra kernel. Sweeps after
/// convergence or breakdown turn into no-ops by themselves: they leave zeros, which end the pass
/// after them too.
template <MemorySpace Memory>
struct FusedStep {
  enum { residual2 = 0, energy = 1, curvature = 2 };

  const double* first;   ///< row 0: the initial residual, to which tolerances refer
  const double* before;  ///< row n - 1; row 0 itself for n = 0
  double* now;           ///< row n
  bool is_first;         ///< n = 0
  bool is_last;          ///< only the pending update of the solution is still wanted
  double tolerance2;     ///< squared relative tolerance
  double absolute2;      ///< squared absolute tolerance

  /// alpha of the step that ends in this pass, and whether there is one.
  struct Residual {
    bool active;
    double alpha;
  };
  /// How the direction goes on. `update` without `proceed`: the pending u += alpha p, nothing else.
  struct Direction {
    bool update, proceed;
    double alpha, beta;
  };

  KOKKOS_INLINE_FUNCTION static bool positive_finite(double value) {
    return value > 0 && value * 0 == 0;
  }
  /// The residual of this row is not small enough yet, and nothing broke down.
  KOKKOS_INLINE_FUNCTION bool continues(const double* row) const {
    const double relative = tolerance2 * first[residual2];
    return positive_finite(row[residual2]) && positive_finite(row[energy]) &&
           row[residual2] > (relative > absolute2 ? relative : absolute2);
  }

  KOKKOS_INLINE_FUNCTION Residual residual_step() const {
    if (is_first) return {true, 0};
    const bool active = continues(before) && positive_finite(before[curvature]);
    return {active, active ? before[energy] / before[curvature] : 0};
  }
  KOKKOS_INLINE_FUNCTION Direction direction_step() const {
    const Residual residual = residual_step();
    const bool proceed = residual.active && !is_last && continues(now);
    return {residual.active, proceed, residual.alpha,
            proceed && !is_first ? now[energy] / before[energy] : 0};
  }
};

}  // namespace Lamina
