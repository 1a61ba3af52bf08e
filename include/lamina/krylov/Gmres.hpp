// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/KernelRecord.hpp>
#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/SolveReport.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/core/impl/PlanInUse.hpp>
#include <lamina/distributed/Decomposition.hpp>
#include <lamina/distributed/impl/SumOfRanks.hpp>
#include <lamina/krylov/Pcg.hpp>
#include <lamina/krylov/impl/GmresHistory.hpp>
#include <lamina/krylov/impl/basis/KrylovBasis.hpp>

#include <concepts>
#include <vector>

namespace Lamina {

/// Restarted GMRES with a preconditioner on the right, for any operator that has an inverse,
/// symmetric or not.
///
/// \par Equation
///
///   cycle: r = b - A x;  v_0 = r / |r|
///          for j = 0, ..., restart - 1:
///            w = A M^-1 v_j;  h_ij = <v_i, w> for i <= j;  v_{j+1} = (w - sum h_ij v_i) / h_{j+1,j}
///            stop if min |(|r| e_1 - H y)| <= max(tolerance reference, absolute_tolerance)
///          x += M^-1 V y with the y of that minimum
///
/// The norm that falls is |b - A x|: the preconditioner does not change it. M^-1 must be linear,
/// and the same in all iterations. The flexible variant is not offered: it keeps M^-1 v_j of all
/// iterations, which nearly doubles the memory. It would save one application of M^-1 a cycle, 1 %
/// of the time for block systems with restart = 30.
///
/// \par Cost
/// Iteration j of a cycle, from 0 on, applies M^-1 and A once. It reads or writes 2 j + 5 fields
/// besides, in two passes: one for all scalar products, one for the update and its norm. The mean
/// over a cycle is restart + 4. The end of a cycle applies M^-1 and A once more.
///
/// \par Accuracy
/// The orthogonalisation is as good as modified Gram-Schmidt. That is enough for GMRES to be
/// backward stable (Paige, Rozloznik, Strakos, SIAM J. Matrix Anal. Appl. 28, 2006). Scalar
/// products are summed in double precision.
///
/// \par Workspace
/// The plan owns restart + 2 fields, or restart + 1 without a preconditioner on one process. Its
/// copies share them: one solve runs at a time, and a second one throws.
///
/// \par Asynchrony
/// Scalars stay in device memory. The host looks at them as `StoppingCriteria::check_every` says
/// (0: on a device every 4 to 16 iterations), and at the end of each cycle. What it reports does not depend on that: iterations after the one
/// that met the criteria are discarded.
///
/// \par Several ranks
/// An operator with halo columns needs a decomposition. Then the constructor and `solve` are
/// collective, and fields hold the columns of this rank, owned ones first. An iteration exchanges
/// the halo columns of M^-1 v_j before `apply`. All its scalar products are one sum over the ranks;
/// each look of the host is one more, and one more where criteria have `stop_requested`. The
/// preconditioner is given halo columns that are 0; what it leaves in those of its result does not
/// matter. Halo columns of b are not read, those of x hold anything before and after. All ranks
/// report the same. They must be given the same criteria. Residuals are those of one process to
/// rounding, for any number of ranks.
///
/// Source: Saad and Schultz (1986), "GMRES: a generalized minimal residual algorithm for solving
/// nonsymmetric linear systems"; its orthogonalisation: `impl/KrylovBasis.hpp`.
///
/// \tparam Operator  a `FieldOperator` with `apply(space, x, y)`, which leaves the halo columns of y
///   as they are
/// \tparam Preconditioner  has `solve(space, r, z)`; `IdentityPreconditioner` costs nothing
template <class Operator, class Preconditioner>
class Gmres {
 public:
  using scalar_type = typename Operator::scalar_type;
  using memory_space = typename Operator::memory_space;

  static constexpr int default_restart = 30, max_restart = 256;
  /// Most iterations from one look of the host to the next.
  static constexpr int max_check_every = StoppingCriteria::max_check_every;

  /// Allocates the workspace. Operator and preconditioner are copied (shallowly).
  /// \param restart  iterations of a cycle, 1 to `max_restart`. Longer cycles need fewer
  ///   iterations, but more memory, and more time for each iteration
  /// \param ranks  the decomposition of the columns; by default one process
  /// \throws InvalidArgument where the operator has halo columns and there is one process, where
  ///   `ranks` is that of another number of columns, and for other values of `restart`.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> Gmres(const Space& space, const Operator& op,
                                              const Preconditioner& preconditioner,
                                              int restart = default_restart,
                                              const Decomposition<memory_space>& ranks = {});

  int restart() const { return m_restart; }

