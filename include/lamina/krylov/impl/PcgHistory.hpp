// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/SolveReport.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/core/impl/RequireCriteria.hpp>
#include <lamina/krylov/FusedStep.hpp>

#include <cmath>

namespace Lamina::Impl {

/// The interval that check_every = 0 stands for: a look costs nothing on the host, and a round trip
/// to a device.
template <class Space>
int check_interval(const StoppingCriteria& criteria) {
  if (criteria.check_every > 0) return criteria.check_every;
  return runs_on_host<Space> ? 1 : 10;
}

/// The rows of scalar products of `FusedStep`, on the device and as the host last saw them. Row 0 is
/// kept; the others are reused in a ring that is longer than any stretch between two looks of the
/// host.
template <class Memory>
class PcgRows {
 public:
  using Step = FusedStep<Memory>;
  static constexpr int max_check_every = 1024;

  PcgRows()
      : m_rows(Kokkos::view_alloc("Lamina::PcgRows::rows"), ring + 1),
        m_host_rows(Kokkos::create_mirror_view(m_rows)) {}

  double* device(int pass) const { return m_rows.data() + Step::row_length * slot(pass); }
  double host(int pass, int entry) const {
    return m_host_rows(static_cast<std::size_t>(slot(pass)), static_cast<std::size_t>(entry));
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
  static constexpr int ring = max_check_every + 3;
  static int slot(int pass) { return pass == 0 ? 0 : 1 + (pass - 1) % ring; }

  Kokkos::View<double * [Step::row_length], Kokkos::LayoutRight, Memory> m_rows;
  decltype(Kokkos::create_mirror_view(m_rows)) m_host_rows;
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
    m_next = 0;
  }

  FusedStep<Memory> step(int pass) const {
    return {.first = m_rows.device(0),
            .before = m_rows.device(pass > 0 ? pass - 1 : 0),
            .now = m_rows.device(pass),
            .next = m_rows.device(pass + 1),
            .is_first = pass == 0,
            .is_last = pass == m_criteria->max_iterations,
            .tolerance2 = m_criteria->tolerance * m_criteria->tolerance,
            .absolute2 = m_criteria->absolute_tolerance * m_criteria->absolute_tolerance};
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
    return false;
  }

  /// True where the solve ended because a direction has no positive curvature: that direction was
  /// formed, but no step was made along it.
  bool ended_on_curvature() const { return m_next > m_report->iterations; }

  /// alpha of an iteration that took place and was looked at.
  double alpha(int iteration) const { return m_rows.alpha(iteration); }

 private:
  using Step = FusedStep<Memory>;

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
    const double residual = std::sqrt(m_rows.host(pass, Step::residual2));
    m_report->iterations = pass;
    m_report->residual_norm = residual;
    if (pass == 0) m_report->initial_residual_norm = residual;
    m_report->residual_history.push_back(m_report->relative_residual());
    if (!std::isfinite(residual)) return end(SolveStatus::breakdown_not_finite);

    const bool completed = m_criteria->fixed_count && pass == m_criteria->max_iterations;
    if (completed) return end(SolveStatus::completed);
    const Step step = this->step(pass);
    const double relative2 = step.tolerance2 * m_rows.host(0, Step::residual2);
    const double target2 = relative2 > step.absolute2 ? relative2 : step.absolute2;
    if (m_rows.host(pass, Step::residual2) <= target2) return end(SolveStatus::converged);
    if (pass == m_criteria->max_iterations) return end(SolveStatus::max_iterations);
    const double energy = m_rows.host(pass, Step::energy);
    if (!Step::positive_finite(energy)) return end(breakdown_of(energy));
    return false;
  }

  PcgRows<Memory> m_rows;
  const StoppingCriteria* m_criteria = nullptr;
  SolveReport* m_report = nullptr;
  int m_next = 0;
};

}  // namespace Lamina::Impl
