// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/SolveReport.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/core/impl/RequireCriteria.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/krylov/impl/CgDivergence.hpp>
#include <lamina/krylov/impl/ResidualReplacement.hpp>
#include <lamina/krylov/impl/SafeRange.hpp>
#include <lamina/krylov/impl/SolveScalars.hpp>
#include <lamina/krylov/impl/Tuning.hpp>

#include <algorithm>
#include <cmath>

namespace Lamina::Impl {

/// How a solve goes on after a look of the host. After all but `none`, passes have done nothing.
enum class SolveEvent {
  none,          ///< it goes on
  replacement,   ///< r = b - A u has to be computed anew, after `report.iterations`
  restart,       ///< the same after a breakdown, and directions start anew
  out_of_range,  ///< it has to be scaled
  end            ///< it has ended; the report says why
};

/// What a solver does about residuals that rounding has taken away from b - A u.
enum class Replacements {
  none,
  at_breakdown,  ///< one, where a scalar product is not positive
  planned        ///< also each time the residual has fallen: mixed precision
};

/// What is known of a solve. Rows hold products of fields that are `scale()` times those of the
/// system. Reported norms are not scaled.
template <class Memory>
class SolveState {
 public:
  SolveState() = default;

  /// Solves are those of all ranks of `reduction`: each takes the same decisions.
  void distribute(const GlobalReduction<Memory>& reduction) { m_rows.distribute(reduction); }

  /// Whether something was found on one of the ranks, as all of them are told. Fences `space` where
  /// there are several.
  template <class Space>
  bool on_any_rank(const Space& space, bool found) const {
    return m_rows.sum_over_ranks(space, found ? 1 : 0) > 0;
  }

  FusedSteps<Memory> steps() const {
    FusedSteps<Memory> steps =
        planned()
            ? m_rows.steps(m_limit, Reference::initial_residual, 0, m_replacement.stop2())
            : m_rows.steps(m_limit, m_criteria->relative_to,
                           m_criteria->tolerance * m_criteria->tolerance, absolute2(), m_range);
    steps.begin = m_begin;
    steps.fresh = m_fresh;
    steps.scale = m_scale;
    return steps;
  }
  FusedStep<Memory> step(int pass) const { return steps().step(pass); }
  /// That of the sweeps of a pass before `complete`.
  FusedStep<Memory> step_to_complete(int pass) const { return steps().step_to_complete(pass); }
  /// Makes the sums of a pass, or one of them, those of all ranks.
  template <class Space, class... Entry>
  void complete(const Space& space, int pass, Entry... entry) const {
    m_rows.complete(space, pass, entry...);
  }

  /// The factor of r, z and p; unless replacements are planned, also of u.
  double scale() const { return m_scale; }

  /// alpha of an iteration that took place and was looked at.
  double alpha(int iteration) const { return m_rows.alpha(iteration); }
  /// Iteration `pass`, whose row was looked at, without tolerances.
  typename FusedStep<Memory>::Iteration iteration(int pass) const {
    return m_rows.host_step(pass, m_fresh).iteration();
  }

  /// Sets the status where the precision cannot hold the solution. Fences `space` where it asks.
  template <class Space, class Solution>
  void judge_solution(const Space& space, const Solution& x) const {
    m_solution_range.template judge<typename Solution::non_const_value_type>(
        [&] { return m_rows.sum_over_ranks(space, largest_size(space, rows_of(x))); },
        m_criteria->tolerance, *m_report);
  }

 protected:
  using Step = FusedStep<Memory>;

  explicit SolveState(const SolveScalars<Memory>& rows) : m_rows(rows) {}
  void reset() { *this = SolveState(m_rows); }

  bool planned() const { return m_replacements == Replacements::planned; }
  double residual2(int pass) const { return m_rows.host(pass, Step::residual2); }
  double reference2() const { return m_rows.host_reference(m_criteria->relative_to); }
  double absolute2() const {
    const double absolute = m_criteria->absolute_tolerance * m_scale;
    return absolute * absolute;
  }
  /// The target of the squared residual, as in `FusedStep::residual_left`.
  double target2() const {
    if (planned()) return m_replacement.target2();
    const double tolerance = m_criteria->tolerance;
    return std::max(tolerance * tolerance * reference2(), absolute2());
  }

