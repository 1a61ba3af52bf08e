// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/distributed/impl/RequireSame.hpp>
#include <lamina/multigrid/impl/SmoothingWeights.hpp>
#include <lamina/multigrid/impl/poisson/GridStrips.hpp>
#include <lamina/shallow_water/MultigridPeriodic.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace Lamina {

Impl::PeriodicCycleLabels::PeriodicCycleLabels(int level) {
  const std::string prefix = level_prefix("PeriodicMultigrid", static_cast<std::size_t>(level));
  first_step = prefix + "first_step";
  step = prefix + "step";
  restriction = prefix + "restrict";
  prolongation = prefix + "prolong";
  coarsening = prefix + "coarsen";
}

template <FieldScalar Scalar, MemorySpace Memory>
void PeriodicMultigrid<Scalar, Memory>::take_steps(int steps, std::int64_t gathered_cells) {
  for (const double weight : Impl::smoothing_weights(steps, "PeriodicMultigrid")) {
    m_weights.push_back(static_cast<Scalar>(weight));
  }
  LAMINA_REQUIRE(gathered_cells >= 1, "PeriodicMultigrid",
                 "gathered_cells: expected a value >= 1, got " + std::to_string(gathered_cells));
}

template <FieldScalar Scalar, MemorySpace Memory>
void PeriodicMultigrid<Scalar, Memory>::make_levels() {
  const Impl::PeriodicStencil<Scalar>& stencil = m_operator.stencil();
  LAMINA_REQUIRE(stencil.c_x >= 0 && stencil.c_y >= 0, "PeriodicMultigrid",
                 "op: expected c_x, c_y >= 0, got " + std::to_string(stencil.c_x) + ", " +
                     std::to_string(stencil.c_y));
  const Rectangle& whole = m_operator.strip().whole();
  Impl::CellAxis x{whole.nx}, y{whole.ny};
  for (int l = 0;; ++l) {
    Level level{.x = x, .y = y, .labels = Impl::PeriodicCycleLabels(l)};
    level.kernels.rectangle = level.rectangle();
    level.kernels.walls = m_operator.strip().has_walls();
    m_levels.push_back(level);
    if (!x.halves() && !y.halves()) return;
    x = x.coarser();
    y = y.coarser();
  }
}

template <FieldScalar Scalar, MemorySpace Memory>
void PeriodicMultigrid<Scalar, Memory>::cut_levels(const Transport& transport,
                                                   std::int64_t gathered_cells) {
  using Impl::GridStrips;
  const WaterStrip<Memory>& strip = m_operator.strip();
  const int ghosts = Impl::num_cell_ghosts(num_steps());
  Impl::require_same("PeriodicMultigrid", transport,
                     {{"steps", static_cast<double>(num_steps())},
                      {"gathered_cells", static_cast<double>(gathered_cells)}});
  // A field of a strip must not have a line twice.
  const auto is_small = [&](const Level& level) {
    return level.rectangle().cells() <= static_cast<double>(gathered_cells) ||
           level.y.count < 4 * ghosts;
  };
  const Impl::GridSpan mine{strip.first_line(), strip.first_line() + strip.owned().ny};
  GridStrips strips =
      GridStrips::cells(transport, mine, strip.whole().ny, !strip.has_walls(), ghosts);
  if (is_small(m_levels.front())) strips = strips.gathered();
  const int rank = transport.rank();
  for (std::size_t l = 0; l < m_levels.size(); ++l) {
    Level& level = m_levels[l];
    if (l > 0) {
      const auto kind = strips.kind != GridStrips::Kind::shared ? GridStrips::Kind::whole
                        : is_small(level)                       ? GridStrips::Kind::gathered
                                                                : GridStrips::Kind::shared;
      strips = strips.coarser(kind, m_levels[l - 1].y.halves(), ghosts);
    }
    level.fields = strips.fields[static_cast<std::size_t>(rank)];
    level.smoothed = l == 0 ? mine : strips.smoothed(rank);
    level.restricted = strips.owned[static_cast<std::size_t>(rank)];
    level.is_shared = strips.kind == GridStrips::Kind::shared;
    level.kernels.wraps = !level.is_shared;
    if (strips.kind == GridStrips::Kind::whole) continue;
    // Couplings are three fields.
    level.halo =
        HaloExchange<Memory>(transport, strips.pattern(rank),
                             3 * (static_cast<std::size_t>(level.x.count) + 2) * sizeof(Scalar));
  }
}

template <FieldScalar Scalar, MemorySpace Memory>
void PeriodicMultigrid<Scalar, Memory>::allocate() {
  const Impl::PeriodicStencil<Scalar>& stencil = m_operator.stencil();
  for (std::size_t l = 0; l < m_levels.size(); ++l) {
    Level& level = m_levels[l];
    Impl::PeriodicLevel<Scalar>& kernels = level.kernels;
    level.other = level.make_vector("other");
    if (l == 0) {
      kernels.c_x = level.x.count > 1 ? stencil.c_x : Scalar(0);
      kernels.c_y = level.y.count > 1 ? stencil.c_y : Scalar(0);
      kernels.weight = stencil.weight;
      if (level.is_cut() && stencil.weight.values != nullptr) {
        level.weight = level.make_vector("weight");
        kernels.weight = level.field(level.weight);
      }
    }
    if (l > 0 || level.is_cut()) {
      level.rhs = level.make_vector("rhs");
      level.solution = level.make_vector("solution");
    }
    if (l == 0) continue;
    level.west = level.make_vector("west");
    level.south = level.make_vector("south");
    level.mass = level.make_vector("mass");
    kernels.west = level.field(level.west);
    kernels.south = level.field(level.south);
    kernels.mass = level.field(level.mass);
  }
}

