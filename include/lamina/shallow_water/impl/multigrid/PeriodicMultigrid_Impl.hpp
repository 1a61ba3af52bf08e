// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/impl/RequireDisjoint.hpp>
#include <lamina/multigrid/impl/SmoothingWeights.hpp>
#include <lamina/shallow_water/PeriodicMultigrid.hpp>

#include <cstddef>
#include <utility>

namespace Lamina {

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory> PeriodicMultigrid<Scalar, Memory>::PeriodicMultigrid(
    const Space& space, const Operator& op, int steps)
    : m_operator(op) {
  for (const double weight : Impl::smoothing_weights(steps, "PeriodicMultigrid")) {
    m_weights.push_back(static_cast<Scalar>(weight));
  }
  make_levels();
  update(space);
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory>
void PeriodicMultigrid<Scalar, Memory>::update(const Space& space) const {
  const Impl::ProfilingRegion region("Lamina::PeriodicMultigrid::update");
  for (std::size_t l = 0; l + 1 < m_levels.size(); ++l) {
    const Level &level = m_levels[l], &coarser = m_levels[l + 1];
    Impl::PeriodicCycleKernels<Space, Scalar>::coarsen(
        level.labels, space, level.kernels, level.transfer(),
        {Impl::ghosted_lines_of(coarser.west), Impl::ghosted_lines_of(coarser.south),
         Impl::ghosted_lines_of(coarser.mass)});
  }
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory>
void PeriodicMultigrid<Scalar, Memory>::solve(const Space& space, const vector_type& r,
                                              const vector_type& z) const {
  const char* function = "PeriodicMultigrid::solve";
  const auto [nx, ny] = rectangle(0);
  Impl::require_field(function, "r", r, nx + 2, ny + 2);
  Impl::require_field(function, "z", z, nx + 2, ny + 2);
  Impl::require_disjoint(function, "r", r, "z", z);
  const Impl::ProfilingRegion region("Lamina::PeriodicMultigrid::solve");
  cycle(space, {}, Impl::ghosted_lines_of(r), Impl::ghosted_lines_of(z));
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class Space>
void PeriodicMultigrid<Scalar, Memory>::cycle(const Space& space,
                                              const Impl::CycleGuard<Memory>& guard,
                                              const Impl::GridField<const Scalar>& r,
                                              const Impl::GridField<Scalar>& z) const {
  double* const energy = guard.guarded ? guard.step.now + FusedStep<Memory>::energy : nullptr;
  const auto rhs = [&](std::size_t l) -> Impl::GridField<const Scalar> {
    if (l == 0) return r;
    return Impl::ghosted_lines_of(m_levels[l].rhs);
  };
  const auto solution = [&](std::size_t l) {
    return l == 0 ? z : Impl::ghosted_lines_of(m_levels[l].solution);
  };
  const std::size_t last = m_levels.size() - 1;
  for (std::size_t l = 0; l < last; ++l) descend(space, guard, l, rhs(l), solution(l));
  const Level& single = m_levels[last];  // a cell
  Impl::PeriodicCycleKernels<Space, Scalar>::first_step(single.labels, space, guard, single.kernels,
                                                        1, rhs(last), solution(last),
                                                        last == 0 ? energy : nullptr);
  for (std::size_t l = last; l-- > 0;) {
    ascend(space, guard, l, rhs(l), solution(l), l == 0 ? energy : nullptr);
  }
}

/// The steps before the coarser level, and its right-hand side. The first step goes to `other` and the last one
/// after the coarser level to x: there is an odd number of steps between them.
template <FieldScalar Scalar, MemorySpace Memory>
template <class Space>
void PeriodicMultigrid<Scalar, Memory>::descend(const Space& space,
                                                const Impl::CycleGuard<Memory>& guard,
                                                std::size_t l,
                                                const Impl::GridField<const Scalar>& f,
                                                const Impl::GridField<Scalar>& x) const {
  using Kernels = Impl::PeriodicCycleKernels<Space, Scalar>;
  const Level& level = m_levels[l];
  Impl::GridField<Scalar> now = Impl::ghosted_lines_of(level.other), free = x;
  Kernels::first_step(level.labels, space, guard, level.kernels, m_weights[0], f, now, nullptr);
  for (std::size_t k = 1; k < m_weights.size(); ++k) {
    Kernels::step(level.labels, space, guard, level.kernels, m_weights[k], f, now, free, nullptr);
    std::swap(now, free);
  }
  Kernels::restrict_residual(level.labels, space, guard, level.kernels, level.transfer(), f, now,
                             free, Impl::ghosted_lines_of(m_levels[l + 1].rhs));
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class Space>
void PeriodicMultigrid<Scalar, Memory>::ascend(const Space& space,
                                               const Impl::CycleGuard<Memory>& guard, std::size_t l,
                                               const Impl::GridField<const Scalar>& f,
                                               const Impl::GridField<Scalar>& x,
                                               double* energy) const {
  using Kernels = Impl::PeriodicCycleKernels<Space, Scalar>;
  const Level& level = m_levels[l];
  const std::size_t steps = m_weights.size();
  Impl::GridField<Scalar> now = Impl::ghosted_lines_of(level.other), free = x;
  if (steps % 2 == 0) std::swap(now, free);
  Kernels::prolong(level.labels, space, guard, level.kernels, level.transfer(),
                   Impl::ghosted_lines_of(m_levels[l + 1].solution), now);
  for (std::size_t k = steps; k-- > 0;) {
    Kernels::step(level.labels, space, guard, level.kernels, m_weights[k], f, now, free,
                  k == 0 ? energy : nullptr);
    std::swap(now, free);
  }
}

}  // namespace Lamina
