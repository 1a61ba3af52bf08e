// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/SolveReport.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/core/impl/PlanInUse.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>
#include <lamina/distributed/impl/ExchangeHalo.hpp>
#include <lamina/krylov/SweepHistory.hpp>
#include <lamina/krylov/impl/AgreedCriteria.hpp>
#include <lamina/multigrid/PoissonMultigrid.hpp>
#include <lamina/poisson/impl/PoissonPcgKernels.hpp>

#include <cmath>
#include <vector>

namespace Lamina {

/// Solves A x = b by cycles of `PoissonMultigrid`, without conjugate gradients:
///
///   while |b - A x| > max(tolerance |b|, absolute_tolerance):  x += B (b - A x)
///
/// \par Cost
/// An iteration is `PoissonMultigrid::improve`, and a look at the residual, which reads 2 fields.
/// `FusedPcg` with the same cycle moves more, but takes two thirds of the iterations. `FusedRichardson` of
/// `MultigridPoisson` has the same iterates: it begins each cycle with zero, and so moves more.
/// The solver needs no memory of its own but two scalars.
///
/// \par Several ranks
/// With a `multigrid` of several ranks the constructor and `solve` are collective. A look exchanges the halo
/// columns of x, and adds up the residual over all ranks. Halo columns of b are not read, those of x hold anything
/// before and after. All ranks report the same. `stop_requested` may answer on one rank alone; each rank
/// asks it before a look.
///
/// \par Asynchrony
/// The host looks at the residual after each iteration, or every `check_every`, and fences `space`
/// then. Residuals are those of x, not recursive. They and |b| are sums of squares in double
/// precision, which must not underflow or overflow.
///
/// \par Example
///
///   Lamina::PoissonMultigridSolver solver(space, multigrid);
///   multigrid.full_multigrid(space, b, x);
///   const auto report = solver.solve(space, b, x, {.tolerance = 1e-8});
template <FieldScalar Scalar, MemorySpace Memory>
class PoissonMultigridSolver {
 public:
  using scalar_type = Scalar;
  using memory_space = Memory;

  /// Copies `multigrid` (shallowly): they share scratch.
  template <ExecutionSpace Space>
  requires WorksIn<Space, Memory> PoissonMultigridSolver(
      const Space&, const PoissonMultigrid<Scalar, Memory>& multigrid)
      : m_multigrid(multigrid),
        m_sums("Lamina::PoissonMultigridSolver::sums"),
        m_host_sums("Lamina::PoissonMultigridSolver::host_sums") {
    if constexpr (!runs_on_host<Space>) {
      m_parts = Impl::TeamParts<Memory>("Lamina::PoissonMultigridSolver::parts");
    }
  }

  /// Solves A x = b from the initial guess in x. Statuses are those of `SweepHistory`. Makes no allocation
  /// in a Kokkos memory space.
  /// \param b, x  (nx, ny), of one layout, with the halo columns of the operator; they must not overlap
  /// \throws InvalidArgument for wrong extents, criteria out of range, b and x that overlap, and a plan that
  ///   is solving.
  template <ExecutionSpace Space, FieldOf<Scalar, Memory> Rhs, FieldOf<Scalar, Memory> Solution>
  requires WorksIn<Space, Memory> && WritableField<Solution> &&
      std::same_as<typename Rhs::array_layout, typename Solution::array_layout>
  [[nodiscard]] SolveReport solve(const Space& space, const Rhs& b, const Solution& x,
                                  const StoppingCriteria& criteria = {}) {
    const char* function = "PoissonMultigridSolver::solve";
    const auto& op = m_multigrid.finest();
    Impl::require_field(function, "b", b, op.num_columns(), op.num_levels());
    Impl::require_field(function, "x", x, op.num_columns(), op.num_levels());
    Impl::require_disjoint(function, "b", b, "x", x);
    const Impl::UseOfPlan use(function, m_in_use);
    const Impl::ProfilingRegion region("Lamina::PoissonMultigridSolver::solve");
    Impl::AgreedCriteria agreed(criteria, !m_multigrid.decomposition().reduction.empty());
    SweepHistory history(function, agreed.get());
    const double rhs_norm = norm_of_rhs(space, b);
    if (!history.start(rhs_norm)) {
      if (rhs_norm == 0) {
        Kokkos::deep_copy(space, x, Scalar(0));
        space.fence();
      }
      return history.report();
    }
    return sweep_to_the_end(
        history,
        [&] { return agreed.ask([&](bool& stop) { return residual_norm(space, b, x, stop); }); },
        [&](int count) {
          for (int n = 0; n < count; ++n) m_multigrid.improve(space, b, x);
        });
  }

  /// Costs of the kernels, by label.
  std::vector<KernelCost> kernel_costs() const {
    const double cells = m_multigrid.finest().rectangle().cells();
    std::vector<KernelCost> costs = m_multigrid.improve_kernel_costs();
    costs.push_back(
        {"Lamina::PoissonMultigridSolver::residual", 2 * cells * sizeof(Scalar), 8 * cells});
    return costs;
  }

 private:
  /// |b|. Fences `space`, as the next one does.
  template <class Space, class Rhs>
  double norm_of_rhs(const Space& space, const Rhs& b) const {
    Impl::PoissonPcgKernels<Space, Scalar>::rhs_norm(space, grid<Rhs>(), m_parts, m_sums.data(),
                                                     Impl::lines_of(b));
    bool flag = false;
    return root_of_sum(space, flag);
  }
  /// |b - A x|; `flag` as of `root_of_sum`.
  template <class Space, class Rhs, class Solution>
  double residual_norm(const Space& space, const Rhs& b, const Solution& x, bool& flag) const {
    Impl::exchange_halo(space, m_multigrid.decomposition().halo, Impl::as_field(x));
    Impl::PoissonPcgKernels<Space, Scalar>::residual_norm(
        space, grid<Rhs>(), m_parts, m_sums.data(), Impl::lines_of(b), Impl::lines_of(x));
    return root_of_sum(space, flag);
  }
  /// Of the first sum over all ranks. The same message makes `flag` true on all of them where it is true
  /// on one.
  template <class Space>
  double root_of_sum(const Space& space, bool& flag) const {
    const auto& reduction = m_multigrid.decomposition().reduction;
    if (!reduction.empty()) {
      m_host_sums(1) = flag ? 1 : 0;
      Kokkos::deep_copy(space, Kokkos::subview(m_sums, 1), Kokkos::subview(m_host_sums, 1));
      reduction.sum(space, m_sums.data(), m_sums.data(), 2);
    }
    Kokkos::deep_copy(space, m_host_sums, m_sums);
    space.fence();
    if (!reduction.empty()) flag = m_host_sums(1) > 0;
    return std::sqrt(m_host_sums(0));
  }
  template <class FieldType>
  Impl::Grid grid() const {
    return m_multigrid.finest().template grid<typename FieldType::array_layout>();
  }

  PoissonMultigrid<Scalar, Memory> m_multigrid;
  Kokkos::View<double[2], Memory> m_sums;  // of squares, and of the flags of ranks
  Kokkos::View<double[2], Kokkos::HostSpace> m_host_sums;
  Impl::TeamParts<Memory> m_parts;  // of the first sum, on a device
  Impl::PlanInUse m_in_use;
};

/// \cond
template <class Space, class Scalar, class Memory>
PoissonMultigridSolver(const Space&, const PoissonMultigrid<Scalar, Memory>&)
    -> PoissonMultigridSolver<Scalar, Memory>;
/// \endcond

}  // namespace Lamina
