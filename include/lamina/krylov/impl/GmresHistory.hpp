// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/SolveReport.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/core/impl/ResidualTrend.hpp>
#include <lamina/krylov/impl/basis/HessenbergProblem.hpp>

namespace Lamina::Impl {

/// Judges a solve of `Gmres`, on the host: by recursive residuals within a cycle, and by the true
/// residual b - A x between cycles.
class GmresHistory {
 public:
  /// \param rounding  of vectors: an image that is in the space of the basis up to it adds nothing
  GmresHistory(int restart, double rounding) : m_problem(restart), m_rounding(rounding) {}

  /// Forgets an earlier solve. \return whether the new one has ended
  bool start(const StoppingCriteria& criteria, double rhs_norm, double residual,
             SolveReport& report);
  /// The same for a solve that cannot take place.
  void refuse(const StoppingCriteria& criteria, double rhs_norm, double residual,
              SolveStatus status, SolveReport& report);

  /// Begins a cycle. \return its most iterations
  int begin_cycle();
  /// Iterations to the next look within a cycle. `on_device`: a look costs a round trip.
  int next_look(bool on_device) const;

  /// One column of the Hessenberg matrix.
  struct Column {
    const double* h;  ///< entries up to the diagonal
    double below;     ///< the entry below the diagonal
    double image;     ///< |A M^-1 v_j|, before the orthogonalisation
  };
  /// Takes the next column of the cycle. \return whether the cycle has ended: the residual met the
  /// criteria, or nothing can be added to the basis
  bool take(const Column& column);
  /// Called after columns that did not end the cycle. \return whether the caller wants to stop
  bool look();

  /// Number of columns of this cycle's solution, and their coefficients over |r| at its start.
  int num_columns() const { return m_problem.count(); }
  void solve(double* y) const { m_problem.solve(y); }
  /// |r| at the start of this cycle.
  double start_residual() const { return m_start_residual; }
  /// The recursive residual.
  double residual() const { return m_report->residual_norm; }

  /// Takes the true residual after a cycle. \return whether the solve has ended
  bool end_cycle(double residual);

 private:
  void begin(const StoppingCriteria& criteria, double rhs_norm, double residual,
             SolveReport& report);
  bool settle(double residual);
  void tell() const;
  bool end(SolveStatus status);

  HessenbergProblem m_problem;
  double m_rounding;
  const StoppingCriteria* m_criteria = nullptr;
  SolveReport* m_report = nullptr;
  ResidualTrend m_trend;
  double m_target = 0, m_start_residual = 0;
  bool m_exhausted = false;  // the cycle ended because nothing could be added to the basis
  bool m_not_finite = false, m_interrupted = false;
};

}  // namespace Lamina::Impl
