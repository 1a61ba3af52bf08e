// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/multigrid/PoissonMultigrid.hpp>
#include <lamina/multigrid/impl/SmoothingWeights.hpp>
#include <lamina/multigrid/impl/poisson/SmoothGrid_Host.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace Lamina {

namespace Impl {

/// Values of the lines in scratch of all workers on CPU cores, for lines in either direction.
template <class Scalar, class Space>
std::size_t tile_values(const Space& space, const Rectangle& rectangle) {
  if constexpr (!runs_on_host<Space>) return 0;
  const std::int64_t longest = std::max(rectangle.nx, rectangle.ny);
  return static_cast<std::size_t>(static_cast<std::int64_t>(space.concurrency()) *
                                  TileLines<Scalar>::size(longest));
}

}  // namespace Impl

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory> PoissonMultigrid<Scalar, Memory>::PoissonMultigrid(
    const Space& space, const PoissonOperator<Scalar, Memory>& op, int steps)
    : m_operator(op) {
  for (const double weight : Impl::smoothing_weights(steps, "PoissonMultigrid")) {
    m_weights.push_back(static_cast<Scalar>(weight));
  }
  LAMINA_REQUIRE(
      op.num_owned() == op.num_columns(), "PoissonMultigrid",
      "op: expected no halo columns, got " + std::to_string(op.num_columns() - op.num_owned()));
  m_levels = make_levels(op.rectangle());
  const auto allocate = [](const char* name, std::size_t count) {
    return Storage(Kokkos::view_alloc(std::string("Lamina::PoissonMultigrid::") + name,
                                      Kokkos::WithoutInitializing),
                   count);
  };
  for (std::size_t l = 0; l < m_levels.size(); ++l) {
    Level& level = m_levels[l];
    const std::size_t size =
        static_cast<std::size_t>(level.x.count) * static_cast<std::size_t>(level.y.count);
    if (l > 0) {
      level.rhs = allocate("rhs", size);
      level.solution = allocate("solution", size);
    }
    level.before = allocate("before", size);
    if (!runs_on_host<Space>) level.other = allocate("other", size);
  }
  m_num_workers = static_cast<int>(space.concurrency());
  m_lines = allocate("lines", Impl::tile_values<Scalar>(space, op.rectangle()));
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory>
double PoissonMultigrid<Scalar, Memory>::required_bytes(const Space& space,
                                                        const Rectangle& rectangle) {
  double values = static_cast<double>(Impl::tile_values<Scalar>(space, rectangle));
  const double of_level = runs_on_host<Space> ? 1 : 2;
  double fields = of_level;
  for (const Level& level : make_levels(rectangle)) {
    values += fields * static_cast<double>(level.x.count) * level.y.count;
    fields = of_level + 2;
  }
  return values * sizeof(Scalar);
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class Layout>
Impl::GridLevel<Scalar> PoissonMultigrid<Scalar, Memory>::Level::lines() const {
  const Impl::GridDirection<Scalar> along_x(x, aspect), along_y(y, 1 / aspect);
  if constexpr (Impl::levels_contiguous<Layout>) {
    return {along_y, along_x};
  } else {
    return {along_x, along_y};
  }
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class In, class Out>
void PoissonMultigrid<Scalar, Memory>::check(const char* function, const char* b_name, const In& b,
                                             const char* x_name, const Out& x) const {
  const auto [nx, ny] = m_operator.rectangle();
  Impl::require_field(function, b_name, b, nx, ny);
  Impl::require_field(function, x_name, x, nx, ny);
  Impl::require_disjoint(function, b_name, b, x_name, x);
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class Layout, class Space>
void PoissonMultigrid<Scalar, Memory>::smooth(const Space& space,
                                              const Impl::CycleGuard<Memory>& guard,
                                              const Level& level,
                                              const Impl::GridSmoothing<Scalar>& smoothing) const {
  Impl::GridCycleKernels<Space, Scalar>::smooth(
      level.labels, space, guard, level.template lines<Layout>(),
      {m_lines.data(), m_num_workers, level.template field<Layout>(level.other)}, smoothing);
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class Layout, class Space>
void PoissonMultigrid<Scalar, Memory>::descend(const Space& space,
                                               const Impl::CycleGuard<Memory>& guard, int l,
                                               const Input& f, const Input& x, const Input& c,
                                               const Output& to) const {
  const Level& level = m_levels[static_cast<std::size_t>(l)];
  double* const energy =
      l == 0 && guard.guarded ? guard.step.now + FusedStep<Memory>::energy : nullptr;
  Impl::GridSmoothing<Scalar> smoothing{.f = f, .x = x, .c = c, .to = to, .coarse = {}};
  if (l + 1 == num_levels()) {  // a point
    smoothing.x = {};
    smoothing.weights[0] = 1;
    smoothing.steps = 1;
    smoothing.energy = energy;
    return smooth<Layout>(space, guard, level, smoothing);
  }
  const Level& coarser = m_levels[static_cast<std::size_t>(l) + 1];
  const Output coarse_f = coarser.template field<Layout>(coarser.rhs),
               coarse_x = coarser.template field<Layout>(coarser.solution),
               before = level.template field<Layout>(level.before);
  smoothing.to = before;
  smoothing.coarse = coarse_f;
  smoothing.steps = static_cast<int>(m_weights.size());
  std::copy(m_weights.begin(), m_weights.end(), smoothing.weights);
  smooth<Layout>(space, guard, level, smoothing);
  descend<Layout>(space, guard, l + 1, coarse_f, {}, {}, coarse_x);
  smoothing.x = before;
  smoothing.c = coarse_x;
  smoothing.to = to;
  smoothing.coarse = {};
  smoothing.energy = energy;
  std::copy(m_weights.rbegin(), m_weights.rend(), smoothing.weights);
  smooth<Layout>(space, guard, level, smoothing);
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space, FieldOf<Scalar, Memory> In, FieldOf<Scalar, Memory> Out>
requires WorksIn<Space, Memory> && WritableField<Out> &&
    std::same_as<typename In::array_layout, typename Out::array_layout>
void PoissonMultigrid<Scalar, Memory>::full_multigrid(const Space& space, const In& b,
                                                      const Out& x) const {
  using Layout = typename Out::array_layout;
  check("PoissonMultigrid::full_multigrid", "b", b, "x", x);
  const Impl::ProfilingRegion region("Lamina::PoissonMultigrid::full_multigrid");
  const auto rhs = [&](std::size_t l) -> Input {
    if (l == 0) return Impl::lines_of(b);
    return m_levels[l].template field<Layout>(m_levels[l].rhs);
  };
  const auto solution = [&](std::size_t l) -> Output {
    return l == 0 ? Output(Impl::lines_of(x))
                  : m_levels[l].template field<Layout>(m_levels[l].solution);
  };
  const std::size_t last = m_levels.size() - 1;
  for (std::size_t l = 0; l < last; ++l) {
    const Level& coarser = m_levels[l + 1];
    const Impl::GridSmoothing<Scalar> restriction{
        .f = rhs(l),
        .x = {},
        .c = {},
        .to = {},
        .coarse = coarser.template field<Layout>(coarser.rhs)};
    smooth<Layout>(space, {}, m_levels[l], restriction);
  }
  descend<Layout>(space, {}, static_cast<int>(last), rhs(last), {}, {}, solution(last));
  // The cycle of a level reads the solution of the coarser one first, and overwrites it then.
  for (std::size_t l = last; l-- > 0;) {
    descend<Layout>(space, {}, static_cast<int>(l), rhs(l), {}, solution(l + 1), solution(l));
  }
}

}  // namespace Lamina
