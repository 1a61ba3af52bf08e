// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/shallow_water/SemiImplicit.hpp>

#include <cmath>
#include <utility>
#include <variant>

namespace Lamina {

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory> StepReport SemiImplicit<Scalar, Memory>::step(const Space& space,
                                                                              State& state) {
  Impl::require_same_strip("SemiImplicit::step", "state", strip(), state.strip());
  const Impl::UseOfPlan use("SemiImplicit::step", m_in_use);
  const Impl::ProfilingRegion region("Lamina::SemiImplicit::step");
  start(space, state);
  StepReport report;
  while (!ends(space, state, report.newton_iterations == 0 ? state : m_next, report)) {
    correct(space, report.newton_iterations == 0 ? state : m_next, report);
    if (report.broke_down()) break;
    ++report.newton_iterations;
  }
  if (report.broke_down()) return report;
  if (report.newton_iterations > 0) std::swap(state, m_next);
  const Impl::StateFields<Scalar> scratch = m_residual.fields();
  m_diffusion.apply(space, strip(), state.fields(), scratch.u, scratch.v);
  m_check.after_step(space, state, report);
  return report;
}

template <FieldScalar Scalar, MemorySpace Memory>
Impl::SemiImplicitEquation<Scalar> SemiImplicit<Scalar, Memory>::equation() const {
  return {rectangle(), static_cast<Scalar>(Impl::inverse_mesh_width(rectangle())), m_basin.fields(),
          static_cast<Scalar>(m_time_step), Impl::ghosted_lines_of(m_weight)};
}

/// Phi* = Phi^n
template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
void SemiImplicit<Scalar, Memory>::start(const Space& space, const State& state) const {
  if (m_options.reference_height == ReferenceHeight::one) return;
  using Kernels = Impl::StateKernels<Space, Scalar>;
  Kernels::copy_cells(space, rectangle(),
                      Impl::StridedCells<const Scalar>(state.cells(state.height())),
                      Impl::StridedCells<Scalar>(state.cells(m_weight)));
  m_operator.fill_ghosts(space, m_weight);
  if (m_multigrid) m_multigrid->update(space);
}

/// Finds the residual, unless enough corrections have been made, and whether it is small enough.
template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
bool SemiImplicit<Scalar, Memory>::ends(const Space& space, const State& given,
                                        const State& iterate, StepReport& report) const {
  const StoppingCriteria& newton = m_options.newton;
  const int done = report.newton_iterations;
  if (newton.fixed_count && done == newton.max_iterations) return true;
  Impl::SemiImplicitKernels<Space, Scalar>::residual(space, equation(), given.fields(),
                                                     iterate.fields(), m_residual.fields(),
                                                     !newton.fixed_count, m_sums);
  if (newton.fixed_count) return false;
  strip().reduction().sum(space, m_sums.sum(), m_sums.sum(), 1);
  report.residual_norm = std::sqrt(m_sums.fetch(space));
  if (done == 0) report.initial_residual_norm = report.residual_norm;
  if (!std::isfinite(report.residual_norm)) {
    report.status = SolveStatus::breakdown_not_finite;
    return true;
  }
  const double relative = newton.tolerance * report.initial_residual_norm;
  if (report.residual_norm <=
      (relative > newton.absolute_tolerance ? relative : newton.absolute_tolerance)) {
    return true;
  }
  if (done == newton.max_iterations) {
    report.status = SolveStatus::max_iterations;
    return true;
  }
  return false;
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
void SemiImplicit<Scalar, Memory>::correct(const Space& space, const State& iterate,
                                           StepReport& report) {
  m_residual.exchange(space);
  *m_task = {equation(), m_residual.fields(), iterate.fields(), m_next.fields(), m_sums.sum()};
  const SolveReport solve = std::visit(
      [&](auto& cg) {
        return Impl::inner_solve(cg, space, m_residual.cells(m_residual.height()),
                                 m_next.cells(m_next.height()), m_options.cg);
      },
      m_cg);
  report.cg_iterations += solve.iterations;
  if (!solve.succeeded()) report.status = solve.status;
  m_next.exchange(space);
}

}  // namespace Lamina
