// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Require.hpp>

#include <atomic>
#include <memory>

namespace Lamina::Impl {

/// Whether a plan is solving. Copies of the plan share it, as they share the workspace.
class PlanInUse {
 public:
  PlanInUse() : m_flag(std::make_shared<std::atomic<bool>>(false)) {}

 private:
  friend class UseOfPlan;
  std::shared_ptr<std::atomic<bool>> m_flag;
};

/// A use of a plan, until the end of the scope.
class UseOfPlan {
 public:
  /// \throws InvalidArgument where the plan, or a copy of it, is in use by another host thread, or
  ///   by the solve that has called `on_check`.
  UseOfPlan(const char* function, const PlanInUse& plan) : m_flag(plan.m_flag) {
    LAMINA_REQUIRE(
        !m_flag->exchange(true), function,
        "the plan: expected one solve at a time, got a call while it solves (copies of a "
        "plan share its workspace)");
  }
  ~UseOfPlan() { m_flag->store(false); }
  UseOfPlan(const UseOfPlan&) = delete;
  UseOfPlan& operator=(const UseOfPlan&) = delete;

 private:
  std::shared_ptr<std::atomic<bool>> m_flag;
};

}  // namespace Lamina::Impl
