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
#include <lamina/krylov/ReorderableModel.hpp>
#include <lamina/krylov/impl/PcgHistory.hpp>

#include <concepts>

namespace Lamina {

/// What a model brings to `FusedPcg`: the residual and the three sweeps of an iteration, see
/// `FusedHelmholtz`. All calls enqueue on `space`, and write entries of rows of `FusedStep`:
///   residual      now[residual2]
///   precondition  now[energy]; 0 unless step.residual_left(step.now), and then z stays as it is
///   measure       now[line_curvature]; 0 unless step.continues(step.now)
///   advance       now[curvature] = step.iteration().curvature; next[residual2]; unless the iteration
///                 proceeds that is 0, and p', r and u stay as they are
/// Fields come as `FieldView`s of one layout, in the order of the calls below: (b, x, r), (r, z),
/// (z), (z, p, p', r, u), each of (num_columns, num_levels); none overlap.
template <class Model, class Space>
concept FusedModel = ExecutionSpace<Space> && FieldScalar<typename Model::scalar_type> &&
    MemorySpace<typename Model::memory_space> && requires(
        const Model& model, const Space& space, const FusedStep<typename Model::memory_space>& step,
        bool flag,
        FieldView<const typename Model::scalar_type, Kokkos::LayoutLeft,
                  typename Model::memory_space>
            in,
        FieldView<typename Model::scalar_type, Kokkos::LayoutLeft, typename Model::memory_space>
            out) {
  { model.num_owned() } -> std::convertible_to<int>;
  { model.num_columns() } -> std::convertible_to<int>;
  { model.num_levels() } -> std::convertible_to<int>;
  model.residual(space, step, in, in, out);
  model.precondition(space, step, in, out);
  model.measure(space, step, in);
  model.advance(space, step, flag, in, in, out, out, out);
};

/// Preconditioned conjugate gradients with A p recomputed instead of stored, in three sweeps per
/// iteration:
///
///   r = b - A u,  <r, r>
///   iteration n = 0, 1, ..., while |r| > max(tolerance |b|, absolute_tolerance):
///     sweep 1:  z = M^-1 r;  kappa_n = <r, z>                              reads 1, writes 1 field
///     sweep 2:  <z, A z>                                                   reads 1
///     sweep 3:  beta = kappa_n / kappa_{n-1};
///               sigma_n = <z, A z> - beta^2 sigma_{n-1};  alpha = kappa_n / sigma_n;
///               p' = z + beta p;  r -= alpha A p';  <r, r>                 reads 3, writes 2
///               every other iteration both pending u += alpha p            reads 1, writes 1
///
/// 9 fields are read or written per iteration; `FusedPcgStored` moves 11, `Pcg` 18. The iterates
/// are those of `Pcg`: sigma_n = <p, A p> because successive directions are conjugate (Chronopoulos
/// and Gear, J. Comput. Appl. Math. 25, 1989); histories agree to rounding, not bitwise. Far beyond
/// the accuracy that the precision allows, where directions are no longer conjugate, sigma_n may
/// lose its sign to rounding: `breakdown_indefinite` then says no more about A (`diverged`, where the
/// residual is above |b|). `FusedPcgStored` and `Pcg` measure <p, A p> itself.
///
/// p is kept twice, because A p reads the neighbours of cells that are written. The plan owns r, z
/// and both p: 4 fields, which its copies share, and the model has scratch that all plans made from
/// it share: one solve at a time, another one throws. Scalars stay in device memory; the host looks at
/// them every `check_every` iterations, and what it reports does not depend on that. Where that is
/// left to us, it looks on a device after 10, and then when it expects the end, 10 to 50 iterations
/// later; at the end only of a fixed count, unless somebody listens (`on_check`).
///
/// On devices fields of a `ReorderableModel` come to the order of columns that it prefers, if any,
/// and from LayoutRight to LayoutLeft, in which an iteration takes a third of the time (H200,
/// double precision): b and x are copied at the start, x back at the end. The plan owns a fifth
/// field where the model has an order. Without one it works in the memory of an x of LayoutRight,
/// which has to be contiguous; where it is not, fields stay in LayoutRight.
template <class Model>
class FusedPcg {
 public:
  using scalar_type = typename Model::scalar_type;
  using memory_space = typename Model::memory_space;

