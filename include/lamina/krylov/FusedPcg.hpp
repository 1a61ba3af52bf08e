// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/SolveReport.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/core/impl/PlanInUse.hpp>
#include <lamina/distributed/Decomposition.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/krylov/ReorderableModel.hpp>
#include <lamina/krylov/impl/PcgHistory.hpp>

#include <concepts>

namespace Lamina {

/// What a model brings to `FusedPcg`: the residual and the three sweeps of an iteration.
/// `FusedHelmholtz` is a model. Each call enqueues its work on `space`, and writes entries of rows
/// of `FusedStep`:
///
///   call          fields             entries
///   residual      b, x, r            now[residual2]
///   precondition  r, z               now[energy]
///   measure       z                  now[line_curvature]
///   advance       z, p, p', r, u     now[curvature] = step.iteration().curvature; next[residual2]
///
/// Fields are `FieldView`s of one layout and of (num_columns, num_levels). None overlap. A sweep of
/// a solve that is over does nothing:
/// - `precondition`, unless step.preconditions(): it writes 0 and leaves z as it is;
/// - `measure`, unless step.measures(): it writes 0;
/// - `advance`, unless step.iteration() proceeds: it writes 0 to next[residual2] and leaves p', r
///   and u as they are.
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

/// What a model with halo columns brings in addition. All ranks of its decomposition solve together.
///
///   call               fields    on the halo columns
///   precondition_halo  r, z      z = M^-1 r, as the ranks that own them compute it
///   advance            as above  also p' = z + beta p
///
/// The solver keeps the halo columns of x and r up to date.
template <class Model, class Space>
concept FusedModelOverRanks = FusedModel<Model, Space> && requires(
    const Model& model, const Space& space,
    FieldView<const typename Model::scalar_type, Kokkos::LayoutLeft, typename Model::memory_space>
        in,
    FieldView<typename Model::scalar_type, Kokkos::LayoutLeft, typename Model::memory_space> out) {
  { model.decomposition() } -> std::convertible_to<Decomposition<typename Model::memory_space>>;
  model.precondition_halo(space, in, out);
};

/// Preconditioned conjugate gradients with A p recomputed instead of stored, in three sweeps per
/// iteration.
///
/// \par Equation
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
/// The iterates are those of `Pcg`: sigma_n = <p, A p>, because successive directions are conjugate
/// (Chronopoulos and Gear, J. Comput. Appl. Math. 25, 1989). Histories agree to rounding, not
/// bitwise.
///
/// \par Cost
/// An iteration reads or writes 9 fields. `FusedPcgStored` moves 11, `Pcg` 18.
///
/// \par Several ranks
/// A `FusedModelOverRanks` has a decomposition: then the constructor and `solve` are collective, and
/// fields hold the columns of this rank, owned ones first. An iteration exchanges the halo columns of
/// r once, while it solves the lines of owned columns, and adds up three scalars over all ranks once.
/// All ranks report the same. They must be given the same criteria. Halo columns of b are not read,
/// those of x hold anything before and after.
///
/// \par Limits
/// Directions lose conjugacy far beyond the accuracy that the precision allows. Rounding may then
/// turn the sign of sigma_n: `breakdown_indefinite`, or `diverged` where the residual is above |b|,
/// says no more about A there. `FusedPcgStored` and `Pcg` measure <p, A p> itself.
///
/// \par Workspace
/// The plan owns r, z and two p, because A p reads neighbours of cells that are being written: 4
/// fields. Copies of the plan share them. The model has scratch, which all plans made from it
/// share. One solve runs at a time, and a second one throws.
///
/// \par Order of columns
/// A `ReorderableModel` may prefer an order of columns on devices, and prefers LayoutLeft to
/// LayoutRight. Then b and x are copied to that form at the start, and x back at the end. An
/// iteration takes a third of the time so (H200, double precision, LayoutRight). The plan owns a
/// fifth field where the model has an order. Where it has none, the solve works in the memory of an
/// x of LayoutRight. That memory must be contiguous; if it is not, fields stay in LayoutRight.
///
/// \par Asynchrony
/// Scalars stay in device memory. The host looks at them as `StoppingCriteria::check_every` says.
/// What it reports does not depend on that.
///
/// \par Example
///
///   Lamina::FusedPcg pcg(space, Lamina::FusedHelmholtz(space, op));
///   const auto report = pcg.solve(space, b, x, {.tolerance = 1e-8});
template <class Model>
class FusedPcg {
 public:
  using scalar_type = typename Model::scalar_type;
  using memory_space = typename Model::memory_space;

  /// Most iterations from one look of the host to the next.
  static constexpr int max_check_every = StoppingCriteria::max_check_every;

  /// Allocates the workspace. The model is copied (shallowly).
  /// \throws InvalidArgument where the model has halo columns and no decomposition: nothing would
  ///   update them.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> FusedPcg(const Space& space, const Model& model);

  /// Solves A x = b from the initial guess in x.
  ///
  /// Enqueues on `space`, and fences it at each look at the residual. May return before the last
  /// update of x is complete. Makes no allocation in a Kokkos memory space.
  ///
  /// \param b,  x  (num_columns, num_levels), of one layout; they must not overlap. x holds the
  ///   initial guess and receives the solution. It is not usable after `breakdown_not_finite`.
  /// \throws InvalidArgument for wrong extents, criteria out of range, b and x that overlap, and a
  ///   plan that is solving.
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
  /// The fields that sweeps read and write.
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

  /// Solves in the layout and the order of b and u.
  template <class Space, class Layout>
  SolveReport solve_in_place(const Space& space, const Input<Layout>& b, const Output<Layout>& u,
                             const StoppingCriteria& criteria);
  /// Memory for the solution in the model's order and LayoutLeft; empty where x is solved for in
  /// place.
  template <class Layout>
  Output<Kokkos::LayoutLeft> own_solution(const Output<Layout>& x) const;
  template <class Space, class Layout>
  SolveReport solve_rearranged(const Space& space, const Input<Layout>& b, const Output<Layout>& x,
                               const Output<Kokkos::LayoutLeft>& u,
                               const StoppingCriteria& criteria);

  template <ExecutionSpace Space, class Layout>
  void run_passes(const Space& space, const Fields<Layout>& fields, int first, int last) const;
  /// Sweep 1, in halo columns too.
  template <ExecutionSpace Space, class Layout>
  void precondition(const Space& space, const FusedStep<memory_space>& step,
                    const Fields<Layout>& fields) const;

  int m_num_columns;  // of fields of callers
  Impl::ColumnOrder<memory_space> m_order;
  Model m_model;  // of fields in that order
  Decomposition<memory_space> m_ranks;
  Impl::PlanInUse m_in_use;
  Impl::PcgHistory<memory_space> m_history;
  Kokkos::View<scalar_type*, memory_space> m_residual, m_preconditioned, m_directions[2];
  Kokkos::View<scalar_type*, memory_space> m_solution;  // where there is an order
};

}  // namespace Lamina

#include <lamina/krylov/impl/FusedPcg_Impl.hpp>
