// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/impl/RequireCriteria.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/krylov/impl/SolveScalars.hpp>
#include <lamina/krylov/impl/SolveState.hpp>
#include <lamina/krylov/impl/Tuning.hpp>

#include <algorithm>
#include <cmath>

namespace Lamina::Impl {

/// Judges a solve by its rows.
template <class Memory>
class SolveHistory {
 public:
  /// Solves are those of all ranks of `reduction`: each takes the same decisions.
  void distribute(const GlobalReduction<Memory>& reduction) { m_rows.distribute(reduction); }
  bool distributed() const { return m_rows.distributed(); }

  /// Whether something was found on one of the ranks, as all of them are told. Fences `space` where
  /// there are several.
  template <class Space>
  bool on_any_rank(const Space& space, bool found) const {
    return m_rows.sum_over_ranks(space, found ? 1 : 0) > 0;
  }

  FusedSteps<Memory> steps() const {
    FusedSteps<Memory> steps =
        m_state.planned() ? m_rows.steps(m_state.limit, Reference::initial_residual, 0,
                                         m_state.replacement.stop2())
                          : m_rows.steps(m_state.limit, m_state.criteria->relative_to,
                                         m_state.criteria->tolerance * m_state.criteria->tolerance,
                                         m_state.absolute2(), m_state.range);
    steps.begin = m_state.begin;
    steps.fresh = m_state.fresh;
    steps.scale = m_state.scale;
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
  /// The same of <r, r> alone, which the host looks at before the rest of the pass.
  template <class Space>
  void complete_residual(const Space& space, int pass) const {
    m_rows.complete_residual(space, pass);
  }

  /// The factor of r, z and p; unless replacements are planned, also of u.
  double scale() const { return m_state.scale; }

  /// alpha of an iteration that took place and was looked at.
  double alpha(int iteration) const { return m_rows.alpha(iteration); }
  /// Iteration `pass`, whose row was looked at, without tolerances.
  typename FusedStep<Memory>::Iteration iteration(int pass) const {
    return m_rows.host_step(pass, m_state.fresh).iteration();
  }

  /// Sets the status where the precision cannot hold the solution. Fences `space` where it asks.
  template <class Space, class Scalar>
  void judge_solution(const Space& space, const FieldRows<const Scalar>& x) const {
    m_state.solution_range.template judge<Scalar>([&] { return m_rows.size_over_ranks(space, x); },
                                                  m_state.criteria->tolerance, *m_state.report);
  }

  /// Forgets the rows of an earlier solve.
  void start(const StoppingCriteria& criteria, SolveReport& report, const SafeRange& range = {},
             Replacements replacements = Replacements::none) {
    m_state = {};
    m_state.criteria = &criteria;
    m_state.report = &report;
    m_state.range = range;
    m_state.replacements = replacements;
    m_state.limit = criteria.max_iterations;
    report.iterations = 0;
  }

  /// Passes from `first` to the next look of the host. A device's host looks at the expected end,
  /// where the residual continues to fall at the same rate.
  template <class Space>
  int passes_to_look(int first, const LookInterval& interval) const {
    const int chosen = m_state.criteria->check_every;
    const int fixed = chosen > 0 ? chosen : runs_on_host<Space> ? 1 : 0;
    const int passes = m_state.planned() ? passes_to_replacement(first, fixed, interval)
                       : fixed > 0       ? fixed
                                         : next_interval(interval);
    // The residual of the first pass is no news, unless for a listener, and an early look sees nothing else.
    const bool is_news =
        !interval.early || fixed > 0 || first > m_state.begin || m_state.criteria->on_check;
    return is_news ? passes : std::max(passes, 2);
  }
  /// The same where residuals are replaced.
  /// \param fixed  iterations from one look to the next, 0 where they are chosen here
  int passes_to_replacement(int first, int fixed, const LookInterval& interval) const {
    const int every = fixed > 0 ? fixed : interval.shortest;
    const int count = every - first % every;
    if (m_state.expected < first) return count;
    const bool somebody_listens = m_state.criteria->fixed_count && m_state.criteria->on_check;
    const bool may_wait = m_state.planned_rarely() && fixed == 0 && !somebody_listens;
    return std::min(may_wait ? interval.longest : count, m_state.expected - first + 1);
  }
  int next_interval(const LookInterval& interval) const {
    const int shortest = interval.shortest;
    if (m_state.criteria->fixed_count) {
      return m_state.criteria->on_check ? shortest : interval.of_fixed_count;
    }
    const int pass = m_state.report->iterations;
    if (pass == 0) return shortest;
    const double fall = std::log(residual2(0) / residual2(pass)) / pass;
    const double left = std::log(residual2(pass) / target2()) / fall;
    if (!(fall > 0)) return shortest;
    return static_cast<int>(std::ceil(std::clamp<double>(left, shortest, interval.longest)));
  }

  /// Fetches the rows up to `pass` and continues the report with them. Fences `space`.
  /// \param early  of row `pass` there is the residual only
  template <class Space>
  SolveEvent look(const Space& space, int pass, bool early = false) {
    m_rows.fetch(space);
    for (; m_state.next <= pass; ++m_state.next) {
      const SolveEvent event = judge(m_state.next, early && m_state.next == pass);
      if (event != SolveEvent::none) return event;
    }
    if (m_state.planned())
      m_state.expected = m_state.replacement.forecast(m_state.begin, pass, residual2(pass));
    m_state.tell();
    stop_if_requested(space, pass);
    return SolveEvent::none;
  }

  /// Whether the solve ended because a direction has no positive curvature. That direction was
  /// formed, but u was not updated along it.
  bool ended_on_curvature() const { return m_state.next > m_state.report->iterations; }

 protected:
  double residual2(int pass) const { return m_rows.host(pass, Step::residual2); }
  double reference2() const { return m_rows.host_reference(m_state.criteria->relative_to); }
  double target2() const { return m_state.target2(reference2()); }

  SolveScalars<Memory> m_rows;
  SolveState m_state;

 private:
  using Step = FusedStep<Memory>;

  /// Lets one more pass end the solve as at the limit: x is then that of the report. One rank that
  /// asks for it is enough.
  template <class Space>
  void stop_if_requested(const Space& space, int pass) {
    if (!m_state.criteria->stop_requested) return;
    if (this->on_any_rank(space, m_state.criteria->stop_requested()))
      m_state.limit = std::min(m_state.limit, pass + 1);
  }

  /// Row 0 says that the solve must be scaled. Not where scaling would not help.
  bool leaves_range() const {
    const double initial = residual2(0);
    if (m_state.scaled || std::isnan(initial)) return false;
    const bool too_small = initial < m_state.range.smallest2 && initial > target2();
    return too_small || initial > m_state.range.largest2 || !m_state.range.contains(reference2());
  }

  /// The end of a solve, or a replacement, where a scalar product of a pass is not positive.
  /// \param terms  the minuend, where the product is a difference; otherwise 0
  SolveEvent judge_product(int pass, int entry, double terms = 0) {
    const double value = m_rows.host(pass, entry);
    if (Step::positive_finite(value)) return SolveEvent::none;
    const auto status = m_state.divergence.at_breakdown(breakdown_of(value), value, terms);
    const bool restarts = m_state.replacements != Replacements::none && !m_state.broke_down &&
                          status == SolveStatus::breakdown_indefinite &&
                          m_state.report->iterations > m_state.begin;
    return restarts ? SolveEvent::restart : m_state.end(status);
  }

  /// Takes one row into the report. Other products than <r, r> are judged with the next row, at the latest.
  SolveEvent judge(int pass, bool early) {
    if (pass > m_state.begin) {
      const int last = pass - 1;
      for (const auto entry : {Step::energy, Step::curvature}) {
        const bool difference = entry == Step::curvature;
        const auto event =
            judge_product(last, entry, difference ? m_rows.host(last, Step::line_curvature) : 0);
        if (event != SolveEvent::none) return event;
      }
      m_state.solution_range.take_step(m_rows.host(last, Step::energy),
                                       m_rows.host(last, Step::curvature), residual2(last),
                                       m_state.scale);
    } else if (pass == 0) {
      if (leaves_range()) return SolveEvent::out_of_range;
      m_state.take_norms(std::sqrt(residual2(0)) / m_state.scale,
                         std::sqrt(reference2()) / m_state.scale);
    }
    m_state.take_residual(pass, residual2(pass));
    if (!m_state.is_finite(residual2(pass))) return m_state.end(SolveStatus::breakdown_not_finite);
    if (m_state.divergence.look(m_state.report->residual_norm,
                                pass > 0 ? m_rows.host(pass - 1, Step::energy) : 0)) {
      return m_state.end(SolveStatus::diverged);
    }
    if (m_state.planned()) {
      const bool stopped = residual2(pass) <= m_state.replacement.stop2() || pass == m_state.limit;
      if (stopped) return SolveEvent::replacement;
    } else if (const auto event = m_state.settle(residual2(pass), reference2());
               event != SolveEvent::none) {
      return event;
    }
    return early ? SolveEvent::none : judge_product(pass, Step::energy);
  }
};

}  // namespace Lamina::Impl
