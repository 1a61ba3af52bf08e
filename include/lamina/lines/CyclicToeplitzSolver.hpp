// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/KernelRecord.hpp>
#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/impl/RequireDisjoint.hpp>
#include <lamina/lines/impl/CyclicToeplitzKernels.hpp>

#include <concepts>
#include <vector>

namespace Lamina {

/// Solves a cyclic tridiagonal system with constant coefficients in every column:
///
///   off x(c, k-1) + diagonal x(c, k) + off x(c, k+1) = rhs(c, k),   levels k modulo their number,
///   |diagonal| > 2 |off|
///
/// For 2 or 1 levels both neighbours are the same level, or the level itself, and their terms add
/// up.
///
/// \par Method
/// The matrix is K (1 - r E)(1 - r E^-1). E takes the value of the level before, and |r| < 1 solves
/// off (1 + r^2) + diagonal r = 0. So x follows from one recurrence upwards and one downwards:
///
///   c(k) = rhs(k)/K + r c(k-1),  x(k) = c(k) + r x(k+1)
///
/// The influence of a starting value fades like |r|^k. Each piece of a column starts `reach()`
/// levels before its own levels: there the error of a wrong starting value has fallen below
/// rounding. No piece waits for another one, and there is no system for the ends of a period. The
/// result is exact to rounding for every number of levels, which may be less than `reach()`. On x86-64
/// cores numbers below the normal range of the precision count as zero: far from a right-hand side x is full
/// of them, and they are slow.
///
/// \par Cost
/// rhs is read and x written once. Pieces read the ends of their neighbours again.
template <FieldScalar Scalar>
class CyclicToeplitzSolver {
 public:
  using scalar_type = Scalar;

  /// The longest reach that is accepted. It needs |diagonal| > 2.11 |off| in double precision, and
  /// 2.05 |off| in single precision.
  static constexpr int max_reach = 128;

  /// \throws InvalidArgument unless |diagonal| > 2 |off|, by enough for `max_reach`.
  CyclicToeplitzSolver(double off, double diagonal);

  double ratio() const { return m_factors.ratio; }  ///< r
  int reach() const { return m_factors.reach; }

  /// x = A^-1 rhs in every column. Enqueued on `space`: no allocation, no fence.
  /// \param rhs, x  (num_columns, num_levels), of one layout; must not overlap
  template <ExecutionSpace Space, Field Rhs, Field Solution>
  requires WritableField<Solution> && FieldOf<Rhs, Scalar, typename Space::memory_space> &&
      FieldOf<Solution, Scalar, typename Space::memory_space> &&
      std::same_as<typename Rhs::array_layout, typename Solution::array_layout>
  void solve(const Space& space, const Rhs& rhs, const Solution& x) const {
    const auto columns = static_cast<int>(rhs.extent(0)), levels = static_cast<int>(rhs.extent(1));
    Impl::require_field("CyclicToeplitzSolver::solve", "x", x, columns, levels);
    Impl::require_disjoint("CyclicToeplitzSolver::solve", "rhs", rhs, "x", x);
    const Impl::ProfilingRegion region("Lamina::CyclicToeplitzSolver::solve");
    Impl::CyclicToeplitzKernels<Space, Scalar>::solve(
        "Lamina::CyclicToeplitzSolver::solve", space, m_factors, Impl::LinesShape{columns, levels},
        Impl::levels_contiguous<typename Rhs::array_layout>,
        Impl::LineCombination<Scalar>{Impl::lines_of(rhs), Scalar(1), Impl::lines_of(x)});
  }

  /// What one `solve` costs.
  std::vector<KernelCost> kernel_costs(int num_columns, int num_levels) const;

  /// \cond
  // For kernels and models of the library. Types of `Impl` may change at any time.

  /// The factors as kernels capture them.
  const Impl::ToeplitzFactors& factors() const { return m_factors; }
  /// \endcond

 private:
  Impl::ToeplitzFactors m_factors;
};

}  // namespace Lamina
