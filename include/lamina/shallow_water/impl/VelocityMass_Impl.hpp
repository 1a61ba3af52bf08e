// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/shallow_water/VelocityMass.hpp>

#include <cstddef>

namespace Lamina {

template <FieldScalar Scalar, MemorySpace Memory>
template <class Space>
void VelocityMass<Scalar, Memory>::start_ends(const Space& space, const field_type& rhs) const {
  const auto line = [&](std::size_t n) { return m_ends.data() + n * m_ends.stride(0); };
  const int reach = m_direct.reach(), shortest = m_strip.shortest();
  const auto ratio = static_cast<Scalar>(m_direct.ratio());
  Impl::LineEnds<Scalar> ends{line(0), line(1), nullptr, nullptr};
  // Beyond a wall, the line goes on as its own mirror with the other sign. V is 0 on the wall: in the
  // south at the first level, in the north at the one behind the last level.
  if (m_strip.south_wall()) {
    ends.first = line(2);
    ends.first_factor = -1 / ratio;
  }
  if (m_strip.north_wall()) {
    ends.last = line(3);
    ends.last_factor = -ratio;
  }
  // Each pass takes in one more rank, or one more image in a mirror.
  for (int covered = 0; covered < reach; covered += shortest) {
    Impl::CyclicToeplitzKernels<Space, Scalar>::find_ends(
        "Lamina::VelocityMass::find_ends", space, m_direct.factors(), lines(VelocityComponent::v),
        Impl::ghosted_lines_of(rhs), ends);
    ends.before = line(2);
    ends.behind = line(3);
    if (m_strip.is_whole()) continue;
    m_strip.start_ends(space, m_ends);
    if (covered + shortest < reach) m_strip.finish_ends(space);
  }
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory> SolveReport VelocityMass<Scalar, Memory>::solve(
    const Space& space, VelocityComponent component, const field_type& rhs, Scalar a,
    const field_type& x0, Scalar b, const field_type& x1, Scalar c, const field_type& out)
const {
  if (needs_ends(component)) {
    start_ends(space, rhs);
    finish_ends(space);
  }
  return solve_with_ends(space, component, rhs, a, x0, b, x1, c, out);
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class Space>
SolveReport VelocityMass<Scalar, Memory>::solve_with_ends(
    const Space& space, VelocityComponent component, const field_type& rhs, Scalar a,
    const field_type& x0, Scalar b, const field_type& x1, Scalar c, const field_type& out) const {
  const bool along_x = component == VelocityComponent::u;
  Impl::LineCombination<Scalar> combination;
  combination.rhs = Impl::ghosted_lines_of(rhs);
  combination.c = c;
  combination.out = Impl::ghosted_lines_of(out);
  const auto add_term = [&](Scalar factor, const field_type& field) {
    if (factor == 0) return;
    combination.factors[combination.num_terms] = factor;
    combination.terms[combination.num_terms++] = Impl::ghosted_lines_of(field);
  };
  add_term(a, x0);
  add_term(b, x1);

  if (m_options.solver == MassSolver::direct) {
    if (needs_ends(component)) {
      combination.before = m_ends.data() + 2 * m_ends.stride(0);
      combination.behind = m_ends.data() + 3 * m_ends.stride(0);
    }
    Impl::CyclicToeplitzKernels<Space, Scalar>::solve(
        along_x ? "Lamina::VelocityMass::solve_u" : "Lamina::VelocityMass::solve_v", space,
        m_direct.factors(), lines(component), along_x, combination);
    SolveReport report;
    report.status = SolveStatus::completed;
    return report;
  }
  m_model.task() = {along_x, combination};
  // The solution goes straight to the combination.
  return Impl::inner_solve(*m_cg, space, Impl::cells_of(rhs, m_strip.owned()),
                           Impl::cells_of(out, m_strip.owned()), m_options.criteria);
}

}  // namespace Lamina
