// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/SolveReport.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/core/impl/ResidualTrend.hpp>
#include <lamina/krylov/impl/Tuning.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace Lamina::Impl {

/// When a solve in mixed precision replaces its residual. Squares are those of scaled residuals.
class ResidualReplacement {
 public:
  static constexpr int none_expected = -1;

  /// \param reference  the norm that residuals are relative to
  /// \param drops  how far a residual falls until it is replaced
  void start(double target2, double reference, bool fixed_count, const MixedTuning::Drops& drops) {
    constexpr int trend_window = 2;  // replacements
    m_target2 = target2;
    m_drops = drops;
    m_true_trend = ResidualTrend(reference, fixed_count ? 0 : trend_window);
  }
  double target2() const { return m_target2; }
  /// The iteration stops for a replacement where the squared residual is not above it.
  double stop2() const { return m_stop2; }

  /// Takes a residual that was recomputed. \return whether directions have to start anew: where
  /// rounding dominates the residual, they are no longer conjugate to it.
  /// \param recursive2  what the recurrence had instead
  bool take(double true2, double recursive2) {
    m_replaced2 = true2;
    // The recursive residual met the target, but the true one did not: the recursive one must fall
    // further, by the ratio of the true one to the target.
    const double aim2 = recursive2 <= m_target2 ? m_target2 * (m_target2 / true2) : m_target2;
    const bool is_near = aim2 >= m_drops.to_target * m_drops.to_target * true2;
    m_stop2 = is_near ? aim2 : m_drops.usual * m_drops.usual * true2;
    return true2 > 4 * recursive2;
  }
  /// \param norm  of a recomputed residual. \return `stagnated` or `diverged`, or nothing
  std::optional<SolveStatus> look(double norm) { return m_true_trend.look(norm); }

  /// The pass at which the residual reaches `stop2`, where it continues to fall at the same rate.
  int forecast(int begin, int pass, double residual2) const {
    if (pass == begin) return none_expected;
    const double fall = std::log(m_replaced2 / residual2) / (pass - begin);
    const double left = std::log(residual2 / m_stop2) / fall;
    return fall > 0 && left < StoppingCriteria::max_check_every
               ? pass + static_cast<int>(std::ceil(left))
               : none_expected;
  }

 private:
  ResidualTrend m_true_trend;  // of replacements
  MixedTuning::Drops m_drops{};
  double m_target2 = 0, m_stop2 = 0, m_replaced2 = 0;
};

}  // namespace Lamina::Impl
