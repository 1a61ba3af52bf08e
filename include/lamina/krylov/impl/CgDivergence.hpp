// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/impl/ResidualTrend.hpp>

#include <cmath>

namespace Lamina::Impl {

/// Tells divergence of preconditioned conjugate gradients from a transient rise of the residual.
///
/// The 2-norm of the residual rises by the square root of the condition of A at most. Where A is
/// badly scaled, that may be any factor, although the preconditioner mends the scaling. The norm
/// sqrt(<r, M^-1 r>) rises by the square root of the condition of M^-1 A at most. A solve has
/// diverged where both norms have grown.
class CgDivergence {
 public:
  explicit CgDivergence(double reference = 0) : m_residual(reference) {}

  /// \param energy  <r, M^-1 r> of the iteration before, the last known one; 0: none is known
  /// \return whether the solve has diverged
  bool look(double residual, double energy) {
    const bool grown = m_residual.look(residual).has_value();
    const bool preconditioned_grown = energy > 0 && m_preconditioned.look(std::sqrt(energy));
    return grown && preconditioned_grown;
  }

  /// See `ResidualTrend`.
  SolveStatus at_breakdown(SolveStatus breakdown, double curvature, double terms) const {
    return m_residual.at_breakdown(breakdown, curvature, terms);
  }

 private:
  ResidualTrend m_residual, m_preconditioned;
};

}  // namespace Lamina::Impl
