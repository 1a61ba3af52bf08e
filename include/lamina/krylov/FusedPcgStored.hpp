// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/SolveReport.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/core/impl/PlanInUse.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/krylov/impl/ScaledSolve.hpp>

#include <concepts>
#include <cstddef>
#include <string>

namespace Lamina {

/// What a model brings to `FusedPcgStored`: the residual and the two fused sweeps of an iteration.
/// `FusedHelmholtzStored` is a model. Each call enqueues its work on `space`, and writes entries of
/// rows of `FusedStep`:
///
///   call          fields       entries
///   residual      b, x, r      now[residual2]
///   precondition  q, r, z      now[residual2], now[energy]; 0 unless step.residual_step() proceeds
///   advance       z, u, p, q   now[curvature]; 0 unless step.direction_step() proceeds
///
/// A sweep that does not proceed leaves its fields as they are. Fields are those of `FusedModel`.
template <class Model, class Space>
concept StoredFusedModel = ExecutionSpace<Space> && FieldScalar<typename Model::scalar_type> &&
    MemorySpace<typename Model::memory_space> && requires(
        const Model& model, const Space& space, const FusedStep<typename Model::memory_space>& step,
        FieldView<const typename Model::scalar_type, Kokkos::LayoutLeft,
                  typename Model::memory_space>
            in,
        FieldView<typename Model::scalar_type, Kokkos::LayoutLeft, typename Model::memory_space>
            out) {
  { model.num_owned() } -> std::convertible_to<int>;
  { model.num_columns() } -> std::convertible_to<int>;
  { model.num_levels() } -> std::convertible_to<int>;
  model.residual(space, step, in, in, out);
  model.precondition(space, step, in, out, out);
  model.advance(space, step, in, out, out, out);
};

/// Preconditioned conjugate gradients in two sweeps per iteration (the "interleaved" PCG of Müller
/// et al. 2013, algorithms 2 and 3). It is completed such that start, end and iteration count are
/// well defined.
///
/// \par Equation
///
///   r = b - A u,  p = q = 0,  alpha = beta = 0
///   pass n = 0, 1, ...:
///     sweep 1:  r -= alpha q;  z = M^-1 r;  <r, r>,  kappa_n = <r, z>
///     stop if |r| <= max(tolerance |b|, absolute_tolerance)
///     sweep 2:  beta = kappa_n / kappa_{n-1};  u += alpha p;  p = z + beta p;  q = A z + beta q;
///               <p, q>;  alpha = kappa_n / <p, q>
///   the pending u += alpha p
///
/// Pass n starts when n iterations are complete. The iterates are those of `Pcg`. q obeys a
/// recurrence instead of q = A p, so that histories agree to rounding, not bitwise.
///
/// \par Cost
/// An iteration reads or writes 11 fields, as this is the published form, which stores q.
/// `FusedPcg` moves 9.
///
/// \par Workspace
/// The plan owns r, z, p and q: 4 fields. Its copies share them: one solve runs at a time, and a
/// second one throws. As with `FusedPcg`, fields come to the layout of the faster sweeps.
///
/// \par Asynchrony
/// Scalars stay in device memory. The host looks at them as `StoppingCriteria::check_every` says, and
/// where that is 0 as `FusedPcg` in double precision.
/// What it reports does not depend on that.
template <class Model>
class FusedPcgStored {
 public:
  using scalar_type = typename Model::scalar_type;
  using memory_space = typename Model::memory_space;

  /// Most passes from one look of the host to the next.
  static constexpr int max_check_every = StoppingCriteria::max_check_every;

  /// Allocates the workspace. The model is copied (shallowly).
  /// \throws InvalidArgument where the model has halo columns: nothing would update them.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> FusedPcgStored(const Space& space, const Model& model);

  /// Solves A x = b from the initial guess in x.
  ///
  /// Enqueues on `space`, and fences it at each look at the residual. May return before the last
  /// update of x is complete. Makes no allocation in a Kokkos memory space, but as `FusedPcg`.
  ///
  /// \param b,  x  (num_columns, num_levels), of one layout; they must not overlap. x holds the
  ///   initial guess and receives the solution. It is not usable after `breakdown_not_finite`.
  /// \throws InvalidArgument for wrong extents, criteria out of range, b and x that overlap, and a
  ///   plan that is solving.
  template <ExecutionSpace Space, FieldOf<scalar_type, memory_space> Rhs,
            FieldOf<scalar_type, memory_space> Solution>
  requires StoredFusedModel<Model, Space> && WritableField<Solution> &&
      std::same_as<typename Rhs::array_layout, typename Solution::array_layout>
  [[nodiscard]] SolveReport solve(const Space& space, const Rhs& b, const Solution& x,
                                  const StoppingCriteria& criteria = {});
  /// Refuses all other types.
  template <class Space, class Rhs, class Solution>
  Impl::ExpectsFieldAndWritableField<scalar_type, Impl::SameLayout, memory_space> solve(
      const Space& space, const Rhs& b, const Solution& x,
      const StoppingCriteria& criteria = {}) = delete;

 private:
  template <class Space, class Rhs, class Solution>
  SolveReport run(const Space& space, const Rhs& b, const Solution& u,
                  const StoppingCriteria& criteria);
  Kokkos::View<scalar_type*, memory_space> allocate(const char* name) const {
    const auto size = static_cast<std::size_t>(m_model.num_columns()) *
                      static_cast<std::size_t>(m_model.num_levels());
    return Kokkos::View<scalar_type*, memory_space>(
        Kokkos::view_alloc(std::string("Lamina::FusedPcgStored::") + name,
                           Kokkos::WithoutInitializing),
        size);
  }
  template <class Layout>
  FieldView<scalar_type, Layout, memory_space> field(scalar_type* values) const {
    return FieldView<scalar_type, Layout, memory_space>(
        values, static_cast<std::size_t>(m_model.num_columns()),
        static_cast<std::size_t>(m_model.num_levels()));
  }

  Model m_model;
  Impl::PlanInUse m_in_use;
  Impl::ScaledSolve<memory_space> m_history;
  Kokkos::View<scalar_type*, memory_space> m_residual, m_preconditioned, m_direction, m_image;
  Kokkos::View<scalar_type*, memory_space> m_solution;  // where it has no room in the memory of x
};

}  // namespace Lamina

#include <lamina/krylov/impl/FusedPcgStored_Impl.hpp>
