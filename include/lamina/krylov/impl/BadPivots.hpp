// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/SolveReport.hpp>

namespace Lamina::Impl {

/// Names bad pivots as the reason why a solve failed, where the preconditioner has found some on the
/// way, as `LineSolver` does. Fences `space` where it asks.
template <class Space, class Preconditioner>
void blame_bad_pivots(const Space& space, const Preconditioner& preconditioner,
                      SolveReport& report) {
  if constexpr (requires { preconditioner.status(space); }) {
    if (!report.succeeded() && preconditioner.status(space) == SolveStatus::breakdown_zero_pivot) {
      report.status = SolveStatus::breakdown_zero_pivot;
    }
  }
}

}  // namespace Lamina::Impl
