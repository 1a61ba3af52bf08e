// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <functional>

namespace Lamina {

/// What a relative tolerance refers to.
enum class Reference {
  rhs,              ///< |b|: a good initial guess saves iterations
  initial_residual  ///< |b - A x| of the initial guess: the residual falls by a factor. With x = 0 the
                    ///< same as `rhs`, without a pass over b: for short inner solves
};

/// When an iterative solver stops: |r| <= max(tolerance reference, absolute_tolerance) in the 2-norm
/// of the recursively updated residual, or after `max_iterations`; an absolute tolerance alone holds
/// where `tolerance` is 0. Where b = 0, x becomes 0 and the solve ends at once, converged. With
/// `Reference::initial_residual` solvers need not look at b, and end where |b - A x| = 0.
///
/// Krylov solvers take right-hand sides over the whole range of the precision: where sums of squares
/// would underflow or overflow (norms beyond 1e-100 to 1e100 in double, 1e-20 to 1e25 in single
/// precision), they solve once more from the start with r and x scaled by a power of two; a guess whose
/// residual is 1e20 times the right-hand side, or more, is dropped there. A solution that overflows is
/// `breakdown_not_finite`, one of subnormal numbers with fewer digits than `tolerance` asks for
/// `stagnated`.
struct StoppingCriteria {
  double tolerance = 1e-5;        ///< relative to `relative_to`, >= 0
  double absolute_tolerance = 0;  ///< >= 0
  Reference relative_to = Reference::rhs;
  int max_iterations = 10000;  ///< >= 0
  /// The host looks at the residual every so many iterations; until then device-side tests turn
  /// sweeps after convergence into no-ops, so that the result and the report do not depend on it
  /// (but for `PointImplicitSolver`, which goes on to sweep until the host has looked).
  /// 0 lets the solver choose: 1 on the host. On a device `FusedPcg`, `FusedPcgStored` and `FusedCg`
  /// look after 10, and then when they expect the end, 10 to 50 later; `Pcg` 4 to 16, since its
  /// iterations after the end are whole ones; at the end only of a fixed count, unless `on_check` is
  /// set. `FusedCg` looks every 200 where its vectors stay on the chip; others every 10.
  int check_every = 0;
  /// True: run exactly `max_iterations` iterations (an exactly zero residual still ends the solve)
  /// and report `completed`.
  bool fixed_count = false;
  /// Called by the host with (completed iterations, |r| / reference) whenever it looks at the residual.
  std::function<void(int, double)> on_check = nullptr;
  /// Asked by the host after each look that does not end the solve. Where it says true, the solve
  /// ends within one more iteration as `interrupted`; x is that of the iterations reported. Of a fixed
  /// count without `on_check` a device's host looks rarely. Empty: nothing stops the solve.
  std::function<bool()> stop_requested = nullptr;

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
