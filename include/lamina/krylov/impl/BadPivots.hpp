// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/SolveReport.hpp>

namespace Lamina::Impl {

/// Whether the preconditioner knows bad pivots before the solve. Fences `space` where it asks.
template <class Space, class Preconditioner>
bool knows_bad_pivots(const Space& space, const Preconditioner& preconditioner) {
  if constexpr (requires { preconditioner.status(); }) {
    if constexpr (requires { preconditioner.status(space); }) {
      return preconditioner.status(space) == SolveStatus::breakdown_zero_pivot;
    } else {
      return preconditioner.status() == SolveStatus::breakdown_zero_pivot;
    }
  }
  static_cast<void>(space);
  return false;
}

/// The answer of a solver on one process.
struct OnThisRank {
  bool operator()(bool found) const { return found; }
};

/// Sets `breakdown_zero_pivot` where a solve failed and its preconditioner found bad pivots on the
/// way, as `LineSolver` does. Fences `space` where it asks.
/// \param on_any_rank  on_any_rank(found): whether one of all ranks has found them
template <class Space, class Preconditioner, class OnAnyRank = OnThisRank>
void blame_bad_pivots(const Space& space, const Preconditioner& preconditioner, SolveReport& report,
                      const OnAnyRank& on_any_rank = {}) {
  if constexpr (requires { preconditioner.status(space); }) {
    if (report.succeeded()) return;  // on all ranks
    if (on_any_rank(preconditioner.status(space) == SolveStatus::breakdown_zero_pivot)) {
      report.status = SolveStatus::breakdown_zero_pivot;
    }
  }
}

}  // namespace Lamina::Impl
