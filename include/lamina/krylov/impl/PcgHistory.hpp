// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/SolveReport.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/core/impl/RequireCriteria.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/krylov/impl/CgDivergence.hpp>
#include <lamina/krylov/impl/PcgRows.hpp>
#include <lamina/krylov/impl/PcgVectors.hpp>
#include <lamina/krylov/impl/SolutionRange.hpp>
#include <lamina/krylov/impl/Tuning.hpp>

#include <algorithm>
#include <cmath>

namespace Lamina::Impl {

/// The interval that the caller chose. Otherwise 1 on the host, where a look costs nothing, and
/// `on_device` on a device.
template <class Space>
int check_interval(const StoppingCriteria& criteria, int on_device) {
  if (criteria.check_every > 0) return criteria.check_every;
  return runs_on_host<Space> ? 1 : on_device;
}

/// Runs a solve, and judges it by its rows.
///
/// Where the initial residual or the right-hand side is so small or large that sums of squares
/// leave the range of double precision, the passes do nothing. Then the solve runs once more, with
/// r and u scaled by a power of two, which rounds nothing. Solves in range pay nothing for it.
template <class Memory>
class PcgHistory {
 public:
  static constexpr int max_check_every = PcgRows<Memory>::max_check_every;

  /// Solves are those of all ranks of `reduction`: each takes the same decisions.
  void distribute(const GlobalReduction<Memory>& reduction) { m_rows.distribute(reduction); }

  /// Whether something was found on one of the ranks, as all of them are told. Fences `space` where
  /// there are several.
  template <class Space>
  bool on_any_rank(const Space& space, bool found) const {
    return m_rows.sum_over_ranks(space, found ? 1 : 0) > 0;
  }

  /// Forgets the rows of an earlier solve.
  void start(const StoppingCriteria& criteria, SolveReport& report, const SafeRange& range = {}) {
    m_criteria = &criteria;
    m_report = &report;
    m_range = range;
    m_limit = criteria.max_iterations;
    m_next = 0;
    m_scale = 1;
    m_scaled = m_out_of_range = false;
    m_solution_range.start(false);
  }

  FusedStep<Memory> step(int pass) const { return steps().step(pass); }
  /// That of the sweeps of a pass before `complete`.
  FusedStep<Memory> step_to_complete(int pass) const { return steps().step_to_complete(pass); }
  /// Makes the sums of a pass, or one of them, those of all ranks.
  template <class Space, class... Entry>
  void complete(const Space& space, int pass, Entry... entry) const {
    m_rows.complete(space, pass, entry...);
  }
  FusedSteps<Memory> steps() const {
    const double absolute = m_criteria->absolute_tolerance * m_scale;
    return m_rows.steps(m_limit, m_criteria->relative_to,
                        m_criteria->tolerance * m_criteria->tolerance, absolute * absolute,
                        m_range);
  }

  /// Runs a whole solve. begin() enqueues u = x, r_0 = b - A u, and everything else that the first
  /// pass reads. run(first pass, last pass) enqueues passes. Fences `space` at each look.
  template <class Space, class Vectors, class Begin, class Run>
  void solve(const Space& space, const LookInterval& interval, const Vectors& vectors,
             const Begin& begin, const Run& run) {
    begin();
    m_rows.sum_reference(space, m_criteria->relative_to, vectors.b, 1, m_range);
    m_rows.complete_start(space, m_criteria->relative_to);
    run_to_end(space, interval, run);
    if (m_out_of_range && rescale(space, vectors, begin)) run_to_end(space, interval, run);
  }

  /// The factor of u and r. A pending update of u must be unscaled, too.
  double scale() const { return m_scale; }
  /// Scales u back at the end of a solve.
  template <class Space, class Solution>
  void unscale(const Space& space, const Solution& u) const {
    if (m_scaled) scale_rows(space, rows_of(u), 1 / m_scale);
  }
  /// Sets the status where the precision cannot hold the solution.
  template <class Space, class Solution>
  void judge_solution(const Space& space, const Solution& x) const {
    m_solution_range.template judge<typename Solution::non_const_value_type>(
        [&] { return m_rows.sum_over_ranks(space, largest_size(space, rows_of(x))); },
        m_criteria->tolerance, *m_report);
  }

