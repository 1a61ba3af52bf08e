// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/SolveReport.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/core/impl/PlanInUse.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/krylov/impl/FusedForms.hpp>
#include <lamina/krylov/impl/ScaledSolve.hpp>

#include <concepts>
#include <type_traits>

namespace Lamina {

namespace Impl {

/// A field as a concept passes it.
template <class Scalar, class Memory>
using AnyField = FieldView<Scalar, Kokkos::LayoutLeft, Memory>;

/// Models with vectors of a type of their own, see `FusedModel`.
template <class Model, class Space>
concept FusedVectorModel = requires(
    const Model& model, const Space& space, const FusedStep<typename Model::memory_space>& step,
    bool flag, const FusedEnd<typename Model::scalar_type>& end,
    const typename Model::vector_type& vector,
    AnyField<const typename Model::scalar_type, typename Model::memory_space> in,
    AnyField<typename Model::scalar_type, typename Model::memory_space> out) {
  { model.make_vector("label") } -> std::same_as<typename Model::vector_type>;
  model.require_field("function", "argument", in);
  model.start(space, in, in, vector, vector);
  model.residual(space, end, in, vector, vector, vector);
  model.measure(space, step, vector);
  model.advance(space, step, flag, vector, vector, vector, vector, vector);
  model.finish(space, end, vector, vector, vector, out);
};

/// Models whose vectors are fields.
template <class Model, class Space>
concept FusedFieldModel = requires(
    const Model& model, const Space& space, const FusedStep<typename Model::memory_space>& step,
    bool flag, AnyField<const typename Model::scalar_type, typename Model::memory_space> in,
    AnyField<typename Model::scalar_type, typename Model::memory_space> out,
    AnyField<const typename FieldForm<Model>::vector_scalar, typename Model::memory_space>
        vector_in,
    AnyField<typename FieldForm<Model>::vector_scalar, typename Model::memory_space> vector_out) {
  { model.num_owned() } -> std::convertible_to<int>;
  { model.num_columns() } -> std::convertible_to<int>;
  { model.num_levels() } -> std::convertible_to<int>;
  model.residual(space, step, in, in, vector_out);
  model.measure(space, step, vector_in);
  model.advance(space, step, flag, vector_in, vector_in, vector_out, vector_out, out);
};

template <class Model>
inline constexpr bool needs_few_iterations = requires {
  requires Model::few_iterations;
};

/// A model of either kind may have a preconditioner, and run several passes in one kernel.
template <class Model, class Space>
concept FusedPreconditioner = requires(
    const Model& model, const Space& space, const FusedStep<typename Model::memory_space>& step,
    AnyField<const typename FieldForm<Model>::vector_scalar, typename Model::memory_space>
        vector_in,
    AnyField<typename FieldForm<Model>::vector_scalar, typename Model::memory_space> vector_out) {
  model.precondition(space, step, vector_in, vector_out);
};
template <class Model, class Space>
concept RunsInStretches = requires(const Model& model, const Space& space,
                                   const FusedSteps<typename Model::memory_space>& steps, int pass,
                                   const Kokkos::Array<typename Model::vector_type, 2>& pair,
                                   const typename Model::vector_type& vector) {
  { model.in_stretches() } -> std::same_as<bool>;
  model.iterate(space, steps, pass, pass, pair, pair, vector);
};

}  // namespace Impl

/// What a model brings to `FusedPcg`: the residual and the sweeps of an iteration. Each call enqueues
/// its work on `space`, and writes entries of rows of `FusedStep`:
///
///   call          vectors            entries
///   residual      b, u, r            now[residual2]
///   precondition  r, z               now[energy]
///   measure       z                  now[line_curvature]
///   advance       z, p, p', r, u     now[curvature] = step.iteration().curvature; next[residual2];
///                                    with the flag also u += alpha_before p + alpha p'
///
/// The vectors r, z and p are fields like b and x: `FieldView`s of one layout and of (num_columns,
/// num_levels). None overlap, but p may be z in the first iteration. `FusedHelmholtz` is such a
/// model, and examples/09_own_model has another one. A sweep of a solve that is over does nothing:
/// - `precondition`, unless step.preconditions(): it writes 0 and leaves z as it is;
/// - `measure`, unless step.measures(): it writes 0;
/// - `advance`, unless step.iteration() proceeds: it writes 0 to next[residual2] and leaves p', r
///   and u as they are.
///
/// \par Without a preconditioner
/// A model without `precondition` has z = r. Its `advance` takes r' in the place of r, and
/// `measure` does all sums: now[residual2] = now[energy] = <r, r> and now[line_curvature], all of
/// them 0 unless step.formed_residual().
///
/// \par Several ranks
/// A model with halo columns has `decomposition()`. All of its ranks solve together. It also has
/// `precondition_halo(space, r, z)`, z = M^-1 r on the halo columns, as the ranks that own them
/// compute it; and `advance_halo(space, step, z, p, p')`, p' = z + beta p there, as `advance` does it
/// on owned columns. On a device the solver enqueues both beside `precondition`, on an instance of
/// its own. It keeps the halo columns of u and r up to date. A model whose `precondition` brings the
/// halo columns of z up to date itself, as `FusedColumns`, has no `precondition_halo`, and gets
/// no halo columns of r. A model with vectors of its own does all
/// of this itself, in `start`, `residual`, `measure` and `advance`. It tells `num_owned()` where b
/// and x have halo columns.
///
/// \par Mixed precision
/// Where `vector_scalar_type` is not `scalar_type`, r, z and p are of the former, and `residual`
/// does r = step.scale (b - A u). The update of u is divided by step.scale. It uses alpha as it was
/// rounded for r. `MixedHelmholtz` is such a model.
///
/// \par Vectors of its own
/// A model with a `vector_type` has vectors in an order, layout and padding of its own, as
/// `FusedPoisson`. These calls take the place of `residual`:
///
///   make_vector(label)
///   require_field(function, argument, field)      whether b or x are of its extents
///   start(space, b, x, u, r)                      u = x, r = b - A x; a model that takes x for zero
///                                                 need not write u
///   residual(space, end, b, p, u, r)              u += along_p p;  r = b - A u
///   finish(space, end, p, r, u, x)                x = u + along_p p + along_z r, without reading
///                                                 vectors whose factor is 0
///
/// Unless step.updated, or end.updated, a model that takes x for zero takes u for zero, too. Entries of
/// vectors that are none of the system (ghosts, padding) repeat those of the system, or are 0. Where b is not
/// the right-hand side, or x not the solution, tolerances have to refer to the initial residual.
///
/// With `precondition` it also has `sum_residual(space, step, r)`, now[residual2] = <r, r>, and
/// `entries_of(vector)`, the part of a vector that sums are over. `MultigridPeriodic` is such a model.
///
/// `few_iterations`, a constant that is true, says that a few iterations take as long as dozens of
/// others: a device's host then looks more often whether the solve is over, and mixed precision replaces
/// its residual less often.
///
/// Where it is `in_stretches()`, its `iterate(space, steps, first, last, residuals, directions, u)`
/// does all that measure and advance do in the passes first <= n <= last of `steps`, with
/// residuals[n % 2] and directions[(n + 1) % 2] as they are when pass n begins.
template <class Model, class Space>
concept FusedModel = ExecutionSpace<Space> && FieldScalar<typename Model::scalar_type> &&
    MemorySpace<typename Model::memory_space> &&
    (Impl::FusedVectorModel<Model, Space> || Impl::FusedFieldModel<Model, Space>);

/// Conjugate gradients with A p recomputed instead of stored, with or without a preconditioner, in
/// double, single or mixed precision, on one process or many.
///
/// \par Equation
///
///   r = b - A u
///   iteration n = 0, 1, ..., while |r| > max(tolerance |b|, absolute_tolerance):
///     sweep 1:  z = M^-1 r;  kappa_n = <r, z>                              reads 1, writes 1 field
///     sweep 2:  <z, A z>                                                   reads 1
///     sweep 3:  beta = kappa_n / kappa_{n-1};
///               sigma_n = <z, A z> - beta^2 sigma_{n-1};  alpha = kappa_n / sigma_n;
///               p' = z + beta p;  r -= alpha A p';  <r, r>                 reads 3, writes 2
///               every other iteration both pending u += alpha p            reads 1, writes 1
///   x = u
///
/// Without a preconditioner z is r: there is no sweep 1, and sweep 3 reads 2. The iterates are those
/// of `Pcg`: sigma_n = <p, A p>, because successive directions are conjugate (Chronopoulos and Gear,
/// J. Comput. Appl. Math. 25, 1989). Histories agree to rounding, not bitwise.
///
/// \par Cost
/// An iteration reads or writes 9 fields, without a preconditioner 6. `FusedPcgStored` moves 11,
/// `Pcg` 18 and 14.
///
/// \par Mixed precision
/// Iterations are in single precision, scalars and the solution in double precision:
///
///   r = s (b - A u) in double precision, rounded;  s = 1 where |r| is 2^-20 to 2^20 at the start, else the
///   power of two that makes it 1 to 2
///   when |r| has fallen to 0.03 of what it was, or to max(tolerance |b|, absolute_tolerance); with
///   `few_iterations` to 1e-3 of what it was, or at once to a target not below 1e-5 of it:
///     r = s (b - A u), and on along the same directions
///
/// An iteration moves 40 bytes per unknown instead of 72. The solve reaches the true residual that
/// double precision allows: `converged` says that the recomputed residual met the criteria.
/// Replacing the residual keeps it close to the true one. While directions are not started anew,
/// convergence is that of one run of conjugate gradients (van der Vorst and Ye, SIAM J. Sci. Comput.
/// 22, 2000). Directions start anew where the true |r| is more than twice the recursive one: then
/// they are no longer conjugate. It takes about as many iterations as double precision, but more for
/// systems of few distinct eigenvalues, where exact conjugacy ends the iteration early.
/// `residual_norm` is a recomputed residual; entries of the history are recursive residuals, except
/// those of replacements. `stagnated` says that the residuals of two replacements are not below
/// those of the two before: the tolerance is beyond what double precision allows, or single
/// precision cannot hold the operator. A fixed count goes on.
///
/// \par Several ranks
/// A model with a decomposition makes the constructor and `solve` collective, and fields hold the
/// columns of this rank, owned ones first. An iteration exchanges the halo columns of r once, while
/// it solves the lines of owned columns, and adds up the scalars over all ranks once. All ranks
/// report the same. They must be given the same criteria. Halo columns of b are not read, those of x
/// hold anything before and after.
///
/// \par Breakdown
/// Directions lose conjugacy far beyond the accuracy that the precision allows. Rounding may then
/// turn the sign of sigma_n, which says nothing about A. So at the first `breakdown_indefinite` the
/// solver computes r = b - A u once more and starts its directions anew: `SolveReport::restarts`
/// tells. A second breakdown ends the solve, in mixed precision unless the residual has fallen to a
/// replacement in between. `diverged` where the residual is above |b| is not tried again.
/// `FusedPcgStored` and `Pcg` measure <p, A p> itself. Where a solve has failed, a model that has
/// `status(space)` may blame its preconditioner: `breakdown_zero_pivot`.
///
/// \par Workspace
/// The plan owns 4 vectors, because A p reads neighbours of cells that are being written: r, z and
/// two p, without a preconditioner two r. In mixed precision they are in single precision. A model
/// with vectors of its own has u as a fifth. Copies of the plan share them. The model has scratch,
/// which all plans made from it share. One solve runs at a time, and a second one throws.
///
/// \par Layout and order of columns
/// Sweeps over columns are faster in one layout than in the other: in LayoutRight on CPU cores, in
/// LayoutLeft on devices. Fields of the other one are copied: b and x at the start, in mixed precision
/// b for each true residual, and x at the end. An iteration takes a third of the time so on a device
/// (H200, double precision), and two thirds on CPU cores (two of a Xeon). Meanwhile the memory of x
/// holds the solution in the layout of the sweeps. Where x is not contiguous, the first such solve
/// allocates a field for it, the only allocation that a solve makes. On devices a model may also prefer
/// an order of columns, or packs of contiguous levels (`MultigridHelmholtz` on polygons); then the plan owns that
/// field from the beginning. Models whose coefficients are
/// stored in one layout take fields as they are.
///
/// \par Asynchrony
/// Scalars stay in device memory. The host looks at them as `StoppingCriteria::check_every` says. Where that
/// is 0, it looks after 10 iterations of a device, and then when it expects the end, 10 to 50 later; every 200
/// where vectors stay on the chip, every 10 in mixed precision; with `few_iterations` after one and at the
/// expected end, at most 16 later. With a fixed count and no `on_check` it looks at the end only, or every
/// `max_check_every`, but not in mixed precision.
/// What it reports does not depend on that. In mixed precision it looks once more at the start, for
/// s, when it expects a replacement, and at each replacement.
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
  /// \throws InvalidArgument where the model has halo columns and no decomposition, or one of
  ///   another number of columns: nothing would update them.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> FusedPcg(const Space& space, const Model& model);

