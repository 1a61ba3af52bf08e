// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/SolveReport.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/core/impl/ResidualTrend.hpp>

namespace Lamina {

/// Judges an iteration of your own by its residuals, and keeps the report: sweeps of
/// `PointImplicitSolver` with residuals of another matrix, or a smoother that you wrote. The solvers
/// of `blocks` use it, `FusedRichardson` and `PoissonMultigridSolver`.
///
/// \par Status
/// - `converged`: |b - A x| met the criteria, or is 0, or |b| is 0.
/// - `diverged`: the residual is above the reference and 1e8 times the smallest one so far; or the
///   smallest one of 50 looks is above the reference and twice that of the 50 looks before. At the
///   last iteration also a residual of 1e8 times |b| and the initial residual.
/// - `stagnated`: the smallest residual of 50 looks is not below that of the 50 looks before by 1e-4
///   of it. As long as no residual is below half of the reference, 20 such windows in a row may pass:
///   sweeps may carry a value across a mesh while the residual stays the same.
/// - `breakdown_not_finite`, `interrupted`; `completed` or `max_iterations` at the end.
///
/// A fixed count of iterations does not stagnate.
///
/// \par Example
///
///   Lamina::SweepHistory history("my smoother", criteria);
///   if (!history.start(norm_of_b)) return history.report();
///   return Lamina::sweep_to_the_end(
///       history, [&] { return residual_norm(x); }, [&](int count) { sweep(x, count); });
class SweepHistory {
 public:
  /// \param function  named in messages
  /// \param criteria  must outlive this. `check_every` 0 looks after each iteration.
  /// \throws InvalidArgument for criteria out of range.
  SweepHistory(const char* function, const StoppingCriteria& criteria);

  /// The report of a solve that cannot take place.
  SolveReport broken(SolveStatus status, double rhs_norm, double residual_norm);

  /// \return false where the solve has ended: |b| = 0, which is `converged`, or |b| is not finite
  bool start(double rhs_norm);

  /// Takes |b - A x| of the initial guess, and then after the sweeps of each stretch.
  /// \return true where the solve has ended
  bool look(double residual_norm);

  /// Number of sweeps until the next look; 0 where none are left.
  int next_stretch();

  /// Ends a solve because the caller asked for it.
  void interrupt() { end(SolveStatus::interrupted); }

  /// Complete when the solve has ended.
  const SolveReport& report() const { return m_report; }

 private:
  static constexpr int stagnation_window = 50;  // looks
  static constexpr int patience = 20;           // windows, while the residual has not fallen yet

  bool end(SolveStatus status);
  void take_initial(double residual_norm);
  bool judge(double residual_norm);

  const StoppingCriteria& m_criteria;
  SolveReport m_report;
  Impl::ResidualTrend m_trend;
  double m_rhs_norm = 0;
  int m_stretch = 0;
};

/// Alternates looks and sweeps until `history` says that the solve has ended.
/// \param residual_norm  residual_norm() is |b - A x|
/// \param sweep          sweep(count) advances x by so many sweeps
template <class ResidualNorm, class Sweep>
SolveReport sweep_to_the_end(SweepHistory& history, const ResidualNorm& residual_norm,
                             const Sweep& sweep) {
  if (history.look(residual_norm())) return history.report();
  for (int count = history.next_stretch(); count > 0; count = history.next_stretch()) {
    sweep(count);
    if (history.look(residual_norm())) break;
  }
  return history.report();
}

}  // namespace Lamina
