// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

namespace Lamina {

/// How far rounding inside a Helmholtz operator may move the mean of a solution, relative to it,
/// whatever tolerance a solve reaches: eps times couplings over mass term. At 10^-n, n digits of the
/// solution can be relied on. Where it is 1, the mass term is the smallest that the precision holds:
/// nothing is left. The residual that a solve reports does not tell.
///
/// Estimates for a connected mesh, rather too large than too small: solutions that are known are off
/// by 0.004 to 1 times as much (`HelmholtzRounding` in the tests), or the solve breaks down.
struct RoundingError {
  /// Of couplings between columns, in solvers that take A p or <p, A p> from those of other vectors
  /// (`FusedPcg`, `FusedPcgStored`): proportional to omega^2.
  double by_recurrence = 0;
  /// Of the same in solvers that apply A to p itself (`Pcg`, and `MixedPcg` by its residuals):
  /// proportional to omega for `HelmholtzOperator`, to omega^2 for stored entries (`CsrHelmholtz`).
  double by_product = 0;
  /// Of couplings between levels, proportional to omega^2 lambda^2: in any solver, added to one of
  /// the others.
  double vertical = 0;
};

}  // namespace Lamina