  /// Solves A x = b from the initial guess in x.
  ///
  /// Enqueues on `space`, and fences it at each look at the residual. It may return before x is
  /// complete. Makes no allocation in a Kokkos memory space, but for fields that are not contiguous: see
  /// above.
  ///
  /// \param b  right-hand side, of the model's extents; must not overlap x
  /// \param x  of the same extents and layout: initial guess in, solution out. It is not usable after
  ///   `breakdown_not_finite`.
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

  /// Exactly `count` iterations, without what only a test would need: alpha of the last follows
  /// from the sums of its first sweeps, and its last sweep and the residual after it are left out.
  /// Without a preconditioner that saves 4 fields of a solve, 5 where `count` is even: for inner
  /// solves and smoothers. Otherwise as `solve` with `StoppingCriteria::iterations(count)`, relative
  /// to the initial residual; the report's norm and history end with the residual before the last
  /// iteration. Not in mixed precision.
  /// \param count  >= 1
  template <ExecutionSpace Space, FieldOf<scalar_type, memory_space> Rhs,
            FieldOf<scalar_type, memory_space> Solution>
  requires FusedModel<Model, Space> && WritableField<Solution> &&
      std::same_as<typename Rhs::array_layout, typename Solution::array_layout>
  [[nodiscard]] SolveReport iterate(const Space& space, const Rhs& b, const Solution& x, int count);

