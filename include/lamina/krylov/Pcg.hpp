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
#include <lamina/distributed/Decomposition.hpp>
#include <lamina/krylov/impl/ScaledSolve.hpp>

#include <concepts>
#include <vector>

namespace Lamina {

/// What solvers ask of the type of an operator: the scalar and the memory space of its fields, and
/// their extents. `num_owned()` columns are solved for, `num_columns()` include halo columns.
template <class Operator>
concept FieldOperator = FieldScalar<typename Operator::scalar_type> &&
    MemorySpace<typename Operator::memory_space> && requires(const Operator& op) {
  { op.num_owned() } -> std::convertible_to<int>;
  { op.num_columns() } -> std::convertible_to<int>;
  { op.num_levels() } -> std::convertible_to<int>;
};

/// y = A x for fields of one layout, for example by `HelmholtzOperator`.
template <class Operator, class Space, class In, class Out>
concept LinearOperator = requires(const Operator& op, const Space& space, In x, Out y) {
  op.apply(space, x, y);
};

/// Solves M z = r for z, for example by `LinePreconditioner` or `LineSolver`.
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

namespace Impl {

/// The base of a solver for an operator that is none: one message instead of a page of them.
template <class Operator>
struct RefusesOperator {
  static constexpr bool is_operator = FieldOperator<Operator>;
  static_assert(
      is_operator,
      "expected an operator with scalar_type (float or double), memory_space, num_owned(), "
      "num_columns() and num_levels(), see FieldOperator");

  template <class... Arguments>
  explicit RefusesOperator(const Arguments&...) {}
  template <class... Arguments>
  SolveReport solve(const Arguments&...) {
    return {};
  }
};

}  // namespace Impl

/// Preconditioned conjugate gradients from separate operations, for any symmetric positive definite
/// operator and preconditioner. It is the plain twin of `FusedPcg`.
///
/// \par Equation
///
///   r = b - A x, z = M^-1 r, p = z, kappa = <r, z>
///   loop: q = A p;  alpha = kappa / <p, q>;  x += alpha p;  r -= alpha q;
///         stop if |r| <= max(tolerance |b|, absolute_tolerance);
///         z = M^-1 r;  beta = <r, z> / kappa;  p = z + beta p
///
/// \par Cost
/// An iteration reads or writes 18 fields where operator and preconditioner move 2 each, and 14
/// with `IdentityPreconditioner`, where z is r.
///
/// \par Workspace
/// The plan owns r, z, p and q. Its copies share them: one solve runs at a time, and a second one
/// throws. Operator and preconditioner are called with these vectors only, except that the first A
/// x reads the x of the caller.
///
/// \par Asynchrony
/// Scalars stay in device memory. The host looks at the residual as `StoppingCriteria::check_every`
/// says; where that is 0, on a device every 4 to 16 iterations, because those after the end cost as much as
/// others. What it reports does not depend on that.
///
/// \par Example
///
///   Lamina::Pcg pcg(space, op, preconditioner);
///   const auto report = pcg.solve(space, b, x, {.tolerance = 1e-8});
///
/// `examples/08_own_operator` has an operator of a user.
///
/// \par Several ranks
/// An operator with halo columns needs a decomposition. Then the constructor and `solve` are
/// collective, and fields hold the columns of this rank, owned ones first. An iteration exchanges the
/// halo columns of p before `apply`, and adds up scalars over all ranks twice. The preconditioner is
/// applied to the columns of each rank. Halo columns of b are not read, those of x hold anything
/// before and after. All ranks report the same. They must be given the same criteria.
///
/// \tparam Operator  a `FieldOperator` with `apply(space, x, y)`, which leaves the halo columns of y
///   as they are
/// \tparam Preconditioner  has `solve(space, r, z)`
template <class Operator, class Preconditioner>
class Pcg {
 public:
  using scalar_type = typename Operator::scalar_type;
  using memory_space = typename Operator::memory_space;

  /// Most iterations from one look of the host to the next.
  static constexpr int max_check_every = StoppingCriteria::max_check_every;

  /// Allocates the workspace. Operator and preconditioner are copied (shallowly).
  /// \param ranks  the decomposition of the columns; by default one process
  /// \throws InvalidArgument where the operator has halo columns and there is one process, and where
  ///   `ranks` is that of another number of columns.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> Pcg(const Space& space, const Operator& op,
                                            const Preconditioner& preconditioner,
                                            const Decomposition<memory_space>& ranks = {});

  /// Solves A x = b from the initial guess in x.
  ///
  /// Enqueues on `space`, and fences it at each look at the residual, hence before it returns.
  /// Makes no allocation in a Kokkos memory space. Kokkos Kernels before 4.0 takes no instance for
  /// scalar products on CPU cores and for sparse products: these run on the default instance of
  /// `Space`.
  ///
  /// \param b, x  (num_columns, num_levels), of one layout, padded or not; they must not overlap. x
  ///   holds the initial guess and receives the solution. It is not usable after
  ///   `breakdown_not_finite` and `diverged`.
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

  /// Costs of the level-1 operations. Scalar products of one and of two vectors have one label:
  /// their cost is the mean over an iteration.
  std::vector<KernelCost> kernel_costs() const;

 private:
  static constexpr bool preconditioned = !std::same_as<Preconditioner, IdentityPreconditioner>;

  /// r = b - A x, p = 0; z is lost
  template <class Space, class Rhs, class Solution>
  void start(const Space& space, const Rhs& b, const Solution& x) const;
  /// One pass, with the fields of the plan in the layout of x.
  template <class Space, class Solution>
  void run_pass(const Space& space, int pass, const Solution& x) const;
  /// y = A x, where the halo columns of x need not be up to date.
  template <class Space, class In, class Out>
  void apply(const Space& space, const In& x, const Out& y) const {
    if (!m_ranks.halo.empty()) {
      m_ranks.halo.start(space, x);
      m_ranks.halo.finish(space);
    }
    m_operator.apply(space, Impl::as_const_field(x), y);
  }

  /// A vector of the plan as a field.
  template <class Layout>
  FieldView<scalar_type, Layout, memory_space> field(
      const Kokkos::View<scalar_type*, memory_space>& storage) const {
    return FieldView<scalar_type, Layout, memory_space>(
        storage.data(), static_cast<std::size_t>(m_operator.num_columns()),
        static_cast<std::size_t>(m_operator.num_levels()));
  }

  Operator m_operator;
  Preconditioner m_preconditioner;
  Decomposition<memory_space> m_ranks;
  Impl::PlanInUse m_in_use;
  Impl::ScaledSolve<memory_space> m_history;
  Kokkos::View<scalar_type*, memory_space> m_residual, m_preconditioned, m_direction, m_image;
  Kokkos::View<scalar_type*, memory_space> m_coefficients;
  Impl::TeamParts<memory_space> m_parts;  // of scalar products; none where they need none
};

/// \cond
template <class Space, class Operator, class Preconditioner>
Pcg(const Space&, const Operator&, const Preconditioner&) -> Pcg<Operator, Preconditioner>;
template <class Space, class Operator, class Preconditioner>
Pcg(const Space&, const Operator&, const Preconditioner&,
    const Decomposition<typename Operator::memory_space>&) -> Pcg<Operator, Preconditioner>;

template <class Operator, class Preconditioner>
requires(!FieldOperator<Operator>) class Pcg<Operator, Preconditioner>
    : public Impl::RefusesOperator<Operator> {
  using Impl::RefusesOperator<Operator>::RefusesOperator;
};
/// \endcond

}  // namespace Lamina

#include <lamina/krylov/impl/Pcg_Impl.hpp>
