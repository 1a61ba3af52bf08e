// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/SolveReport.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/core/impl/PlanInUse.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/krylov/impl/PcgHistory.hpp>

#include <concepts>

namespace Lamina {

/// What a model brings to `FusedCg`: storage for its vectors and the sweeps over them, see
/// `FusedPoisson`. All calls enqueue on `space`; rows are those of `FusedStep`:
///   start     u = x, r = b - A x; a model that takes x for zero need not write u, but then does
///             not read it before it was updated
///   measure   now[residual2] = now[energy] = <r, r>, now[line_curvature] = <r, A r>; all of them 0
///             unless step.formed_residual()
///   advance   now[curvature] = step.iteration().curvature, and the vectors where it proceeds; both
///             that it reads may be the same
///   finish    x = u + along_p p + along_r r, without reading vectors whose factor is 0
/// Vectors are Views of two indices; what of them lies beyond the system's entries (ghosts, padding)
/// repeats these or is 0. Where b is not the right-hand side, or x not the solution, tolerances have to
/// refer to the initial residual.
template <class Model, class Space>
concept FusedCgModel = ExecutionSpace<Space> && FieldScalar<typename Model::scalar_type> &&
    MemorySpace<typename Model::memory_space> && requires(
        const Model& model, const Space& space, const FusedStep<typename Model::memory_space>& step,
        FusedCgUpdate update, const FusedCgEnd<typename Model::scalar_type>& end,
        const typename Model::vector_type& vector,
        FieldView<const typename Model::scalar_type, Kokkos::LayoutLeft,
                  typename Model::memory_space>
            in,
        FieldView<typename Model::scalar_type, Kokkos::LayoutLeft, typename Model::memory_space>
            out) {
  { model.make_vector("label") } -> std::same_as<typename Model::vector_type>;
  model.require_field("function", "argument", in);
  model.start(space, in, in, vector, vector);
  model.measure(space, step, vector);
  model.advance(space, step, update, vector, vector, vector, vector, vector);
  model.finish(space, end, vector, vector, vector, out);
};

/// Optionally a model runs several passes in one kernel, where `in_stretches()`: `iterate` does all
/// that measure and advance do in the passes first <= n <= last of `steps`, with residuals[n % 2]
/// and directions[(n + 1) % 2] as they are when pass n begins.
template <class Model, class Space>
concept FusedCgStretchModel = FusedCgModel<Model, Space> &&
    requires(const Model& model, const Space& space,
             const FusedSteps<typename Model::memory_space>& steps, int pass,
             const typename Model::vector_type (&pair)[2],
             const typename Model::vector_type& vector) {
  { model.in_stretches() } -> std::same_as<bool>;
  model.iterate(space, steps, pass, pass, pair, pair, vector);
};

/// Conjugate gradients without a preconditioner, with A p recomputed instead of stored, in two
/// sweeps per iteration:
///
///   u = x, r = b - A u
///   iteration n = 0, 1, ..., while |r| > max(tolerance |b|, absolute_tolerance):
///     sweep 1:  rho_n = <r, r>,  <r, A r>                                  reads 1 field
///     sweep 2:  beta = rho_n / rho_{n-1};
///               sigma_n = <r, A r> - beta^2 sigma_{n-1};  alpha = rho_n / sigma_n;
///               p' = r + beta p;  r' = r - alpha A p'                      reads 2, writes 2
///               every other iteration both pending u += alpha p            reads 1, writes 1
///   x = u
///
/// 6 fields are read or written per iteration, and two more at either end; `Pcg` without a
/// preconditioner moves 14. The iterates are those of `Pcg`: sigma_n = <p, A p>, because successive
/// directions are conjugate (Chronopoulos and Gear, J. Comput. Appl. Math. 25, 1989).
///
/// r and p are kept twice, because A reads the neighbours of what is written, and u is the plan's
/// own, so that what a user hands over may start at any address: 5 vectors, which copies of the plan
/// share, as the model's scratch: one solve at a time, another one throws. Scalars stay in device
/// memory; the host looks at them as `StoppingCriteria::check_every` says, and what it reports does
/// not depend on that.
template <class Model>
class FusedCg {
 public:
  using scalar_type = typename Model::scalar_type;
  using memory_space = typename Model::memory_space;

  /// Most iterations between two looks of the host.
  static constexpr int max_check_every = Impl::PcgHistory<memory_space>::max_check_every;

  /// Allocates the vectors. The model is copied (shallowly).
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> FusedCg(const Space& space, const Model& model);

  /// Solves A x = b from the initial guess in x.
  ///
  /// Enqueues on `space` and fences it at each look at the residual; may return before x is
  /// complete. Makes no allocation in a Kokkos memory space. After `breakdown_not_finite` x is not
  /// usable.
  ///
  /// \param b  right-hand side, of the model's extents; must not overlap x
  /// \param x  the same extents and layout: initial guess in, solution out
  /// \throws InvalidArgument for wrong extents, criteria out of range, b and x that overlap and a plan
  ///   that is solving.
  template <ExecutionSpace Space, FieldOf<scalar_type, memory_space> Rhs,
            FieldOf<scalar_type, memory_space> Solution>
  requires FusedCgModel<Model, Space> && WritableField<Solution> &&
      std::same_as<typename Rhs::array_layout, typename Solution::array_layout>
  [[nodiscard]] SolveReport solve(const Space& space, const Rhs& b, const Solution& x,
                                  const StoppingCriteria& criteria = {});
  /// Refuses all other types.
  template <class Space, class Rhs, class Solution>
  Impl::ExpectsFieldAndWritableField<scalar_type, Impl::SameLayout, memory_space> solve(
      const Space& space, const Rhs& b, const Solution& x,
      const StoppingCriteria& criteria = {}) = delete;

  /// Exactly `count` iterations, without what only a test would need: alpha of the last follows
  /// from the sums of its first sweep, and its second sweep and the residual after it are left out.
  /// That saves 4 fields of a solve, 5 where `count` is even: for inner solves and smoothers.
  /// Otherwise as `solve` with `StoppingCriteria::iterations(count)`, relative to the initial residual;
  /// the report's norm and history end with the residual before the last iteration.
  /// \param count  >= 1
  template <ExecutionSpace Space, FieldOf<scalar_type, memory_space> Rhs,
            FieldOf<scalar_type, memory_space> Solution>
  requires FusedCgModel<Model, Space> && WritableField<Solution> &&
      std::same_as<typename Rhs::array_layout, typename Solution::array_layout>
  [[nodiscard]] SolveReport iterate(const Space& space, const Rhs& b, const Solution& x, int count);

 private:
  /// From the start to where no residual follows; the solution is still in u and what is pending.
  template <class Space, class Rhs, class Solution>
  void run(const char* function, const Space& space, const Rhs& b, const Solution& x,
           const StoppingCriteria& criteria, SolveReport& report);
  /// x, after so many iterations in sweeps and one more, of coefficients alpha and beta.
  template <class Space, class Solution>
  void finish(const Space& space, int iterations, double alpha, double beta,
              const Solution& x) const;
  /// Passes first <= n <= last.
  template <ExecutionSpace Space>
  void run_passes(const Space& space, int first, int last) const;

  Model m_model;
  Impl::PlanInUse m_in_use;
  Impl::PcgHistory<memory_space> m_history;
  typename Model::vector_type m_residuals[2], m_directions[2], m_solution;
};

}  // namespace Lamina

#include <lamina/krylov/impl/FusedCg_Impl.hpp>
