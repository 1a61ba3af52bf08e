// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/krylov/impl/PcgHistory.hpp>
#include <lamina/krylov/impl/SolutionRange.hpp>
#include <lamina/krylov/impl/Tuning.hpp>

#include <algorithm>
#include <cmath>

namespace Lamina::Impl {

/// Judges a solve of `MixedPcg`, and decides when it stops for a replacement of its residual. Rows
/// hold products of scaled fields, `scale()` times those of the system. Reported norms are not
/// scaled.
template <class Memory>
class MixedHistory {
 public:
  static constexpr int max_check_every = PcgRows<Memory>::max_check_every;

  enum class Event {
    none,         ///< the iteration goes on
    replacement,  ///< it stopped after `report.iterations`; later passes have done nothing
    end           ///< the solve has ended; the report says why
  };

  /// Forgets the rows of an earlier solve.
  void start(const StoppingCriteria& criteria, SolveReport& report) {
    m_criteria = &criteria;
    m_report = &report;
    m_limit = criteria.max_iterations;
    m_scale = 1;
    m_solution_range.start(false);
    m_replaced = m_fresh = 0;
    m_next = 1;
    m_expected = none_expected;
  }

  /// Power of two that brings the norm of the initial residual to 1 to 2.
  double scale() const { return m_scale; }
  /// The pass at which the residual was replaced last.
  int replaced() const { return m_replaced; }
  /// The pass at which the last look expects the next replacement. A look there spares a device
  /// passes that do nothing.
  int expected() const { return m_expected; }

  FusedStep<Memory> step(int pass) const {
    FusedStep<Memory> step =
        m_rows.steps(m_limit, Reference::initial_residual, 0, m_stop2).step(pass);
    step.is_first = pass == m_fresh;
    return step;
  }

  /// Computes the initial residual, by replace(0), the norm that tolerances refer to, and the
  /// scale. Scales by b first where squares leave the range of double precision. Solves b = 0 by u
  /// = 0. Fences `space`.
  template <class Space, class Rhs, class Solution, class Replace>
  Event begin(const Space& space, const Rhs& b, const Solution& u, const Replace& replace) {
    const SafeRange range = safe_range<double>();
    m_report->iterations = 0;
    find_start(space, b, replace, range);
    const double reference2 = m_rows.host_reference(m_criteria->relative_to);
    if (!std::isnan(initial2()) && !(range.contains(initial2()) && range.contains(reference2))) {
      m_solution_range.start(true);
      const double size = largest_size(space, rows_of(b));
      const bool finite = std::isfinite(size) && std::isfinite(largest_size(space, rows_of(u)));
      if (finite && size > 0) {
        m_scale = scale_of<double>(size);
        find_start(space, b, replace, SafeRange());
      }
      if (finite && (size == 0 || !(initial2() <= worthless * worthless))) {
        Kokkos::deep_copy(space, u, 0.0);
        find_start(space, b, replace, SafeRange());
      }
    }
    return judge_start();
  }

