// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/StoppingCriteria.hpp>

#include <cfloat>

namespace Lamina {

/// The scalars that sweeps of pass n of a fused solver read and write, in device memory.
///
/// Each pass has a row. A sweep writes its scalar products into a row, and the next sweep computes
/// alpha and beta from the rows: neither the host nor an extra kernel takes part. A sweep after
/// convergence or breakdown does nothing. It leaves zeros, which end the pass after it, too.
template <MemorySpace Memory>
struct FusedStep {
  enum {
    residual2 = 0,      ///< <r_n, r_n>
    energy = 1,         ///< <r_n, z_n>
    curvature = 2,      ///< <p_n, A p_n>
    line_curvature = 3  ///< <z_n, A z_n>, for `FusedPcg`
  };
  static constexpr int row_length = 4;

  /// <b, b> or <r_0, r_0>, which tolerances refer to. NaN: no pass does anything
  const double* reference;
  const double* before;       ///< row n - 1; row 0 itself for n = 0
  double* now;                ///< row n
  double* next;               ///< row n + 1
  bool is_first;              ///< directions start anew: n = 0, or r was recomputed
  bool is_last;               ///< no iteration follows this pass
  double tolerance2;          ///< squared relative tolerance
  double absolute2;           ///< squared absolute tolerance, or the least sum of squares in range
  double largest2 = DBL_MAX;  ///< a sum of squares above it is out of range
  /// Over several ranks: the last row whose sums are those of all ranks. `now`, or `next`, is then a
  /// row of this rank's parts. Null on one process.
  const double* complete = nullptr;
  /// Mixed precision: r, z and p are those of the system times this power of two, but not u.
  double scale = 1;
  bool updated = true;  ///< a pass before n has updated u, or u was brought up to date

  // All values are read first and combined without branches. On a device every thread would wait
  // for a memory access at each branch.

  KOKKOS_FORCEINLINE_FUNCTION static bool both(bool a, bool b) {
    return (static_cast<int>(a) & static_cast<int>(b)) != 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION static bool positive_finite(double value) {
    return both(value > 0, value * 0 == 0);
  }
  /// The residual of this row is finite, and above the tolerance.
  KOKKOS_FORCEINLINE_FUNCTION bool residual_left(const double* row) const {
    const double value = row[residual2], relative = tolerance2 * *reference;
    const double wanted = relative <= absolute2 ? absolute2 : relative;  // NaN stays
    return both(value > wanted, value <= largest2);
  }
  /// The same, and the preconditioner did not break down.
  KOKKOS_FORCEINLINE_FUNCTION bool continues(const double* row) const {
    const double value = row[energy];
    return both(residual_left(row), positive_finite(value));
  }

  /// Whether the preconditioner of pass n has work to do. Over several ranks it cannot know of the
  /// residual that ends the solve, and then does one sweep in vain.
  KOKKOS_FORCEINLINE_FUNCTION bool preconditions() const {
    return residual_left(complete == nullptr ? now : complete);
  }
  /// The same of the sweep that measures <z, A z>.
  KOKKOS_FORCEINLINE_FUNCTION bool measures() const {
    return complete == nullptr ? continues(now) : residual_left(complete);
  }

  // --- FusedPcg: iteration n in one sweep ---

  /// Whether iteration n takes place, its coefficients, and alpha of the iteration before.
  struct Iteration {
    bool proceed;
    double alpha, beta, alpha_before, curvature;
  };
  /// <p, A p> follows from <z, A z>: p_n = z_n + beta p_{n-1} is conjugate to p_{n-1}, hence
  /// <p_n, A p_n> = <z_n, A z_n> - beta^2 <p_{n-1}, A p_{n-1}> (Chronopoulos and Gear 1989).
  KOKKOS_FORCEINLINE_FUNCTION Iteration iteration() const {
    // In the first pass `before` is `now`, and its curvature is not written yet.
    const double curvature_before = is_first ? 1 : before[curvature];
    const double energy_now = now[energy], energy_before = before[energy];
    const double line = now[line_curvature];
    const bool left = continues(now);
    const double beta = is_first ? 0 : energy_now / (left ? energy_before : 1);
    const double conjugate = line - (is_first ? 0 : beta * beta * curvature_before);
    if (!left) return {false, 0, 0, 0, 0};
    const bool proceed = positive_finite(conjugate);
    return {proceed, proceed ? energy_now / conjugate : 0, beta,
            is_first ? 0 : energy_before / curvature_before, conjugate};
  }

  /// Without a preconditioner: whether the pass before left a residual to this one.
  KOKKOS_FORCEINLINE_FUNCTION bool formed_residual() const {
    return is_first || positive_finite(before[curvature]);
  }

  // --- FusedPcgStored: iteration n ends in the first sweep of pass n + 1 ---

  /// The step that ends in this pass.
  struct Residual {
    bool proceed;
    double alpha;
  };
  KOKKOS_FORCEINLINE_FUNCTION Residual residual_step() const {
    const double energy_before = before[energy], curvature_before = before[curvature];
    const bool proceed = both(continues(before), positive_finite(curvature_before));
    if (is_first) return {true, 0};
    return {proceed, proceed ? energy_before / curvature_before : 0};
  }
  /// The next direction, after u += alpha p with the direction before.
  struct Direction {
    bool proceed;
    double alpha, beta;
  };
  KOKKOS_FORCEINLINE_FUNCTION Direction direction_step() const {
    const double energy_now = now[energy], energy_before = before[energy];
    const bool left = continues(now);
    const Residual residual = residual_step();
    const bool proceed = both(residual.proceed, left);
    return {proceed, residual.alpha, proceed && !is_first ? energy_now / energy_before : 0};
  }
};

/// The end of a solve: x = u + along_p p + along_z z, where z is r without a preconditioner. A vector
/// whose factor is 0 is not read: it need not be finite.
template <class Scalar>
struct FusedEnd {
  Scalar along_p = 0, along_z = 0;
  bool updated = false;  ///< as in `FusedStep`
};

/// The steps of all passes of a solve. A kernel may run several of them. Row 0 is kept. The other
/// rows are a ring, which is longer than `max_check_every` passes.
///
/// Over several ranks, sweeps leave the sums of one rank in rows of `parts`, and a reduction makes a
/// complete row of them after the sweep that measures.
template <MemorySpace Memory>
struct FusedSteps {
  static constexpr int max_check_every = StoppingCriteria::max_check_every;
  static constexpr int num_rows = max_check_every + 4;

