// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/BlockSparseMatrix.hpp>
#include <lamina/blocks/Colouring.hpp>
#include <lamina/blocks/SmallBlock.hpp>
#include <lamina/blocks/impl/ColourSweeps.hpp>
#include <lamina/core/Concepts.hpp>
#include <lamina/core/KernelRecord.hpp>
#include <lamina/core/SolveReport.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/core/impl/PlanInUse.hpp>
#include <lamina/distributed/Decomposition.hpp>

#include <vector>

namespace Lamina {

/// The multicolour point-implicit solver for A x = b: block Gauss-Seidel in the order of the
/// colours, with all rows of a colour at once.
///
/// \par Equation
///
///   for each colour, for each row i of it:  x_i = D_i^-1 (b_i - sum over j of O_ij x_j)
///
/// One kernel does this for a colour, from the gather of x to the solve with D_i. Nothing between
/// is stored in memory. Sweeps converge for block diagonally dominant matrices, and for symmetric
/// positive definite ones.
///
/// \par Order of vectors
/// Vectors are in the user's order. Calls whose names end in `_in_colour_order` take vectors in the
/// order of the colours, as `coloured_matrix()` does, and work on them without a copy.
/// `to_colour_order` and `from_colour_order` convert. Calls in the user's order copy b and x to two
/// vectors of the plan, unless no row moves. Copies of the plan share these vectors: one such call
/// runs at a time, and a second one throws while a solve runs.
///
/// \par Memory
/// The plan holds the matrix renumbered by colour, and the diagonal blocks factored or inverted.
/// That is the memory of the matrix and 4 bytes a block, unless the matrix is in the order of its
/// colours already, and one diagonal. On devices, with explicit inverses of blocks of up to 16
/// rows, it also holds blocks and inverses in slices: in the order in which the lanes of a warp
/// load them. Sweeps over slices are faster, the more so the smaller the blocks are. The plan makes
/// no slices where their padding would double the memory, or where memory is short. Copies share
/// all of it. Values of the matrix may change by `update` only.
///
/// \par Status
/// A solve compares the smallest residual of 50 looks with that of the 50 looks before. It ends
/// - as `diverged` when that has at least doubled and is above the reference;
/// - as `stagnated` when otherwise it has not fallen by 1e-4 of it;
/// - as `diverged`, also with a fixed count, when a residual is above the reference and 1e8 times
///   the smallest one after a sweep, or at the end 1e8 times |b| and |b - A x| of the guess. x is
///   no result then.
///
/// \par CUDA graphs
/// The second sweep in a direction over the same Views b and x, and all later ones, are one launch
/// of a CUDA graph, unless a tool listens to kernels or the caller captures them. Making the graph
/// takes the host some time. The plan and its copies together remember the last 8 such sweeps.
/// Graphs stay valid after an `update`.
///
/// \par Several ranks
/// Each rank has the matrix of its own block rows, and an ordering and a pattern of
/// `LocalBlockRows`. Vectors hold `matrix.num_columns()` block rows, own ones first. Sweeps, solves
/// and norms are collective, and the same on all ranks: direction, count and criteria. In each
/// colour the rows that other ranks need, or that need theirs, are swept first. Their values travel while the other
/// rows are swept. On a CUDA device other rows wait for no message: with the transport "peer" a colour is one kernel,
/// whose first teams wait for the rows of peers and write theirs to the memory of the peers; with other transports
/// both have a stream of their own.
///
/// Sweeps give the bits of one process on CPU cores, for any partition: a row adds up its blocks in
/// the order of the colours of all ranks, and its vector instructions do not depend on its place in
/// memory. Norms agree to rounding, and are the same bits on all ranks, as are reports. Where one
/// rank asks to stop, or has a pivot that is not usable, all ranks end.
///
/// Halo rows of b are not read. Those of x hold anything before a call. After a call in the order
/// of the colours they are up to date.
///
/// \par Errors
/// All calls with Views throw `InvalidArgument` for extents other than (columns, block_size), and
/// where b and x overlap. Columns are rows, on one process.
///
/// \par Example
///
///   const auto ordering = Lamina::ColourOrdering::greedy(matrix.graph());
///   Lamina::PointImplicitSolver solver(space, matrix, ordering);
///   const auto report = solver.solve(space, b, x, {.tolerance = 1e-8});
///
/// `examples/05_block_smoother` uses it as a smoother.
///
/// Source: Zubair et al. (2016), "An optimized multicolor point-implicit solver for unstructured
/// grid applications on graphics processing units", with the right-hand side that its listing
/// leaves out.
///
/// \tparam Matrix  a `BlockSparseMatrix`
template <class Matrix>
class PointImplicitSolver {
 public:
  using scalar_type = typename Matrix::scalar_type;
  using memory_space = typename Matrix::memory_space;

