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
  allocate();
  update(space);
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory>
void PeriodicMultigrid<Scalar, Memory>::update(const Space& space) const {
  const Impl::ProfilingRegion region("Lamina::PeriodicMultigrid::update");
  for (std::size_t l = 0; l + 1 < m_levels.size(); ++l) {
    const Level &level = m_levels[l], &coarser = m_levels[l + 1];
    Impl::GridSpan lines = coarser.restricted;
    if (coarser.kernels.wraps) ++lines.end;  // the couplings of the last line in the north
    Impl::PeriodicCycleKernels<Space, Scalar>::coarsen(
        level.labels, space, level.kernels, transfer(l), lines,
        {coarser.field(coarser.west), coarser.field(coarser.south), coarser.field(coarser.mass)});
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
  const auto rhs = [&](std::size_t l) -> Input {
    if (l == 0) return r;
    return m_levels[l].field(m_levels[l].rhs);
  };
  const auto solution = [&](std::size_t l) {
    return l == 0 ? z : m_levels[l].field(m_levels[l].solution);
  };
  const std::size_t last = m_levels.size() - 1;
  for (std::size_t l = 0; l < last; ++l) descend(space, guard, l, rhs(l), solution(l));
  const Level& single = m_levels[last];  // a cell
  Impl::PeriodicCycleKernels<Space, Scalar>::first_step(
      single.labels, space, guard, single.kernels, single.smoothed, 1, rhs(last), solution(last),
      last == 0 ? energy : nullptr);
  for (std::size_t l = last; l-- > 0;) {
    ascend(space, guard, l, rhs(l), solution(l), solution(l), l == 0 ? energy : nullptr);
  }
}

/// The steps before the coarser level, and its right-hand side. The first step goes to `other` and the last one
/// after the coarser level to x: there is an odd number of steps between them.
template <FieldScalar Scalar, MemorySpace Memory>
template <class Space>
void PeriodicMultigrid<Scalar, Memory>::descend(const Space& space,
                                                const Impl::CycleGuard<Memory>& guard,
                                                std::size_t l, const Input& f,
                                                const Output& x) const {
  using Kernels = Impl::PeriodicCycleKernels<Space, Scalar>;
  const Level &level = m_levels[l], &coarser = m_levels[l + 1];
  const int steps = num_steps();
  Output now = level.field(level.other), free = x;
  for (int done = 0; done < steps; ++done) {
    const Impl::GridSpan lines = level.lines_before(steps - 1 - done, steps, coarser.restricted);
    const Scalar weight = m_weights[static_cast<std::size_t>(done)];
    if (done == 0) {
      Kernels::first_step(level.labels, space, guard, level.kernels, lines, weight, f, now,
                          nullptr);
    } else {
      Kernels::step(level.labels, space, guard, level.kernels, lines, weight, f, now, free,
                    nullptr);
      std::swap(now, free);
    }
  }
  Kernels::restrict_residual(level.labels, space, guard, level.kernels, transfer(l),
                             coarser.restricted, f, now, free, coarser.field(coarser.rhs));
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class Space>
void PeriodicMultigrid<Scalar, Memory>::ascend(const Space& space,
                                               const Impl::CycleGuard<Memory>& guard, std::size_t l,
                                               const Input& f, const Output& x, const Output& to,
                                               double* energy) const {
  using Kernels = Impl::PeriodicCycleKernels<Space, Scalar>;
  const Level &level = m_levels[l], &coarser = m_levels[l + 1];
  const int steps = num_steps();
  Output now = level.field(level.other), free = x;
  if (steps % 2 == 0) std::swap(now, free);
  Kernels::prolong(level.labels, space, guard, level.kernels, transfer(l), level.lines_after(steps),
                   coarser.field(coarser.solution), now);
  for (int left = steps; left-- > 0;) {
    const bool is_last = left == 0;
    Kernels::step(level.labels, space, guard, level.kernels, level.lines_after(left),
                  m_weights[static_cast<std::size_t>(left)], f, now, is_last ? to : free,
                  is_last ? energy : nullptr);
    std::swap(now, free);
  }
}

}  // namespace Lamina