  /// Most iterations between two looks of the host.
  static constexpr int max_check_every = StoppingCriteria::max_check_every;

  /// Allocates the workspace. The model is copied (shallowly).
  /// \throws InvalidArgument where the model has halo columns: nothing would update them.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> FusedPcg(const Space& space, const Model& model);

  /// Solves A x = b from the initial guess in x.
  ///
  /// Enqueues on `space` and fences it at each look at the residual; may return before the last
  /// update of x is complete. Makes no allocation in a Kokkos memory space.
  ///
  /// \param b  (num_columns, num_levels): right-hand side; must not overlap x
  /// \param x  the same extents and layout: initial guess in, solution out, not usable after
  ///   `breakdown_not_finite`
  /// \throws InvalidArgument for wrong extents, criteria out of range, b and x that overlap and a plan
  ///   that is solving.
  template <ExecutionSpace Space, FieldOf<scalar_type, memory_space> Rhs,
            FieldOf<scalar_type, memory_space> Solution>
  requires FusedModel<Model, Space> && WritableField<Solution> &&
      std::same_as<typename Rhs::array_layout, typename Solution::array_layout>
  [[nodiscard]] SolveReport solve(const Space& space, const Rhs& b, const Solution& x,
                                  const StoppingCriteria& criteria = {});
  /// Refuses all other types.
  template <class Space, class Rhs, class Solution>
  Impl::ExpectsFieldAndWritableField<scalar_type, Impl::SameLayout, memory_space> solve(
      const Space& space, const Rhs& b, const Solution& x,
      const StoppingCriteria& criteria = {}) = delete;

 private:
  template <class Layout>
  using Input = FieldView<const scalar_type, Layout, memory_space>;
  template <class Layout>
  using Output = FieldView<scalar_type, Layout, memory_space>;
  /// What the sweeps read and write.
  template <class Layout>
  struct Fields {
    Output<Layout> r, z, p[2], u;
  };
  template <class Layout>
  static Input<Layout> as_input(const Output<Layout>& field) {
    return field;
  }
  template <class Layout>
  Fields<Layout> fields_of(const Output<Layout>& u) const;

  /// Fields are solved for as they are.
  template <class Space, class Layout>
  SolveReport solve_in_place(const Space& space, const Input<Layout>& b, const Output<Layout>& u,
                             const StoppingCriteria& criteria);
  /// Where solutions of the model's order, with contiguous columns, are kept; none where they are
  /// solved for in place.
  template <class Layout>
  Output<Kokkos::LayoutLeft> own_solution(const Output<Layout>& x) const;
  template <class Space, class Layout>
  SolveReport solve_rearranged(const Space& space, const Input<Layout>& b, const Output<Layout>& x,
                               const Output<Kokkos::LayoutLeft>& u,
                               const StoppingCriteria& criteria);

  template <ExecutionSpace Space, class Layout>
  void run_passes(const Space& space, const Fields<Layout>& fields, int first, int last) const;

  int m_num_columns;  // of the fields of callers
  Impl::ColumnOrder<memory_space> m_order;
  Model m_model;  // of fields in that order
  Impl::PlanInUse m_in_use;
  Impl::PcgHistory<memory_space> m_history;
  Kokkos::View<scalar_type*, memory_space> m_residual, m_preconditioned, m_directions[2];
  Kokkos::View<scalar_type*, memory_space> m_solution;  // where there is an order
};

}  // namespace Lamina

#include <lamina/krylov/impl/FusedPcg_Impl.hpp>
