// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/krylov/impl/GmresHistory.hpp>
#include <lamina/krylov/impl/Tuning.hpp>

#include <algorithm>
#include <cmath>

namespace Lamina::Impl {
namespace {

/// Iterations over which a residual must fall. They may span several cycles.
constexpr int window_iterations = 30;

}  // namespace

void GmresHistory::begin(const StoppingCriteria& criteria, double rhs_norm, double residual,
                         SolveReport& report) {
  m_criteria = &criteria;
  m_report = &report;
  const double reference = criteria.relative_to == Reference::rhs ? rhs_norm : residual;
  report.reference_norm = reference;
  report.initial_residual_norm = report.residual_norm = residual;
  report.residual_history = {report.relative_residual()};
  m_target = std::max(criteria.tolerance * reference, criteria.absolute_tolerance);
  const int restart = m_problem.max_columns();
  m_trend = ResidualTrend(reference, (window_iterations + restart - 1) / restart);
  m_exhausted = m_not_finite = m_interrupted = false;
}

bool GmresHistory::start(const StoppingCriteria& criteria, double rhs_norm, double residual,
                         SolveReport& report) {
  begin(criteria, rhs_norm, residual, report);
  if (rhs_norm == 0) {  // x becomes 0
    report.residual_norm = 0;
    report.residual_history = {0.0};
    return end(SolveStatus::converged);
  }
  if (!std::isfinite(rhs_norm)) return end(SolveStatus::breakdown_not_finite);
  return settle(residual);
}

void GmresHistory::refuse(const StoppingCriteria& criteria, double rhs_norm, double residual,
                          SolveStatus status, SolveReport& report) {
  begin(criteria, rhs_norm, residual, report);
  end(status);
}

int GmresHistory::begin_cycle() {
  m_problem.clear();
  m_exhausted = m_not_finite = false;
  m_start_residual = m_report->residual_norm;
  return std::min(m_problem.max_columns(), m_criteria->max_iterations - m_report->iterations);
}

int GmresHistory::next_look(bool on_device) const {
  if (m_criteria->check_every > 0) return m_criteria->check_every;
  if (!on_device) return 1;
  constexpr int shortest = short_look_interval.shortest, longest = short_look_interval.longest;
  if (m_criteria->fixed_count) return m_criteria->on_check ? shortest : m_problem.max_columns();
  if (m_problem.count() == 0) return shortest;
  const double fall = std::log(m_start_residual / residual()) / m_problem.count();
  const double left = std::log(residual() / m_target) / fall;
  return fall > 0 ? static_cast<int>(std::ceil(std::clamp<double>(left, shortest, longest)))
                  : shortest;
}

bool GmresHistory::take(const Column& column) {
  const int count = m_problem.count();
  bool finite = std::isfinite(column.below) && std::isfinite(column.image);
  for (int i = 0; i <= count; ++i) finite = finite && std::isfinite(column.h[i]);
  if (!finite) {  // the solution uses the columns before this one
    m_not_finite = true;
    return true;
  }
  m_problem.append(column.h, column.below);
  ++m_report->iterations;
  m_report->residual_norm = m_start_residual * m_problem.residual();
  m_report->residual_history.push_back(m_report->relative_residual());
  const double negligible = m_rounding * column.image;
  m_exhausted = column.below <= negligible;
  if (m_exhausted && m_problem.last_diagonal() <= negligible) m_problem.drop_last();
  const bool done = !m_criteria->fixed_count && residual() <= m_target;
  return m_exhausted || done || residual() == 0;
}

void GmresHistory::tell() const {
  if (m_criteria->on_check) {
    m_criteria->on_check(m_report->iterations, m_report->relative_residual());
  }
}

bool GmresHistory::look() {
  tell();
  m_interrupted = m_criteria->stop_requested && m_criteria->stop_requested();
  return m_interrupted;
}

bool GmresHistory::end_cycle(double residual) {
  const bool stuck =
      m_exhausted && !(residual < (1 - ResidualTrend::least_progress) * m_start_residual);
  const bool not_finite = m_not_finite && num_columns() == 0;
  m_report->residual_norm = residual;
  m_report->residual_history.back() = m_report->relative_residual();
  if (not_finite) return end(SolveStatus::breakdown_not_finite);
  if (settle(residual)) return true;
  // The next cycle would start from the same residual and do the same.
  if (stuck && !m_criteria->fixed_count) return end(SolveStatus::stagnated);
  if (look()) m_report->status = SolveStatus::interrupted;
  return m_interrupted;
}

bool GmresHistory::settle(double residual) {
  if (!std::isfinite(residual)) return end(SolveStatus::breakdown_not_finite);
  if (residual == 0) return end(SolveStatus::converged);
  const bool at_limit = m_report->iterations == m_criteria->max_iterations;
  if (m_criteria->fixed_count) {
    if (at_limit) return end(SolveStatus::completed);
    return m_interrupted && end(SolveStatus::interrupted);
  }
  if (residual <= m_target) return end(SolveStatus::converged);
  const auto trend = m_trend.look(residual);
  if (trend == SolveStatus::diverged) return end(*trend);
  if (m_interrupted) return end(SolveStatus::interrupted);
  if (at_limit) return end(SolveStatus::max_iterations);
  return trend && end(*trend);
}

bool GmresHistory::end(SolveStatus status) {
  m_report->status = status;
  tell();
  return true;
}

}  // namespace Lamina::Impl