 private:
  using Form = Impl::FusedForm<Model>;
  using vector_scalar = typename Form::vector_scalar;
  static constexpr bool is_mixed = !std::is_same_v<scalar_type, vector_scalar>;
  template <class Space>
  static constexpr bool is_preconditioned = Impl::FusedPreconditioner<Model, Space>;
  template <class Space>
  bool in_stretches() const {
    if constexpr (Impl::RunsInStretches<Model, Space>) return m_form.model().in_stretches();
    return false;
  }
  /// r of a pass.
  template <class Space, class Vectors>
  static const auto& residual_of(const Vectors& v, int pass) {
    return is_preconditioned<Space> || pass % 2 == 0 ? v.r : v.z;
  }

  /// \param one_more  after the criteria ended the solve
  template <class Space, class Rhs, class Solution>
  SolveReport run(const char* function, const Space& space, const Rhs& b, const Solution& x,
                  const StoppingCriteria& criteria, bool one_more);
  /// From the start to where no residual follows; the solution is still in u and what is pending.
  template <class Space, class Rhs, class Solution, class Vectors>
  void run_passes_to_end(const Space& space, const Rhs& b, const Solution& x, const Vectors& v,
                         bool one_more);
  /// \param early  of pass `last` the residual only, unless it is the last one
  template <ExecutionSpace Space, class Vectors>
  void run_passes(const Space& space, const Vectors& v, int first, int last, bool early,
                  bool one_more) const;
  template <class Space, class Vectors, class Solution>
  void finish(const Space& space, const Vectors& v, const Solution& x, bool one_more,
              SolveReport& report) const;
  /// What u lacks after so many iterations in sweeps and one more, of coefficients alpha and beta.
  FusedEnd<scalar_type> end_of(int iterations, double alpha = 0, double beta = 0) const;

  Form m_form;
  Impl::PlanInUse m_in_use;
  Impl::ScaledSolve<memory_space> m_history;
};

}  // namespace Lamina

#include <lamina/krylov/impl/FusedPcg_Impl.hpp>
