// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/SolveReport.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/krylov/impl/FieldRows.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace Lamina::Impl {

/// Checks whether the precision can hold the solution of a solve. Recursive residuals do not show
/// it, because they are updated without the solution. The solution is read only where the size of
/// its updates leaves a doubt.
class SolutionRange {
 public:
  /// \param scaled  the solution will be scaled back
  void start(bool scaled) {
    m_scaled = scaled;
    m_largest_step = 0;
  }
  /// Takes an update alpha p of an iteration, from its scalar products. |p| is about <r, z> / |r|.
  void take_step(double energy, double curvature, double residual2, double scale) {
    const double step = energy / curvature * (energy / std::sqrt(residual2)) / scale;
    m_largest_step = std::max(m_largest_step, step);
  }

  /// Sets the status where the precision cannot hold the solution.
  /// \param find_size  returns its largest entry; called where it is needed
  template <class Scalar, class FindSize>
  void judge(const FindSize& find_size, double tolerance, SolveReport& report) const {
    using Limits = std::numeric_limits<Scalar>;
    constexpr double room = 1e10;
    const bool moved = report.iterations > 0;
    const bool ordinary = m_largest_step > room * static_cast<double>(Limits::min()) &&
                          m_largest_step < static_cast<double>(Limits::max()) / room;
    if (!m_scaled && (!moved || ordinary)) return;
    const double size = find_size();
    if (!std::isfinite(size)) {
      report.status = SolveStatus::breakdown_not_finite;
    } else if (report.succeeded() && moved && !holds<Scalar>(size, tolerance)) {
      report.status = SolveStatus::stagnated;
    }
  }

 private:
  bool m_scaled = false;
  double m_largest_step = 0;
};

}  // namespace Lamina::Impl