  /// Calls run(first pass, last pass) until a look finds that the solve has ended. Fences `space`
  /// at each look.
  template <class Space, class Run>
  void run_to_end(const Space& space, const LookInterval& interval, const Run& run) {
    int last = -1;
    do {
      const int first = last + 1;
      const int count = check_interval<Space>(*m_criteria, next_interval(interval));
      last = first + std::min(count - 1, m_limit - first);
      run(first, last);
    } while (!look(space, last));
  }

  /// Passes to the next look of a device's host: those to the expected end, where the residual
  /// continues to fall at the same rate.
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
  /// \return true where the solve has ended, or must be scaled.
  template <class Space>
  bool look(const Space& space, int pass) {
    m_rows.fetch(space);
    for (; m_next <= pass; ++m_next) {
      if (judge(m_next)) return true;
    }
    if (m_criteria->on_check)
      m_criteria->on_check(m_report->iterations, m_report->relative_residual());
    stop_if_requested(space, pass);
    return false;
  }

  /// Whether the solve ended because a direction has no positive curvature. That direction was
  /// formed, but u was not updated along it.
  bool ended_on_curvature() const { return m_next > m_report->iterations; }

  /// alpha of an iteration that took place and was looked at.
  double alpha(int iteration) const { return m_rows.alpha(iteration); }
  /// Iteration `pass`, whose row was looked at, without tolerances.
  typename FusedStep<Memory>::Iteration iteration(int pass) const {
    return m_rows.host_step(pass).iteration();
  }

 private:
  using Step = FusedStep<Memory>;

  double residual2(int pass) const { return m_rows.host(pass, Step::residual2); }
  double reference2() const { return m_rows.host_reference(m_criteria->relative_to); }
  /// The target of the squared residual, as in `FusedStep::residual_left`.
  double target2() const {
    const double tolerance = m_criteria->tolerance;
    const double absolute = m_criteria->absolute_tolerance * m_scale;
    return std::max(tolerance * tolerance * reference2(), absolute * absolute);
  }

  /// Lets one more pass end the solve as at the limit: x is then that of the report. One rank that
  /// asks for it is enough.
  template <class Space>
  void stop_if_requested(const Space& space, int pass) {
    if (!m_criteria->stop_requested) return;
    if (on_any_rank(space, m_criteria->stop_requested())) m_limit = std::min(m_limit, pass + 1);
  }

  bool end(SolveStatus status) {
    m_report->status = status;
    if (m_criteria->on_check)
      m_criteria->on_check(m_report->iterations, m_report->relative_residual());
    return true;
  }

  /// \param terms  the minuend, where the value is a difference; otherwise 0
  bool end_at_breakdown(double value, double terms) {
    return end(m_divergence.at_breakdown(breakdown_of(value), value, terms));
  }

  /// Whether row 0 says that the solve must be scaled. Not where scaling would not help.
  bool leaves_range() const {
    const double initial = residual2(0);
    if (m_scaled || std::isnan(initial)) return false;
    const bool too_small = initial < m_range.smallest2 && initial > target2();
    return too_small || initial > m_range.largest2 || !m_range.contains(reference2());
  }

  /// Takes the norms of row 0. True where the solve must be scaled.
  bool judge_start() {
    if (leaves_range()) return m_out_of_range = true;
    m_report->initial_residual_norm = std::sqrt(residual2(0)) / m_scale;
    m_report->reference_norm = std::sqrt(reference2()) / m_scale;
    take_for_equal(*m_report);
    m_divergence = CgDivergence(m_report->reference_norm);
    return false;
  }

