// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <functional>

namespace Lamina {

/// What a relative tolerance refers to.
enum class Reference {
  rhs,              ///< |b|: a good initial guess saves iterations
  initial_residual  ///< |b - A x| of the initial guess. It saves a pass over b, which matters to
                    ///< short inner solves. With x = 0 it is the same as `rhs`
};

/// When an iterative solver stops: when
///
///   |r| <= max(tolerance reference, absolute_tolerance)
///
/// in the 2-norm of the recursively updated residual, or after `max_iterations`. With `tolerance` 0
/// the absolute tolerance alone holds.
///
/// \par Zero right-hand sides
/// Where b = 0, x becomes 0 and the solve ends at once, converged. With
/// `Reference::initial_residual` a solver need not look at b; it ends at once where |b - A x| = 0.
///
/// \par Range
/// Krylov solvers take right-hand sides over the whole range of the precision. Sums of squares
/// leave that range where norms are beyond 1e-100 to 1e100 in double precision, or 1e-20 to 1e25 in
/// single precision. Such a system is solved once more from the start, with r and x scaled by a
/// power of two. That solve drops a guess whose residual is 1e20 times the right-hand side or more.
/// A solution that overflows is `breakdown_not_finite`. A solution of subnormal numbers with fewer
/// digits than `tolerance` asks for is `stagnated`.
struct StoppingCriteria {
  static constexpr int max_check_every = 1024;  ///< of Krylov solvers

  double tolerance = 1e-5;        ///< relative to `relative_to`, >= 0
  double absolute_tolerance = 0;  ///< >= 0
  Reference relative_to = Reference::rhs;
  int max_iterations = 10000;  ///< >= 0
  /// Iterations from one look of the host at the residual to the next, at most `max_check_every`.
  /// Result and report do not depend on it, unless the solver says otherwise.
  ///
  /// 0 lets the solver choose: on the host every iteration, on a device as its header says.
  int check_every = 0;
  /// True: run exactly `max_iterations` iterations and report `completed`. A residual of exactly
  /// zero still ends the solve.
  bool fixed_count = false;
  /// The host calls it with (completed iterations, |r| / reference) whenever it looks at the
  /// residual.
  std::function<void(int, double)> on_check = nullptr;
  /// The host asks it after each look that does not end the solve. When it returns true, the solve
  /// ends within one more iteration as `interrupted`, with the x of the iterations reported. Set
  /// `on_check` or `check_every` where a solve of a fixed count must be stopped soon.
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
