// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/impl/TransportCalls.hpp>
#include <lamina/multigrid/PoissonMultigrid.hpp>
#include <lamina/multigrid/impl/SmoothingWeights.hpp>
#include <lamina/multigrid/impl/poisson/SmoothGrid_Host.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

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
  take_weights(steps);
  LAMINA_REQUIRE(op.num_owned() == op.num_columns(), "PoissonMultigrid",
                 "op: expected no halo columns, or a transport, got " +
                     std::to_string(op.num_columns() - op.num_owned()));
  m_levels = make_levels(op.rectangle());
  allocate(space);
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory> PoissonMultigrid<Scalar, Memory>::PoissonMultigrid(
    const Space& space, const Transport& transport, const PoissonOperator<Scalar, Memory>& op,
    const LocalRectangle& local, int steps, std::int64_t gathered_points)
    : m_operator(op), m_first_column(local.first) {
  Impl::run_agreed(transport, [&] {
    take_weights(steps);
    LAMINA_REQUIRE(
        gathered_points >= 1, "PoissonMultigrid",
        "gathered_points: expected a value >= 1, got " + std::to_string(gathered_points));
    LAMINA_REQUIRE(op.rectangle() == local.owned && op.num_columns() == local.halo.num_local,
                   "PoissonMultigrid", "op: expected the operator of the strip, got another one");
    if (transport.size() == 1) {
      LAMINA_REQUIRE(local.owned == local.whole && local.halo.num_local == local.whole.nx,
                     "PoissonMultigrid",
                     "local: expected the whole rectangle on one rank, got a strip of it");
    }
    m_levels = make_levels(local.whole);
  });
  if (transport.size() > 1) cut_levels(transport, local, gathered_points);
  Impl::run_agreed(transport, [&] { allocate(space); });
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class Space>
void PoissonMultigrid<Scalar, Memory>::allocate(const Space& space) {
  const auto storage = [](const char* name, std::size_t count) {
    return Storage(Kokkos::view_alloc(std::string("Lamina::PoissonMultigrid::") + name,
                                      Kokkos::WithoutInitializing),
                   count);
  };
  m_team_level = num_levels();
  if (!runs_on_host<Space> && m_ranks.halo.empty()) m_team_level = first_level_of_team(m_levels);
  for (std::size_t l = 0; l < m_levels.size(); ++l) {
    Level& level = m_levels[l];
    const auto size = static_cast<std::size_t>(level.values_of(level.fields));
    if (l > 0 || level.is_shared) {
      level.rhs = storage("rhs", size);
      level.solution = storage("solution", size);
    }
    level.before = storage("before", size);
    if (l >= static_cast<std::size_t>(m_team_level)) level.other = storage("other", size);
  }
  m_num_workers = static_cast<int>(space.concurrency());
  m_lines = storage("lines", Impl::tile_values<Scalar>(space, m_operator.rectangle()));
}

template <FieldScalar Scalar, MemorySpace Memory>
template <ExecutionSpace Space>
requires WorksIn<Space, Memory>
double PoissonMultigrid<Scalar, Memory>::required_bytes(const Space& space,
                                                        const Rectangle& rectangle) {
  double values = static_cast<double>(Impl::tile_values<Scalar>(space, rectangle));
  const std::vector<Level> levels = make_levels(rectangle);
  const auto of_team = static_cast<std::size_t>(
      runs_on_host<Space> ? static_cast<int>(levels.size()) : first_level_of_team(levels));
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const double fields = l == 0 ? 1 : l < of_team ? 3 : 4;
    values += fields * static_cast<double>(levels[l].x.count) * levels[l].y.count;
  }
  return values * sizeof(Scalar);
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class In, class Out>
void PoissonMultigrid<Scalar, Memory>::check(const char* function, const char* b_name, const In& b,
                                             const char* x_name, const Out& x) const {
  const int columns = m_operator.num_columns(), levels = m_operator.num_levels();
  Impl::require_field(function, b_name, b, columns, levels);
  Impl::require_field(function, x_name, x, columns, levels);
  Impl::require_disjoint(function, b_name, b, x_name, x);
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class Space, class... Storages>
void PoissonMultigrid<Scalar, Memory>::exchange(const Space& space, const Level& level,
                                                const Storages&... fields) const {
  if (level.halo.empty()) return;
  level.halo.start(space, level.view(fields)...);
  level.halo.finish(space);
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class Space, class In, class Out, class Work>
void PoissonMultigrid<Scalar, Memory>::on_lines(const Space& space,
                                                const Impl::CycleGuard<Memory>& guard, const In& b,
                                                const Out& x, bool reads_x,
                                                const Work& work) const {
  using Layout = typename Out::array_layout;
  using Impl::StridedCells;
  if (m_ranks.halo.empty()) {
    const Output lines = Impl::lines_of(x);
    return work(Layout(), Impl::lines_of(b), reads_x ? Input(lines) : Input(), lines);
  }
  using OwnLayout = Kokkos::LayoutRight;
  using Kernels = Impl::GridCycleKernels<Space, Scalar>;
  const Level& level = m_levels.front();
  const Impl::CellRange own{0, level.y.count, level.smoothed.begin, level.smoothed.end};
  const auto lines_of_user = [&]<class View>(const View& view) {
    const auto column = static_cast<std::ptrdiff_t>(view.stride(0));
    return StridedCells<typename View::value_type>(
        view.data() - m_first_column * column, static_cast<std::int64_t>(view.stride(1)), column);
  };
  const Output f = level.template field<OwnLayout>(level.rhs),
               solution = level.template field<OwnLayout>(level.solution);
  Kernels::copy(level.labels, space, {}, own, lines_of_user(Impl::as_const_field(b)),
                Impl::cells_of_lines(f));
  if (reads_x) {
    Kernels::copy(level.labels, space, {}, own, lines_of_user(Impl::as_const_field(x)),
                  Impl::cells_of_lines(solution));
    exchange(space, level, level.rhs, level.solution);
  } else {
    exchange(space, level, level.rhs);
  }
  const auto lines_of_x = lines_of_user(x);
  constexpr bool in_place = Impl::levels_contiguous<Layout>;
  work(OwnLayout(), f, reads_x ? Input(solution) : Input(),
       in_place ? Output(lines_of_x.values, lines_of_x.stride_j) : solution);
  if (!in_place) {
    Kernels::copy(level.labels, space, guard, own, Impl::cells_of_lines(Input(solution)),
                  lines_of_x);
  }
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class Layout, class Space>
void PoissonMultigrid<Scalar, Memory>::smooth(const Space& space,
                                              const Impl::CycleGuard<Memory>& guard,
                                              const Level& level,
                                              const Impl::GridSmoothing<Scalar>& smoothing) const {
  Impl::GridCycleKernels<Space, Scalar>::smooth(level.labels, space, guard,
                                                level.template lines<Layout>(),
                                                {m_lines.data(), m_num_workers}, smoothing);
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class Layout, class Space>
void PoissonMultigrid<Scalar, Memory>::run_levels_of_team(const Space& space,
                                                          const Impl::CycleGuard<Memory>& guard,
                                                          bool full) const {
  if constexpr (!runs_on_host<Space>) {
    Impl::TeamCycle<Scalar, Memory> cycle(guard, full, m_weights);
    const std::size_t first = static_cast<std::size_t>(m_team_level);
    for (std::size_t l = first; l < m_levels.size(); ++l) {
      const Level& level = m_levels[l];
      cycle.add({.level = level.template lines<Layout>(),
                 .rows = {},
                 .f = level.template field<Layout>(level.rhs),
                 .solution = level.template field<Layout>(level.solution),
                 .before = level.template field<Layout>(level.before),
                 .other = level.template field<Layout>(level.other)});
    }
    const Impl::GridCycleLabels& labels = m_levels[first].labels;
    Impl::GridCycleKernels<Space, Scalar>::run_team_cycle(
        full ? labels.full_cycle.c_str() : labels.cycle.c_str(), space, cycle);
  }
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class Layout, class Space>
void PoissonMultigrid<Scalar, Memory>::descend(const Space& space,
                                               const Impl::CycleGuard<Memory>& guard, int l,
                                               const Input& f, const Input& x, const Input& c,
                                               const Output& to) const {
  if (l == m_team_level) return run_levels_of_team<Layout>(space, guard, false);
  const Level& level = m_levels[static_cast<std::size_t>(l)];
  double* const energy =
      l == 0 && guard.guarded ? guard.step.now + FusedStep<Memory>::energy : nullptr;
  Impl::GridSmoothing<Scalar> smoothing{.f = f, .x = x, .c = c, .to = to, .coarse = {}};
  smoothing.lines = lines_of(level.smoothed);
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
  // What is prolonged to needs as many lines more, which nobody then has to send.
  if (!smoothing.lines.empty()) {
    smoothing.lines = smoothing.lines.widened(smoothing.steps, smoothing.all_lines.end);
  }
  smoothing.coarse_lines = lines_of(coarser.restricted);
  smooth<Layout>(space, guard, level, smoothing);
  exchange(space, coarser, coarser.rhs);
  descend<Layout>(space, guard, l + 1, coarse_f, {}, {}, coarse_x);
  if (coarser.is_shared) exchange(space, coarser, coarser.solution);
  smoothing.x = before;
  smoothing.lines = lines_of(level.smoothed);
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
  check("PoissonMultigrid::full_multigrid", "b", b, "x", x);
  const Impl::ProfilingRegion region("Lamina::PoissonMultigrid::full_multigrid");
  on_lines(space, {}, b, x, false,
           [&]<class Layout>(Layout, const Input& f, const Input&, const Output& to) {
             start_with_all_levels<Layout>(space, f, to);
           });
}

template <FieldScalar Scalar, MemorySpace Memory>
template <class Layout, class Space>
void PoissonMultigrid<Scalar, Memory>::start_with_all_levels(const Space& space, const Input& b,
                                                             const Output& x) const {
  const auto rhs = [&](std::size_t l) -> Input {
    if (l == 0) return b;
    return m_levels[l].template field<Layout>(m_levels[l].rhs);
  };
  const auto solution = [&](std::size_t l) -> Output {
    return l == 0 ? x : m_levels[l].template field<Layout>(m_levels[l].solution);
  };
  std::size_t last = m_levels.size() - 1;
  const bool ends_in_team = m_team_level < num_levels();
  if (ends_in_team) last = static_cast<std::size_t>(m_team_level);
  for (std::size_t l = 0; l < last; ++l) {
    const Level& coarser = m_levels[l + 1];
    Impl::GridSmoothing<Scalar> restriction{.f = rhs(l),
                                            .x = {},
                                            .c = {},
                                            .to = {},
                                            .coarse = coarser.template field<Layout>(coarser.rhs)};
    restriction.lines = lines_of(m_levels[l].smoothed);
    restriction.coarse_lines = lines_of(coarser.restricted);
    smooth<Layout>(space, {}, m_levels[l], restriction);
    exchange(space, coarser, coarser.rhs);
  }
  if (ends_in_team) {
    run_levels_of_team<Layout>(space, {}, true);
  } else {
    descend<Layout>(space, {}, static_cast<int>(last), rhs(last), {}, {}, solution(last));
  }
  // The cycle of a level reads the solution of the coarser one first, and overwrites it then.
  for (std::size_t l = last; l-- > 0;) {
    const Level& coarser = m_levels[l + 1];
    if (coarser.is_shared) exchange(space, coarser, coarser.solution);
    descend<Layout>(space, {}, static_cast<int>(l), rhs(l), {}, solution(l + 1), solution(l));
  }
}

}  // namespace Lamina
