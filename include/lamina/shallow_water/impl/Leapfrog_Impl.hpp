// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/shallow_water/Leapfrog.hpp>

#include <utility>

namespace Lamina {

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory> StepReport Leapfrog<Scalar, Memory>::step(const Space& space,
                                                                          State& state) {
  Impl::require_same_strip("Leapfrog::step", "state", strip(), state.strip());
  const Impl::ProfilingRegion region("Lamina::Leapfrog::step");
  StepReport report;
  if (!m_has_previous) {
    set_previous(space, state);
    report = m_start.step(space, state);
    m_check.after_step(space, state, report);
    return report;
  }
  const typename State::field_type velocity[2] = {state.u(), state.v()};
  m_start.m_stage.run(space, {0, 2 * time_step()}, m_previous, state.fields(), velocity,
                      m_previous.height(), m_previous.u(), m_previous.v(), report);
  std::swap(m_previous, state);
  const Impl::StateFields<Scalar> scratch = m_start.m_first.fields();
  m_diffusion.apply(space, strip(), state.fields(), scratch.u, scratch.v);
  m_check.after_step(space, state, report);
  return report;
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory>
void Leapfrog<Scalar, Memory>::set_previous(const Space& space, const State& before) {
  Impl::require_same_cells("Leapfrog::set_previous", "before", rectangle(), before.rectangle());
  m_previous.copy_from(space, before);
  m_has_previous = true;
}

}  // namespace Lamina