  void tell() const {
    if (m_criteria->on_check)
      m_criteria->on_check(m_report->iterations, m_report->relative_residual());
  }
  SolveEvent end(SolveStatus status) const {
    m_report->status = status;
    tell();
    return SolveEvent::end;
  }

  /// Sets the norms of the start.
  void take_norms(double residual, double reference) {
    m_report->initial_residual_norm = residual;
    m_report->reference_norm = reference;
    take_for_equal(*m_report);
    m_divergence = CgDivergence(m_report->reference_norm);
  }
  /// Takes the residual of a pass, whose entry of the history is there.
  void take_residual(int pass, double value2) {
    m_report->iterations = pass;
    m_report->residual_norm = std::sqrt(value2) / m_scale;
    m_report->residual_history.resize(static_cast<std::size_t>(pass) + 1);
    m_report->residual_history.back() = m_report->relative_residual();
  }
  /// Ends the solve where the residual that was taken last is not finite, met the criteria, or is
  /// the last one.
  SolveEvent settle(double value2) const {
    const int pass = m_report->iterations;
    const bool at_limit = pass == m_criteria->max_iterations;
    if (m_criteria->fixed_count && at_limit) return end(SolveStatus::completed);
    // A scaled residual whose square underflows is below all tolerances.
    const bool vanishes = pass == 0 && value2 < m_range.smallest2;
    if (value2 <= target2() || vanishes) return end(SolveStatus::converged);
    if (at_limit) return end(SolveStatus::max_iterations);
    if (pass == m_limit) return end(SolveStatus::interrupted);
    return SolveEvent::none;
  }
  bool is_finite(double value2) const {
    return std::isfinite(value2) && std::isfinite(m_report->reference_norm);
  }

  SolveScalars<Memory> m_rows;
  const StoppingCriteria* m_criteria = nullptr;
  SolveReport* m_report = nullptr;
  CgDivergence m_divergence;
  ResidualReplacement m_replacement;
  SafeRange m_range;
  SolutionRange m_solution_range;
  Replacements m_replacements = Replacements::none;
  int m_limit = 0;  // of iterations; lowered when the caller asks to stop
  int m_next = 0;   // pass to be judged
  int m_begin = 0, m_fresh = 0, m_expected = ResidualReplacement::none_expected;
  double m_scale = 1;
  bool m_scaled = false;      // because of the range
  bool m_broke_down = false;  // at the last replacement: another breakdown ends the solve
};

/// Judges a solve by its rows.
template <class Memory>
class SolveHistory : public SolveState<Memory> {
  using State = SolveState<Memory>;

 public:
  /// Forgets the rows of an earlier solve.
  void start(const StoppingCriteria& criteria, SolveReport& report, const SafeRange& range = {},
             Replacements replacements = Replacements::none) {
    State::reset();
    m_criteria = &criteria;
    m_report = &report;
    m_range = range;
    m_replacements = replacements;
    m_limit = criteria.max_iterations;
    report.iterations = 0;
  }

  /// Passes from `first` to the next look of the host. A device's host looks at the expected end,
  /// where the residual continues to fall at the same rate.
  template <class Space>
  int passes_to_look(int first, const LookInterval& interval) const {
    const int chosen = m_criteria->check_every;
    const int fixed = chosen > 0 ? chosen : runs_on_host<Space> ? 1 : 0;
    if (!planned()) return fixed > 0 ? fixed : next_interval(interval);
    const int every = fixed > 0 ? fixed : interval.shortest;
    const int count = every - first % every;
    return m_expected < first ? count : std::min(count, m_expected - first + 1);
  }
  int next_interval(const LookInterval& interval) const {
    const auto& [shortest, longest, of_fixed_count] = interval;
    if (m_criteria->fixed_count) return m_criteria->on_check ? shortest : of_fixed_count;
    const int pass = m_report->iterations;
    if (pass == 0) return shortest;
    const double fall = std::log(residual2(0) / residual2(pass)) / pass;
    const double left = std::log(residual2(pass) / target2()) / fall;
    return fall > 0 ? static_cast<int>(std::ceil(std::clamp<double>(left, shortest, longest)))
                    : shortest;
  }

