// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/impl/RequireDisjoint.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>
#include <lamina/shallow_water/PeriodicMultigrid.hpp>
#include <lamina/shallow_water/impl/StateKernels.hpp>

#include <cstddef>
#include <utility>

namespace Lamina {

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory> PeriodicMultigrid<Scalar, Memory>::PeriodicMultigrid(
    const Space& space, const Operator& op, int steps, std::int64_t gathered_cells)
    : m_operator(op) {
  const Transport* const transport = op.strip().transport();
  Impl::run_agreed(transport, [&] {
    take_steps(steps, gathered_cells);
    make_levels();
  });
  if (transport != nullptr) cut_levels(*transport, gathered_cells);
  Impl::run_agreed(transport, [&] { allocate(); });
  update(space);
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class Space, class... Vectors>
void PeriodicMultigrid<Scalar, Memory>::exchange(const Space& space, const Level& level,
                                                 const Vectors&... vectors) const {
  if (level.halo.empty()) return;
  level.halo.start(space, level.items(vectors)...);
  level.halo.finish(space);
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class Space>
void PeriodicMultigrid<Scalar, Memory>::take_weight(const Space& space) const {
  const Level& finest = m_levels.front();
  if (finest.weight.data() == nullptr) return;
  const auto [nx, ny] = m_operator.rectangle();
  const auto with_ends = [&]<class Value>(const Impl::GridField<Value>& lines) {
    return Impl::StridedCells<Value>(lines.values - 1, 1, lines.stride);
  };
  Impl::StateKernels<Space, Scalar>::copy_cells(
      space, {nx + 2, ny}, with_ends(m_operator.stencil().weight),
      with_ends(finest.field(finest.weight).lines_from(m_operator.strip().first_line())));
  exchange(space, finest, finest.weight);
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory>
void PeriodicMultigrid<Scalar, Memory>::update(const Space& space) const {
  const Impl::ProfilingRegion region("Lamina::PeriodicMultigrid::update");
  take_weight(space);
  for (std::size_t l = 0; l + 1 < m_levels.size(); ++l) {
    const Level &level = m_levels[l], &coarser = m_levels[l + 1];
    Impl::GridSpan lines = coarser.restricted;
    if (!coarser.is_cut()) ++lines.end;  // the couplings of the last line in the north
    Impl::PeriodicCycleKernels<Space, Scalar>::coarsen(
        level.labels, space, level.kernels, transfer(l), lines,
        {coarser.field(coarser.west), coarser.field(coarser.south), coarser.field(coarser.mass)});
    exchange(space, coarser, coarser.west, coarser.south, coarser.mass);
  }
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory>
void PeriodicMultigrid<Scalar, Memory>::solve(const Space& space, const vector_type& r,
                                              const vector_type& z) const {
  const char* function = "PeriodicMultigrid::solve";
  const auto [nx, ny] = m_operator.rectangle();
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
  const Level& finest = m_levels.front();
  const auto rhs = [&](std::size_t l) -> Input {
    if (l == 0 && !finest.is_cut()) return r;
    return m_levels[l].field(m_levels[l].rhs);
  };
  const auto solution = [&](std::size_t l) {
    return l == 0 && !finest.is_cut() ? z : m_levels[l].field(m_levels[l].solution);
  };
  if (finest.is_cut()) {
    const Impl::GridField<Scalar> own =
        finest.field(finest.rhs).lines_from(m_operator.strip().first_line());
    Impl::StateKernels<Space, Scalar>::copy_cells(
        space, m_operator.rectangle(), Impl::cells_of_lines(r), Impl::cells_of_lines(own));
    exchange(space, finest, finest.rhs);
  }
  const std::size_t last = m_levels.size() - 1;
  for (std::size_t l = 0; l < last; ++l) descend(space, guard, l, rhs(l), solution(l));
  const Level& single = m_levels[last];  // a cell
  Impl::PeriodicCycleKernels<Space, Scalar>::first_step(
      single.labels, space, guard, single.last_kernels(), single.smoothed, 1, rhs(last),
      last == 0 ? of_all(z) : solution(last), last == 0 ? energy : nullptr);
  for (std::size_t l = last; l-- > 0;) {
    if (m_levels[l + 1].is_shared) exchange(space, m_levels[l + 1], m_levels[l + 1].solution);
    ascend(space, guard, l, rhs(l), solution(l), l == 0 ? of_all(z) : solution(l),
           l == 0 ? energy : nullptr);
  }
  if (finest.is_cut()) m_operator.strip().exchange(space, z);
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
  exchange(space, coarser, coarser.rhs);
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
    Kernels::step(level.labels, space, guard, is_last ? level.last_kernels() : level.kernels,
                  level.lines_after(left), m_weights[static_cast<std::size_t>(left)], f, now,
                  is_last ? to : free, is_last ? energy : nullptr);
    std::swap(now, free);
  }
}

}  // namespace Lamina
