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
#include <lamina/krylov/impl/MixedHistory.hpp>

#include <concepts>

namespace Lamina {

/// What a model brings to `MixedPcg`: the residual in double precision, and the three sweeps of an
/// iteration in single precision. `MixedHelmholtz` is a model. Each call enqueues its work on
/// `space`, and writes entries of rows of `FusedStep` as a `FusedModel` does:
///
///   residual      r = scale (b - A x);  now[residual2], of the scaled residual
///   precondition  now[energy]; 0 unless step.preconditions()
///   measure       now[line_curvature]; 0 unless step.measures()
///   advance       now[curvature] = step.iteration().curvature; next[residual2], 0 unless it goes on;
///                 with the flag u += unscale (alpha_before p + alpha p') in double precision
///
/// The update of u uses alpha as it was rounded for r. Unless the iteration proceeds, p', r and u
/// stay as they are.
template <class Model, class Space>
concept MixedModel = ExecutionSpace<Space> && MemorySpace<typename Model::memory_space> &&
    requires(const Model& model, const Space& space,
             const FusedStep<typename Model::memory_space>& step, bool flag, double factor,
             FieldView<const double, Kokkos::LayoutLeft, typename Model::memory_space> in,
             FieldView<double, Kokkos::LayoutLeft, typename Model::memory_space> out,
             FieldView<const float, Kokkos::LayoutLeft, typename Model::memory_space> short_in,
             FieldView<float, Kokkos::LayoutLeft, typename Model::memory_space> short_out) {
  { model.num_owned() } -> std::convertible_to<int>;
  { model.num_columns() } -> std::convertible_to<int>;
  { model.num_levels() } -> std::convertible_to<int>;
  model.residual(space, step, factor, in, in, short_out);
  model.precondition(space, step, short_in, short_out);
  model.measure(space, step, short_in);
  model.advance(space, step, flag, factor, short_in, short_in, short_out, short_out, out);
};

/// Preconditioned conjugate gradients in mixed precision: the iteration of `FusedPcg` in single
/// precision, the solution in double precision. It reaches the true residual that double precision
/// allows. It takes about as many iterations as `FusedPcg` in double precision. It takes more for
/// systems of few distinct eigenvalues, where exact conjugacy ends the iteration early.
///
/// \par Equation
///
///   r = s (b - A u) in double precision, rounded;  s a power of two, |r| = 1 to 2
///   iterations of `FusedPcg` with r, z, p in single, scalars in double precision; the solution takes
///     u += (alpha_before p + alpha p') / s in double precision, every other iteration
///   when |r| has fallen to 0.03 of what it was, or to max(tolerance |b|, absolute_tolerance):
///     r = s (b - A u), and on along the same directions
///
/// Directions start anew where the true |r| is more than twice the recursive one: then they are no
/// longer conjugate.
///
/// Replacing the residual keeps it close to the true one. While directions are not started anew,
/// convergence is that of one run of conjugate gradients (van der Vorst and Ye, SIAM J. Sci.
/// Comput. 22, 2000). Iterative refinement that restarts takes a fifth to a half more iterations.
/// The solution changes by the same values that the residual was updated with: rounding of p does
/// no harm, only that of A p.
///
/// \par Cost
/// An iteration moves 40 bytes per unknown. `FusedPcg` in double precision moves 72.
///
///   sweep 1 reads 4, writes 4;  sweep 2 reads 4;  sweep 3 reads 12, writes 8, and every other
///   iteration reads and writes 8 more;  a replacement reads 16, writes 4
///
/// \par Status
/// - `converged`: the recomputed residual met the criteria. `residual_norm` is that residual.
///   Entries of the history are recursive residuals, except those of replacements.
/// - `stagnated`: the residuals of two replacements are not below those of the two before. The
///   tolerance is beyond what double precision allows, or single precision cannot hold the
///   operator. A fixed count goes on.
/// - `breakdown_indefinite` says no more about A far beyond that accuracy, or where single
///   precision cannot hold the range of entries of the operator.
///
/// \par Workspace
/// The plan owns r, z and two p: 4 fields in single precision. Its copies share them: one solve
/// runs at a time, and a second one throws. Where the model has an order of columns on a device
/// (`ReorderableModel`), the plan also owns b and u in that order: 2 fields in double precision, of
/// LayoutLeft whatever the layout of b and x. Where it has none, fields of LayoutRight stay so, and
/// an iteration takes four times as long as in LayoutLeft on a device. What `FusedPcg` says of halo
/// columns and of its model's scratch holds here.
///
/// \par Asynchrony
/// The host orders a replacement at its next look. Sweeps until then do nothing: results and
/// reports do not depend on `check_every`. The host looks once more at the start, for s, and when
/// it expects a replacement.
template <class Model>
class MixedPcg {
 public:
  using scalar_type = double;
  using memory_space = typename Model::memory_space;

  /// Most iterations from one look of the host to the next.
  static constexpr int max_check_every = StoppingCriteria::max_check_every;

  /// Allocates the workspace. The model is copied (shallowly).
  /// \throws InvalidArgument where the model has halo columns: nothing would update them.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> MixedPcg(const Space& space, const Model& model);

  /// Solves A x = b from the initial guess in x.
  ///
  /// Enqueues on `space`, and fences it at each look at the residual and at each replacement. The
  /// last replacement ends the solve. Makes no allocation in a Kokkos memory space.
  ///
  /// \param b,  x  (num_columns, num_levels), of one layout; they must not overlap. x holds the
  ///   initial guess and receives the solution. It is not usable after `breakdown_not_finite`.
  /// \throws InvalidArgument for wrong extents, criteria out of range, b and x that overlap, and a
  ///   plan that is solving.
  template <ExecutionSpace Space, FieldOf<double, memory_space> Rhs,
            FieldOf<double, memory_space> Solution>
  requires MixedModel<Model, Space> && WritableField<Solution> &&
      std::same_as<typename Rhs::array_layout, typename Solution::array_layout>
  [[nodiscard]] SolveReport solve(const Space& space, const Rhs& b, const Solution& x,
                                  const StoppingCriteria& criteria = {});
  /// Refuses all other types.
  template <class Space, class Rhs, class Solution>
  Impl::ExpectsFieldAndWritableField<double, Impl::SameLayout, memory_space> solve(
      const Space& space, const Rhs& b, const Solution& x,
      const StoppingCriteria& criteria = {}) = delete;

 private:
  /// Solves in the layout and the order of b and u.
  template <class Space, class Layout>
  SolveReport solve_in_place(const Space& space,
                             const FieldView<const double, Layout, memory_space>& b,
                             const FieldView<double, Layout, memory_space>& u,
                             const StoppingCriteria& criteria);

  int m_num_columns;  // of fields of callers
  Impl::ColumnOrder<memory_space> m_order;
  Model m_model;  // of fields in that order
  Impl::PlanInUse m_in_use;
  Impl::MixedHistory<memory_space> m_history;
  Kokkos::View<float*, memory_space> m_residual, m_preconditioned, m_directions[2];
  // Where there is an order: right-hand side and solution
  Kokkos::View<double**, Kokkos::LayoutLeft, memory_space> m_rhs, m_solution;
};

}  // namespace Lamina

#include <lamina/krylov/impl/MixedPcg_Impl.hpp>
