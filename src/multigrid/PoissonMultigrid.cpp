// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/distributed/impl/RequireSame.hpp>
#include <lamina/multigrid/PoissonMultigrid.hpp>
#include <lamina/multigrid/impl/SmoothingWeights.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace Lamina {

Impl::GridCycleLabels::GridCycleLabels(int level) {
  const std::string prefix = level_prefix("PoissonMultigrid", static_cast<std::size_t>(level));
  descend = prefix + "descend";
  ascend = prefix + "ascend";
  restrict_rhs = prefix + "restrict_rhs";
  cycle = prefix + "cycle";
  full_cycle = prefix + "full_cycle";
  copy = prefix + "copy";
}

template <FieldScalar Scalar, MemorySpace Memory>
auto PoissonMultigrid<Scalar, Memory>::make_levels(const Rectangle& rectangle)
    -> std::vector<Level> {
  std::vector<Level> levels;
  Impl::GridAxis x{rectangle.nx}, y{rectangle.ny};
  double aspect = 1;
  for (int l = 0;; ++l) {
    levels.push_back({.x = x, .y = y, .aspect = aspect, .labels = Impl::GridCycleLabels(l)});
    if (!x.halves() && !y.halves()) return levels;
    if (y.halves()) aspect *= 2;
    if (x.halves()) aspect /= 2;
    x = x.coarser();
    y = y.coarser();
  }
}

template <FieldScalar Scalar, MemorySpace Memory>
int PoissonMultigrid<Scalar, Memory>::first_level_of_team(const std::vector<Level>& levels) {
  const int count = static_cast<int>(levels.size());
  int first = std::max(1, count - Impl::TeamCycle<Scalar, Memory>::most_levels);
  const auto points = [&](int l) {
    const Level& level = levels[static_cast<std::size_t>(l)];
    return static_cast<std::int64_t>(level.x.count) * level.y.count;
  };
  while (first < count && points(first) > Impl::GridMarchTuning::team_points) ++first;
  return first;
}

template <FieldScalar Scalar, MemorySpace Memory>
void PoissonMultigrid<Scalar, Memory>::take_weights(int steps) {
  for (const double weight : Impl::smoothing_weights(steps, "PoissonMultigrid")) {
    m_weights.push_back(static_cast<Scalar>(weight));
  }
}

template <FieldScalar Scalar, MemorySpace Memory>
void PoissonMultigrid<Scalar, Memory>::cut_levels(const Transport& transport,
                                                  const LocalRectangle& local,
                                                  std::int64_t gathered_points) {
  const int steps = static_cast<int>(m_weights.size()), ghosts = Impl::num_ghosts(steps);
  Impl::require_same("PoissonMultigrid", transport,
                     {{"steps", static_cast<double>(steps)},
                      {"gathered_points", static_cast<double>(gathered_points)},
                      {"columns of local.whole", static_cast<double>(local.whole.nx)},
                      {"levels of local.whole", static_cast<double>(local.whole.ny)}});
  using Kind = Impl::GridStrips::Kind;
  const auto bytes_of_column = [](int levels) {
    return static_cast<std::size_t>(levels) * sizeof(Scalar);
  };
  m_ranks = Decomposition<Memory>(transport, local.halo, bytes_of_column(local.whole.ny));
  Impl::GridStrips strips(transport, local, ghosts);
  for (std::size_t l = 0; l < m_levels.size(); ++l) {
    Level& level = m_levels[l];
    if (l > 0) {
      const bool is_small =
          rectangle(static_cast<int>(l)).cells() <= static_cast<double>(gathered_points);
      const Kind kind = strips.kind != Kind::shared ? Kind::whole
                        : is_small                  ? Kind::gathered
                                                    : Kind::shared;
      strips = strips.coarser(kind, m_levels[l - 1].x.halves(), ghosts);
    }
    const auto rank = static_cast<std::size_t>(transport.rank());
    level.fields = strips.fields[rank];
    level.smoothed = strips.smoothed(transport.rank());
    level.restricted = strips.owned[rank];
    level.is_shared = strips.kind == Kind::shared;
    if (strips.kind == Kind::whole) continue;
    // An iteration also exchanges x with the right-hand side.
    level.halo = HaloExchange<Memory>(transport, strips.pattern(transport.rank()),
                                      (l == 0 ? 2 : 1) * bytes_of_column(level.y.count));
  }
}