  /// Solves A x = b from the initial guess in x.
  ///
  /// Residuals in the report are 2-norms of b - A x. They are recursive within a cycle, and
  /// recomputed at the end of each cycle. `residual_norm` is always recomputed. The solve ends as
  /// - `converged` when the recomputed residual meets the criteria;
  /// - `stagnated` when the cycles of the last 30 iterations, at least one cycle, have not reduced
  ///   the recomputed residual by 1e-4 of it. Then the precision allows no less, or the Krylov
  ///   space is exhausted: A is singular, or the space is too small for this system;
  /// - `breakdown_zero_pivot` when the preconditioner says so. x is untouched where it knows before
  ///   the solve, as `PointImplicitPreconditioner` does;
  /// - `breakdown_not_finite` when b, x, or the first iteration of a cycle is not finite. In the
  ///   last case x is that of the cycle before;
  /// - `diverged`, `max_iterations`, `completed` or `interrupted`, as other solvers do.
  ///
  /// Norms are safe over the whole range of the scalar type. Enqueues on `space`, and fences it at
  /// each look, hence before it returns. Makes no allocation in a Kokkos memory space.
  ///
  /// \param b, x  (num_columns, num_levels), of one layout, padded or not; they must not overlap. x
  ///   holds the initial guess and receives the solution
  /// \throws InvalidArgument for wrong extents, criteria out of range, b and x that overlap, and a
  ///   plan that is solving.
  template <ExecutionSpace Space, FieldOf<scalar_type, memory_space> Rhs,
            FieldOf<scalar_type, memory_space> Solution>
  requires WorksIn<Space, memory_space> && WritableField<Solution> &&
      std::same_as<typename Rhs::array_layout, typename Solution::array_layout>
  [[nodiscard]] SolveReport solve(const Space& space, const Rhs& b, const Solution& x,
                                  const StoppingCriteria& criteria = {});
  /// Refuses all other types.
  template <class Space, class Rhs, class Solution>
  Impl::ExpectsFieldAndWritableField<scalar_type, Impl::SameLayout, memory_space> solve(
      const Space& space, const Rhs& b, const Solution& x,
      const StoppingCriteria& criteria = {}) = delete;

  /// Costs of the kernels on the basis. A cost that depends on the iteration within a cycle is the
  /// mean over a full cycle.
  std::vector<KernelCost> kernel_costs() const;

 private:
  static constexpr bool preconditioned = !std::same_as<Preconditioner, IdentityPreconditioner>;
  using Basis = Impl::KrylovBasis<scalar_type>;
  template <class Memory>
  using Doubles = Kokkos::View<double*, Kokkos::LayoutRight, Memory>;
  using HostMemory = typename Impl::HostSideOf<memory_space>::type;

  Basis basis() const;
  template <class Layout>
  auto field(scalar_type* data) const;
  template <class Space>
  void fetch_scalars(const Space& space, int num_records) const;
  bool is_decomposed() const { return !m_ranks.halo.empty(); }
  /// How kernels add up over the ranks.
  template <class Space>
  Impl::BasisRanks<Space> basis_ranks() const;
  /// Whether something was found on one of the ranks. Fences `space` where there are several.
  template <class Space>
  bool on_any_rank(const Space& space, bool found) const {
    return Impl::sum_of_ranks(space, m_ranks.reduction, m_totals.data(), found ? 1 : 0) > 0;
  }
  /// Halo columns of a field of the plan become 0; nothing on one process.
  template <class Space, class PlanField>
  void clear_halo(const Space& space, const PlanField& of_plan) const;
  /// b as kernels read it: over ranks a copy whose halo columns are 0.
  template <class Space, class Rhs>
  auto flat_rhs(const Space& space, const Rhs& b) const;
  /// w = A M^-1 v
  template <class Space, class In, class Out>
  void apply(const Space& space, const In& v, const Out& w) const;
  template <class Space, class Rhs, class Solution>
  double compute_residual(const Space& space, const Rhs& b, const Solution& x, double expected);
  template <class Layout, class Space>
  void run_cycle(const Space& space);
  template <class Space, class Solution>
  void update_solution(const Space& space, const Solution& x);

  Operator m_operator;
  Preconditioner m_preconditioner;
  Decomposition<memory_space> m_ranks;
  int m_restart;
  std::size_t m_size, m_stride;
  Impl::PlanInUse m_in_use;
  Impl::GmresHistory m_history;
  Kokkos::View<scalar_type*, memory_space> m_vectors, m_preconditioned;
  Doubles<memory_space> m_scalars, m_lower, m_update, m_parts;
  Doubles<memory_space> m_totals;  // of sums, over ranks
  Doubles<HostMemory> m_host_scalars, m_host_update;
};

/// \cond
template <class Space, class Operator, class Preconditioner>
Gmres(const Space&, const Operator&, const Preconditioner&, int = 0)
    -> Gmres<Operator, Preconditioner>;
template <class Space, class Operator, class Preconditioner>
Gmres(const Space&, const Operator&, const Preconditioner&, int,
      const Decomposition<typename Operator::memory_space>&) -> Gmres<Operator, Preconditioner>;

template <class Operator, class Preconditioner>
requires(!FieldOperator<Operator>) class Gmres<Operator, Preconditioner>
    : public Impl::RefusesOperator<Operator> {
  using Impl::RefusesOperator<Operator>::RefusesOperator;
};
/// \endcond

}  // namespace Lamina

#include <lamina/krylov/impl/Gmres_Impl.hpp>
