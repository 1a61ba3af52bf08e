// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/SolveReport.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/core/impl/RequireCriteria.hpp>
#include <lamina/krylov/FusedStep.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace Lamina::Impl {

/// The interval that a caller chose; else 1 on the host, where a look costs nothing, and one of ours
/// on a device.
template <class Space>
int check_interval(const StoppingCriteria& criteria, int on_device) {
  if (criteria.check_every > 0) return criteria.check_every;
  return runs_on_host<Space> ? 1 : on_device;
}

/// Passes from one look of a device's host to the next, where callers leave that to us. A look costs
/// a round trip; passes after the end cost what the solver makes of them.
struct LookInterval {
  int shortest = 10, longest = 50;
  int of_fixed_count =
      FusedSteps<Kokkos::HostSpace>::max_check_every;  ///< nothing is to be looked for
};

/// The memory in which the host looks at what lies in `Memory`: there, where it can; else where the
/// device copies to without a detour.
template <class Memory>
struct HostSideOf {
  static constexpr bool accessible =
      Kokkos::SpaceAccessibility<Kokkos::HostSpace, Memory>::accessible;
  using type = std::conditional_t<accessible, Memory, Kokkos::HostSpace>;
};
#if defined(KOKKOS_ENABLE_CUDA)
template <>
struct HostSideOf<Kokkos::CudaSpace> {
  using type = Kokkos::CudaHostPinnedSpace;
};
#endif

/// The rows of scalar products of `FusedSteps`, on the device and as the host last saw them.
template <class Memory>
class PcgRows {
 public:
  using Step = FusedStep<Memory>;
  using Steps = FusedSteps<Memory>;
  static constexpr int max_check_every = Steps::max_check_every;

  PcgRows()
      : m_rows(Kokkos::view_alloc("Lamina::PcgRows::rows"), Steps::num_rows),
        m_host_rows(Kokkos::create_mirror_view(typename HostSideOf<Memory>::type(), m_rows)) {}

  /// \param tolerance2, absolute2  squared tolerances
  Steps steps(int max_iterations, double tolerance2, double absolute2) const {
    return {m_rows.data(), max_iterations, tolerance2, absolute2};
  }
  /// The step of a pass, the last one, as the host saw it.
  Step host_step(int pass) const { return Steps{m_host_rows.data(), pass, 0, 0}.step(pass); }
  double host(int pass, int entry) const {
    return m_host_rows(static_cast<std::size_t>(Steps::slot(pass)),
                       static_cast<std::size_t>(entry));
  }
  /// alpha of an iteration that took place and was looked at.
  double alpha(int iteration) const {
    return host(iteration, Step::energy) / host(iteration, Step::curvature);
  }

  /// Fences `space`.
  template <class Space>
  void fetch(const Space& space) const {
    Kokkos::deep_copy(space, m_host_rows, m_rows);
    space.fence();
  }

 private:
  template <class Space>
  using Rows = Kokkos::View<double * [Step::row_length], Kokkos::LayoutRight, Space>;
  Rows<Memory> m_rows;
  Rows<typename HostSideOf<Memory>::type> m_host_rows;
};

/// What a scalar product says that should be positive.
inline SolveStatus breakdown_of(double value) {
  return std::isfinite(value) ? SolveStatus::breakdown_indefinite
                              : SolveStatus::breakdown_not_finite;
}

/// How a solve is judged by its rows.
template <class Memory>
class PcgHistory {
 public:
  static constexpr int max_check_every = PcgRows<Memory>::max_check_every;

  /// Forgets the rows of an earlier solve.
  void start(const StoppingCriteria& criteria, SolveReport& report) {
    m_criteria = &criteria;
    m_report = &report;
    m_limit = criteria.max_iterations;
    m_next = 0;
  }

  FusedStep<Memory> step(int pass) const { return steps().step(pass); }
  FusedSteps<Memory> steps() const {
    return m_rows.steps(m_limit, m_criteria->tolerance * m_criteria->tolerance,
                        m_criteria->absolute_tolerance * m_criteria->absolute_tolerance);
  }

  /// Calls run(first pass, last pass) for one pass after the other, until a look after some of them
  /// finds that the solve has ended. Fences `space` at each look.
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

  /// Passes to the next look of a device's host: those that the residual needs to its target, if it
  /// goes on to fall as it did.
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
  /// \return true where the solve has ended.
  template <class Space>
  bool look(const Space& space, int pass) {
    m_rows.fetch(space);
    for (; m_next <= pass; ++m_next) {
      if (judge(m_next)) return true;
    }
    if (m_criteria->on_check)
      m_criteria->on_check(m_report->iterations, m_report->relative_residual());
    stop_if_requested(pass);
    return false;
  }

  /// True where the solve ended because a direction has no positive curvature: that direction was
  /// formed, but no step was made along it.
  bool ended_on_curvature() const { return m_next > m_report->iterations; }

  /// alpha of an iteration that took place and was looked at.
  double alpha(int iteration) const { return m_rows.alpha(iteration); }
  /// Iteration `pass` of which the sums were looked at, whatever the tolerances.
  typename FusedStep<Memory>::Iteration iteration(int pass) const {
    return m_rows.host_step(pass).iteration();
  }

 private:
  using Step = FusedStep<Memory>;

  double residual2(int pass) const { return m_rows.host(pass, Step::residual2); }
  /// What the squared residual has to fall to, in terms of `FusedStep::residual_left`.
  double target2() const {
    const Step step = this->step(0);
    return std::max(step.tolerance2 * residual2(0), step.absolute2);
  }

  /// One more pass ends the solve as passes at the limit do, so that x is that of the report.
  void stop_if_requested(int pass) {
    if (!m_criteria->stop_requested || !m_criteria->stop_requested()) return;
    m_limit = std::min(m_limit, pass + 1);
  }

  bool end(SolveStatus status) {
    m_report->status = status;
    if (m_criteria->on_check)
      m_criteria->on_check(m_report->iterations, m_report->relative_residual());
    return true;
  }

  /// Takes one row into the report; true where the solve ended with it.
  bool judge(int pass) {
    if (pass > 0) {
      const double curvature = m_rows.host(pass - 1, Step::curvature);
      if (!Step::positive_finite(curvature)) return end(breakdown_of(curvature));
    }
    const double residual = std::sqrt(residual2(pass));
    m_report->iterations = pass;
    m_report->residual_norm = residual;
    if (pass == 0) m_report->initial_residual_norm = m_report->reference_norm = residual;
    m_report->residual_history.push_back(m_report->relative_residual());
    if (!std::isfinite(residual)) return end(SolveStatus::breakdown_not_finite);

    const bool completed = m_criteria->fixed_count && pass == m_criteria->max_iterations;
    if (completed) return end(SolveStatus::completed);
    if (residual2(pass) <= target2()) return end(SolveStatus::converged);
    if (pass == m_criteria->max_iterations) return end(SolveStatus::max_iterations);
    if (pass == m_limit) return end(SolveStatus::interrupted);
    const double energy = m_rows.host(pass, Step::energy);
    if (!Step::positive_finite(energy)) return end(breakdown_of(energy));
    return false;
  }

  PcgRows<Memory> m_rows;
  const StoppingCriteria* m_criteria = nullptr;
  SolveReport* m_report = nullptr;
  int m_limit = 0;  // iterations, fewer than allowed once somebody asked to stop
  int m_next = 0;
};

}  // namespace Lamina::Impl
