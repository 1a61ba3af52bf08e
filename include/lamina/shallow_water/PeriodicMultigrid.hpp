// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/KernelRecord.hpp>
#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/grids/Rectangle.hpp>
#include <lamina/multigrid/impl/CycleCosts.hpp>
#include <lamina/shallow_water/PeriodicHelmholtz.hpp>
#include <lamina/shallow_water/impl/multigrid/PeriodicCycleLevel.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace Lamina {

/// A V-cycle of multigrid for `PeriodicHelmholtz`, as a preconditioner. `MultigridPeriodic` iterates it.
///
/// \par Equation
/// A cycle for A x = f from 0, with D the diagonal of A, does
///
///   x += w_k D^-1 (f - A x) for k = 1, ..., steps
///   c = the cycle of the next coarser level for P^T (f - A x);  x += P c
///   x += w_k D^-1 (f - A x) for k = steps, ..., 1
///
/// It is x = B f, with B symmetric and positive definite.
///
/// \par Levels
/// Two by two cells become one, until a single cell is left, where the equation is solved exactly. All sizes work
/// alike: the last cell of an odd number joins the pair before it. A direction with one cell stays, while the
/// other one is halved. Operators of coarser levels are such five-point operators, too. Their couplings are the
/// lengths of edges over the distances of centres, times the weights of the edges that they consist of. P is
/// linear interpolation between centres, along x and along y. Beyond walls it takes the cells before these.
///
/// \par Smoother
/// The weights are those of `PoissonMultigrid`. No eigenvalue of D^-1 A exceeds 2 whatever the weights of the
/// operator are: none is estimated.
///
/// \par Convergence
/// `FusedPcg` takes at most 6 iterations to reduce a residual by 1e-5 with two steps, and 11 for 1e-10, for any
/// size, c_x and c_y, and weights that change by a factor of 10 over several cells; with three steps 5 and 8.
///
/// \par Cost
/// From zero a cycle with two steps reads or writes 15.5 fields of the finest level, 20.5 with weights, and on
/// all coarser ones together as much as 10 of these, where both directions halve. On thin rectangles, where only
/// one of them does, that is up to 31. Each step, restriction and prolongation is a kernel. It owns a field of the
/// finest level, and six on each coarser one: together about 3 of the finest level, 7 on thin rectangles.
///
/// \par Limits
/// c_x and c_y of the operator are not negative, and weights are positive.
///
/// \par Several ranks
/// Of an operator of a `WaterStrip` all ranks work together. The result is that of one process but for rounding, for
/// any strips. A line of a coarser level belongs to the rank that owns the first of the lines that it consists of;
/// a rank may have none. A rank smooths a few lines of others with its own, which saves messages: an exchange of
/// lines of f beside the cuts, of all steps and the residual, and one of the solution of each coarser level. From
/// the first level on that has at most `gathered_cells` cells, or too few lines, each rank has all of them, and all
/// do the same. A cycle thus exchanges twice for each level above that one, once for it, and at the end the ghosts
/// of z. Each exchange sends steps + 4 lines to either side. Two more fields of the finest level are owned, three
/// with weights; r is copied.
///
/// The constructor and all calls are collective. They block the host as `HaloExchange` does.
///
/// Smoother and couplings are chosen as those of `MultigridPreconditioner`.
template <FieldScalar Scalar, MemorySpace Memory>
class PeriodicMultigrid {
 public:
  using scalar_type = Scalar;
  using memory_space = Memory;
  using Operator = PeriodicHelmholtz<Scalar, Memory>;
  using vector_type = typename Operator::vector_type;

  /// Cells of all ranks on a level, at most, that each rank has.
  static constexpr std::int64_t default_gathered_cells = 4096;

