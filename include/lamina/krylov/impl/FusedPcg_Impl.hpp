// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/impl/RequireDisjoint.hpp>
#include <lamina/krylov/FusedPcg.hpp>
#include <lamina/krylov/impl/BadPivots.hpp>

#include <string>

namespace Lamina {
namespace Impl {

/// `solve`, or `iterate` where the criteria ask for a fixed count and nothing else.
template <class Plan, class Space, class Rhs, class Solution>
SolveReport inner_solve(Plan& plan, const Space& space, const Rhs& b, const Solution& x,
                        const StoppingCriteria& criteria) {
  const bool tests = criteria.tolerance > 0 || criteria.absolute_tolerance > 0 || criteria.on_check;
  return criteria.fixed_count && !tests && criteria.max_iterations > 0
             ? plan.iterate(space, b, x, criteria.max_iterations)
             : plan.solve(space, b, x, criteria);
}

}  // namespace Impl

template <class Model>
template <ExecutionSpace Space>
requires WorksIn<Space, typename Model::memory_space> FusedPcg<Model>::FusedPcg(const Space& space,
                                                                                const Model& model)
    : m_form(space, model, "FusedPcg") {
  if constexpr (Impl::has_ranks<Model> && !requires { typename Model::vector_type; }) {
    static_assert(is_preconditioned<Space>,
                  "FusedPcg: over several ranks, a model without vectors of its own has a "
                  "preconditioner");
  }
  m_history.distribute(m_form.reduction());
}

template <class Model>
template <ExecutionSpace Space,
          FieldOf<typename Model::scalar_type, typename Model::memory_space> Rhs,
          FieldOf<typename Model::scalar_type, typename Model::memory_space> Solution>
requires FusedModel<Model, Space> && WritableField<Solution> &&
    std::same_as<typename Rhs::array_layout, typename Solution::array_layout>
        SolveReport FusedPcg<Model>::solve(const Space& space, const Rhs& b, const Solution& x,
                                           const StoppingCriteria& criteria) {
  const Impl::ProfilingRegion region("Lamina::FusedPcg::solve");
  return run("FusedPcg::solve", space, b, x, criteria, false);
}

template <class Model>
template <ExecutionSpace Space,
          FieldOf<typename Model::scalar_type, typename Model::memory_space> Rhs,
          FieldOf<typename Model::scalar_type, typename Model::memory_space> Solution>
requires FusedModel<Model, Space> && WritableField<Solution> &&
    std::same_as<typename Rhs::array_layout, typename Solution::array_layout>
        SolveReport FusedPcg<Model>::iterate(const Space& space, const Rhs& b, const Solution& x,
                                             int count) {
  static_assert(!is_mixed, "iterate: a solve in mixed precision ends with its true residual");
  LAMINA_REQUIRE(count >= 1, "FusedPcg::iterate",
                 "argument count: expected a value >= 1, got " + std::to_string(count));
  const Impl::ProfilingRegion region("Lamina::FusedPcg::iterate");
  StoppingCriteria criteria = StoppingCriteria::iterations(count - 1);
  criteria.relative_to = Reference::initial_residual;
  return run("FusedPcg::iterate", space, b, x, criteria, true);
}

template <class Model>
template <class Space, class Rhs, class Solution>
SolveReport FusedPcg<Model>::run(const char* function, const Space& space, const Rhs& b,
                                 const Solution& x, const StoppingCriteria& criteria,
                                 bool one_more) {
  m_form.require_field(function, "b", b);
  m_form.require_field(function, "x", x);
  Impl::require_disjoint(function, "b", b, "x", x);
  Impl::require_criteria(function, criteria, max_check_every);
  const Impl::UseOfPlan use(function, m_in_use);
  SolveReport report;
  m_history.start(criteria, report, is_mixed ? Impl::SafeRange() : Impl::safe_range<scalar_type>(),
                  !is_mixed                           ? Impl::Replacements::at_breakdown
                  : Impl::needs_few_iterations<Model> ? Impl::Replacements::planned_rarely
                                                      : Impl::Replacements::planned);
  const auto rhs = Impl::as_const_field(b);
  const auto solution = Impl::as_field(x);
  m_form.template with_vectors<Space>(solution, [&](const auto& vectors) {
    run_passes_to_end(space, rhs, solution, vectors, one_more);
    finish(space, vectors, solution, one_more, report);
  });
  m_history.judge_solution(space, Impl::rows_of(m_form.owned(solution)).as_const());
  Impl::blame_bad_pivots(space, m_form.model(), report,
                         [&](bool found) { return m_history.on_any_rank(space, found); });
  return report;
}

template <class Model>
template <class Space, class Rhs, class Solution, class Vectors>
void FusedPcg<Model>::run_passes_to_end(const Space& space, const Rhs& b, const Solution& x,
                                        const Vectors& v, bool one_more) {
  // A stretch begins and ends with copies of the vectors.
  constexpr Impl::LookInterval stretch{200, 200, 200},
      plain = Impl::needs_few_iterations<Model> ? Impl::look_interval_of_few : Impl::LookInterval();
  Impl::LookInterval interval = in_stretches<Space>() ? stretch : plain;
  // CPU cores leave a cycle that is over at once, and would ask for one more sum over ranks at each look.
  const bool worthwhile = !runs_on_host<Space> || !m_history.distributed();
  interval.early = interval.early && is_preconditioned<Space> && worthwhile;
  bool started = false;
  const auto u = Impl::rows_of(Impl::as_field(v.u));
  const auto begin = [&] {
    const auto step = m_history.step_to_complete(0);
    if (started) return m_form.residual(space, step, {}, b, v.p[1], v, v.r);
    m_form.start(space, step, b, x, v);
    started = true;
  };
  bool goes_on = false;  // with the pass before, whose residual alone was looked at
  int looked_at = 0;
  const auto run = [&](int first, int last) {
    goes_on = goes_on && first == looked_at + 1;
    run_passes<Space>(space, v, goes_on ? looked_at : first, last, interval.early, one_more);
    goes_on = interval.early;
    looked_at = last;
  };
  const auto replace = [&](int pass) {
    const auto& r = residual_of<Space>(v, pass);
    m_form.residual(space, m_history.step_to_complete(pass), end_of(pass), b, v.p[1 - pass % 2], v,
                    r);
    return Impl::rows_of(m_form.entries(r));
  };
  m_history.solve(
      space, interval,
      Impl::SolveVectors{Impl::rows_of(m_form.owned(b)), u, Impl::rows_of(m_form.entries(v.r))},
      Impl::SolveCalls<vector_scalar>{begin, run, replace});
  m_history.unscale(space, u);
}

template <class Model>
FusedEnd<typename Model::scalar_type> FusedPcg<Model>::end_of(int iterations, double alpha,
                                                              double beta) const {
  const auto steps = m_history.steps();
  // u takes directions in pairs: after an odd number one is pending.
  const double pending = steps.updates(iterations) ? m_history.alpha(iterations - 1) : 0;
  const double unscale = 1 / m_history.scale();  // directions still are scaled
  const bool updated = steps.begin > 0 || iterations > 1;
  if constexpr (is_mixed) {
    // As r was updated. There is no second factor: GCC 12 loses the rounding of two side by side.
    const auto rounded = static_cast<vector_scalar>(pending);
    return {.along_p = unscale * static_cast<double>(rounded), .updated = updated};
  } else {
    return {static_cast<scalar_type>(unscale * (pending + alpha * beta)),
            static_cast<scalar_type>(unscale * alpha), updated};
  }
}

template <class Model>
template <class Space, class Vectors, class Solution>
void FusedPcg<Model>::finish(const Space& space, const Vectors& v, const Solution& x, bool one_more,
                             SolveReport& report) const {
  const int iterations = report.iterations;
  FusedEnd<scalar_type> end = end_of(iterations);
  if (one_more && report.residual_norm == 0) report.status = SolveStatus::converged;
  if (one_more && report.status == SolveStatus::completed) {
    const auto last = m_history.iteration(iterations);
    end = end_of(iterations, last.alpha, last.beta);
    if (last.proceed) {
      ++report.iterations;
    } else {
      report.status = Impl::breakdown_of(last.curvature);
    }
  }
  const auto& z = is_preconditioned<Space> ? v.z : residual_of<Space>(v, iterations);
  m_form.finish(space, end, v.p[1 - iterations % 2], z, v, x);
}

template <class Model>
template <ExecutionSpace Space, class Vectors>
void FusedPcg<Model>::run_passes(const Space& space, const Vectors& v, int first, int last,
                                 bool early, bool one_more) const {
  const Model& model = m_form.model();
  if constexpr (Impl::RunsInStretches<Model, Space>) {
    if (model.in_stretches()) {
      const auto steps = m_history.steps();
      if (first == steps.fresh) Kokkos::deep_copy(space, v.p[1 - first % 2], scalar_type(0));
      const Kokkos::Array<typename Model::vector_type, 2> residuals = {v.r, v.z};
      return model.iterate(space, steps, first, last, residuals, v.p, v.u);
    }
  }
  for (int pass = first; pass <= last; ++pass) {
    const auto step = m_history.step_to_complete(pass);
    const auto& z = is_preconditioned<Space> ? v.z : residual_of<Space>(v, pass);
    if constexpr (is_preconditioned<Space>) {
      if (step.is_last && !one_more) return m_history.complete(space, pass);
      if (early && pass == last && !step.is_last) return m_history.complete_residual(space, pass);
      m_form.precondition(space, m_history.steps(), pass, v);
    }
    model.measure(space, step, Form::input(z));
    m_history.complete(space, pass);
    if (step.is_last) return;
    // Without a direction before it beta is 0. But 0 times an old NaN would be NaN.
    const auto& p = step.is_first ? z : v.p[1 - pass % 2];
    // u takes both directions at once, before the older one is overwritten.
    model.advance(space, m_history.step(pass), m_history.steps().updates(pass), Form::input(z),
                  Form::input(p), v.p[pass % 2], residual_of<Space>(v, pass + 1), v.u);
  }
}

}  // namespace Lamina
