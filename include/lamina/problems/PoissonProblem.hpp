// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/problems/impl/ProblemKernels.hpp>

namespace Lamina {

/// The error of a field at the points.
struct PoissonError {
  double l2 = 0;    ///< sqrt(h^2 sum of e^2)
  double linf = 0;  ///< max |e|; NaN where a value is NaN
};

/// The test problem -Laplace u = f on the unit square with u = 0 on its boundary, at the points
/// x_i = (i + 1) h, y_j = (j + 1) h, h = 1 / (n + 1), 0 <= i, j < n:
///
///   u = sin^2(pi x) sin^2(pi y)
///   f = -2 pi^2 (cos(2 pi x) sin^2(pi y) + sin^2(pi x) cos(2 pi y))
///
/// The right-hand side for `PoissonOperator` is b = h^2 f.
///
/// Source: Wang et al. (2012), eqs. (5), (6).
template <MemorySpace Memory>
class PoissonProblem {
 public:
  /// Allocates tables of n values, and fences all instances of all spaces.
  /// \throws InvalidArgument for n < 1.
  explicit PoissonProblem(int n);

  int size() const { return m_tables.size; }
  double mesh_width() const { return 1.0 / (m_tables.size + 1); }

  /// b = h^2 f. Enqueued on `space`: no allocation, no fence.
  /// \param b  (n, n)
  template <ExecutionSpace Space, Field Rhs>
  requires WorksIn<Space, Memory> && std::same_as<typename Rhs::memory_space, Memory> &&
      WritableField<Rhs>
  void fill_rhs(const Space& space, const Rhs& b) const {
    Impl::require_field("PoissonProblem::fill_rhs", "b", b, size(), size());
    using Scalar = typename Rhs::value_type;
    Impl::ProblemKernels<Space, Scalar>::fill_rhs(space, m_tables, Impl::lines_of(b));
  }

  /// The error of x. Fences `space`.
  /// \param x  (n, n)
  template <ExecutionSpace Space, Field Solution>
  requires WorksIn<Space, Memory> && std::same_as<typename Solution::memory_space, Memory>
      PoissonError error(const Space& space, const Solution& x)
  const {
    Impl::require_field("PoissonProblem::error", "x", x, size(), size());
    using Scalar = typename Solution::non_const_value_type;
    const auto sums =
        Impl::ProblemKernels<Space, Scalar>::error(space, m_tables, Impl::lines_of(x));
    return {.l2 = mesh_width() * sums.norm, .linf = sums.largest};
  }

 private:
  Impl::ProblemTables<Memory> m_tables;
};

}  // namespace Lamina
