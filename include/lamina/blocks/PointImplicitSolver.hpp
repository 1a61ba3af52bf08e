// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/BlockSparseMatrix.hpp>
#include <lamina/blocks/Colouring.hpp>
#include <lamina/blocks/SmallBlock.hpp>
#include <lamina/blocks/impl/BlockSlices.hpp>
#include <lamina/blocks/impl/PivotStatus.hpp>
#include <lamina/core/Concepts.hpp>
#include <lamina/core/KernelRecord.hpp>
#include <lamina/core/SolveReport.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/core/impl/PlanInUse.hpp>
#include <lamina/device/impl/LaunchGraph.hpp>

#include <memory>
#include <string>
#include <vector>

namespace Lamina {

/// In which order a sweep takes the colours. A symmetric sweep is a forward one and a backward one;
/// the last colour, which would be taken twice in a row with the same result, is taken once.
enum class SweepDirection { forward, backward, symmetric };

template <class Matrix>
class MultiRhsPointImplicitSolver;

/// The multicolour point-implicit solver for A x = b: block Gauss-Seidel in the order of the
/// colours, all rows of a colour at once.
///
///   for each colour, for each row i of it:  x_i = D_i^-1 (b_i - sum over j of O_ij x_j)
///
/// One kernel does this for a colour, from the gather of x to the solve with D_i; nothing between
/// travels through memory. Sweeps converge for block diagonally dominant matrices, and for
/// symmetric positive definite ones.
///
/// The plan holds the matrix renumbered by colour, and the diagonal blocks factored or inverted:
/// memory of the matrix once more and 4 bytes a block, unless it is in the order of its colours
/// already, plus one diagonal. On devices, for blocks of up to 16 rows and explicit inverses, it
/// holds blocks and inverses once more, in slices: in the order in which the lanes of a warp load
/// them, which is faster the smaller the blocks are. It does without where slices would take more
/// than twice the room of what is in them, or memory is short. Values of the matrix may change with
/// an `update` only.
///
/// Vectors are in the user's order, but for calls whose names end in `_in_colour_order`, and for
/// `coloured_matrix()`: these work on the vectors of the caller as they are, without a copy.
/// `to_colour_order` and `from_colour_order` lead there and back. Calls in the user's order copy b
/// and x to two vectors of the plan, which are not there where no row moves. Copies share what the
/// plan holds, these vectors too: one such call at a time, another one throws while a solve runs.
/// All calls with Views throw `InvalidArgument` for extents other than (rows, block_size), and where
/// b and x overlap.
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
  /// \param ordering  of the graph of the matrix; no row may be coupled with one of its own colour
  /// \param inverse   how the diagonal blocks are solved with. The explicit inverse is fastest, as
  ///   its rows do not wait for each other, and as accurate as the factors where blocks are not
  ///   close to singular; it is computed with pivoting. `lu` is the published form.
  /// \throws InvalidArgument where ordering and matrix do not fit together.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> PointImplicitSolver(
      const Space& space, const Matrix& matrix, const ColourOrdering& ordering,
      BlockInverse inverse = BlockInverse::inverse);

  /// New values on the same graph: as if the plan were made from `matrix`, without analysis or
  /// allocation, for the plan and its copies. Copies the blocks to the order of the colours, if they
  /// were copied before, prepares those of the diagonal, and fills the slices. Enqueued on `space`,
  /// without a fence; CUDA graphs of sweeps stay valid.
  /// \throws InvalidArgument for another graph: other Views of offsets and columns than those of the
  ///   first matrix are compared with them, which fences `space`. Where no row moves, the plan reads
  ///   the blocks of the first matrix: its Views are expected, with new values in them.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space>
  void update(const Space& space, const Matrix& matrix);

  /// The matrix in the order of the colours, as its vectors are.
  const Matrix& coloured_matrix() const { return m_matrix; }
  const ColourOrdering& ordering() const { return m_ordering; }

  /// `completed`, or `breakdown_zero_pivot` where a pivot of a diagonal block is not usable, see
  /// `factor_block`: sweeps then are of no use. The first look after an `update` waits for it: it
  /// fences all instances of all spaces, or, in a solve, the one of the solve.
  SolveStatus status() const {
    return first_bad_row() < 0 ? SolveStatus::completed : SolveStatus::breakdown_zero_pivot;
  }
  /// The same after an `update` on `space`, for which it fences that alone.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> SolveStatus status(const Space& space)
  const {
    static_cast<void>(m_pivot_status.first_bad_row(space));
    return status();
  }
  /// The first row with such a pivot as the user numbers it, or -1. Fences like `status`.
  int first_bad_row() const;

  /// `sweep_in_colour_order` and `solve_in_colour_order` for vectors in the user's order; a solve
  /// has written x when it returns.
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

  /// Sweeps over x, one kernel a colour. Enqueued on `space`: no allocation in a Kokkos memory
  /// space, no fence, so that a CUDA graph may capture it. From the second sweep in a direction
  /// over the same b and x on, whatever is in them, its kernels come as one CUDA graph of our own
  /// where nothing listens to them or captures them; making it takes the host some time. The plan
  /// and its copies together remember the last 8 such sweeps.
  /// \param b, x  (rows, block_size) in the order of the colours; x holds the guess that the first
  ///   sweep begins with
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
  /// `StoppingCriteria`, or for a fixed count. A is `coloured_matrix()`, with O as it is stored: where
  /// that was rounded, x solves the rounded system, and `DefectCorrection` solves the one that it was
  /// rounded from.
  ///
  /// Enqueued on `space`, and fenced at each look at the residual, hence before it returns. A look
  /// costs a pass over the matrix; `check_every` = 0 has one after every sweep. The history of the
  /// report is |b - A x| over the reference after each sweep that was looked at; iterations are
  /// sweeps. Norms are right over the whole range of `scalar_type`. Where b = 0, x becomes 0; where
  /// |b| is not finite or a pivot is not usable, x stays as it is. No allocation in a Kokkos memory
  /// space.
  ///
  /// The solve ends as `stagnated` when the smallest residual of 50 looks is not below the smallest
  /// of the 50 looks before by 1e-4 of it, unless that has at least doubled and is above the
  /// reference: then as `diverged`. It is `diverged`, too, with a fixed count as well, when a
  /// residual is above the reference and 1e8 times the smallest one after a sweep so far, or at the
  /// end 1e8 times |b| and |b - A x| of the guess. x is no result then.
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

  /// |b - A x|. Fences `space`.
  template <ExecutionSpace Space, BlockField<scalar_type, memory_space> Rhs,
            BlockField<scalar_type, memory_space> Solution>
  requires WorksIn<Space, memory_space>
  double residual_norm_in_colour_order(const Space& space, const Rhs& b, const Solution& x) const;

  /// x_i = D_i^-1 b_i for all rows: the second half of a sweep, apart. Enqueued on `space`: no
  /// allocation, no fence. x may be b.
  template <ExecutionSpace Space, BlockField<scalar_type, memory_space> Rhs,
            BlockField<scalar_type, memory_space> Solution>
  requires WorksIn<Space, memory_space> && WritableField<Solution>
  void solve_diagonal_in_colour_order(const Space& space, const Rhs& b, const Solution& x) const;

  /// Rows in the user's numbering to the order of the colours, and back. Enqueued on `space`: no
  /// allocation, no fence.
  template <ExecutionSpace Space, BlockField<scalar_type, memory_space> From,
            BlockField<scalar_type, memory_space> To>
  requires WorksIn<Space, memory_space> && WritableField<To>
  void to_colour_order(const Space& space, const From& from, const To& to) const;
  template <ExecutionSpace Space, BlockField<scalar_type, memory_space> From,
            BlockField<scalar_type, memory_space> To>
  requires WorksIn<Space, memory_space> && WritableField<To>
  void from_colour_order(const Space& space, const From& from, const To& to) const;

  /// Bytes and flops of one forward or backward sweep. The gather of x, which caches may or may not
  /// serve, is not counted, and an offset as 4 bytes.
  KernelCost sweep_cost() const;
  /// The same of a look at the residual.
  KernelCost residual_cost() const;
  /// What one launch of each kernel costs: of a sweep, in the mean over its colours.
  std::vector<KernelCost> kernel_costs() const;
  /// Bytes and flops of an update.
  KernelCost update_cost() const;

 private:
  friend class MultiRhsPointImplicitSolver<Matrix>;

  bool moves_rows() const { return m_coloured_b.size() > 0; }
  using Task = Impl::RowTask<scalar_type>;
  template <class Space>
  void run(const char* label, const Space& space, const Task& task,
           Impl::LaunchGraph<Space>* graph = nullptr) const;
  template <class Space>
  void allocate(const Space& space);
  template <class Space>
  void make_slices(const Space& space);
  template <class Space>
  void prepare_diagonal(const Space& space, const Impl::DiagonalBlocks<scalar_type>& diagonal);
  /// What the kernels of one sweep depend on.
  struct Sweep {
    const char* label;
    Impl::BlockVector<const scalar_type> b;
    Impl::BlockVector<scalar_type> x;
    SweepDirection direction;
    int num_rhs = 1;
    Impl::BlockVector<scalar_type> work{};  // see `RowTask`

    bool operator==(const Sweep&) const = default;
  };
  using DefaultSpace = typename memory_space::execution_space;
  template <class Space>
  void run_sweeps(const Space& space, const Sweep& work, int num_sweeps) const;
  template <class Space>
  void run_sweep(const Space& space, const Sweep& work, Impl::LaunchGraph<Space>* graph) const;
  /// The task of all colours; the next one follows this one.
  template <class Space>
  void sweep_colour(const char* label, const Space& space, Task& task, int colour,
                    Impl::LaunchGraph<Space>* graph) const;
  template <class Space>
  double norm(const Space& space, const Task& task) const;
  template <class FieldType>
  void require(const char* function, const char* argument, const FieldType& field) const;
  /// Both, and that they do not overlap.
  template <class From, class To>
  void require(const char* function, const char* name_from, const From& from, const char* name_to,
               const To& to) const;

  Matrix m_matrix;
  ColourOrdering m_ordering;
  BlockInverse m_inverse;
  bool m_copied = false;  // the matrix, from the user's
  int m_num_slots = 0;    // blocks that are prepared at a time
  Impl::PivotStatus<memory_space> m_pivot_status;
  // Of all rows as `diagonal`, and of slots
  Kokkos::View<scalar_type***, Kokkos::LayoutLeft, memory_space> m_factors, m_scratch;
  // (block_size, rows), for inverses (block_size, slots)
  Kokkos::View<int**, Kokkos::LayoutLeft, memory_space> m_pivots;
  Kokkos::View<int*, memory_space> m_old_rows;
  Impl::PlanInUse m_in_use;  // by calls in the user's order
  // b and x of calls in the user's order; none where no row moves
  Kokkos::View<scalar_type**, Kokkos::LayoutRight, memory_space> m_coloured_b, m_coloured_x;
  Impl::BlockSlices<scalar_type, typename Matrix::off_diagonal_type, memory_space> m_slices;
  std::shared_ptr<Impl::LaunchGraphs<DefaultSpace, Sweep>> m_graphs =
      std::make_shared<Impl::LaunchGraphs<DefaultSpace, Sweep>>();
};

}  // namespace Lamina

#include <lamina/blocks/impl/PointImplicitSolver_Impl.hpp>
#include <lamina/blocks/impl/PointImplicitSolver_Order.hpp>
#include <lamina/blocks/impl/PointImplicitSolver_Update.hpp>
