// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

namespace Lamina {

/// What rounding inside a Helmholtz operator may change in the smoothest part of the solution,
/// relative to it, whatever tolerance a solve reaches: eps times couplings over mass term. The
/// smallest mass term that the precision holds is where this comes to 1: from there on nothing of
/// the solution can be relied on, and to n digits of it where this is 10^-n. The residual that a
/// solve reports does not tell.
///
/// An estimate for a connected mesh, rather too large than too small: solutions that are known were
/// between about 1/500 and 1 times as far off (`HelmholtzRounding` in the tests).
struct RoundingError {
  double horizontal = 0;  ///< of couplings between columns: proportional to omega^2
  double vertical = 0;    ///< of couplings between levels: proportional to omega^2 lambda^2

  double total() const { return horizontal + vertical; }
};

}  // namespace Lamina
