// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/KernelRecord.hpp>
#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/impl/RequireDisjoint.hpp>
#include <lamina/distributed/Decomposition.hpp>
#include <lamina/grids/LocalRectangle.hpp>
#include <lamina/grids/Rectangle.hpp>
#include <lamina/multigrid/impl/CycleCosts.hpp>
#include <lamina/multigrid/impl/poisson/GridCycleKernels.hpp>
#include <lamina/multigrid/impl/poisson/GridStrips.hpp>
#include <lamina/multigrid/impl/poisson/PoissonLevel.hpp>
#include <lamina/poisson/PoissonOperator.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace Lamina {

/// Multigrid for `PoissonOperator`: a V-cycle as a preconditioner, and full multigrid as a solver to the
/// accuracy of the equation. `MultigridPoisson` and `PoissonMultigridSolver` iterate it.
///
/// \par Equation
/// A cycle for A x = f from x, with D the diagonal of A, does
///
///   x += w_k D^-1 (f - A x) for k = 1, ..., steps
///   c = the cycle of the next coarser level for P^T (f - A x), from 0;  x += P c
///   x += w_k D^-1 (f - A x) for k = steps, ..., 1
///
/// From x = 0 it is x = B f, with B symmetric and positive definite.
///
/// \par Levels
/// Every other point of each direction stays, beginning with the second one, until a single point is left,
/// where the equation is solved exactly. All numbers of points work alike: behind the last point of an even number the
/// distance to the wall stays as it is, and couplings there follow from distances and sides of cells. Operators of
/// coarser levels are such five-point operators, P is bilinear interpolation. A direction with one point stays,
/// while the other one is halved.
///
/// \par Smoother
/// The weights are those of Chebyshev polynomials of the first kind on [1/2, 2], [1/3, 2] and [1/5, 2] for 1,
/// 2 and 3 steps. No eigenvalue of D^-1 A exceeds 2: none is estimated.
///
/// \par Convergence
/// `Pcg` and `FusedPcg` take at most 6 iterations to reduce a residual by 1e-6 with two steps, and 8 for 1e-10, for
/// any number of points. A cycle by itself reduces it by a factor of 0.15, with three steps of 0.07.
///
/// \par Full multigrid
/// `full_multigrid` solves the coarsest level first. Each finer one starts with the interpolated
/// solution of the one before, and takes one cycle. That leaves about 0.6 of the discretisation
/// error of a smooth solution, with three steps 0.2: an iteration to more digits would not bring x
/// closer to the solution of the differential equation. Its residual is 0.1 of the right-hand side,
/// all of it rough.
///
/// \par Cost
/// All that a cycle does on a level before or after the coarser ones is one pass over memory: from zero it reads
/// or writes 5.5 fields of the finest level, and a third of that on all others. `improve` also reads x: 6.5
/// fields. Full multigrid costs 1.6 of a cycle from zero. On a device of one process one team takes the coarsest
/// levels in one kernel.
/// It owns a field, and three on each coarser level.
///
/// \par Example
///
///   const Lamina::PoissonOperator<double, Memory> op(n);
///   const Lamina::PoissonMultigrid<double, Memory> multigrid(space, op);
///   multigrid.full_multigrid(space, b, x);
///
/// \par Several ranks
/// All ranks work together on strips of one rectangle, as `LocalRectangle` cuts them. The result is that of one
/// process but for rounding, for any strips. A point of a coarser level belongs to the rank that owns the point of
/// the finer one that it is; a rank may have none. A rank smooths a few columns of others with its own, which
/// saves messages: an exchange of columns of f beside the cuts, of all steps and the residual, and one of the
/// solution of each coarser level. From the first coarser level on that has at most `gathered_points` points,
/// each rank has all of them, and all do the same. A cycle thus exchanges twice for each level above that
/// one. Each exchange sends 3, 4 or 6 columns to either side with 1, 2 or 3 steps.
///
/// Fields are those of the operator: owned columns i, then halo columns, which are neither read nor written. The
/// right-hand side is copied, x where it is read or of `LayoutLeft`. Two more fields are owned.
///
/// All calls are collective. They block the host as `HaloExchange` does.
template <FieldScalar Scalar, MemorySpace Memory>
class PoissonMultigrid {
 public:
  using scalar_type = Scalar;
  using memory_space = Memory;

  /// Points of all ranks on a coarser level, at most, that each rank has.
  static constexpr std::int64_t default_gathered_points = 4096;

