// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Require.hpp>
#include <lamina/shallow_water/StateFault.hpp>
#include <lamina/shallow_water/StepReport.hpp>

#include <string>

namespace Lamina::Impl {

/// Looks at the state after every so many steps of a plan.
class StepCheck {
 public:
  /// See `check_every` of the plans.
  void set_every(const char* function, int steps) {
    LAMINA_REQUIRE(steps >= 0, function,
                   "argument steps: expected a value >= 0, got " + std::to_string(steps));
    m_every = steps;
    m_taken = 0;
  }

  /// Counts a step that led to `state`. Fences `space` where it looks.
  template <class Space, class State>
  void after_step(const Space& space, const State& state, StepReport& report) {
    if (m_every == 0 || ++m_taken < m_every) return;
    m_taken = 0;
    report.fault = find_fault(space, state);
    if (report.fault.exists() && !report.broke_down()) report.status = report.fault.status;
  }

 private:
  int m_every = 20, m_taken = 0;
};

}  // namespace Lamina::Impl
