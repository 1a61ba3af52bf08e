// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/SolveReport.hpp>

#include <Kokkos_Macros.hpp>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>
#include <type_traits>

namespace Lamina::Impl {

/// The range of sums of squares in which a solve runs without scaling. Outside of it squares and
/// products underflow or overflow, and the solve is scaled by a power of two.
struct SafeRange {
  double smallest2 = 0, largest2 = DBL_MAX;

  KOKKOS_FUNCTION bool contains(double sum) const { return sum >= smallest2 && sum <= largest2; }
};

/// The range of the initial residual and the right-hand side. In double precision it leaves room
/// for a residual that falls by 1e50, and for products with entries of a matrix. In single
/// precision, whose squares are summed in double precision, it reaches down to the smallest normal
/// number.
template <class Scalar>
constexpr SafeRange safe_range() {
  return std::is_same_v<Scalar, float> ? SafeRange{1e-40, 1e50} : SafeRange{1e-200, 1e200};
}

/// A guess whose residual is so many times the right-hand side, or more, is worthless.
inline constexpr double worthless = 1e20;

/// The power of two that brings `size` between 1 and 2. `Scalar` must hold it and its reciprocal,
/// so that subnormal numbers stay smaller.
template <class Scalar>
double scale_of(double size) {
  constexpr int most = std::numeric_limits<Scalar>::max_exponent - 24;
  return std::ldexp(1.0, std::clamp(-std::ilogb(size), -most, most));
}

/// Whether a solution that was scaled back, with the largest entry `size`, is as accurate as
/// `tolerance` asks for. Subnormal numbers have fewer digits than others.
template <class Scalar>
bool holds(double size, double tolerance) {
  using Limits = std::numeric_limits<Scalar>;
  const double needed = std::max<double>(tolerance, Limits::epsilon());
  return static_cast<double>(Limits::denorm_min()) <= needed * size;
}

/// Checks whether the precision can hold the solution of a solve. Recursive residuals do not show
/// it, because they are updated without the solution. The solution is read only where the size of
/// its updates leaves a doubt.
class SolutionRange {
 public:
  /// \param scaled  the solution will be scaled back
  void start(bool scaled) {
    m_scaled = scaled;
    m_largest_step = 0;
  }
  /// Takes an update alpha p of an iteration, from its scalar products. |p| is about <r, z> / |r|.
  void take_step(double energy, double curvature, double residual2, double scale) {
    const double step = energy / curvature * (energy / std::sqrt(residual2)) / scale;
    m_largest_step = std::max(m_largest_step, step);
  }

  /// Sets the status where the precision cannot hold the solution.
  /// \param find_size  returns its largest entry; called where it is needed
  template <class Scalar, class FindSize>
  void judge(const FindSize& find_size, double tolerance, SolveReport& report) const {
    using Limits = std::numeric_limits<Scalar>;
    constexpr double room = 1e10;
    const bool moved = report.iterations > 0;
    const bool ordinary = m_largest_step > room * static_cast<double>(Limits::min()) &&
                          m_largest_step < static_cast<double>(Limits::max()) / room;
    if (!m_scaled && (!moved || ordinary)) return;
    const double size = find_size();
    if (!std::isfinite(size)) {
      report.status = SolveStatus::breakdown_not_finite;
    } else if (report.succeeded() && moved && !holds<Scalar>(size, tolerance)) {
      report.status = SolveStatus::stagnated;
    }
  }

 private:
  bool m_scaled = false;
  double m_largest_step = 0;
};

}  // namespace Lamina::Impl