  /// Takes one row into the report. True where the solve has ended with it.
  bool judge(int pass) {
    if (pass > 0) {
      const double curvature = m_rows.host(pass - 1, Step::curvature);
      if (!Step::positive_finite(curvature)) {
        return end_at_breakdown(curvature, m_rows.host(pass - 1, Step::line_curvature));
      }
      m_solution_range.take_step(m_rows.host(pass - 1, Step::energy), curvature,
                                 residual2(pass - 1), m_scale);
    } else if (judge_start()) {
      return true;
    }
    const double residual = std::sqrt(residual2(pass)) / m_scale;
    m_report->iterations = pass;
    m_report->residual_norm = residual;
    m_report->residual_history.push_back(m_report->relative_residual());
    if (!std::isfinite(residual) || !std::isfinite(m_report->reference_norm)) {
      return end(SolveStatus::breakdown_not_finite);
    }
    if (m_divergence.look(residual, pass > 0 ? m_rows.host(pass - 1, Step::energy) : 0)) {
      return end(SolveStatus::diverged);
    }
    const bool at_limit = pass == m_criteria->max_iterations;
    if (m_criteria->fixed_count && at_limit) return end(SolveStatus::completed);
    // A scaled residual whose square underflows is below all tolerances.
    const bool vanishes = pass == 0 && residual2(0) < m_range.smallest2;
    if (residual2(pass) <= target2() || vanishes) return end(SolveStatus::converged);
    if (at_limit) return end(SolveStatus::max_iterations);
    if (pass == m_limit) return end(SolveStatus::interrupted);
    const double energy = m_rows.host(pass, Step::energy);
    if (!Step::positive_finite(energy)) return end_at_breakdown(energy, 0);
    return false;
  }

  /// Scales r and u, and computes the sums of row 0 again. Solves b = 0 by u = 0. False where the
  /// solve has ended. Fences `space`.
  template <class Space, class Vectors, class Begin>
  bool rescale(const Space& space, const Vectors& vectors, const Begin& begin) {
    using Scalar = typename Vectors::scalar_type;
    const Reference refers_to = m_criteria->relative_to;
    // Of several ranks the sums of largest entries: what counts is their magnitude.
    StartSizes sizes = start_sizes(space, vectors, refers_to);
    sizes.residual = m_rows.sum_over_ranks(space, sizes.residual);
    sizes.reference = m_rows.sum_over_ranks(space, sizes.reference);
    if (!sizes.finite() || sizes.reference == 0) {
      const bool by_zero = sizes.finite() && refers_to == Reference::rhs;
      if (by_zero) Kokkos::deep_copy(space, vectors.u, Scalar(0));
      m_report->initial_residual_norm = std::sqrt(residual2(0));
      m_report->reference_norm = sizes.reference;
      m_report->residual_norm = by_zero ? 0 : sizes.residual;
      m_report->residual_history = {m_report->relative_residual()};
      return !end(sizes.finite() ? SolveStatus::converged : SolveStatus::breakdown_not_finite);
    }
    m_scaled = true;
    m_solution_range.start(true);
    m_scale = scale_of<Scalar>(sizes.reference);
    begin_scaled(space, vectors, sizes, m_scale, begin);
    m_rows.sum_reference(space, refers_to, vectors.b, m_scale, SafeRange());
    m_rows.sum_residual(space, vectors.residual);
    m_rows.complete_start(space, refers_to);
    return true;
  }

  PcgRows<Memory> m_rows;
  const StoppingCriteria* m_criteria = nullptr;
  SolveReport* m_report = nullptr;
  CgDivergence m_divergence;
  SafeRange m_range;
  SolutionRange m_solution_range;
  int m_limit = 0;  // of iterations; lowered when the caller asks to stop
  int m_next = 0;
  double m_scale = 1;
  bool m_scaled = false, m_out_of_range = false;
};

}  // namespace Lamina::Impl
