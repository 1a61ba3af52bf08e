// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/SolveReport.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/core/impl/PlanInUse.hpp>
#include <lamina/core/impl/RequireDisjoint.hpp>
#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/SweepHistory.hpp>
#include <lamina/krylov/impl/AgreedCriteria.hpp>
#include <lamina/krylov/impl/BadPivots.hpp>
#include <lamina/krylov/impl/FusedForms.hpp>
#include <lamina/krylov/impl/SafeRange.hpp>
#include <lamina/krylov/impl/SolveScalars.hpp>

#include <cmath>
#include <concepts>
#include <type_traits>

namespace Lamina {

/// The preconditioner of a `FusedModel` as a solver of its own, without conjugate gradients: a cycle of multigrid
/// with `MultigridHelmholtz`, `MultigridColumns` or `MultigridPoisson`.
///
/// \par Equation
///
///   while |b - A x| > max(tolerance reference, absolute_tolerance):  x += B (b - A x)
///
/// with B the preconditioner. It converges where all eigenvalues of B A are between 0 and 2, by the factor
/// max |1 - lambda|: by about 0.2 with a cycle of multigrid. `FusedPcg` takes two thirds of its iterations.
/// Neither symmetry of B nor conjugacy matters here: residuals are those of x itself, and each iteration
/// forgets the rounding of those before it.
///
/// \par Cost
/// An iteration is the preconditioner, x += z, which reads 2 fields and writes 1, and r = b - A x, which does
/// the same. The plan owns the vectors of `FusedPcg`, of which it needs two, and brings fields to the layout of
/// the sweeps, as that does, but b each time anew.
///
/// \par Mixed precision
/// With a model of mixed precision r and z are in single precision, and r is scaled by a power of two. The solve
/// reaches the residual that double precision allows.
///
/// \par Several ranks
/// With a model of several ranks the constructor and `solve` are collective, with the same criteria on all
/// ranks. An iteration exchanges the halo columns of x, and adds up the residual over all ranks. Halo columns
/// of b are not read, those of x hold anything before and after. All ranks report the same.
/// `stop_requested` is set on all of them or on none; one that answers true is enough.
///
/// \par Asynchrony
/// The host looks at the residual after each iteration, or every `check_every`, and fences `space` then. The
/// history has an entry for each look after an iteration. Statuses are those of `SweepHistory`, and
/// `breakdown_zero_pivot` as in `FusedPcg`. Solves are not scaled: where |b| is beyond 1e-100 to 1e100 in double
/// precision, or 1e-20 to 1e25 in single precision, they end as `breakdown_not_finite`.
///
/// \par Example
///
///   Lamina::FusedRichardson cycles(space, Lamina::MultigridHelmholtz<double, Memory>(space, multigrid));
///   const auto report = cycles.solve(space, b, x, {.tolerance = 1e-8});
template <class Model>
class FusedRichardson {
 public:
  using scalar_type = typename Model::scalar_type;
  using memory_space = typename Model::memory_space;

  /// Allocates the workspace. The model is copied (shallowly).
  /// \throws InvalidArgument as `FusedPcg`.
  template <ExecutionSpace Space>
  requires WorksIn<Space, memory_space> FusedRichardson(const Space& space, const Model& model)
      : m_form(space, model, "FusedRichardson") {
    static_assert(Impl::FusedPreconditioner<Model, Space>,
                  "FusedRichardson: expected a model with a preconditioner");
    m_scalars.distribute(m_form.reduction());
  }

  /// Solves A x = b from the initial guess in x. Makes no allocation in a Kokkos memory space, but for fields that
  /// are not contiguous, see `FusedPcg`.
  /// \param b  right-hand side, of the model's extents; must not overlap x
  /// \param x  of the same extents and layout: initial guess in, solution out
  /// \throws InvalidArgument for wrong extents, criteria out of range, b and x that overlap, and a plan that
  ///   is solving.
  template <ExecutionSpace Space, FieldOf<scalar_type, memory_space> Rhs,
            FieldOf<scalar_type, memory_space> Solution>
  requires FusedModel<Model, Space> && WritableField<Solution> &&
      std::same_as<typename Rhs::array_layout, typename Solution::array_layout>
  [[nodiscard]] SolveReport solve(const Space& space, const Rhs& b, const Solution& x,
                                  const StoppingCriteria& criteria = {}) {
    const char* function = "FusedRichardson::solve";
    m_form.require_field(function, "b", b);
    m_form.require_field(function, "x", x);
    Impl::require_disjoint(function, "b", b, "x", x);
    const Impl::UseOfPlan use(function, m_in_use);
    const Impl::ProfilingRegion region("Lamina::FusedRichardson::solve");
    const auto on_any_rank = [&](bool found) {
      return m_scalars.sum_over_ranks(space, found ? 1 : 0) > 0;
    };
    const StoppingCriteria agreed =
        Impl::agree_on_stops(criteria, m_scalars.distributed(), on_any_rank);
    SweepHistory history(function, agreed);
    const auto rhs = Impl::as_const_field(b);
    const auto solution = Impl::as_field(x);
    const double rhs_norm = norm_of_rhs(space, rhs);
    if (!history.start(rhs_norm)) {
      if (rhs_norm == 0) {
        Kokkos::deep_copy(space, x, scalar_type(0));
        space.fence();
      }
      return history.report();
    }
    SolveReport report;
    m_form.template with_vectors<Space>(solution, [&](const auto& vectors) {
      m_scale = m_next_scale = is_mixed ? Impl::scale_of<double>(rhs_norm) : 1;
      m_updated = false;
      start(space, rhs, solution, vectors);
      report = sweep_to_the_end(
          history, [&] { return residual_norm(space); },
          [&](int count) {
            for (int n = 0; n < count; ++n) iterate(space, rhs, vectors);
          });
      m_form.finish(space, {.updated = m_updated}, vectors.p[1], vectors.z, vectors, solution);
    });
    Impl::blame_bad_pivots(space, m_form.model(), report, on_any_rank);
    return report;
  }
  /// Refuses all other types.
  template <class Space, class Rhs, class Solution>
  Impl::ExpectsFieldAndWritableField<scalar_type, Impl::SameLayout, memory_space> solve(
      const Space& space, const Rhs& b, const Solution& x,
      const StoppingCriteria& criteria = {}) = delete;

