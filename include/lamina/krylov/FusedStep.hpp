// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>

namespace Lamina {

/// What the sweeps of pass n of a fused PCG need to know, in device memory. Each pass writes its
/// scalar products into a row of its own, and the next sweep computes alpha and beta from the rows:
/// no host, no extra kernel. Sweeps after convergence or breakdown turn into no-ops by themselves:
/// they leave zeros, which end the pass after them too.
template <MemorySpace Memory>
struct FusedStep {
  enum {
    residual2 = 0,      ///< <r_n, r_n>
    energy = 1,         ///< <r_n, z_n>
    curvature = 2,      ///< <p_n, A p_n>
    line_curvature = 3  ///< <z_n, A z_n>, for `FusedPcg` only
  };
  static constexpr int row_length = 4;

  const double* first;   ///< row 0: the initial residual, to which tolerances refer
  const double* before;  ///< row n - 1; row 0 itself for n = 0
  double* now;           ///< row n
  double* next;          ///< row n + 1
  bool is_first;         ///< n = 0
  bool is_last;          ///< no iteration follows this pass
  double tolerance2;     ///< squared relative tolerance
  double absolute2;      ///< squared absolute tolerance

  KOKKOS_INLINE_FUNCTION static bool positive_finite(double value) {
    return value > 0 && value * 0 == 0;
  }
  /// The residual of this row is finite and not small enough yet.
  KOKKOS_INLINE_FUNCTION bool residual_left(const double* row) const {
    const double relative = tolerance2 * first[residual2];
    return positive_finite(row[residual2]) &&
           row[residual2] > (relative > absolute2 ? relative : absolute2);
  }
  /// The same, and the preconditioner did not break down.
  KOKKOS_INLINE_FUNCTION bool continues(const double* row) const {
    return residual_left(row) && positive_finite(row[energy]);
  }

  // --- FusedPcg: iteration n in one sweep ---

  /// Iteration n: whether it takes place, its coefficients, and alpha of the one before.
  struct Iteration {
    bool proceed;
    double alpha, beta, alpha_before, curvature;
  };
  /// <p, A p> follows from <z, A z>: p_n = z_n + beta p_{n-1} is conjugate to p_{n-1}, hence
  /// <p_n, A p_n> = <z_n, A z_n> - beta^2 <p_{n-1}, A p_{n-1}> (Chronopoulos and Gear 1989).
  KOKKOS_INLINE_FUNCTION Iteration iteration() const {
    if (!continues(now)) return {false, 0, 0, 0, 0};
    const double beta = is_first ? 0 : now[energy] / before[energy];
    const double conjugate = now[line_curvature] - (is_first ? 0 : beta * beta * before[curvature]);
    const bool proceed = positive_finite(conjugate);
    return {proceed, proceed ? now[energy] / conjugate : 0, beta,
            is_first ? 0 : before[energy] / before[curvature], conjugate};
  }

  // --- FusedPcgStored: iteration n ends in the first sweep of pass n + 1 ---

  /// The step that ends in this pass.
  struct Residual {
    bool proceed;
    double alpha;
  };
  KOKKOS_INLINE_FUNCTION Residual residual_step() const {
    if (is_first) return {true, 0};
    const bool proceed = continues(before) && positive_finite(before[curvature]);
    return {proceed, proceed ? before[energy] / before[curvature] : 0};
  }
  /// How the direction goes on, after u += alpha p with the direction before.
  struct Direction {
    bool proceed;
    double alpha, beta;
  };
  KOKKOS_INLINE_FUNCTION Direction direction_step() const {
    const Residual residual = residual_step();
    const bool proceed = residual.proceed && continues(now);
    return {proceed, residual.alpha, proceed && !is_first ? now[energy] / before[energy] : 0};
  }
};

}  // namespace Lamina
