// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/SolveReport.hpp>

#include <limits>
#include <optional>

namespace Lamina::Impl {

/// Tells from the residuals of a solve, one after the other, whether they still fall.
///
/// Diverged: a residual above both the reference and `growth` times the smallest one so far. A
/// transient rise stays below that: conjugate gradients over a matrix of condition K raise the 2-norm
/// by sqrt(K) at most, 1e8 where double precision ends. (With a preconditioner: `CgDivergence`.)
///
/// A direction without positive curvature, too, means divergence where the residual has grown by
/// `grown`, or where rounding took the curvature's sign and the residual is above the reference: over a
/// singular matrix curvatures fall to rounding. (Over indefinite ones they are a fifth or more of what
/// they are the difference of.)
///
/// Stagnated: the smallest residual of a window of looks is not below the smallest one of the window
/// before, by `least_progress` of it; diverged, where it is `window_growth` times that. The initial
/// residual is in no window: a first sweep may well raise it. Where the residual has not fallen at all
/// yet, `patience` windows may pass like that: what sweeps carry across a mesh, point by point, leaves
/// the residual as it is until it arrives.
class ResidualTrend {
 public:
  static constexpr double growth = 1e8, grown = 1e2, window_growth = 2, least_progress = 1e-4;
  static constexpr double fallen = 0.5;  ///< of the reference: progress was made
  static constexpr double lost = 1e-3;   ///< a curvature that is less of its terms is rounding

  /// \param reference  norm of x = 0, or of what residuals are relative to
  /// \param window     looks in a window; 0: stagnation is not looked for. Conjugate gradients may
  ///   stand still for thousands of iterations and converge then.
  explicit ResidualTrend(double reference = 0, int window = 0, int patience = 1)
      : m_reference(reference), m_window(window), m_patience(patience) {}

  /// Takes the residual after some iterations. \return `stagnated` or `diverged`, where it is so
  std::optional<SolveStatus> look(double residual);

  /// What a breakdown comes to that follows the last residual.
  /// \param curvature, terms  <p, A p>, and the greater one of the terms that it is the difference of,
  ///   or 0
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