template <FieldScalar Scalar, MemorySpace Memory>
Impl::CountedKernels PoissonMultigrid<Scalar, Memory>::counted_kernels(std::size_t l,
                                                                       Start start) const {
  Impl::CountedKernels kernels;
  const double steps = static_cast<double>(m_weights.size());
  const Impl::GridCycleLabels& labels = m_levels[l].labels;
  const bool is_last = l + 1 == m_levels.size();
  const Level& level = m_levels[l];
  // Before the coarser level a rank also smooths columns of others, see `descend`.
  const Impl::GridSpan smoothed_before =
      level.smoothed.empty()
          ? level.smoothed
          : level.smoothed.widened(static_cast<int>(m_weights.size()), level.x.count);
  const double cells = level.values_of(level.smoothed), before = level.values_of(smoothed_before),
               coarse = is_last ? 0 : m_levels[l + 1].values_of(m_levels[l + 1].restricted);
  const auto take = [&](double calls, const std::string& label, double values, double flops) {
    kernels.push_back({calls, {label, values * sizeof(Scalar), flops}});
  };
  if (is_last) {  // a point, which is solved for whatever it was
    take(1, labels.descend, 2 * cells, 2 * cells);
    return kernels;
  }
  // What the start reads beside the right-hand side.
  const double start_values = start == Start::zero ? 0 : start == Start::guess ? before : coarse;
  const double prolongation = start == Start::coarser ? 1 : 0;
  const double flops = start == Start::zero ? 9 * steps + 4 : 9 * steps + 11 + 4 * prolongation;
  take(1, labels.descend, 2 * before + start_values + coarse, flops * before);
  take(1, labels.ascend, 3 * cells + coarse, (9 * steps + 4) * cells);
  return kernels;
}

template <FieldScalar Scalar, MemorySpace Memory>
KernelCost PoissonMultigrid<Scalar, Memory>::restriction_cost(std::size_t l) const {
  const Level &level = m_levels[l], &coarser = m_levels[l + 1];
  const double cells = level.values_of(level.smoothed);
  return {level.labels.restrict_rhs,
          (cells + coarser.values_of(coarser.restricted)) * sizeof(Scalar), 3 * cells};
}

template <FieldScalar Scalar, MemorySpace Memory>
std::vector<KernelCost> PoissonMultigrid<Scalar, Memory>::kernel_costs(Start start) const {
  std::vector<KernelCost> costs;
  for (std::size_t l = 0; l < m_levels.size(); ++l) {
    if (l == static_cast<std::size_t>(m_team_level)) {
      costs.push_back({m_levels[l].labels.cycle});
      add_cycle(l, Start::zero, costs.back());
      costs.push_back({m_levels[l].labels.full_cycle});
      add_full_multigrid(l, costs.back());
      break;
    }
    if (l + 1 < m_levels.size()) costs.push_back(restriction_cost(l));
    Impl::append_costs(counted_kernels(l, l == 0 ? start : Start::zero), costs);
  }
  const Level& finest = m_levels.front();
  if (!m_ranks.halo.empty()) {
    costs.push_back(
        {finest.labels.copy, 2 * finest.values_of(finest.smoothed) * sizeof(Scalar), 0});
  }
  return costs;
}

template <FieldScalar Scalar, MemorySpace Memory>
void PoissonMultigrid<Scalar, Memory>::add_cycle(std::size_t l, Start start,
                                                 KernelCost& sum) const {
  for (; l < m_levels.size(); ++l) {
    Impl::add_calls(counted_kernels(l, start), sum);
    start = Start::zero;
  }
}

template <FieldScalar Scalar, MemorySpace Memory>
void PoissonMultigrid<Scalar, Memory>::add_full_multigrid(std::size_t l, KernelCost& sum) const {
  for (; l < m_levels.size(); ++l) {
    add_cycle(l, Start::coarser, sum);
    if (l + 1 == m_levels.size()) break;
    const KernelCost restriction = restriction_cost(l);
    sum.bytes += restriction.bytes;
    sum.flops += restriction.flops;
  }
}

template <FieldScalar Scalar, MemorySpace Memory>
KernelCost PoissonMultigrid<Scalar, Memory>::cycle_cost() const {
  KernelCost sum{"Lamina::PoissonMultigrid::solve"};
  add_cycle(0, Start::zero, sum);
  return sum;
}

template <FieldScalar Scalar, MemorySpace Memory>
KernelCost PoissonMultigrid<Scalar, Memory>::improve_cost() const {
  KernelCost sum{"Lamina::PoissonMultigrid::improve"};
  add_cycle(0, Start::guess, sum);
  return sum;
}

template <FieldScalar Scalar, MemorySpace Memory>
KernelCost PoissonMultigrid<Scalar, Memory>::full_multigrid_cost() const {
  KernelCost sum{"Lamina::PoissonMultigrid::full_multigrid"};
  add_full_multigrid(0, sum);
  return sum;
}

#define LAMINA_INSTANTIATE(Scalar, Memory) template class PoissonMultigrid<Scalar, Memory>;
LAMINA_FOR_EACH_SCALAR_AND_MEMORY(LAMINA_INSTANTIATE)

}  // namespace Lamina
