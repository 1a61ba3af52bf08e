// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/shallow_water/RungeKutta3.hpp>

namespace Lamina {

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory> StepReport RungeKutta3<Scalar, Memory>::step(const Space& space,
                                                                             State& state) {
  Impl::require_same_strip("RungeKutta3::step", "state", strip(), state.strip());
  const Impl::ProfilingRegion region("Lamina::RungeKutta3::step");
  const double dt = m_time_step;
  StepReport report;
  // The velocities of the second stage take the place of those of the first; its height cannot, as
  // tendencies read neighbours.
  const typename State::field_type given[2] = {state.u(), state.v()},
                                   stages[2] = {m_first.u(), m_first.v()};
  m_stage.run(space, {1, dt}, state, state.fields(), given, m_first.height(), m_first.u(),
              m_first.v(), report);
  m_stage.run(space, {0.25, 0.25 * dt}, state, m_first.fields(), stages, m_height, m_first.u(),
              m_first.v(), report);
  const Impl::StateFields<Scalar> second(Impl::ghosted_lines_of(m_height), m_first.fields().u,
                                         m_first.fields().v);
  m_stage.run(space, {2.0 / 3, 2.0 / 3 * dt}, state, second, stages, state.height(), state.u(),
              state.v(), report);
  m_diffusion.apply(space, strip(), state.fields(), m_first.fields().u, m_first.fields().v);
  m_check.after_step(space, state, report);
  return report;
}

}  // namespace Lamina