template <FieldScalar Scalar, MemorySpace Memory>
Impl::CountedKernels PeriodicMultigrid<Scalar, Memory>::counted_kernels(std::size_t l) const {
  const Level& level = m_levels[l];
  Impl::CountedKernels kernels;
  const double couplings = level.kernels.num_fields();
  const auto take = [&](double calls, const std::string& label, double cells, double fields,
                        double coarse, double flops) {
    if (calls == 0) return;
    kernels.push_back(
        {calls,
         {label, (cells * fields + coarse) * sizeof(Scalar) / calls, flops * cells / calls}});
  };
  if (l + 1 == m_levels.size()) {
    take(1, level.labels.first_step, level.cells_of(level.smoothed), 2 + couplings, 0, 6);
    return kernels;
  }
  const Level& coarser = m_levels[l + 1];
  const int steps = num_steps();
  const auto before = [&](int left) {
    return level.cells_of(level.lines_before(left, steps, coarser.restricted));
  };
  double cells = 0;  // of all steps
  for (int left = 0; left < steps - 1; ++left) cells += before(left);
  for (int left = 0; left < steps; ++left) cells += level.cells_of(level.lines_after(left));
  const double around = level.cells_of(level.lines_after(steps)),
               smoothed = level.cells_of(level.smoothed),
               coarse = coarser.cells_of(coarser.restricted);
  take(1, level.labels.first_step, before(steps - 1), 2 + couplings, 0, 6);
  take(2 * steps - 1, level.labels.step, cells, 3 + couplings, 0, 22);
  take(1, level.labels.restriction, smoothed, 2 + couplings, coarse,
       std::is_same_v<Memory, Kokkos::HostSpace> ? 20 : 70);
  take(1, level.labels.prolongation, around, 2, coarse, 5);
  return kernels;
}

template <FieldScalar Scalar, MemorySpace Memory>
KernelCost PeriodicMultigrid<Scalar, Memory>::coarsening_cost(std::size_t l) const {
  const Level &level = m_levels[l], &coarser = m_levels[l + 1];
  const double cells = level.cells_of(level.smoothed),
               coarse = coarser.cells_of(coarser.restricted);
  return {level.labels.coarsening,
          (level.kernels.num_fields() * cells + 3 * coarse) * sizeof(Scalar), 6 * cells};
}

template <FieldScalar Scalar, MemorySpace Memory>
std::vector<KernelCost> PeriodicMultigrid<Scalar, Memory>::kernel_costs() const {
  std::vector<KernelCost> costs;
  for (std::size_t l = 0; l < m_levels.size(); ++l) {
    Impl::append_costs(counted_kernels(l), costs);
    if (l + 1 < m_levels.size()) costs.push_back(coarsening_cost(l));
  }
  return costs;
}

template <FieldScalar Scalar, MemorySpace Memory>
KernelCost PeriodicMultigrid<Scalar, Memory>::cycle_cost() const {
  KernelCost sum{"Lamina::PeriodicMultigrid::solve"};
  for (std::size_t l = 0; l < m_levels.size(); ++l) Impl::add_calls(counted_kernels(l), sum);
  return sum;
}

template <FieldScalar Scalar, MemorySpace Memory>
KernelCost PeriodicMultigrid<Scalar, Memory>::update_cost() const {
  KernelCost sum{"Lamina::PeriodicMultigrid::update"};
  for (std::size_t l = 0; l + 1 < m_levels.size(); ++l) {
    Impl::add_calls({{1, coarsening_cost(l)}}, sum);
  }
  return sum;
}

template <FieldScalar Scalar, MemorySpace Memory>
std::vector<KernelCost> MultigridPeriodic<Scalar, Memory>::kernel_costs() const {
  const double cells = Operator::rectangle().cells(),
               weight = Operator::stencil().weight.values != nullptr ? 1 : 0;
  std::vector<KernelCost> costs;
  for (const KernelCost& of_operator : Operator::kernel_costs()) {
    const std::string& label = of_operator.label;
    const bool of_ghosts = label.find("::advance_ghosts") != std::string::npos,
               own = label.find("::measure") != std::string::npos ||
                     (label.find("::advance") != std::string::npos && !of_ghosts);
    if (!own) costs.push_back(of_operator);
  }
  const auto take = [&](const char* name, double fields, double flops) {
    costs.push_back({std::string("Lamina::MultigridPeriodic::") + name,
                     cells * fields * sizeof(Scalar), cells * flops});
  };
  const double more = 10 * weight;  // flops
  take("sum_residual", 1, 2);
  take("measure", 1 + weight, 11 + more);
  take("advance", 5 + weight, 15 + more);
  take("advance_and_update", 7 + weight, 19 + more);
  for (const KernelCost& of_cycle : m_multigrid.kernel_costs()) costs.push_back(of_cycle);
  return costs;
}

#define LAMINA_INSTANTIATE(Scalar, Memory)          \
  template class PeriodicMultigrid<Scalar, Memory>; \
  template class MultigridPeriodic<Scalar, Memory>;
LAMINA_FOR_EACH_SCALAR_AND_MEMORY(LAMINA_INSTANTIATE)

namespace Impl {

#define LAMINA_INSTANTIATE_KERNELS(Space)              \
  template struct PeriodicCycleKernels<Space, float>;  \
  template struct PeriodicCycleKernels<Space, double>; \
  template struct PeriodicPcgKernels<Space, float>;    \
  template struct PeriodicPcgKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_INSTANTIATE_KERNELS)

}  // namespace Impl
}  // namespace Lamina
