// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/Require.hpp>
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
FusedCg<Model>::FusedCg(const Model& model)
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
  const Impl::ProfilingRegion region("Lamina::FusedCg::solve");
  SolveReport report = run("FusedCg::solve", space, b, x, criteria);
  finish(space, report.iterations, 0, 0, x);
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
  const Impl::ProfilingRegion region("Lamina::FusedCg::iterate");
  SolveReport report =
      run("FusedCg::iterate", space, b, x, StoppingCriteria::iterations(count - 1));
  if (report.residual_norm == 0) report.status = SolveStatus::converged;
  if (report.status != SolveStatus::completed) {
    finish(space, report.iterations, 0, 0, x);
    return report;
  }
  const auto last = m_history.iteration(report.iterations);
  finish(space, report.iterations, last.alpha, last.beta, x);
  if (last.proceed) {
    ++report.iterations;
  } else {
    report.status = Impl::breakdown_of(last.curvature);
  }
  return report;
}

template <class Model>
template <class Space, class Rhs, class Solution>
SolveReport FusedCg<Model>::run(const char* function, const Space& space, const Rhs& b,
                                const Solution& x, const StoppingCriteria& criteria) {
  m_model.require_field(function, "b", b);
  m_model.require_field(function, "x", x);
  Impl::require_criteria(function, criteria, max_check_every);

  SolveReport report;
  m_history.start(criteria, report);
  if (Impl::runs_in_stretches<Space>(m_model)) {  // else see `run_passes`
    Kokkos::deep_copy(space, m_directions[1], scalar_type(0));
  }
  m_model.start(space, Impl::as_const_field(b), Impl::as_const_field(x), m_solution,
                m_residuals[0]);

  // A stretch begins and ends with copies of the vectors.
  constexpr Impl::LookInterval stretch{200, 200, 200};
  m_history.run_to_end(space,
                       Impl::runs_in_stretches<Space>(m_model) ? stretch : Impl::LookInterval(),
                       [&](int first, int last) { run_passes(space, first, last); });
  return report;
}

template <class Model>
template <class Space, class Solution>
void FusedCg<Model>::finish(const Space& space, int iterations, double alpha, double beta,
                            const Solution& x) const {
  // u takes directions in pairs: after an odd number one is pending.
  const double pending = iterations % 2 == 1 ? m_history.alpha(iterations - 1) : 0;
  const FusedCgEnd<scalar_type> end{.along_p = static_cast<scalar_type>(pending + alpha * beta),
                                    .along_r = static_cast<scalar_type>(alpha),
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
