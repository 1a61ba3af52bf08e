// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/PointImplicitSolver.hpp>

#include <string>

namespace Lamina {

/// Symmetric sweeps from z = 0 as a preconditioner, for `Pcg` over `solver.matrix()`, or over
/// the matrix that it was rounded from (`DefectCorrection::coloured_matrix()`): one sweep is
/// M = (D + L) D^-1 (D + U) with L and U the parts of O before and after the diagonal in the order
/// of the colours. M is symmetric positive definite where A is, which is for the user to know
/// (`asymmetry` tells the first half).
///
/// Vectors of the solve are in the order of the colours, and of `LayoutRight`.
template <class Matrix>
class PointImplicitPreconditioner {
 public:
  using scalar_type = typename Matrix::scalar_type;
  using memory_space = typename Matrix::memory_space;

  /// \param solver  is copied (shallowly)
  /// \throws InvalidArgument for fewer than one sweep.
  explicit PointImplicitPreconditioner(const PointImplicitSolver<Matrix>& solver,
                                       int num_sweeps = 1)
      : m_solver(solver), m_num_sweeps(num_sweeps) {
    LAMINA_REQUIRE(num_sweeps >= 1, "PointImplicitPreconditioner",
                   "argument num_sweeps: expected a value >= 1, got " + std::to_string(num_sweeps));
  }

  SolveStatus status() const { return m_solver.status(); }

  /// z = M^-1 r. Enqueued on `space`: no allocation, no fence.
  /// \param r, z  (rows, block_size), not overlapping
  template <ExecutionSpace Space, BlockField<scalar_type, memory_space> In,
            BlockField<scalar_type, memory_space> Out>
  requires WorksIn<Space, memory_space> && WritableField<Out>
  void solve(const Space& space, const In& r, const Out& z) const {
    const Impl::ProfilingRegion region("Lamina::PointImplicitPreconditioner::solve");
    Kokkos::deep_copy(space, z, scalar_type(0));
    m_solver.sweep(space, r, z, SweepDirection::symmetric, m_num_sweeps);
  }

 private:
  PointImplicitSolver<Matrix> m_solver;
  int m_num_sweeps;
};

}  // namespace Lamina