  /// Allocates scratch, and finds the couplings of all levels, see `update`. Copies share them: one solve runs
  /// at a time, on one instance.
  /// \param steps  smoothing steps before and after each coarser level, 1 to 3
  /// \param gathered_cells  >= 1, over several ranks, see above
  /// \throws InvalidArgument for other numbers of steps or cells, for c_x or c_y < 0, and where ranks have other
  ///   parameters. On several ranks it is `RankFailure` where it concerns one of them.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> PeriodicMultigrid(
      const Space& space, const Operator& op, int steps = 2,
      std::int64_t gathered_cells = default_gathered_cells);

  const Operator& finest() const { return m_operator; }
  int num_levels() const { return static_cast<int>(m_levels.size()); }
  /// The cells of a level, of all ranks; 0 is the finest.
  Rectangle rectangle(int level) const {
    return m_levels[static_cast<std::size_t>(level)].rectangle();
  }

  /// Takes the weights of the operator as they are now. Enqueued on `space`: no allocation, no fence.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory>
  void update(const Space& space) const;

  /// z = B r. Fills ghosts of z, but not its corners; those of r are not read. Enqueued on `space`: no allocation,
  /// no fence.
  /// \param r, z  vectors of `PeriodicHelmholtz::make_vector`; they must not overlap
  /// \throws InvalidArgument for wrong extents, and where r and z overlap.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory>
  void solve(const Space& space, const vector_type& r, const vector_type& z) const;

  /// Costs of the kernels of a cycle, and of `update`, level by level, of this rank. Those of coarser levels are called
  /// "Lamina::PeriodicMultigrid::level_1::..." and so on.
  std::vector<KernelCost> kernel_costs() const;
  /// Cost of one `solve`.
  KernelCost cycle_cost() const;
  /// Cost of one `update`.
  KernelCost update_cost() const;

  /// \cond
  // For models of the library: `solve` without checks. With a guard also <r, z>, in its row; where it is not
  // active, z stays as it is.
  template <class Space>
  void cycle(const Space& space, const Impl::CycleGuard<Memory>& guard,
             const Impl::GridField<const Scalar>& r, const Impl::GridField<Scalar>& z) const;
  /// \endcond

 private:
  using Input = Impl::GridField<const Scalar>;
  using Output = Impl::GridField<Scalar>;
  using Level = Impl::PeriodicCycleLevel<Scalar, Memory>;

  void take_steps(int steps, std::int64_t gathered_cells);
  void make_levels();
  /// Which lines this rank has of each level. Collective.
  void cut_levels(const Transport& transport, std::int64_t gathered_cells);
  void allocate();
  /// Lines of other ranks in fields of a level become those of their owners.
  template <class Space, class... Vectors>
  void exchange(const Space& space, const Level& level, const Vectors&... vectors) const;
  /// The weight of the operator with lines of other ranks.
  template <class Space>
  void take_weight(const Space& space) const;
  /// Lines of a vector of the operator, with their numbers in the rectangle of all ranks.
  template <class Value>
  Impl::GridField<Value> of_all(const Impl::GridField<Value>& lines) const {
    return lines.lines_from(-m_operator.strip().first_line());
  }
  int num_steps() const { return static_cast<int>(m_weights.size()); }
  /// To the level behind l.
  Impl::PeriodicTransfer<Scalar> transfer(std::size_t l) const {
    return m_levels[l].transfer(m_levels[l + 1].kernels.wraps);
  }
  Impl::CountedKernels counted_kernels(std::size_t l) const;
  KernelCost coarsening_cost(std::size_t l) const;
  template <class Space>
  void descend(const Space& space, const Impl::CycleGuard<Memory>& guard, std::size_t l,
               const Input& f, const Output& x) const;
  /// \param to  where x ends; may be x
  template <class Space>
  void ascend(const Space& space, const Impl::CycleGuard<Memory>& guard, std::size_t l,
              const Input& f, const Output& x, const Output& to, double* energy) const;

  Operator m_operator;
  std::vector<Level> m_levels;  // from the finest on
  std::vector<Scalar> m_weights;
};

}  // namespace Lamina

#include <lamina/shallow_water/impl/multigrid/PeriodicMultigrid_Impl.hpp>
