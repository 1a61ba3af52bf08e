// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/grids/LocalRectangle.hpp>
#include <lamina/grids/Rectangle.hpp>
#include <lamina/problems/impl/ProblemKernels.hpp>

namespace Lamina {

/// The error of a field at the points.
struct PoissonError {
  double l2 = 0;    ///< sqrt(h^2 sum of e^2)
  double linf = 0;  ///< max |e|; NaN where a value is NaN
};

/// The test problem -Laplace u = f on the rectangle 0 < x < 1, 0 < y < L with u = 0 on its boundary,
/// at the points x_i = (i + 1) h, y_j = (j + 1) h, h = 1 / (nx + 1), L = (ny + 1) h:
///
///   u = sin^2(pi x) sin^2(pi y / L)
///   f = -2 pi^2 (cos(2 pi x) sin^2(pi y / L) + sin^2(pi x) cos(2 pi y / L) / L^2)
///
/// The right-hand side for `PoissonOperator` is b = h^2 f.
///
/// Made from a `LocalRectangle`, it is that of the whole rectangle at the points of one rank. Fields
/// then have halo columns, too, which are neither read nor written.
///
/// Source: Wang et al. (2012), eqs. (5), (6), where L = 1.
template <MemorySpace Memory>
class PoissonProblem {
 public:
  /// Allocates tables of nx and ny values, and fences all instances of all spaces.
  /// \throws InvalidArgument for a rectangle without points.
  explicit PoissonProblem(const Rectangle& rectangle);
  /// On the unit square, at n x n points.
  explicit PoissonProblem(int n) : PoissonProblem(Rectangle::square(n)) {}
  /// At the points of one rank.
  explicit PoissonProblem(const LocalRectangle& local);

  /// The points of this rank.
  const Rectangle& rectangle() const { return m_rectangle; }
  double mesh_width() const { return m_mesh_width; }

  /// b = h^2 f. Enqueued on `space`: no allocation, no fence.
  /// \param b  (nx, ny), or with halo columns
  template <ExecutionSpace Space, Field Rhs>
  requires WorksIn<Space, Memory> && std::same_as<typename Rhs::memory_space, Memory> &&
      WritableField<Rhs>
  void fill_rhs(const Space& space, const Rhs& b) const {
    Impl::require_field("PoissonProblem::fill_rhs", "b", b, m_num_columns, m_rectangle.ny);
    using Scalar = typename Rhs::value_type;
    Impl::ProblemKernels<Space, Scalar>::fill_rhs(space, tables<Rhs>(), Impl::lines_of(b));
  }

  /// The error of x, at the points of this rank. Fences `space`.
  /// \param x  (nx, ny), or with halo columns
  template <ExecutionSpace Space, Field Solution>
  requires WorksIn<Space, Memory> && std::same_as<typename Solution::memory_space, Memory>
      PoissonError error(const Space& space, const Solution& x)
  const {
    Impl::require_field("PoissonProblem::error", "x", x, m_num_columns, m_rectangle.ny);
    using Scalar = typename Solution::non_const_value_type;
    const auto sums =
        Impl::ProblemKernels<Space, Scalar>::error(space, tables<Solution>(), Impl::lines_of(x));
    return {.l2 = mesh_width() * sums.norm, .linf = sums.largest};
  }

 private:
  /// \param first  the first column of this rank
  void make_tables(const Rectangle& whole, int first);

  template <class FieldType>
  Impl::ProblemTables<Memory> tables() const {
    const bool along_j = Impl::levels_contiguous<typename FieldType::array_layout>;
    return {mesh_width(), along_j ? m_y : m_x, along_j ? m_x : m_y};
  }

  Rectangle m_rectangle;
  int m_num_columns;
  double m_mesh_width;
  Impl::ProblemTable<Memory> m_x, m_y;
};

}  // namespace Lamina
