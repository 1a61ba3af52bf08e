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
#include <lamina/device/impl/TeamSums_Device.hpp>
#include <lamina/krylov/impl/PcgHistory.hpp>

#include <concepts>
#include <vector>

namespace Lamina {

/// y = A x for fields of a layout, e.g. `HelmholtzOperator`.
template <class Operator, class Space, class In, class Out>
concept LinearOperator = requires(const Operator& op, const Space& space, In x, Out y) {
  op.apply(space, x, y);
};

/// M z = r solved for z, e.g. `LinePreconditioner` or `LineSolver`.
template <class Preconditioner, class Space, class In, class Out>
concept LinearSolver = requires(const Preconditioner& m, const Space& space, In r, Out z) {
  m.solve(space, r, z);
};

/// No preconditioning: z = r.
struct IdentityPreconditioner {
  template <ExecutionSpace Space, Field In, Field Out>
  void solve(const Space& space, const In& r, const Out& z) const {
    Kokkos::deep_copy(space, z, r);
  }
};

/// Preconditioned conjugate gradients over any symmetric positive definite operator and
/// preconditioner, from separate operations. The plain twin of `FusedPcg`:
///
///   r = b - A x, z = M^-1 r, p = z, kappa = <r, z>
///   loop: q = A p;  alpha = kappa / <p, q>;  x += alpha p;  r -= alpha q;
///         stop if |r| <= max(tolerance |b|, absolute_tolerance);
///         z = M^-1 r;  beta = <r, z> / kappa;  p = z + beta p
///
/// 18 fields are read or written per iteration where operator and preconditioner move 2 each, and
/// 14 with `IdentityPreconditioner`, where z is r. The plan owns r, z, p, q, which its copies
/// share: one solve at a time, another one throws. Operator and preconditioner see these alone, and
/// the first image that of x. Scalars stay in device memory; the host looks at the residual as
/// `StoppingCriteria::check_every` says, and what it reports does not depend on that.
///
/// \tparam Operator  has `scalar_type`, `memory_space`, `num_owned()`, `num_columns()`, `num_levels()`,
///   `apply(space, x, y)`; all of its columns must be owned.
template <class Operator, class Preconditioner>
class Pcg {
 public:
  using scalar_type = typename Operator::scalar_type;
  using memory_space = typename Operator::memory_space;

  /// Most iterations between two looks of the host.
  static constexpr int max_check_every = Impl::PcgHistory<memory_space>::max_check_every;

  /// Allocates the workspace. Operator and preconditioner are copied (shallowly).
  /// \throws InvalidArgument where the operator has halo columns.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> Pcg(const Space& space, const Operator& op,
                                            const Preconditioner& preconditioner);

  /// Solves A x = b from the initial guess in x.
  ///
  /// Enqueues on `space` and fences it at each look at the residual, hence before it returns; makes
  /// no allocation in a Kokkos memory space. With Kokkos Kernels before 4.0, whose scalar
  /// products, taken on CPU cores, and sparse products take no instance, these run on the default
  /// instance of `Space`.
  ///
  /// \param b, x  (num_columns, num_levels), of one layout, padded or not, not overlapping; x holds the
  ///   initial guess and receives the solution. After `breakdown_not_finite` and `diverged` x is not
  ///   usable.
  /// \throws InvalidArgument for wrong extents, criteria out of range, b and x that overlap and a plan
  ///   that is solving.
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

  /// Costs of the level-1 operations. Scalar products of one and of two vectors bear one label:
  /// theirs is the mean over an iteration.
  std::vector<KernelCost> kernel_costs() const;

 private:
  static constexpr bool preconditioned = !std::same_as<Preconditioner, IdentityPreconditioner>;

  /// r = b - A x, p = 0; z is lost
  template <class Space, class Rhs, class Solution>
  void start(const Space& space, const Rhs& b, const Solution& x) const;
  /// One pass, with the fields of the plan in the layout of x.
  template <class Space, class Solution>
  void run_pass(const Space& space, const FusedStep<memory_space>& step, const Solution& x) const;

  /// A vector of the plan as a field.
  template <class Layout>
  Impl::FieldView<scalar_type, Layout, memory_space> field(
      const Kokkos::View<scalar_type*, memory_space>& storage) const {
    return Impl::FieldView<scalar_type, Layout, memory_space>(
        storage.data(), static_cast<std::size_t>(m_operator.num_columns()),
        static_cast<std::size_t>(m_operator.num_levels()));
  }

  Operator m_operator;
  Preconditioner m_preconditioner;
  Impl::PlanInUse m_in_use;
  Impl::PcgHistory<memory_space> m_history;
  Kokkos::View<scalar_type*, memory_space> m_residual, m_preconditioned, m_direction, m_image;
  Kokkos::View<scalar_type*, memory_space> m_coefficients;
  Impl::TeamParts<memory_space> m_parts;  // of scalar products; none where they need none
};

}  // namespace Lamina

#include <lamina/krylov/impl/Pcg_Impl.hpp>
