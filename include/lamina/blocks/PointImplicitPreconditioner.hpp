// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/PointImplicitSolver.hpp>
#include <lamina/core/impl/RequireDisjoint.hpp>

#include <string>

namespace Lamina {

/// Sweeps from z = 0 as a preconditioner for `solver.coloured_matrix()`, or for the matrix that it
/// was rounded from (`DefectCorrection::coloured_matrix()`).
///
/// L and U are the parts of O before and after the diagonal in the order of the colours. One sweep
/// is
///
///   symmetric: M = (D + L) D^-1 (D + U);  forward: M = D + L;  backward: M = D + U
///
/// `Pcg` needs symmetric sweeps. Their M is symmetric positive definite where A is. `asymmetry`
/// checks whether A is symmetric; that it is positive definite is for the user to know. For `Gmres`
/// a sweep in one direction is enough, at half the cost.
///
/// Over several ranks M is that of one process: the order of the colours is that of all ranks.
///
/// Vectors are of `LayoutRight`, in the order that the constructor was told: the user's order for
/// an operator in that order, or the order of the colours for `solver.coloured_matrix()`, which
/// saves copies.
template <class Matrix>
class PointImplicitPreconditioner {
 public:
  using scalar_type = typename Matrix::scalar_type;
  using memory_space = typename Matrix::memory_space;

  /// \param solver  is copied (shallowly)
  /// \param order  of the vectors of the operator: `VectorOrder::colour` for
  ///   `solver.coloured_matrix()`. With the wrong order a solve still converges, but slowly
  /// \throws InvalidArgument for fewer than one sweep.
  PointImplicitPreconditioner(const PointImplicitSolver<Matrix>& solver, VectorOrder order,
                              SweepDirection direction = SweepDirection::symmetric,
                              int num_sweeps = 1)
      : m_solver(solver), m_order(order), m_direction(direction), m_num_sweeps(num_sweeps) {
    LAMINA_REQUIRE(num_sweeps >= 1, "PointImplicitPreconditioner",
                   "argument num_sweeps: expected a value >= 1, got " + std::to_string(num_sweeps));
  }

  SolveStatus status() const { return m_solver.status(); }
  /// The same, see `PointImplicitSolver::status`.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> SolveStatus status(const Space& space)
  const { return m_solver.status(space); }

  /// z = M^-1 r. Enqueued on `space`: no allocation, no fence. Collective over ranks.
  /// \param r, z  (columns, block_size)
  /// \throws InvalidArgument for other extents, and where r and z overlap.
  template <ExecutionSpace Space, BlockField<scalar_type, memory_space> In,
            BlockField<scalar_type, memory_space> Out>
  requires WorksIn<Space, memory_space> && WritableField<Out>
  void solve(const Space& space, const In& r, const Out& z) const {
    const Impl::ProfilingRegion region("Lamina::PointImplicitPreconditioner::solve");
    Impl::require_disjoint_vectors("PointImplicitPreconditioner::solve", m_solver.coloured_matrix(),
                                   "r", r, "z", z);
    Kokkos::deep_copy(space, z, scalar_type(0));
    if (m_order == VectorOrder::user) {
      m_solver.sweep(space, r, z, m_direction, m_num_sweeps);
    } else {
      // Halo rows of z are up to date: they are 0.
      m_solver.colour_sweeps().sweep(space, r, z, m_direction, m_num_sweeps);
    }
  }
  /// Refuses all other types.
  template <class Space, class In, class Out>
  Impl::ExpectsFieldAndWritableField<scalar_type, Kokkos::LayoutRight, memory_space> solve(
      const Space& space, const In& r, const Out& z) const = delete;

 private:
  PointImplicitSolver<Matrix> m_solver;
  VectorOrder m_order;
  SweepDirection m_direction;
  int m_num_sweeps;
};

}  // namespace Lamina
