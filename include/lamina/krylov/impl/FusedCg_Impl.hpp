// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/krylov/FusedCg.hpp>

#include <algorithm>

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
  m_model.require_field("FusedCg::solve", "b", b);
  m_model.require_field("FusedCg::solve", "x", x);
  Impl::require_criteria("FusedCg::solve", criteria, max_check_every);
  const Impl::ProfilingRegion region("Lamina::FusedCg::solve");

  SolveReport report;
  m_history.start(criteria, report);
  if (Impl::runs_in_stretches<Space>(m_model)) {  // else see `run_passes`
    Kokkos::deep_copy(space, m_directions[1], scalar_type(0));
  }
  m_model.start(space, Impl::as_const_field(b), Impl::as_const_field(x), m_solution,
                m_residuals[0]);

  const int interval =
      Impl::check_interval<Space>(criteria, Impl::runs_in_stretches<Space>(m_model));
  int last_pass = -1;
  do {
    const int first = last_pass + 1;
    last_pass = first + std::min(interval - 1, criteria.max_iterations - first);
    run_passes(space, first, last_pass);
  } while (!m_history.look(space, last_pass));
  const int last = report.iterations - 1;
  const bool pending = report.iterations % 2 == 1;
  // Nothing pending: 0 times what is finite where the solution is.
  m_model.finish(space, pending ? static_cast<scalar_type>(m_history.alpha(last)) : scalar_type(0),
                 pending ? m_directions[last % 2] : m_solution, m_solution, Impl::as_field(x));
  return report;
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
    m_model.advance(space, step, now == 1, m_residuals[now], direction, m_directions[now],
                    m_residuals[other], m_solution);
  }
}

}  // namespace Lamina
