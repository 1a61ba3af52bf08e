// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/impl/ResidualTrend.hpp>

#include <algorithm>
#include <cmath>

namespace Lamina::Impl {

std::optional<SolveStatus> ResidualTrend::look(double residual) {
  m_last = residual;
  m_smallest = std::min(m_smallest, residual);
  m_smallest_in_window = std::min(m_smallest_in_window, residual);
  if (residual > m_reference && residual > growth * m_smallest) return SolveStatus::diverged;
  if (m_window == 0 || ++m_looks < m_window) return std::nullopt;

  const double now = m_smallest_in_window, before = m_smallest_before;
  m_looks = 0;
  m_smallest_before = now;
  m_smallest_in_window = none;
  if (now < (1 - least_progress) * before) {  // so in the first window
    m_idle_windows = 0;
    return std::nullopt;
  }
  if (now > m_reference && now > window_growth * before) return SolveStatus::diverged;
  const bool waits = m_smallest > fallen * m_reference && ++m_idle_windows < m_patience;
  return waits ? std::nullopt : std::optional(SolveStatus::stagnated);
}

SolveStatus ResidualTrend::at_breakdown(SolveStatus breakdown, double curvature,
                                        double terms) const {
  const bool is_lost = std::abs(curvature) < lost * terms;
  const bool diverged = m_last > m_reference && (is_lost || m_last > grown * m_smallest);
  return diverged ? SolveStatus::diverged : breakdown;
}

}  // namespace Lamina::Impl