  /// Renumbers the matrix, allocates, and prepares the diagonal blocks. Fences `space`.
  /// \param ordering  of the graph of the matrix; no row may be coupled with a row of its own
  ///   colour
  /// \param inverse  how the diagonal blocks are solved. The explicit inverse is fastest, because
  ///   its rows do not wait for each other. It is as accurate as the factors unless blocks are
  ///   close to singular; it is computed with pivoting. `lu` is the published form.
  /// \throws InvalidArgument where ordering and matrix do not fit together.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> PointImplicitSolver(
      const Space& space, const Matrix& matrix, const ColourOrdering& ordering,
      BlockInverse inverse = BlockInverse::inverse);

  /// The same for the rows of one of several ranks. Not collective.
  /// \param ordering  of `LocalBlockRows`
  /// \param ranks     of `LocalBlockRows::halo`, for `block_size` values per item
  /// \throws InvalidArgument also for an ordering with halo rows and one process, and where `ranks`
  ///   is that of another number of rows.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> PointImplicitSolver(
      const Space& space, const Matrix& matrix, const ColourOrdering& ordering,
      const Decomposition<memory_space>& ranks, BlockInverse inverse = BlockInverse::inverse,
      HaloUpdate halo_update = HaloUpdate::colour);

  /// Takes new values on the same graph, for the plan and its copies, as if the plan were made from
  /// `matrix`, but without analysis or allocation. Enqueued on `space`, without a fence.
  /// \throws InvalidArgument for another graph. Views of offsets and columns other than those of
  ///   the first matrix are compared with them, which fences `space`. Where no row moves, the plan
  ///   reads the blocks of the first matrix: then `matrix` must have the same Views, with new
  ///   values.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space>
  void update(const Space& space, const Matrix& matrix);

  /// The matrix in the order of the colours.
  const Matrix& coloured_matrix() const { return m_sweeps.matrix(); }
  const ColourOrdering& ordering() const { return m_sweeps.ordering(); }

  /// Whether there is a decomposition. Then calls with vectors are collective.
  bool is_decomposed() const { return m_sweeps.is_decomposed(); }

  /// `completed`, or `breakdown_zero_pivot` where a pivot of a diagonal block is not usable, see
  /// `factor_block`. Sweeps are of no use then. It is that of the rows of this rank. The first call
  /// after an `update` waits for it: it fences all instances of all spaces.
  SolveStatus status() const {
    return first_bad_row() < 0 ? SolveStatus::completed : SolveStatus::breakdown_zero_pivot;
  }
  /// The same after an `update` on `space`. Fences only that instance.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> SolveStatus status(const Space& space)
  const {
    static_cast<void>(m_sweeps.pivot_status().first_bad_row(space));
    return status();
  }
  /// The first row with such a pivot, in the user's numbering, or -1. Fences like `status()`.
  int first_bad_row() const;

  /// `sweep_in_colour_order` for vectors in the user's order.
  template <ExecutionSpace Space, BlockField<scalar_type, memory_space> Rhs,
            BlockField<scalar_type, memory_space> Solution>
  requires WorksIn<Space, memory_space> && WritableField<Solution>
  void sweep(const Space& space, const Rhs& b, const Solution& x,
             SweepDirection direction = SweepDirection::forward, int num_sweeps = 1) const;
  /// Refuses all other types.
  template <class Space, class Rhs, class Solution>
  Impl::ExpectsFieldAndWritableField<scalar_type, Kokkos::LayoutRight, memory_space> sweep(
      const Space& space, const Rhs& b, const Solution& x,
      SweepDirection direction = SweepDirection::forward, int num_sweeps = 1) const = delete;

  /// `solve_in_colour_order` for vectors in the user's order. x is complete when it returns. The host looks
  /// after every sweep, or every `check_every`: sweeps go on until it has looked.
  template <ExecutionSpace Space, BlockField<scalar_type, memory_space> Rhs,
            BlockField<scalar_type, memory_space> Solution>
  requires WorksIn<Space, memory_space> && WritableField<Solution>
  [[nodiscard]] SolveReport solve(const Space& space, const Rhs& b, const Solution& x,
                                  const StoppingCriteria& criteria = {},
                                  SweepDirection direction = SweepDirection::forward) const;
  /// Refuses all other types.
  template <class Space, class Rhs, class Solution>
  Impl::ExpectsFieldAndWritableField<scalar_type, Kokkos::LayoutRight, memory_space> solve(
      const Space& space, const Rhs& b, const Solution& x, const StoppingCriteria& criteria = {},
      SweepDirection direction = SweepDirection::forward) const = delete;

  /// Sweeps over x, one kernel a colour. Enqueued on `space`: no fence, no allocation in a Kokkos
  /// memory space, so that a CUDA graph may capture it on one process. Over ranks one kernel, or two and an exchange, a
  /// colour, or with `HaloUpdate::sweep` one kernel a colour and an exchange a sweep, and one exchange before them;
  /// see `HaloExchange` for what it blocks.
  /// \param b, x  (columns, block_size) in the order of the colours; x holds the guess
  template <ExecutionSpace Space, BlockField<scalar_type, memory_space> Rhs,
            BlockField<scalar_type, memory_space> Solution>
  requires WorksIn<Space, memory_space> && WritableField<Solution>
  void sweep_in_colour_order(const Space& space, const Rhs& b, const Solution& x,
                             SweepDirection direction = SweepDirection::forward,
                             int num_sweeps = 1) const;
  /// Refuses all other types.
  template <class Space, class Rhs, class Solution>
  Impl::ExpectsFieldAndWritableField<scalar_type, Kokkos::LayoutRight, memory_space>
  sweep_in_colour_order(const Space& space, const Rhs& b, const Solution& x,
                        SweepDirection direction = SweepDirection::forward,
                        int num_sweeps = 1) const = delete;

  /// Sweeps until |b - A x| <= max(tolerance reference, absolute_tolerance) in the 2-norm, see
  /// `StoppingCriteria`, or for a fixed count. A is `coloured_matrix()`, with O as it is stored.
  /// Where O was rounded, x solves the rounded system; `DefectCorrection` solves the original one.
  ///
  /// Enqueued on `space`, and fenced at each look at the residual, hence before it returns. A look
  /// costs a pass over the matrix; `check_every` = 0 looks after every sweep. The history of the
  /// report has |b - A x| / reference after each sweep with a look; iterations are sweeps. Norms
  /// are right over the whole range of `scalar_type`. Where b = 0, x becomes 0. Where |b| is not
  /// finite or a pivot is not usable, x stays as it is. No allocation in a Kokkos memory space.
  ///
  /// \param b, x  as for `sweep_in_colour_order`
  /// \throws InvalidArgument for wrong extents and criteria out of range.
  template <ExecutionSpace Space, BlockField<scalar_type, memory_space> Rhs,
            BlockField<scalar_type, memory_space> Solution>
  requires WorksIn<Space, memory_space> && WritableField<Solution>
  [[nodiscard]] SolveReport solve_in_colour_order(
      const Space& space, const Rhs& b, const Solution& x, const StoppingCriteria& criteria = {},
      SweepDirection direction = SweepDirection::forward) const;
  /// Refuses all other types.
  template <class Space, class Rhs, class Solution>
  Impl::ExpectsFieldAndWritableField<scalar_type, Kokkos::LayoutRight, memory_space>
  solve_in_colour_order(const Space& space, const Rhs& b, const Solution& x,
                        const StoppingCriteria& criteria = {},
                        SweepDirection direction = SweepDirection::forward) const = delete;

  /// |b - A x|. Fences `space`. Over ranks it reads the halo rows of x.
  template <ExecutionSpace Space, BlockField<scalar_type, memory_space> Rhs,
            BlockField<scalar_type, memory_space> Solution>
  requires WorksIn<Space, memory_space>
  double residual_norm_in_colour_order(const Space& space, const Rhs& b, const Solution& x) const;

  /// x_i = D_i^-1 b_i for all rows: the second half of a sweep by itself. x may be b. Enqueued on
  /// `space`: no allocation, no fence.
  template <ExecutionSpace Space, BlockField<scalar_type, memory_space> Rhs,
            BlockField<scalar_type, memory_space> Solution>
  requires WorksIn<Space, memory_space> && WritableField<Solution>
  void solve_diagonal_in_colour_order(const Space& space, const Rhs& b, const Solution& x) const;

  /// Copies rows from the user's order to that of the colours, and back. Enqueued on `space`: no
  /// allocation, no fence.
  template <ExecutionSpace Space, BlockField<scalar_type, memory_space> From,
            BlockField<scalar_type, memory_space> To>
  requires WorksIn<Space, memory_space> && WritableField<To>
  void to_colour_order(const Space& space, const From& from, const To& to) const;
  template <ExecutionSpace Space, BlockField<scalar_type, memory_space> From,
            BlockField<scalar_type, memory_space> To>
  requires WorksIn<Space, memory_space> && WritableField<To>
  void from_colour_order(const Space& space, const From& from, const To& to) const;

  /// Bytes and flops of one forward or backward sweep. The gather of x is not counted, because
  /// caches may serve it; an offset counts as 4 bytes.
  KernelCost sweep_cost() const;
  /// The same for a look at the residual.
  KernelCost residual_cost() const;
  /// What one launch of each kernel costs. That of a sweep is the mean over its colours.
  std::vector<KernelCost> kernel_costs() const;
  /// Bytes and flops of an update.
  KernelCost update_cost() const { return m_sweeps.update_cost(); }

  /// \cond
  // For solvers of the library. Types of `Impl` may change at any time.
  const Impl::ColourSweeps<Matrix>& colour_sweeps() const { return m_sweeps; }
  /// \endcond

 private:
  bool moves_rows() const { return m_coloured_b.size() > 0; }

  Impl::ColourSweeps<Matrix> m_sweeps;
  Impl::PlanInUse m_in_use;  // by calls in the user's order
  // b and x of calls in the user's order; none where no row moves
  Kokkos::View<scalar_type**, Kokkos::LayoutRight, memory_space> m_coloured_b, m_coloured_x;
};

}  // namespace Lamina

#include <lamina/blocks/impl/PointImplicitSolver_Impl.hpp>
