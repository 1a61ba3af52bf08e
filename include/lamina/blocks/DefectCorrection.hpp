// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/PointImplicitSolver.hpp>
#include <lamina/core/impl/PlanInUse.hpp>

#include <string>
#include <vector>

namespace Lamina {

/// Solves A x = b to the precision of A by sweeps over a rounded matrix A'. Residuals use A,
/// corrections use A'.
///
/// \par Equation
///
///   r = b - A x;   d = some sweeps over A' d = r from d = 0;   x += d
///
/// A correction reduces the error as its sweeps do, but by no more than about 1 / (K e), with K the
/// condition of A and e the rounding of A'. Where K e is near 1 or above, the solve ends as
/// `stagnated` or `diverged`: A' needs more digits.
///
/// \par Cost
/// Sweeps read the float or half values of A'. A is read at looks at the residual only. Bytes of n
/// sweeps and one look, for blocks of nb rows off the diagonal, with A in double: nb^2 (4 n + 8)
/// where A' is in float, nb^2 (2 n + 8) in half. Sweeps and looks with A alone take nb^2 (8 n + 8).
///
/// \par Memory
/// The plan owns A in the order of the colours, unless A is in that order already, and two vectors.
/// Its copies share them: one solve runs at a time, and a second one throws. Values of both
/// matrices may change by `update` only.
///
/// \par Several ranks
/// With a solver over ranks, solves are collective as those of `PointImplicitSolver`, with the bits
/// of one process for a fixed count.
///
/// \par Errors
/// All calls with Views throw `InvalidArgument` for extents other than (columns, block_size), and
/// where b and x overlap. Columns are rows, on one process.
///
/// \par Example
///
///   auto a = BlockSparseMatrix<double, double, Memory>::split(space, offsets, columns, blocks);
///   PointImplicitSolver solver(space, a.rounded_to_float(space), ordering);
///   DefectCorrection correction(space, a, solver);
///   solver.to_colour_order(space, user_b, b);
///   auto report = correction.solve_in_colour_order(space, b, x, criteria);
///   solver.from_colour_order(space, x, user_x);
///
/// Source: Stetter (1978), "The defect correction principle and discretization methods". With a
/// direct solver in place of sweeps it is Wilkinson's iterative refinement.
///
/// \tparam Matrix   a `BlockSparseMatrix`, whose `off_diagonal_type` is that of A
/// \tparam Rounded  the same for A'
template <class Matrix, class Rounded>
class DefectCorrection {
  static_assert(std::is_same_v<typename Matrix::scalar_type, typename Rounded::scalar_type> &&
                    std::is_same_v<typename Matrix::memory_space, typename Rounded::memory_space>,
                "DefectCorrection: expected two matrices of one scalar type in one memory space");

 public:
  using scalar_type = typename Matrix::scalar_type;
  using memory_space = typename Matrix::memory_space;

  /// Renumbers the matrix and allocates. Fences `space`.
  /// \param matrix  A, in the user's numbering
  /// \param solver  of A'; is copied (shallowly)
  /// \throws InvalidArgument where their rows, columns, blocks or block sizes differ in number.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> DefectCorrection(
      const Space& space, const Matrix& matrix, const PointImplicitSolver<Rounded>& solver);

  /// Takes new values of A, in the user's numbering and on the same graph. Values of A' are updated
  /// by `update` of the solver. No allocation. Throws and fences as that call does.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space>
  void update(const Space& space, const Matrix& matrix);

  /// A in the order of the colours.
  const Matrix& coloured_matrix() const { return m_matrix; }
  const PointImplicitSolver<Rounded>& solver() const { return m_solver; }
  /// The status of the solver.
  SolveStatus status() const { return m_solver.status(); }

  /// Corrects x until |b - A x| <= max(tolerance reference, absolute_tolerance) in the 2-norm, or
  /// for a fixed count of sweeps. A is `coloured_matrix()`. Each look at the residual makes a
  /// correction of `check_every` sweeps; 0 means one sweep. Everything else, with statuses and
  /// report, is as in `PointImplicitSolver::solve_in_colour_order`.
  /// \param b, x  (columns, block_size) in the order of the colours; x holds the initial guess
  /// \throws InvalidArgument for wrong extents, criteria out of range and a plan that is solving.
  template <ExecutionSpace Space, BlockField<scalar_type, memory_space> Rhs,
            BlockField<scalar_type, memory_space> Solution>
  requires WorksIn<Space, memory_space> && WritableField<Solution>
  [[nodiscard]] SolveReport solve_in_colour_order(
      const Space& space, const Rhs& b, const Solution& x, const StoppingCriteria& criteria = {},
      SweepDirection direction = SweepDirection::forward) const;

  /// |b - A x|. Fences `space`. Over ranks it reads the halo rows of x.
  template <ExecutionSpace Space, BlockField<scalar_type, memory_space> Rhs,
            BlockField<scalar_type, memory_space> Solution>
  requires WorksIn<Space, memory_space>
  double residual_norm_in_colour_order(const Space& space, const Rhs& b, const Solution& x) const;

  /// Bytes and flops of a correction without its sweeps: the residual, and x += d. The gather of x
  /// is not counted; an offset counts as 4 bytes.
  KernelCost correction_cost() const;
  /// What one launch of each kernel costs, without those of `solver()`.
  std::vector<KernelCost> kernel_costs() const;

 private:
  using Vector = Kokkos::View<scalar_type**, Kokkos::LayoutRight, memory_space>;
  using Task = Impl::RowTask<scalar_type>;
  template <class Space>
  double norm(const char* label, const Space& space, const Task& task, bool& flag) const;
  template <class FieldType>
  void require(const char* function, const char* argument, const FieldType& field) const;

  Matrix m_matrix;
  bool m_copied = false;  // the plan has its own copy of the blocks
  PointImplicitSolver<Rounded> m_solver;
  Impl::PlanInUse m_in_use;
  Vector m_residual, m_correction;
};

}  // namespace Lamina

#include <lamina/blocks/impl/DefectCorrection_Impl.hpp>
