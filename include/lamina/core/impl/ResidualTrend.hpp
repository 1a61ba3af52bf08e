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
/// by sqrt(K) at most, 1e8 where double precision ends.
///
/// A direction without positive curvature, too, means divergence where the residual has grown by
/// `grown` before: over a singular matrix curvatures fall to rounding, and lose their sign there.
///
/// Stagnated: the smallest residual of a window of looks is not below the smallest one of the window
/// before, by `least_progress` of it; diverged, where it is `window_growth` times that. The initial
/// residual is in no window: a first sweep may well raise it.
class ResidualTrend {
 public:
  static constexpr double growth = 1e8, grown = 1e3, window_growth = 2, least_progress = 1e-4;

  /// \param reference  norm of x = 0, or of what residuals are relative to
  /// \param window     looks in a window; 0: stagnation is not looked for. Conjugate gradients may
  ///   stand still for thousands of iterations and converge then.
  explicit ResidualTrend(double reference = 0, int window = 0)
      : m_reference(reference), m_window(window) {}

  /// Takes the residual after some iterations. \return `stagnated` or `diverged`, where it is so
  std::optional<SolveStatus> look(double residual);

  /// What a breakdown comes to that follows the last residual.
  SolveStatus at_breakdown(SolveStatus breakdown) const {
    const bool has_grown = m_last > m_reference && m_last > grown * m_smallest;
    return has_grown ? SolveStatus::diverged : breakdown;
  }

 private:
  static constexpr double none = std::numeric_limits<double>::infinity();

  double m_reference;
  int m_window;
  int m_looks = 0;  // in this window
  double m_last = 0, m_smallest = none, m_smallest_in_window = none, m_smallest_before = none;
};

}  // namespace Lamina::Impl