  /// Allocates scratch for `space`. Copies share it: one solve runs at a time, on one instance.
  /// \param steps  smoothing steps before and after each coarser level, 1 to 3
  /// \throws InvalidArgument for other numbers of steps, and for an operator with halo columns.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> PoissonMultigrid(const Space& space,
                                                   const PoissonOperator<Scalar, Memory>& op,
                                                   int steps = 2);

  /// Over several ranks. Collective.
  /// \param op     the operator of `local`
  /// \param local  the strip of this rank, as `local_rectangle` makes it
  /// \param gathered_points  >= 1, see above
  /// \throws InvalidArgument also for an operator of other columns, for a strip of several ranks on one rank, and
  ///   where ranks have strips of different rectangles, or other parameters. On several ranks it is `RankFailure` where it concerns one of them.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> PoissonMultigrid(
      const Space& space, const Transport& transport, const PoissonOperator<Scalar, Memory>& op,
      const LocalRectangle& local, int steps = 2,
      std::int64_t gathered_points = default_gathered_points);

  /// Bytes in `Memory` of the scratch of one process.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory>
  static double required_bytes(const Space& space, const Rectangle& rectangle);

  const PoissonOperator<Scalar, Memory>& finest() const { return m_operator; }
  int num_levels() const { return static_cast<int>(m_levels.size()); }
  /// How fields of the operator are exchanged; empty on one process.
  const Decomposition<Memory>& decomposition() const { return m_ranks; }
  /// The points of a level, of all ranks; 0 is the finest.
  Rectangle rectangle(int level) const {
    const Level& of_level = m_levels[static_cast<std::size_t>(level)];
    return {of_level.x.count, of_level.y.count};
  }

  /// z = B r. Enqueued on `space`: no allocation, no fence.
  /// \param r,  z  (nx, ny), of one layout, with the halo columns of the operator; they must not overlap
  /// \throws InvalidArgument for wrong extents, and where r and z overlap. So do the other calls.
  template <ExecutionSpace Space, FieldOf<Scalar, Memory> In, FieldOf<Scalar, Memory> Out>
  requires WorksIn<Space, Memory> && WritableField<Out> &&
      std::same_as<typename In::array_layout, typename Out::array_layout>
  void solve(const Space& space, const In& r, const Out& z) const {
    check("PoissonMultigrid::solve", "r", r, "z", z);
    const Impl::ProfilingRegion region("Lamina::PoissonMultigrid::solve");
    cycle(space, {}, r, z);
  }
  /// Refuses all other types.
  template <class Space, class In, class Out>
  Impl::ExpectsFieldAndWritableField<Scalar, Impl::SameLayout, Memory> solve(
      const Space& space, const In& r, const Out& z) const = delete;

  /// x += B (b - A x), a cycle. Enqueued on `space`: no allocation, no fence.
  template <ExecutionSpace Space, FieldOf<Scalar, Memory> In, FieldOf<Scalar, Memory> Out>
  requires WorksIn<Space, Memory> && WritableField<Out> &&
      std::same_as<typename In::array_layout, typename Out::array_layout>
  void improve(const Space& space, const In& b, const Out& x) const {
    check("PoissonMultigrid::improve", "b", b, "x", x);
    const Impl::ProfilingRegion region("Lamina::PoissonMultigrid::improve");
    on_lines(space, {}, b, x, true,
             [&]<class Layout>(Layout, const Input& f, const Input& guess, const Output& to) {
               descend<Layout>(space, {}, 0, f, guess, {}, to);
             });
  }

  /// x is the solution of A x = b to the accuracy of the equation: a pass of full multigrid, whatever x was.
  /// Enqueued on `space`: no allocation, no fence.
  template <ExecutionSpace Space, FieldOf<Scalar, Memory> In, FieldOf<Scalar, Memory> Out>
  requires WorksIn<Space, Memory> && WritableField<Out> &&
      std::same_as<typename In::array_layout, typename Out::array_layout>
  void full_multigrid(const Space& space, const In& b, const Out& x) const;

  /// Costs of the kernels of a cycle from zero, level by level, of this rank. Those of coarser levels are called
  /// "Lamina::PoissonMultigrid::level_1::..." and so on. A kernel that is called with more or fewer
  /// fields has the mean cost of its calls.
  std::vector<KernelCost> kernel_costs() const { return kernel_costs(Start::zero); }
  /// The same of `improve`, whose kernels on the finest level differ.
  std::vector<KernelCost> improve_kernel_costs() const { return kernel_costs(Start::guess); }
  /// Cost of one `solve`.
  KernelCost cycle_cost() const;
  /// Cost of one `improve`.
  KernelCost improve_cost() const;
  /// Cost of one `full_multigrid`.
  KernelCost full_multigrid_cost() const;

  /// \cond
  // For models of the library: `solve` without checks. With a guard also <r, z>, in its row; where it is not
  // active, z stays as it is.
  template <class Space, class In, class Out>
  void cycle(const Space& space, const Impl::CycleGuard<Memory>& guard, const In& r,
             const Out& z) const {
    on_lines(space, guard, r, z, false,
             [&]<class Layout>(Layout, const Input& f, const Input& zero, const Output& to) {
               descend<Layout>(space, guard, 0, f, zero, {}, to);
             });
  }
  /// \endcond

 private:
  using Storage = Kokkos::View<Scalar*, Memory>;
  using Input = Impl::GridField<const Scalar>;
  using Output = Impl::GridField<Scalar>;
  using Level = Impl::PoissonLevel<Scalar, Memory>;
  using Start = Impl::CycleStart;

  static std::vector<Level> make_levels(const Rectangle& rectangle);
  /// From which level on one team of a device takes them all; their number where there is none.
  static int first_level_of_team(const std::vector<Level>& levels);
  void take_weights(int steps);
  /// Which columns this rank has of each level. Collective.
  void cut_levels(const Transport& transport, const LocalRectangle& local,
                  std::int64_t gathered_points);
  template <class Space>
  void allocate(const Space& space);
  /// Lines of fields that stand for columns of a level. One process may have lines along them: all of them.
  Impl::GridSpan lines_of(const Impl::GridSpan& columns) const {
    return m_ranks.halo.empty() ? Impl::GridSmoothing<Scalar>::all_lines : columns;
  }
  Impl::CountedKernels counted_kernels(std::size_t l, Start start) const;
  /// Of the restriction of a right-hand side to the next coarser level, for full multigrid.
  KernelCost restriction_cost(std::size_t l) const;
  std::vector<KernelCost> kernel_costs(Start start) const;
  /// Adds the cost of a cycle from level `l` on.
  void add_cycle(std::size_t l, Start start, KernelCost& sum) const;
  void add_full_multigrid(std::size_t l, KernelCost& sum) const;
  template <class In, class Out>
  void check(const char* function, const char* b_name, const In& b, const char* x_name,
             const Out& x) const;
  /// work(layout, f, x, to) with lines of b and x, of several ranks with columns of others, too.
  /// \param reads_x  otherwise x has no values
  template <class Space, class In, class Out, class Work>
  void on_lines(const Space& space, const Impl::CycleGuard<Memory>& guard, const In& b,
                const Out& x, bool reads_x, const Work& work) const;
  /// Columns of other ranks in fields of a level become those of their owners.
  template <class Space, class... Storages>
  void exchange(const Space& space, const Level& level, const Storages&... fields) const;
  /// The cycle from this level on, from x + P c; c is of the next coarser level. Without values they are 0.
  template <class Layout, class Space>
  void descend(const Space& space, const Impl::CycleGuard<Memory>& guard, int l, const Input& f,
               const Input& x, const Input& c, const Output& to) const;
  /// The levels from `m_team_level` on: solution = B rhs on the first of them, or its solution.
  template <class Layout, class Space>
  void run_levels_of_team(const Space& space, const Impl::CycleGuard<Memory>& guard,
                          bool full) const;
  template <class Layout, class Space>
  void start_with_all_levels(const Space& space, const Input& b, const Output& x) const;
  template <class Layout, class Space>
  void smooth(const Space& space, const Impl::CycleGuard<Memory>& guard, const Level& level,
              const Impl::GridSmoothing<Scalar>& smoothing) const;

  PoissonOperator<Scalar, Memory> m_operator;
  Decomposition<Memory> m_ranks;
  int m_first_column = 0;       // of this rank
  std::vector<Level> m_levels;  // from the finest on
  std::vector<Scalar> m_weights;
  Storage m_lines;  // of workers on CPU cores
  int m_num_workers = 0;
  int m_team_level = 0;  // on a device: the first one of those that one team takes, or none
};

}  // namespace Lamina

#include <lamina/multigrid/impl/poisson/PoissonMultigrid_Impl.hpp>
