// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/SolveReport.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/device/impl/HostSide.hpp>
#include <lamina/distributed/GlobalReduction.hpp>
#include <lamina/distributed/impl/SumOfRanks.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/krylov/impl/FieldRows.hpp>

#include <cmath>
#include <cstddef>

namespace Lamina::Impl {

/// The rows of scalar products of `FusedSteps`, on the device and as the host last fetched them.
/// One more row holds <b, b>. Over several ranks sweeps add up to rows of parts, which a reduction
/// completes.
template <class Memory>
class SolveScalars {
 public:
  using Step = FusedStep<Memory>;
  using Steps = FusedSteps<Memory>;
  static constexpr int max_check_every = Steps::max_check_every;

  SolveScalars()
      : m_rows(Kokkos::view_alloc("Lamina::SolveScalars::rows"), Steps::num_rows + 1),
        m_host_rows(Kokkos::create_mirror_view(typename HostSideOf<Memory>::type(), m_rows)) {}

  /// Rows become those of all ranks of `reduction`.
  void distribute(const GlobalReduction<Memory>& reduction) {
    m_reduction = reduction;
    if (!reduction.empty()) {
      m_parts =
          Rows<Memory>(Kokkos::view_alloc("Lamina::SolveScalars::parts"), Steps::num_rows + 1);
    }
  }
  bool distributed() const { return !m_reduction.empty(); }

  /// \param tolerance2, absolute2  squared tolerances
  Steps steps(int max_iterations, Reference reference, double tolerance2, double absolute2,
              const SafeRange& range = {}) const {
    return {.rows = m_rows.data(),
            .reference = place_of(reference),
            .max_iterations = max_iterations,
            .tolerance2 = tolerance2,
            .absolute2 = absolute2,
            .smallest2 = range.smallest2,
            .largest2 = range.largest2,
            .parts = m_parts.data()};
  }
  /// The step of a pass, from the rows of the host and without tolerances.
  Step host_step(int pass, int fresh) const {
    return Steps{.rows = m_host_rows.data(), .reference = m_host_rows.data(), .fresh = fresh}.step(
        pass);
  }
  double host(int pass, int entry) const {
    return m_host_rows(static_cast<std::size_t>(Steps::slot(pass)),
                       static_cast<std::size_t>(entry));
  }
  /// The squared norm that tolerances refer to.
  double host_reference(Reference reference) const {
    return reference == Reference::rhs ? m_host_rows(Steps::num_rows, 0) : host(0, Step::residual2);
  }
  /// alpha of an iteration that took place and was looked at.
  double alpha(int iteration) const {
    return host(iteration, Step::energy) / host(iteration, Step::curvature);
  }

  /// Computes <b, b> where tolerances refer to it, by a pass over b. The first residual of a model
  /// also reads b; but to sum there, every model would need a second sum, to save a tenth of the
  /// traffic of one iteration.
  template <class Space, class Scalar>
  void sum_reference(const Space& space, Reference reference, const FieldRows<const Scalar>& b,
                     double scale, const SafeRange& range) const {
    if (reference == Reference::rhs) sum_squares_to(space, b, scale, range, part_of(reference));
  }
  /// Writes <r, r> to the row of a pass.
  template <class Space, class Scalar>
  void sum_residual(const Space& space, int pass, const FieldRows<const Scalar>& r) const {
    const Steps all{.rows = m_rows.data(), .parts = m_parts.data()};
    sum_squares_to(space, r, 1, SafeRange(), all.part(pass) + Step::residual2);
  }

  /// Adds up the parts of all ranks: <r_0, r_0>, and what tolerances refer to.
  template <class Space>
  void complete_start(const Space& space, Reference reference) const {
    if (!distributed()) return;
    complete(space, 0);
    if (reference == Reference::rhs) {
      m_reduction.sum(space, part_of(reference), place_of(reference), 1);
    }
  }
  /// The same of `count` sums of pass n from entry `first` on.
  template <class Space>
  void complete(const Space& space, int pass, int first = 0, int count = Step::row_length) const {
    if (!distributed()) return;
    const Steps all{.rows = m_rows.data(), .parts = m_parts.data()};
    m_reduction.sum(space, all.part(pass) + first, all.row(pass) + first, count);
  }
  /// <r, r> of a pass from the parts of all ranks: sweeps look at it before the pass has its other sums.
  template <class Space>
  void complete_residual(const Space& space, int pass) const {
    complete(space, pass, Step::residual2, 1);
  }
  /// The largest magnitude in a field; of several ranks the sum of theirs, as its order of magnitude counts.
  /// Fences `space`.
  template <class Space, class Scalar>
  double size_over_ranks(const Space& space, const FieldRows<const Scalar>& field) const {
    return sum_over_ranks(space, largest_size(space, field));
  }
  /// The sum of a host's number over all ranks. Fences `space` where there are several.
  template <class Space>
  double sum_over_ranks(const Space& space, double value) const {
    return sum_of_ranks(space, m_reduction, part_of(Reference::rhs), value);
  }

  /// Fences `space`.
  template <class Space>
  void fetch(const Space& space) const {
    Kokkos::deep_copy(space, m_host_rows, m_rows);
    space.fence();
  }

 private:
  static std::ptrdiff_t last_row() {
    return static_cast<std::ptrdiff_t>(Step::row_length) * Steps::num_rows;
  }
  static std::ptrdiff_t offset_of(Reference reference) {
    return reference == Reference::rhs ? last_row() : 0;
  }
  double* place_of(Reference reference) const { return m_rows.data() + offset_of(reference); }
  double* part_of(Reference reference) const {
    return (distributed() ? m_parts.data() : m_rows.data()) + offset_of(reference);
  }

  template <class Space>
  using Rows = Kokkos::View<double * [Step::row_length], Kokkos::LayoutRight, Space>;
  Rows<Memory> m_rows, m_parts;
  Rows<typename HostSideOf<Memory>::type> m_host_rows;
  GlobalReduction<Memory> m_reduction;
};

/// With x = 0, |b| and |r_0| differ by the rounding of their sums only: some sweeps add up parts in
/// single precision. Makes them equal: the history then begins with 1.
inline void take_for_equal(SolveReport& report) {
  constexpr double rounding = 1e-6;
  const double difference = std::abs(report.reference_norm - report.initial_residual_norm);
  if (difference <= rounding * report.reference_norm) {
    report.reference_norm = report.initial_residual_norm;
  }
}

/// What a scalar product says that should be positive.
inline SolveStatus breakdown_of(double value) {
  return std::isfinite(value) ? SolveStatus::breakdown_indefinite
                              : SolveStatus::breakdown_not_finite;
}

}  // namespace Lamina::Impl
