// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/shallow_water/MultigridPeriodic.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace Lamina {

Impl::PeriodicCycleLabels::PeriodicCycleLabels(int level) {
  std::string prefix = "Lamina::PeriodicMultigrid::";
  if (level > 0) prefix += "level_" + std::to_string(level) + "::";
  first_step = prefix + "first_step";
  step = prefix + "step";
  restriction = prefix + "restrict";
  prolongation = prefix + "prolong";
  coarsening = prefix + "coarsen";
}

template <FieldScalar Scalar, MemorySpace Memory>
void PeriodicMultigrid<Scalar, Memory>::make_levels() {
  const Impl::PeriodicStencil<Scalar>& stencil = m_operator.stencil();
  LAMINA_REQUIRE(m_operator.strip().is_whole(), "PeriodicMultigrid",
                 "op: expected one process, got a strip of several");
  LAMINA_REQUIRE(stencil.c_x >= 0 && stencil.c_y >= 0, "PeriodicMultigrid",
                 "op: expected c_x, c_y >= 0, got " + std::to_string(stencil.c_x) + ", " +
                     std::to_string(stencil.c_y));
  const bool walls = m_operator.strip().has_walls();
  Impl::CellAxis x{m_operator.rectangle().nx}, y{m_operator.rectangle().ny};
  for (int l = 0;; ++l) {
    Level level{x, y, Impl::PeriodicCycleLabels(l), {}, {}, {}, {}, {}, {}, {}};
    const Rectangle cells = level.rectangle();
    const auto make = [&](const char* name) {
      return Impl::make_ghosted<Scalar, Memory>(std::string("Lamina::PeriodicMultigrid::") + name,
                                                cells);
    };
    level.kernels.rectangle = cells;
    level.kernels.walls = walls;
    level.other = make("other");
    if (l == 0) {
      level.kernels.c_x = x.count > 1 ? stencil.c_x : Scalar(0);
      level.kernels.c_y = y.count > 1 ? stencil.c_y : Scalar(0);
      level.kernels.weight = stencil.weight;
    } else {
      level.rhs = make("rhs");
      level.solution = make("solution");
      level.west = make("west");
      level.south = make("south");
      level.mass = make("mass");
      level.kernels.west = Impl::ghosted_lines_of(level.west);
      level.kernels.south = Impl::ghosted_lines_of(level.south);
      level.kernels.mass = Impl::ghosted_lines_of(level.mass);
    }
    m_levels.push_back(level);
    if (!x.halves() && !y.halves()) return;
    x = x.coarser();
    y = y.coarser();
  }
}

template <FieldScalar Scalar, MemorySpace Memory>
auto PeriodicMultigrid<Scalar, Memory>::counted_kernels(std::size_t l) const
    -> std::vector<CountedKernel> {
  const Level& level = m_levels[l];
  const bool is_last = l + 1 == m_levels.size();
  const double cells = level.rectangle().cells(),
               couplings = l > 0                         ? 3
                           : level.kernels.is_weighted() ? 1
                                                         : 0,
               coarse = is_last ? 0 : m_levels[l + 1].rectangle().cells(),
               steps = static_cast<double>(m_weights.size());
  const auto kernel = [&](double calls, const std::string& label, double values, double flops) {
    return CountedKernel{calls, {label, values * sizeof(Scalar), flops * cells}};
  };
  std::vector<CountedKernel> kernels{
      kernel(1, level.labels.first_step, (2 + couplings) * cells, 6)};
  if (is_last) return kernels;
  kernels.push_back(kernel(2 * steps - 1, level.labels.step, (3 + couplings) * cells, 22));
  kernels.push_back(kernel(1, level.labels.restriction, (2 + couplings) * cells + coarse, 17));
  kernels.push_back(kernel(1, level.labels.prolongation, 2 * cells + coarse, 1));
  return kernels;
}

template <FieldScalar Scalar, MemorySpace Memory>
KernelCost PeriodicMultigrid<Scalar, Memory>::coarsening_cost(std::size_t l) const {
  const Level& level = m_levels[l];
  const double cells = level.rectangle().cells(), coarse = m_levels[l + 1].rectangle().cells(),
               couplings = l > 0                         ? 3
                           : level.kernels.is_weighted() ? 1
                                                         : 0;
  return {level.labels.coarsening, (couplings * cells + 3 * coarse) * sizeof(Scalar), 6 * cells};
}

template <FieldScalar Scalar, MemorySpace Memory>
std::vector<KernelCost> PeriodicMultigrid<Scalar, Memory>::kernel_costs() const {
  std::vector<KernelCost> costs;
  for (std::size_t l = 0; l < m_levels.size(); ++l) {
    for (const auto& [calls, cost] : counted_kernels(l)) costs.push_back(cost);
    if (l + 1 < m_levels.size()) costs.push_back(coarsening_cost(l));
  }
  return costs;
}

template <FieldScalar Scalar, MemorySpace Memory>
KernelCost PeriodicMultigrid<Scalar, Memory>::cycle_cost() const {
  KernelCost sum{"Lamina::PeriodicMultigrid::solve"};
  for (std::size_t l = 0; l < m_levels.size(); ++l) {
    for (const auto& [calls, cost] : counted_kernels(l)) {
      sum.bytes += calls * cost.bytes;
      sum.flops += calls * cost.flops;
    }
  }
  return sum;
}

template <FieldScalar Scalar, MemorySpace Memory>
KernelCost PeriodicMultigrid<Scalar, Memory>::update_cost() const {
  KernelCost sum{"Lamina::PeriodicMultigrid::update"};
  for (std::size_t l = 0; l + 1 < m_levels.size(); ++l) {
    const KernelCost cost = coarsening_cost(l);
    sum.bytes += cost.bytes;
    sum.flops += cost.flops;
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
    const bool own = label.find("::measure") != std::string::npos ||
                     label.find("::advance") != std::string::npos;
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
