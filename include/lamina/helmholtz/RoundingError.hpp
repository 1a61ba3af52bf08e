// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

namespace Lamina {

/// How far rounding inside a Helmholtz operator may move the mean of a solution, relative to that
/// mean: eps times couplings over mass term. The tolerance of a solve does not change it, and its
/// residual does not show it. At 10^-n, n digits of the solution are reliable. At 1 no digit is
/// left: the mass term is as small as the rounding of the couplings.
///
/// The values are estimates for a connected mesh, and rather too large than too small. Known
/// solutions have errors of 0.004 to 1 times the estimate (`HelmholtzRounding` in the tests), or
/// the solve breaks down.
struct RoundingError {
  /// By couplings between columns, in solvers that compute A p or <p, A p> by a recurrence
  /// (`FusedPcg`, `FusedPcgStored`). Proportional to omega^2.
  double by_recurrence = 0;
  /// The same in solvers that apply A to p itself (`Pcg`, and `FusedPcg` in mixed precision by its residuals).
  /// Proportional to omega for `HelmholtzOperator`, and to omega^2 for stored entries
  /// (`CsrHelmholtz`).
  double by_product = 0;
  /// By couplings between levels, in any solver. It adds to one of the others. Proportional to
  /// omega^2 lambda^2.
  double vertical = 0;
};

}  // namespace Lamina
