// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/SolveReport.hpp>

#include <limits>
#include <optional>

namespace Lamina::Impl {

/// Tells from the residuals of a solve, one after the other, whether they still fall.
///
/// Diverged: a residual is above the reference, and above `growth` times the smallest residual so
/// far. A transient rise stays below that. Conjugate gradients raise the 2-norm by sqrt(K) at most
/// for a matrix of condition K, which is 1e8 at the limit of double precision. (With a
/// preconditioner see `CgDivergence`.)
///
/// A direction without positive curvature also means divergence in two cases: where the residual
/// has grown by `grown`, and where the residual is above the reference and the curvature is only
/// rounding. Curvatures fall to rounding over singular matrices. (Over indefinite matrices they are
/// a fifth or more of the terms that they are the difference of.)
///
/// Stagnated: the smallest residual of a window of looks is not below that of the window before by
/// `least_progress` of it. Diverged: it is `window_growth` times that residual. The initial
/// residual is in no window, because a first sweep may raise it. Where the residual has not fallen
/// at all yet, `patience` such windows may pass: sweeps may carry a value across a mesh, point by
/// point, while the residual stays the same.
class ResidualTrend {
 public:
  static constexpr double growth = 1e8, grown = 1e2, window_growth = 2, least_progress = 1e-4;
  static constexpr double fallen = 0.5;  ///< below that of the reference, progress was made
  static constexpr double lost = 1e-3;   ///< a curvature below that of its terms is rounding

  /// \param reference  the norm that residuals are relative to
  /// \param window  looks in a window. 0: no check for stagnation. Conjugate gradients may stand
  ///   still for thousands of iterations and then converge.
  explicit ResidualTrend(double reference = 0, int window = 0, int patience = 1)
      : m_reference(reference), m_window(window), m_patience(patience) {}

  /// Takes the next residual. \return `stagnated` or `diverged`, or nothing
  std::optional<SolveStatus> look(double residual);

  /// The status of a breakdown after the last residual.
  /// \param curvature,  terms  <p, A p>, and the larger of the two terms whose difference it is, or
  ///   0
  SolveStatus at_breakdown(SolveStatus breakdown, double curvature, double terms) const;

 private:
  static constexpr double none = std::numeric_limits<double>::infinity();

  double m_reference;
  int m_window, m_patience;
  int m_looks = 0;         // in this window
  int m_idle_windows = 0;  // in a row
  double m_last = 0, m_smallest = none, m_smallest_in_window = none, m_smallest_before = none;
};

}  // namespace Lamina::Impl
