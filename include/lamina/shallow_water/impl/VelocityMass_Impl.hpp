// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/shallow_water/VelocityMass.hpp>

namespace Lamina {

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory> SolveReport VelocityMass<Scalar, Memory>::solve(
    const Space& space, VelocityComponent component, const field_type& rhs, Scalar a,
    const field_type& x0, Scalar b, const field_type& x1, Scalar c, const field_type& out)
const {
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
    const auto [nx, ny] = m_rectangle;
    const Impl::LinesShape shape = along_x ? Impl::LinesShape{ny, nx} : Impl::LinesShape{nx, ny};
    Impl::CyclicToeplitzKernels<Space, Scalar>::solve(
        along_x ? "Lamina::VelocityMass::solve_u" : "Lamina::VelocityMass::solve_v", space,
        m_direct.factors(), shape, along_x, combination);
    SolveReport report;
    report.status = SolveStatus::completed;
    return report;
  }
  m_model.task() = {along_x, combination};
  // The solution goes straight to the combination.
  return Impl::inner_solve(*m_cg, space, Impl::cells_of(rhs, m_rectangle),
                           Impl::cells_of(out, m_rectangle), m_options.criteria);
}

}  // namespace Lamina
