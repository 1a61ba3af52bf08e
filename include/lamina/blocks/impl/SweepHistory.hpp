// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/SolveReport.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/core/impl/ResidualTrend.hpp>

namespace Lamina::Impl {

/// Judges block sweeps by their residuals, and keeps the report.
///
/// `ResidualTrend` needs two looks to see divergence. A solve that ends at its count or limit is
/// also `diverged` where its residual is `ResidualTrend::growth` times |b| and the initial
/// residual.
class SweepHistory {
 public:
  /// \param criteria  must outlive this
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

  const SolveReport& report() const { return m_report; }

 private:
  static constexpr int stagnation_window = 50;  // looks
  static constexpr int patience = 20;           // windows, while the residual has not fallen yet

  bool end(SolveStatus status);
  void take_initial(double residual_norm);
  bool judge(double residual_norm);

  const StoppingCriteria& m_criteria;
  SolveReport m_report;
  ResidualTrend m_trend;
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

}  // namespace Lamina::Impl
