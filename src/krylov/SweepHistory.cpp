// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/impl/RequireCriteria.hpp>
#include <lamina/krylov/SweepHistory.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace Lamina {

SweepHistory::SweepHistory(const char* function, const StoppingCriteria& criteria)
    : m_criteria(criteria) {
  Impl::require_criteria(function, criteria, std::numeric_limits<int>::max());
}

SolveReport SweepHistory::broken(SolveStatus status, double rhs_norm, double residual_norm) {
  m_report.status = status;
  m_report.initial_residual_norm = m_report.residual_norm = residual_norm;
  const bool of_rhs = m_criteria.relative_to == Reference::rhs;
  m_report.reference_norm = of_rhs ? rhs_norm : residual_norm;
  return m_report;
}

bool SweepHistory::end(SolveStatus status) {
  m_report.status = status;
  return true;
}

bool SweepHistory::start(double rhs_norm) {
  m_rhs_norm = m_report.reference_norm = m_report.residual_norm = rhs_norm;
  if (!std::isfinite(rhs_norm)) return !end(SolveStatus::breakdown_not_finite);
  if (rhs_norm == 0) return !end(SolveStatus::converged);
  return true;
}

void SweepHistory::take_initial(double residual_norm) {
  m_report.initial_residual_norm = residual_norm;
  if (m_criteria.relative_to == Reference::initial_residual) {
    m_report.reference_norm = residual_norm;
  }
  m_trend = Impl::ResidualTrend(m_report.reference_norm,
                                m_criteria.fixed_count ? 0 : stagnation_window, patience);
}

bool SweepHistory::look(double residual_norm) {
  if (m_stretch == 0) take_initial(residual_norm);
  m_report.iterations += m_stretch;
  m_report.residual_norm = residual_norm;
  if (m_stretch > 0) m_report.residual_history.push_back(m_report.relative_residual());
  const bool ended = judge(residual_norm);
  if (m_criteria.on_check) m_criteria.on_check(m_report.iterations, m_report.relative_residual());
  if (!ended && m_criteria.stop_requested && m_criteria.stop_requested()) {
    return end(SolveStatus::interrupted);
  }
  return ended;
}

bool SweepHistory::judge(double residual_norm) {
  if (!std::isfinite(residual_norm)) return end(SolveStatus::breakdown_not_finite);
  const bool last = m_report.iterations == m_criteria.max_iterations;
  const bool swept = m_report.iterations > 0;
  constexpr SolveStatus falling = SolveStatus::max_iterations;  // as long as there are more
  const SolveStatus trend = swept ? m_trend.look(residual_norm).value_or(falling) : falling;
  const double target =
      std::max(m_criteria.tolerance * m_report.reference_norm, m_criteria.absolute_tolerance);
  if (!m_criteria.fixed_count && residual_norm <= target) return end(SolveStatus::converged);
  const bool has_grown = residual_norm > Impl::ResidualTrend::growth *
                                             std::max(m_rhs_norm, m_report.initial_residual_norm);
  if (trend == SolveStatus::diverged || (swept && last && has_grown)) {
    return end(SolveStatus::diverged);
  }
  if (last) {
    return end(m_criteria.fixed_count ? SolveStatus::completed : SolveStatus::max_iterations);
  }
  if (m_criteria.fixed_count) return residual_norm == 0 && end(SolveStatus::converged);
  return trend == SolveStatus::stagnated && end(trend);
}

int SweepHistory::next_stretch() {
  const int left = m_criteria.max_iterations - m_report.iterations;
  m_stretch = std::min(std::max(1, m_criteria.check_every), left);
  return m_stretch;
}

}  // namespace Lamina
