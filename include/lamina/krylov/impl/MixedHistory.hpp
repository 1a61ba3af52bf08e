// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/krylov/impl/PcgHistory.hpp>

#include <algorithm>
#include <cmath>

namespace Lamina::Impl {

/// How `MixedPcg` is judged, and when it stops for a replacement of its residual. Rows hold products
/// of scaled fields, `scale()` times those of the system; what is reported is not scaled.
template <class Memory>
class MixedHistory {
 public:
  static constexpr int max_check_every = PcgRows<Memory>::max_check_every;

  /// A residual is replaced where it has fallen by this factor since the last time. Rounding of the
  /// iteration adds some 1e-7 to 1e-5 of the residual there, hence at most 1e-3 of what is left; a
  /// replacement costs little more than an iteration, and there are six down to 1e-9.
  static constexpr double drop = 0.03;

  enum class Event {
    none,         ///< the iteration goes on
    replacement,  ///< it stopped after `report.iterations`; later passes have done nothing
    end           ///< so, and the report says why
  };

  /// Forgets the rows of an earlier solve.
  void start(const StoppingCriteria& criteria, SolveReport& report) {
    m_criteria = &criteria;
    m_report = &report;
    m_limit = criteria.max_iterations;
    m_scale = 1;
    m_replaced = m_fresh = 0;
    m_next = 1;
    m_idle = 0;
    m_expected = none_expected;
  }

  /// Power of two that brings the norm of the initial residual to 1 to 2.
  double scale() const { return m_scale; }
  /// The pass at which the residual was replaced last.
  int replaced() const { return m_replaced; }
  /// The pass at which the next replacement is expected, as the last look has it: to look there spares
  /// a device passes that do nothing.
  int expected() const { return m_expected; }

  FusedStep<Memory> step(int pass) const {
    FusedStep<Memory> step = m_rows.steps(m_limit, 0, m_stop2).step(pass);
    step.is_first = pass == m_fresh;
    return step;
  }

  /// Takes the initial residual, not scaled yet, from row 0. Fences `space`.
  template <class Space>
  Event look_at_start(const Space& space) {
    m_rows.fetch(space);
    const double initial2 = m_rows.host(0, Step::residual2);
    const double norm = std::sqrt(initial2);
    m_report->iterations = 0;
    m_report->initial_residual_norm = m_report->reference_norm = norm;
    m_report->residual_history = {norm > 0 ? 1.0 : 0.0};
    if (std::isfinite(norm) && norm > 0) m_scale = std::ldexp(1.0, -std::ilogb(norm));
    const double scaled2 = norm * m_scale * norm * m_scale;
    const double absolute = m_criteria->absolute_tolerance * m_scale;
    m_target2 =
        std::max(m_criteria->tolerance * m_criteria->tolerance * scaled2, absolute * absolute);
    m_recursive2 = m_least2 = scaled2;
    return settle(0, scaled2);
  }

  /// Fetches the rows up to `pass` and continues the report with them. Fences `space`.
  template <class Space>
  Event look(const Space& space, int pass) {
    m_rows.fetch(space);
    for (; m_next <= pass; ++m_next) {
      const Event event = judge(m_next);
      if (event != Event::none) return event;
    }
    m_expected = forecast(pass);
    tell();
    stop_if_requested(pass);
    return Event::none;
  }

  /// Takes the residual that was recomputed after `report.iterations`. Fences `space`.
  template <class Space>
  Event look_at_replacement(const Space& space) {
    m_rows.fetch(space);
    m_next = m_report->iterations + 1;
    return settle(m_report->iterations, m_rows.host(m_report->iterations, Step::residual2));
  }

  /// alpha of an iteration that took place and was looked at.
  double alpha(int iteration) const { return m_rows.alpha(iteration); }

 private:
  using Step = FusedStep<Memory>;
  static constexpr int none_expected = -1;

  /// Where the residual falls below what it may, if it goes on as it did since the last replacement.
  int forecast(int pass) const {
    if (pass == m_replaced) return none_expected;
    const double fall = std::log(m_replaced2 / m_recursive2) / (pass - m_replaced);
    const double left = std::log(m_recursive2 / m_stop2) / fall;
    return fall > 0 && left < max_check_every ? pass + static_cast<int>(std::ceil(left))
                                              : none_expected;
  }

  void tell() const {
    if (m_criteria->on_check)
      m_criteria->on_check(m_report->iterations, m_report->relative_residual());
  }
  /// One more pass ends the solve as passes at the limit do, so that x is that of the report.
  void stop_if_requested(int pass) {
    if (!m_criteria->stop_requested || !m_criteria->stop_requested()) return;
    m_limit = std::min(m_limit, pass + 1);
  }
  Event end(SolveStatus status) const {
    m_report->status = status;
    tell();
    return Event::end;
  }

  /// Takes one row of the iteration into the report.
  Event judge(int pass) {
    for (const auto entry : {Step::energy, Step::curvature}) {
      const double value = m_rows.host(pass - 1, entry);
      if (!Step::positive_finite(value)) return end(breakdown_of(value));
    }
    m_recursive2 = m_rows.host(pass, Step::residual2);
    m_report->iterations = pass;
    m_report->residual_norm = std::sqrt(m_recursive2) / m_scale;
    m_report->residual_history.push_back(m_report->relative_residual());
    if (!std::isfinite(m_recursive2)) return end(SolveStatus::breakdown_not_finite);
    const bool stopped = m_recursive2 <= m_stop2 || pass == m_limit;
    return stopped ? Event::replacement : Event::none;
  }

  /// Takes a recomputed residual, and decides how to go on.
  Event settle(int pass, double true2) {
    m_report->residual_norm = std::sqrt(true2) / m_scale;
    m_report->residual_history.back() = m_report->relative_residual();
    if (!std::isfinite(true2)) return end(SolveStatus::breakdown_not_finite);
    const bool at_limit = pass == m_criteria->max_iterations;
    if (m_criteria->fixed_count && at_limit) return end(SolveStatus::completed);
    if (true2 <= m_target2) return end(SolveStatus::converged);
    if (at_limit) return end(SolveStatus::max_iterations);
    if (pass == m_limit) return end(SolveStatus::interrupted);
    if (pass > 0) {
      m_idle = true2 < m_least2 ? 0 : m_idle + 1;
      if (m_idle == 2 && !m_criteria->fixed_count) return end(SolveStatus::stagnated);
    }
    m_least2 = std::min(m_least2, true2);
    m_replaced = pass;
    m_replaced2 = true2;
    m_expected = none_expected;
    // Where rounding is the greater part, directions are no longer conjugate to the residual.
    if (true2 > 4 * m_recursive2) m_fresh = pass;
    // Once the recursive residual met the target and the true one did not, it must fall by as much
    // more as the true one was above.
    const double aim2 = m_recursive2 <= m_target2 ? m_target2 * (m_target2 / true2) : m_target2;
    m_stop2 = std::max(aim2, drop * drop * true2);
    return Event::none;
  }

  PcgRows<Memory> m_rows;
  const StoppingCriteria* m_criteria = nullptr;
  SolveReport* m_report = nullptr;
  double m_scale = 1, m_target2 = 0, m_stop2 = 0, m_recursive2 = 0, m_replaced2 = 0, m_least2 = 0;
  int m_limit = 0;  // iterations, fewer than allowed once somebody asked to stop
  int m_replaced = 0, m_fresh = 0, m_next = 1, m_expected = none_expected;
  int m_idle = 0;  // replacements in a row that showed no smaller residual than before
};

}  // namespace Lamina::Impl
