// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/PointImplicitSolver.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace Lamina {

/// Several vectors of a block system, (block row, right-hand side, component) of `LayoutRight`:
/// each block row holds those of all right-hand sides, one after the other, so that whoever gathers
/// one gathers all. `Kokkos::subview(x, Kokkos::ALL, r, Kokkos::ALL)` is the `BlockField` of one.
template <class V, class Scalar, class Memory>
concept BlockFields = static_cast<bool>(Kokkos::is_view<V>::value) &&
                      (static_cast<int>(V::rank) == 3) &&
                      std::same_as<typename V::non_const_value_type, Scalar>&& std::same_as<
                          typename V::array_layout,
                          Kokkos::LayoutRight>&& std::same_as<typename V::memory_space, Memory>;

/// A View whose values may be written.
template <class V>
concept WritableView = !std::is_const_v<typename V::value_type>;

/// Point-implicit sweeps for several right-hand sides at once, A X = B.
///
/// A sweep reads the matrix once for all m right-hand sides. It moves the bytes of
/// `PointImplicitSolver::sweep_cost` and 3 (m - 1) vectors more. On devices this holds with
/// explicit inverses of blocks of up to 16 rows, for up to 8 right-hand sides at a time, or up to 4
/// for blocks of 6 and 7 rows. Otherwise devices run products and solves with the diagonal as
/// separate kernels, which move another 2 m vectors.
///
/// Vectors are in the user's order; the plan owns b, x and a vector of q for all right-hand sides.
/// Copies share them: one call at a time, another one throws while a solve runs. It sees each
/// `update` of the solver.
///
/// \tparam Matrix  a `BlockSparseMatrix`
template <class Matrix>
class MultiRhsPointImplicitSolver {
 public:
  using scalar_type = typename Matrix::scalar_type;
  using memory_space = typename Matrix::memory_space;

  /// Allocates.
  /// \param solver   is copied (shallowly)
  /// \param max_rhs  most right-hand sides of a call
  /// \throws InvalidArgument for max_rhs < 1, and for a solver over several ranks.
  MultiRhsPointImplicitSolver(const PointImplicitSolver<Matrix>& solver, int max_rhs);

  int max_rhs() const { return m_max_rhs; }

  /// Sweeps over x. Enqueued on `space`: no allocation, no fence.
  /// \param b, x  (rows, m, block_size), 1 <= m <= max_rhs; x holds the guess
  /// \throws InvalidArgument for other extents, gaps within a block row, and where b and x overlap.
  template <ExecutionSpace Space, BlockFields<scalar_type, memory_space> Rhs,
            BlockFields<scalar_type, memory_space> Solution>
  requires WorksIn<Space, memory_space> && WritableView<Solution>
  void sweep(const Space& space, const Rhs& b, const Solution& x,
             SweepDirection direction = SweepDirection::forward, int num_sweeps = 1) const;

  /// Sweeps until the solve of each right-hand side has ended, as that of
  /// `PointImplicitSolver::solve` alone does, by its own residuals. Enqueued on `space`, and fenced
  /// at each look. A look costs a pass over the matrix for all of them; those that have ended are
  /// swept further with the others, but their x is what it was when they ended. `on_check` is told
  /// the largest relative residual; `stop_requested` is asked once a look, and ends all.
  /// No allocation in a Kokkos memory space.
  /// \return the report of each
  /// \param b, x  as for `sweep`
  /// \throws InvalidArgument as `sweep` does, for criteria out of range and a plan that is solving.
  template <ExecutionSpace Space, BlockFields<scalar_type, memory_space> Rhs,
            BlockFields<scalar_type, memory_space> Solution>
  requires WorksIn<Space, memory_space> && WritableView<Solution>
  [[nodiscard]] std::vector<SolveReport> solve(
      const Space& space, const Rhs& b, const Solution& x, const StoppingCriteria& criteria = {},
      SweepDirection direction = SweepDirection::forward) const;

  /// Bytes and flops of a forward or backward sweep for m right-hand sides that reads the matrix
  /// once.
  KernelCost sweep_cost(int num_rhs) const;

 private:
  using Task = Impl::RowTask<scalar_type>;
  using Vector = Impl::BlockVector<scalar_type>;
  /// One solve: where the right-hand sides of the user are, and how far each has come.
  template <class Space>
  class Solve;

  template <class Rhs, class Solution>
  void require(const char* function, const Rhs& b, const Solution& x) const;
  /// Stride of the rows of the plan's vectors. On devices it allows to load two values at once.
  std::int64_t row_stride(int num_rhs) const;
  /// b, x and q of the plan for m right-hand sides.
  Vector own(int vector, int num_rhs) const;
  template <class Space>
  void renumber(const Space& space, int num_values,
                const Impl::BlockVector<const scalar_type>& from, const Vector& to,
                bool back) const;
  template <class Space>
  void sweep_own(const Space& space, int num_rhs, SweepDirection direction, int num_sweeps) const;
  template <class Space>
  void run(const char* label, const Space& space, const Task& task) const;

  PointImplicitSolver<Matrix> m_solver;
  Impl::PlanInUse m_in_use;
  int m_max_rhs;
  // (3, rows, row_stride(max_rhs)): b, x and q
  Kokkos::View<scalar_type***, Kokkos::LayoutRight, memory_space> m_own;
};

}  // namespace Lamina

#include <lamina/blocks/impl/MultiRhsPointImplicitSolver_Impl.hpp>