  /// Sets the status where double precision cannot hold the solution.
  template <class Space, class Solution>
  void judge_solution(const Space& space, const Solution& u) const {
    m_solution_range.template judge<double>([&] { return largest_size(space, rows_of(u)); },
                                            m_criteria->tolerance, *m_report);
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
  static constexpr int trend_window = 2;  // replacements

  double initial2() const { return m_rows.host(0, Step::residual2); }

  template <class Space, class Rhs, class Replace>
  void find_start(const Space& space, const Rhs& b, const Replace& replace,
                  const SafeRange& range) const {
    replace(0);
    m_rows.sum_reference(space, m_criteria->relative_to, b, m_scale, range);
    m_rows.fetch(space);
  }

  /// Takes the initial residual, not scaled to 1 yet, from row 0.
  Event judge_start() {
    const double norm = std::sqrt(initial2());
    const double reference = std::sqrt(m_rows.host_reference(m_criteria->relative_to));
    m_report->initial_residual_norm = norm / m_scale;
    m_report->reference_norm = reference / m_scale;
    take_for_equal(*m_report);
    m_report->residual_history = {0.0};
    m_divergence = CgDivergence(m_report->reference_norm);
    m_true_trend =
        ResidualTrend(m_report->reference_norm, m_criteria->fixed_count ? 0 : trend_window);
    const double scale = m_scale;
    if (std::isfinite(norm) && norm > 0) {  // the reciprocal must be a normal number, too
      m_scale = std::clamp(scale * scale_of<double>(norm), 0x1p-1000, 0x1p+1000);
    }
    const double scaled = norm * (m_scale / scale), relative = reference * (m_scale / scale);
    const double target =
        std::max(m_criteria->tolerance * relative, m_criteria->absolute_tolerance * m_scale);
    m_target2 = target * target;
    m_recursive2 = scaled * scaled;
    return settle(0, m_recursive2);
  }

  /// The pass at which the residual reaches `m_stop2`, where it continues to fall at the same rate.
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
  /// Lets one more pass end the solve as at the limit: x is then that of the report.
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
      const double terms =
          entry == Step::curvature ? m_rows.host(pass - 1, Step::line_curvature) : 0;
      if (!Step::positive_finite(value)) {
        return end(m_divergence.at_breakdown(breakdown_of(value), value, terms));
      }
    }
    m_solution_range.take_step(m_rows.host(pass - 1, Step::energy),
                               m_rows.host(pass - 1, Step::curvature),
                               m_rows.host(pass - 1, Step::residual2), m_scale);
    m_recursive2 = m_rows.host(pass, Step::residual2);
    m_report->iterations = pass;
    m_report->residual_norm = std::sqrt(m_recursive2) / m_scale;
    m_report->residual_history.push_back(m_report->relative_residual());
    if (!std::isfinite(m_recursive2)) return end(SolveStatus::breakdown_not_finite);
    if (m_divergence.look(m_report->residual_norm, m_rows.host(pass - 1, Step::energy))) {
      return end(SolveStatus::diverged);
    }
    const bool stopped = m_recursive2 <= m_stop2 || pass == m_limit;
    return stopped ? Event::replacement : Event::none;
  }

  /// Takes a recomputed residual, and decides how to go on.
  Event settle(int pass, double true2) {
    m_report->residual_norm = std::sqrt(true2) / m_scale;
    m_report->residual_history.back() = m_report->relative_residual();
    if (!std::isfinite(true2) || !std::isfinite(m_report->reference_norm)) {
      return end(SolveStatus::breakdown_not_finite);
    }
    const bool at_limit = pass == m_criteria->max_iterations;
    if (m_criteria->fixed_count && at_limit) return end(SolveStatus::completed);
    if (true2 <= m_target2) return end(SolveStatus::converged);
    if (at_limit) return end(SolveStatus::max_iterations);
    if (pass == m_limit) return end(SolveStatus::interrupted);
    if (pass > 0) {
      if (const auto trend = m_true_trend.look(m_report->residual_norm)) return end(*trend);
    }
    m_replaced = pass;
    m_replaced2 = true2;
    m_expected = none_expected;
    // Where rounding dominates the residual, directions are no longer conjugate to it.
    if (true2 > 4 * m_recursive2) m_fresh = pass;
    // The recursive residual met the target, but the true one did not: the recursive one must fall
    // further, by the ratio of the true one to the target.
    const double aim2 = m_recursive2 <= m_target2 ? m_target2 * (m_target2 / true2) : m_target2;
    m_stop2 = std::max(aim2, MixedTuning::drop * MixedTuning::drop * true2);
    return Event::none;
  }

  PcgRows<Memory> m_rows;
  const StoppingCriteria* m_criteria = nullptr;
  SolveReport* m_report = nullptr;
  CgDivergence m_divergence;   // of recursive residuals
  ResidualTrend m_true_trend;  // of replacements
  double m_scale = 1, m_target2 = 0, m_stop2 = 0, m_recursive2 = 0, m_replaced2 = 0;
  int m_limit = 0;  // of iterations; lowered when the caller asks to stop
  int m_replaced = 0, m_fresh = 0, m_next = 1, m_expected = none_expected;
  SolutionRange m_solution_range;
};

}  // namespace Lamina::Impl
