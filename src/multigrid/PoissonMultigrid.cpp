// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/multigrid/PoissonMultigrid.hpp>

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace Lamina {

Impl::GridCycleLabels::GridCycleLabels(int level) {
  std::string prefix = "Lamina::PoissonMultigrid::";
  if (level > 0) prefix += "level_" + std::to_string(level) + "::";
  descend = prefix + "descend";
  ascend = prefix + "ascend";
  first_steps = prefix + "first_steps";
  step = prefix + "step";
  restriction = prefix + "restrict";
  restrict_rhs = prefix + "restrict_rhs";
}

template <FieldScalar Scalar, MemorySpace Memory>
auto PoissonMultigrid<Scalar, Memory>::make_levels(const Rectangle& rectangle)
    -> std::vector<Level> {
  std::vector<Level> levels;
  Impl::GridAxis x{rectangle.nx}, y{rectangle.ny};
  double aspect = 1;
  for (int l = 0;; ++l) {
    levels.push_back({x, y, aspect, Impl::GridCycleLabels(l), {}, {}, {}, {}});
    if (!x.halves() && !y.halves()) return levels;
    if (y.halves()) aspect *= 2;
    if (x.halves()) aspect /= 2;
    x = x.coarser();
    y = y.coarser();
  }
}

template <FieldScalar Scalar, MemorySpace Memory>
auto PoissonMultigrid<Scalar, Memory>::counted_kernels() const -> std::vector<CountedKernel> {
  std::vector<CountedKernel> kernels;
  const double steps = static_cast<double>(m_weights.size());
  for (std::size_t l = 0; l < m_levels.size(); ++l) {
    const Level& level = m_levels[l];
    const Impl::GridCycleLabels& labels = level.labels;
    const bool is_last = l + 1 == m_levels.size();
    const double cells = rectangle(static_cast<int>(l)).cells(),
                 coarse = is_last ? 0 : rectangle(static_cast<int>(l) + 1).cells();
    const auto take = [&](double calls, const std::string& label, double values, double flops) {
      kernels.push_back({calls, {label, values * sizeof(Scalar), flops * cells}});
    };
    if (!is_last) take(0, labels.restrict_rhs, cells + coarse, 3);  // not of a cycle
    if (std::is_same_v<Memory, Kokkos::HostSpace>) {
      take(1, labels.descend, 2 * cells + coarse, is_last ? 2 : 9 * steps + 4);
      if (!is_last) take(1, labels.ascend, 3 * cells + coarse, 9 * steps + 4);
      continue;
    }
    take(1, labels.first_steps, 2 * cells, is_last || steps == 1 ? 2 : 18);
    if (is_last) continue;
    const double later = steps == 1 ? 1 : 2 * steps - 2;
    take(later, labels.step, 3 * cells + coarse / later, 9 + 25 / later);
    take(1, labels.restriction, 2 * cells + coarse, 22);
  }
  return kernels;
}

template <FieldScalar Scalar, MemorySpace Memory>
std::vector<KernelCost> PoissonMultigrid<Scalar, Memory>::kernel_costs() const {
  std::vector<KernelCost> costs;
  for (const auto& [calls, cost] : counted_kernels()) costs.push_back(cost);
  return costs;
}

template <FieldScalar Scalar, MemorySpace Memory>
KernelCost PoissonMultigrid<Scalar, Memory>::cycle_cost() const {
  KernelCost sum{"Lamina::PoissonMultigrid::solve"};
  for (const auto& [calls, cost] : counted_kernels()) {
    sum.bytes += calls * cost.bytes;
    sum.flops += calls * cost.flops;
  }
  return sum;
}

#define LAMINA_INSTANTIATE(Scalar, Memory) template class PoissonMultigrid<Scalar, Memory>;
LAMINA_FOR_EACH_SCALAR_AND_MEMORY(LAMINA_INSTANTIATE)

}  // namespace Lamina