  /// Fetches the rows up to `pass` and continues the report with them. Fences `space`.
  template <class Space>
  SolveEvent look(const Space& space, int pass) {
    m_rows.fetch(space);
    for (; m_next <= pass; ++m_next) {
      const SolveEvent event = judge(m_next);
      if (event != SolveEvent::none) return event;
    }
    if (planned()) m_expected = m_replacement.forecast(m_begin, pass, residual2(pass));
    tell();
    stop_if_requested(space, pass);
    return SolveEvent::none;
  }

  /// Whether the solve ended because a direction has no positive curvature. That direction was
  /// formed, but u was not updated along it.
  bool ended_on_curvature() const { return m_next > m_report->iterations; }

 protected:
  using State::planned, State::residual2, State::reference2, State::target2, State::tell,
      State::end, State::take_norms, State::take_residual, State::settle, State::is_finite,
      State::m_rows, State::m_criteria, State::m_report, State::m_divergence, State::m_replacement,
      State::m_range, State::m_solution_range, State::m_replacements, State::m_limit, State::m_next,
      State::m_begin, State::m_fresh, State::m_expected, State::m_scale, State::m_scaled,
      State::m_broke_down;

 private:
  using typename State::Step;

  /// Lets one more pass end the solve as at the limit: x is then that of the report. One rank that
  /// asks for it is enough.
  template <class Space>
  void stop_if_requested(const Space& space, int pass) {
    if (!m_criteria->stop_requested) return;
    if (this->on_any_rank(space, m_criteria->stop_requested()))
      m_limit = std::min(m_limit, pass + 1);
  }

  /// Row 0 says that the solve must be scaled. Not where scaling would not help.
  bool leaves_range() const {
    const double initial = residual2(0);
    if (m_scaled || std::isnan(initial)) return false;
    const bool too_small = initial < m_range.smallest2 && initial > target2();
    return too_small || initial > m_range.largest2 || !m_range.contains(reference2());
  }

  /// The end of a solve, or a replacement, where a scalar product of a pass is not positive.
  /// \param terms  the minuend, where the product is a difference; otherwise 0
  SolveEvent judge_product(int pass, int entry, double terms = 0) {
    const double value = m_rows.host(pass, entry);
    if (Step::positive_finite(value)) return SolveEvent::none;
    const auto status = m_divergence.at_breakdown(breakdown_of(value), value, terms);
    const bool restarts = m_replacements != Replacements::none && !m_broke_down &&
                          status == SolveStatus::breakdown_indefinite &&
                          m_report->iterations > m_begin;
    return restarts ? SolveEvent::restart : end(status);
  }

  /// Takes one row into the report.
  SolveEvent judge(int pass) {
    if (pass > m_begin) {
      const int last = pass - 1;
      for (const auto entry : {Step::energy, Step::curvature}) {
        const bool difference = entry == Step::curvature;
        const auto event =
            judge_product(last, entry, difference ? m_rows.host(last, Step::line_curvature) : 0);
        if (event != SolveEvent::none) return event;
      }
      m_solution_range.take_step(m_rows.host(last, Step::energy),
                                 m_rows.host(last, Step::curvature), residual2(last), m_scale);
    } else if (pass == 0) {
      if (leaves_range()) return SolveEvent::out_of_range;
      take_norms(std::sqrt(residual2(0)) / m_scale, std::sqrt(reference2()) / m_scale);
    }
    take_residual(pass, residual2(pass));
    if (!is_finite(residual2(pass))) return end(SolveStatus::breakdown_not_finite);
    if (m_divergence.look(m_report->residual_norm,
                          pass > 0 ? m_rows.host(pass - 1, Step::energy) : 0)) {
      return end(SolveStatus::diverged);
    }
    if (planned()) {
      const bool stopped = residual2(pass) <= m_replacement.stop2() || pass == m_limit;
      if (stopped) return SolveEvent::replacement;
    } else if (const auto event = settle(residual2(pass)); event != SolveEvent::none) {
      return event;
    }
    return judge_product(pass, Step::energy);
  }
};

}  // namespace Lamina::Impl