 private:
  using Form = Impl::FusedForm<Model>;
  using Step = FusedStep<memory_space>;
  static constexpr bool is_mixed = !std::is_same_v<scalar_type, typename Form::vector_scalar>;

  /// All iterations are the first pass of a solve that no tolerance ends: a residual of 0 is one as any other,
  /// and z is 0 then.
  FusedSteps<memory_space> steps() const {
    auto steps = m_scalars.steps(1, Reference::rhs, -1, -1, {.smallest2 = -1});
    steps.scale = m_scale;
    return steps;
  }

  /// |b|; NaN where it is out of range. Fences `space`.
  template <class Space, class Rhs>
  double norm_of_rhs(const Space& space, const Rhs& b) const {
    m_scalars.sum_reference(space, Reference::rhs, Impl::rows_of(m_form.owned(b)), 1, {});
    m_scalars.complete_start(space, Reference::rhs);
    m_scalars.fetch(space);
    const double square = m_scalars.host_reference(Reference::rhs);
    if (Impl::safe_range<scalar_type>().contains(square)) return std::sqrt(square);
    return m_scalars.size_over_ranks(space, Impl::rows_of(m_form.owned(b))) == 0 ? 0 : std::nan("");
  }
  /// |b - A u|. In mixed precision the next residual may be scaled anew. Fences `space`.
  template <class Space>
  double residual_norm(const Space& space) {
    m_scalars.fetch(space);
    const double scaled = std::sqrt(m_scalars.host(0, Step::residual2)), norm = scaled / m_scale;
    if constexpr (is_mixed) {
      // Nothing is lost where numbers are far from the limits of single precision.
      constexpr double near = 0x1p20;
      const bool is_near = scaled >= 1 / near && scaled <= near;
      if (!is_near && std::isfinite(norm) && norm > 0) m_next_scale = Impl::scale_of<double>(norm);
    }
    return norm;
  }

  /// u = x;  r = scale (b - A u).
  template <class Space, class Rhs, class Solution, class Vectors>
  void start(const Space& space, const Rhs& b, const Solution& x, const Vectors& v) {
    m_form.start(space, steps().step_to_complete(0), b, x, v);
    m_scalars.complete_residual(space, 0);
    if constexpr (is_mixed) {
      (void)residual_norm(space);
      if (m_next_scale != m_scale) subtract_image(space, b, {}, v);
    }
  }
  /// u += B (b - A u), and the residual after it.
  template <class Space, class Rhs, class Vectors>
  void iterate(const Space& space, const Rhs& b, const Vectors& v) {
    m_form.precondition(space, steps(), 0, v);
    subtract_image(
        space, b,
        {.along_p = static_cast<scalar_type>(1 / m_scale), .along_z = 0, .updated = m_updated}, v);
    m_updated = true;
  }
  /// u += along_p z;  r = scale (b - A u), with the next scale.
  template <class Space, class Rhs, class Vectors>
  void subtract_image(const Space& space, const Rhs& b, const FusedEnd<scalar_type>& end,
                      const Vectors& v) {
    m_scale = m_next_scale;
    m_form.residual(space, steps().step_to_complete(0), end, b, v.z, v, v.r);
    m_scalars.complete_residual(space, 0);
  }

  Form m_form;
  Impl::PlanInUse m_in_use;
  Impl::SolveScalars<memory_space> m_scalars;
  double m_scale = 1, m_next_scale = 1;  // of r and z in mixed precision
  bool m_updated = false;                // u, by an iteration before
};

}  // namespace Lamina
