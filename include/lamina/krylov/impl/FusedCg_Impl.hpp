// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/impl/RequireDisjoint.hpp>
#include <lamina/krylov/FusedCg.hpp>

#include <string>

namespace Lamina {
namespace Impl {

template <class Space, class Model>
bool runs_in_stretches(const Model& model) {
  if constexpr (FusedCgStretchModel<Model, Space>) {
    return model.in_stretches();
  } else {
    return false;
  }
}

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
requires WorksIn<Space, typename Model::memory_space> FusedCg<Model>::FusedCg(const Space&,
                                                                              const Model& model)
    : m_model(model),
      m_residuals{model.make_vector("Lamina::FusedCg::residual"),
                  model.make_vector("Lamina::FusedCg::next_residual")},
      m_directions{model.make_vector("Lamina::FusedCg::direction"),
                   model.make_vector("Lamina::FusedCg::next_direction")},
      m_solution(model.make_vector("Lamina::FusedCg::solution")) {}

template <class Model>
template <ExecutionSpace Space,
          FieldOf<typename Model::scalar_type, typename Model::memory_space> Rhs,
          FieldOf<typename Model::scalar_type, typename Model::memory_space> Solution>
requires FusedCgModel<Model, Space> && WritableField<Solution> &&
    std::same_as<typename Rhs::array_layout, typename Solution::array_layout>
        SolveReport FusedCg<Model>::solve(const Space& space, const Rhs& b, const Solution& x,
                                          const StoppingCriteria& criteria) {
  const Impl::UseOfPlan use("FusedCg::solve", m_in_use);
  const Impl::ProfilingRegion region("Lamina::FusedCg::solve");
  SolveReport report;
  run("FusedCg::solve", space, b, x, criteria, report);
  finish(space, report.iterations, 0, 0, x);
  m_history.judge_solution(space, x);
  return report;
}

template <class Model>
template <ExecutionSpace Space,
          FieldOf<typename Model::scalar_type, typename Model::memory_space> Rhs,
          FieldOf<typename Model::scalar_type, typename Model::memory_space> Solution>
requires FusedCgModel<Model, Space> && WritableField<Solution> &&
    std::same_as<typename Rhs::array_layout, typename Solution::array_layout>
        SolveReport FusedCg<Model>::iterate(const Space& space, const Rhs& b, const Solution& x,
                                            int count) {
  LAMINA_REQUIRE(count >= 1, "FusedCg::iterate",
                 "argument count: expected a value >= 1, got " + std::to_string(count));
  const Impl::UseOfPlan use("FusedCg::iterate", m_in_use);
  const Impl::ProfilingRegion region("Lamina::FusedCg::iterate");
  StoppingCriteria criteria = StoppingCriteria::iterations(count - 1);
  criteria.relative_to = Reference::initial_residual;
  SolveReport report;
  run("FusedCg::iterate", space, b, x, criteria, report);
  if (report.residual_norm == 0) report.status = SolveStatus::converged;
  if (report.status == SolveStatus::completed) {
    const auto last = m_history.iteration(report.iterations);
    finish(space, report.iterations, last.alpha, last.beta, x);
    if (last.proceed) {
      ++report.iterations;
    } else {
      report.status = Impl::breakdown_of(last.curvature);
    }
  } else {
    finish(space, report.iterations, 0, 0, x);
  }
  m_history.judge_solution(space, x);
  return report;
}

template <class Model>
template <class Space, class Rhs, class Solution>
void FusedCg<Model>::run(const char* function, const Space& space, const Rhs& b, const Solution& x,
                         const StoppingCriteria& criteria, SolveReport& report) {
  m_model.require_field(function, "b", b);
  m_model.require_field(function, "x", x);
  Impl::require_disjoint(function, "b", b, "x", x);
  Impl::require_criteria(function, criteria, max_check_every);

  const bool in_stretches = Impl::runs_in_stretches<Space>(m_model);
  // A stretch begins and ends with copies of the vectors.
  constexpr Impl::LookInterval stretch{200, 200, 200};
  m_history.start(criteria, report, Impl::safe_range<scalar_type>());
  const auto u = Impl::as_field(m_solution), r = Impl::as_field(m_residuals[0]);
  m_history.solve(
      space, in_stretches ? stretch : Impl::LookInterval(),
      Impl::PcgVectors{Impl::as_const_field(b), Impl::as_field(x), u, r},
      [&] {
        if (in_stretches) {  // else see `run_passes`
          Kokkos::deep_copy(space, m_directions[1], scalar_type(0));
        }
        m_model.start(space, Impl::as_const_field(b), Impl::as_const_field(x), m_solution,
                      m_residuals[0]);
      },
      [&](int first, int last) { run_passes(space, first, last); });
  m_history.unscale(space, u);
}

template <class Model>
template <class Space, class Solution>
void FusedCg<Model>::finish(const Space& space, int iterations, double alpha, double beta,
                            const Solution& x) const {
  // u takes directions in pairs: after an odd number one is pending.
  const double pending = iterations % 2 == 1 ? m_history.alpha(iterations - 1) : 0;
  const double unscale = 1 / m_history.scale();  // directions still are scaled
  const FusedCgEnd<scalar_type> end{
      .along_p = static_cast<scalar_type>(unscale * (pending + alpha * beta)),
      .along_r = static_cast<scalar_type>(unscale * alpha),
      .updated = iterations > 1};
  const int now = iterations % 2;
  m_model.finish(space, end, m_directions[1 - now], m_residuals[now], m_solution,
                 Impl::as_field(x));
}

template <class Model>
template <ExecutionSpace Space>
void FusedCg<Model>::run_passes(const Space& space, int first, int last) const {
  if constexpr (FusedCgStretchModel<Model, Space>) {
    if (m_model.in_stretches()) {
      m_model.iterate(space, m_history.steps(), first, last, m_residuals, m_directions, m_solution);
      return;
    }
  }
  for (int pass = first; pass <= last; ++pass) {
    const auto step = m_history.step(pass);
    const int now = pass % 2, other = 1 - now;
    m_model.measure(space, step, m_residuals[now]);
    if (step.is_last) return;
    // There is no direction before the first: beta is 0, but 0 times an old NaN would be NaN.
    const auto& direction = pass == 0 ? m_residuals[0] : m_directions[other];
    // The solution takes both directions at once, before the older one is overwritten.
    const auto update = now == 0    ? FusedCgUpdate::none
                        : pass == 1 ? FusedCgUpdate::first
                                    : FusedCgUpdate::again;
    m_model.advance(space, step, update, m_residuals[now], direction, m_directions[now],
                    m_residuals[other], m_solution);
  }
}

}  // namespace Lamina
