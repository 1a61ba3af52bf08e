// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/Colouring.hpp>
#include <lamina/blocks/SmallBlock.hpp>
#include <lamina/blocks/impl/BlockKernels.hpp>
#include <lamina/blocks/impl/RankNorms.hpp>
#include <lamina/blocks/impl/slices/BlockSlices.hpp>
#include <lamina/blocks/impl/slices/RemoteRowTables.hpp>
#include <lamina/blocks/impl/values/DiagonalFactors.hpp>
#include <lamina/core/KernelRecord.hpp>
#include <lamina/device/impl/LaunchGraph.hpp>
#include <lamina/device/impl/SideInstance.hpp>
#include <lamina/distributed/Decomposition.hpp>

#include <memory>
#include <vector>

namespace Lamina::Impl {

/// A block system in the order of its colours, prepared for sweeps. `PointImplicitSolver` and the
/// solvers on top of it check arguments, look at residuals and report; this is what they run.
/// Vectors are in the order of the colours and fit the matrix. Copies share all memory.
template <class Matrix>
class ColourSweeps {
 public:
  using scalar_type = typename Matrix::scalar_type;
  using memory_space = typename Matrix::memory_space;
  using Vector = BlockVector<scalar_type>;
  using ConstVector = BlockVector<const scalar_type>;
  /// Everything that the kernels of one sweep depend on.
  struct Sweep {
    const char* label;
    ConstVector b;
    Vector x;
    SweepDirection direction;
    int num_rhs = 1;
    Vector work{};  // see `RowTask`
    bool operator==(const Sweep&) const = default;
  };

  /// See the constructors of `PointImplicitSolver`. Makes no slices. Fences `space`.
  template <class Space>
  ColourSweeps(const Space& space, const Matrix& matrix, const ColourOrdering& ordering,
               const Decomposition<memory_space>& ranks, BlockInverse inverse,
               HaloUpdate halo_update);
  /// Makes slices on a device, unless memory is short. Sweeps work without them, so whatever they
  /// cannot do without is allocated before. Fences `space`.
  template <class Space>
  void make_slices(const Space& space);
  /// See `PointImplicitSolver::update`. `function` is the name of the caller in messages.
  template <class Space>
  void update(const char* function, const Space& space, const Matrix& matrix) const;
  KernelCost update_cost() const;

  const Matrix& matrix() const { return m_matrix; }
  const ColourOrdering& ordering() const { return m_ordering; }
  bool is_decomposed() const { return !m_ranks.halo.empty(); }
  bool has_slices() const { return m_slices.exist(); }
  const PivotStatus<memory_space>& pivot_status() const { return m_factors.status(); }
  const RankNorms<memory_space>& rank_norms() const { return m_norms; }
  /// Kernels of a forward sweep, without those of messages.
  int num_kernels() const;

  /// Updates the halo rows of x. On one process they are always up to date.
  template <class Space, class Solution>
  void update_halo(const Space& space, const Solution& x) const;
  /// Sweeps where the halo rows of x are up to date, and keeps them so.
  template <class Space, class Rhs, class Solution>
  void sweep(const Space& space, const Rhs& b, const Solution& x, SweepDirection direction,
             int num_sweeps) const;
  /// Sweeps of one process.
  template <class Space>
  void run_sweeps(const Space& space, const Sweep& work, int num_sweeps) const;
  template <class Space>
  void solve_diagonal(const Space& space, const ConstVector& b, const Vector& x) const;

  /// |b| over all ranks. `flag`: see `RankNorms`. Fences `space`.
  template <class Space>
  double norm(const Space& space, const ConstVector& b, bool& flag) const;
  /// |b - A x| over all ranks.
  template <class Space>
  double residual_norm(const Space& space, const ConstVector& b, const ConstVector& x,
                       bool& flag) const;

  /// Copies rows of `num_values` values from the user's order to that of the colours, or back.
  template <class Space>
  void renumber(const char* label, const Space& space, int num_values, const ConstVector& from,
                const Vector& to, bool back) const;

 private:
  using Task = RowTask<scalar_type>;
  template <class Space>
  using Kernels = BlockKernels<Space, scalar_type, typename Matrix::off_diagonal_type>;
  using Graphs = LaunchGraphs<typename memory_space::execution_space, Sweep>;

  Task task_of(const Sweep& work) const;
  /// Calls on_colour(colour) in the order of a sweep.
  template <class OnColour>
  void for_each_colour(SweepDirection direction, const OnColour& on_colour) const;
  template <class Space>
  void run_sweep(const Space& space, const Sweep& work, LaunchGraph<Space>* graph) const;
  /// A sweep with messages, and sweeps through a `HaloWindow`.
  template <class Space, class Solution>
  void sweep_with_messages(const Space& space, const Sweep& work, const Solution& x) const;
  template <class Space, class Solution>
  void sweep_through_window(const Space& space, const Sweep& work, const Solution& x,
                            int num_sweeps) const;
  /// One kernel of the rows of a colour, which waits for those of peers and sends what they need. Returns
  /// whether there is one.
  template <class Space>
  bool sweep_and_send(const Space& space, const Sweep& work, int colour) const;
  /// Runs the task over the groups [first, last) of a colour, and prepares it for the next kernel. The only group
  /// of a colour is all its rows; over ranks the first one ends at `ColourOrdering::boundary_end`.
  template <class Space>
  void sweep_groups(const char* label, const Space& space, Task& task, int first, int last,
                    LaunchGraph<Space>* graph) const;
  /// Warps to a slice in a kernel of a colour.
  template <class Space>
  int splits(const Space& space, int colour) const;
  /// Groups of a colour.
  int groups() const { return is_decomposed() ? 2 : 1; }
  template <class Space>
  double task_norm(const Space& space, const Task& task, bool& flag) const;

  Matrix m_matrix;
  bool m_copied;  // the plan has its own copy of the blocks
  ColourOrdering m_ordering;
  std::vector<int> m_first_rows;  // of each group, and their end
  Kokkos::View<int*, memory_space> m_old_rows;
  DiagonalFactors<scalar_type, memory_space> m_factors;
  BlockSlices<scalar_type, typename Matrix::off_diagonal_type, memory_space> m_slices;
  Decomposition<memory_space> m_ranks;
  RemoteRowTables<scalar_type, memory_space> m_remote_rows;
  RankNorms<memory_space> m_norms;
  HaloUpdate m_halo_update;
  SideInstance<typename memory_space::execution_space> m_side;  // for what is sent
  std::shared_ptr<Graphs> m_graphs = std::make_shared<Graphs>();
};

}  // namespace Lamina::Impl

#include <lamina/blocks/impl/ColourSweeps_Impl.hpp>
#include <lamina/blocks/impl/ColourSweeps_Ranks.hpp>