  double* rows;
  const double* reference = nullptr;
  int max_iterations = 0;
  double tolerance2 = 0, absolute2 = 0;
  /// Range of the initial residual. Outside of it no pass does anything.
  double smallest2 = 0, largest2 = DBL_MAX;
  double* parts = nullptr;  ///< of this rank, as many rows; null on one process
  int begin = 0;            ///< the pass at which r was computed anew last
  int fresh = 0;            ///< the pass at which directions started anew last
  double scale = 1;         ///< see `FusedStep`

  /// Whether pass n updates u: every other one, by its own direction and the one before.
  KOKKOS_FORCEINLINE_FUNCTION bool updates(int pass) const { return (pass - begin) % 2 == 1; }
  KOKKOS_FORCEINLINE_FUNCTION static int slot(int pass) {
    return pass == 0 ? 0 : 1 + (pass - 1) % (num_rows - 1);
  }
  KOKKOS_FORCEINLINE_FUNCTION double* row(int pass) const {
    return rows + FusedStep<Memory>::row_length * slot(pass);
  }
  /// The row that sweeps of this rank add up to.
  KOKKOS_FORCEINLINE_FUNCTION double* part(int pass) const {
    return parts == nullptr ? row(pass) : parts + FusedStep<Memory>::row_length * slot(pass);
  }
  /// The step of the sweeps before the reduction of pass n: residual, preconditioner, measure.
  KOKKOS_FORCEINLINE_FUNCTION FusedStep<Memory> step_to_complete(int pass) const {
    FusedStep<Memory> result = step(pass);
    if (parts != nullptr) {
      result.now = part(pass);
      result.complete = row(pass == 0 ? 0 : pass - 1);
    }
    return result;
  }
  KOKKOS_FORCEINLINE_FUNCTION FusedStep<Memory> step(int pass) const {
    const bool has_range = pass == 0;
    return {.reference = reference,
            .before = row(pass == 0 ? 0 : pass - 1),
            .now = row(pass),
            .next = part(pass + 1),
            .is_first = pass == fresh,
            .is_last = pass == max_iterations,
            .tolerance2 = tolerance2,
            .absolute2 = has_range && smallest2 > absolute2 ? smallest2 : absolute2,
            .largest2 = has_range ? largest2 : DBL_MAX,
            .scale = scale,
            .updated = begin > 0 || pass > 1};
  }
};

}  // namespace Lamina
