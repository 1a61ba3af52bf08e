// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <functional>

namespace Lamina {

/// When an iterative solver stops: |r| <= max(tolerance |r_0|, absolute_tolerance) in the 2-norm of
/// the recursively updated residual, or after `max_iterations`. Norms are sums of squares in
/// double: right-hand sides whose entries are below 1e-150 or beyond 1e150 want scaling.
struct StoppingCriteria {
  double tolerance = 1e-5;        ///< relative to the initial residual, >= 0
  double absolute_tolerance = 0;  ///< >= 0
  int max_iterations = 10000;     ///< >= 0
  /// The host looks at the residual every so many iterations; until then device-side tests turn
  /// sweeps after convergence into no-ops, so that the result and the report do not depend on it
  /// (but for `PointImplicitSolver`, which goes on to sweep until the host has looked).
  /// 0 lets the execution space choose: 1 on the host, 10 on a device, where `FusedPcg` looks less
  /// often, when it expects the end; 50 where one kernel does several iterations (`FusedPcg`), 200
  /// where they stay on the chip (`FusedCg`): those end by themselves.
  int check_every = 0;
  /// True: run exactly `max_iterations` iterations (an exactly zero residual still ends the solve)
  /// and report `completed`.
  bool fixed_count = false;
  /// Called by the host with (completed iterations, |r| / |r_0|) whenever it looks at the residual.
  std::function<void(int, double)> on_check = nullptr;

  /// Exactly `count` iterations.
  static StoppingCriteria iterations(int count) {
    StoppingCriteria criteria;
    criteria.tolerance = 0;
    criteria.max_iterations = count;
    criteria.fixed_count = true;
    return criteria;
  }
};

}  // namespace Lamina
