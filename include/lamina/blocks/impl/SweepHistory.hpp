// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/SolveReport.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/core/impl/ResidualTrend.hpp>

namespace Lamina::Impl {

/// Judges sweeps by the residuals that it is told, and keeps the report.
class SweepHistory {
 public:
  /// \throws InvalidArgument for criteria out of range.
  SweepHistory(const char* function, const StoppingCriteria& criteria);

  /// Nothing can be done about |b - A x|.
  SolveReport broken(SolveStatus status, double rhs_norm, double residual_norm);

  /// \return false where |b| = 0, as `converged`, or not finite: the solve has ended
  bool start(double rhs_norm);

  /// Takes |b - A x| after the sweeps of the last stretch. \return true where the solve has ended
  bool look(double residual_norm);

  /// Sweeps until the next look; 0 where there are none left.
  int next_stretch();

  const SolveReport& report() const { return m_report; }

 private:
  static constexpr int stagnation_window = 50;  // looks

  bool end(SolveStatus status);
  bool judge(double residual_norm);

  const StoppingCriteria& m_criteria;
  SolveReport m_report;
  ResidualTrend m_trend;
  int m_stretch = 0;
};

}  // namespace Lamina::Impl
