// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/SolveReport.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/krylov/impl/CgDivergence.hpp>
#include <lamina/krylov/impl/ResidualReplacement.hpp>
#include <lamina/krylov/impl/SafeRange.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>

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
  at_breakdown,   ///< one, where a scalar product is not positive
  planned,        ///< also each time the residual has fallen: mixed precision
  planned_rarely  ///< the same after larger falls, for models that need few iterations
};

/// What is known of a solve on the host, besides the rows. Sums of the rows are of fields that are
/// `scale` times those of the system. Reported norms are not scaled.
struct SolveState {
  const StoppingCriteria* criteria = nullptr;
  SolveReport* report = nullptr;
  CgDivergence divergence{};
  ResidualReplacement replacement{};
  SafeRange range{};
  SolutionRange solution_range{};
  Replacements replacements = Replacements::none;
  int limit = 0;  ///< of iterations; lowered when the caller asks to stop
  int next = 0;   ///< pass to be judged
  int begin = 0, fresh = 0, expected = ResidualReplacement::none_expected;
  double scale = 1;
  bool scaled = false;      ///< because of the range
  bool broke_down = false;  ///< at the last replacement: another breakdown ends the solve

  bool planned_rarely() const { return replacements == Replacements::planned_rarely; }
  bool planned() const { return replacements == Replacements::planned || planned_rarely(); }
  MixedTuning::Drops drops() const {
    return planned_rarely() ? MixedTuning::of_few : MixedTuning::of_many;
  }
  double absolute2() const {
    const double absolute = criteria->absolute_tolerance * scale;
    return absolute * absolute;
  }
  /// The target of the squared residual, as in `FusedStep::residual_left`.
  double target2(double reference2) const {
    if (planned()) return replacement.target2();
    const double tolerance = criteria->tolerance;
    return std::max(tolerance * tolerance * reference2, absolute2());
  }

  void tell() const {
    if (criteria->on_check) criteria->on_check(report->iterations, report->relative_residual());
  }
  SolveEvent end(SolveStatus status) const {
    report->status = status;
    tell();
    return SolveEvent::end;
  }

  /// Sets the norms of the start.
  void take_norms(double residual, double reference) {
    report->initial_residual_norm = residual;
    report->reference_norm = reference;
    take_for_equal(*report);
    divergence = CgDivergence(report->reference_norm);
  }
  /// Takes the residual of a pass, whose entry of the history is there.
  void take_residual(int pass, double value2) {
    report->iterations = pass;
    report->residual_norm = std::sqrt(value2) / scale;
    report->residual_history.resize(static_cast<std::size_t>(pass) + 1);
    report->residual_history.back() = report->relative_residual();
  }
  /// Ends the solve where the residual that was taken last met the criteria, or is the last one.
  SolveEvent settle(double value2, double reference2) const {
    const int pass = report->iterations;
    const bool at_limit = pass == criteria->max_iterations;
    if (criteria->fixed_count && at_limit) return end(SolveStatus::completed);
    // A scaled residual whose square underflows is below all tolerances.
    const bool vanishes = pass == 0 && value2 < range.smallest2;
    if (value2 <= target2(reference2) || vanishes) return end(SolveStatus::converged);
    if (at_limit) return end(SolveStatus::max_iterations);
    if (pass == limit) return end(SolveStatus::interrupted);
    return SolveEvent::none;
  }
  bool is_finite(double value2) const {
    return std::isfinite(value2) && std::isfinite(report->reference_norm);
  }
};

}  // namespace Lamina::Impl
