// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/multigrid/PoissonMultigrid.hpp>

#include <cstddef>
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
auto PoissonMultigrid<Scalar, Memory>::counted_kernels(std::size_t l, Start start) const
    -> std::vector<CountedKernel> {
  std::vector<CountedKernel> kernels;
  const double steps = static_cast<double>(m_weights.size());
  const Impl::GridCycleLabels& labels = m_levels[l].labels;
  const bool is_last = l + 1 == m_levels.size(),
             on_host = std::is_same_v<Memory, Kokkos::HostSpace>;
  const double cells = values_of(l), coarse = is_last ? 0 : values_of(l + 1);
  const auto take = [&](double calls, const std::string& label, double values, double flops) {
    kernels.push_back({calls, {label, values * sizeof(Scalar), flops * cells}});
  };
  if (is_last) {  // a point, which is solved for whatever it was
    take(1, on_host ? labels.descend : labels.first_steps, 2 * cells, 2);
    return kernels;
  }
  // What the start reads beside the right-hand side.
  const double start_values = start == Start::zero ? 0 : start == Start::guess ? cells : coarse;
  const double prolongation = start == Start::coarser ? 1 : 0;
  if (on_host) {
    const double flops = start == Start::zero ? 9 * steps + 4 : 9 * steps + 11 + 4 * prolongation;
    take(1, labels.descend, 2 * cells + start_values + coarse, flops);
    take(1, labels.ascend, 3 * cells + coarse, 9 * steps + 4);
    return kernels;
  }
  // One of the steps after the coarser level reads it, too.
  double calls = 2 * steps, values = 3 * cells * calls + coarse, flops = 9 * calls + 25;
  if (start == Start::zero) {
    const double first = steps == 1 ? 1 : 2;
    take(1, labels.first_steps, 2 * cells, first == 1 ? 2 : 18);
    calls -= first;
    values -= 3 * cells * first;
    flops -= 9 * first;
  } else if (start == Start::coarser) {
    values += coarse - cells;
    flops += 25;
  }
  take(calls, labels.step, values / calls, flops / calls);
  take(1, labels.restriction, 2 * cells + coarse, 22);
  return kernels;
}

template <FieldScalar Scalar, MemorySpace Memory>
KernelCost PoissonMultigrid<Scalar, Memory>::restriction_cost(std::size_t l) const {
  const double cells = values_of(l);
  return {m_levels[l].labels.restrict_rhs, (cells + values_of(l + 1)) * sizeof(Scalar), 3 * cells};
}

template <FieldScalar Scalar, MemorySpace Memory>
std::vector<KernelCost> PoissonMultigrid<Scalar, Memory>::kernel_costs(Start start) const {
  std::vector<KernelCost> costs;
  for (std::size_t l = 0; l < m_levels.size(); ++l) {
    if (l + 1 < m_levels.size()) costs.push_back(restriction_cost(l));
    for (const auto& [calls, cost] : counted_kernels(l, l == 0 ? start : Start::zero)) {
      costs.push_back(cost);
    }
  }
  return costs;
}

template <FieldScalar Scalar, MemorySpace Memory>
void PoissonMultigrid<Scalar, Memory>::add_cycle(std::size_t l, Start start,
                                                 KernelCost& sum) const {
  for (; l < m_levels.size(); ++l) {
    for (const auto& [calls, cost] : counted_kernels(l, start)) {
      sum.bytes += calls * cost.bytes;
      sum.flops += calls * cost.flops;
    }
    start = Start::zero;
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
  for (std::size_t l = 0; l < m_levels.size(); ++l) {
    add_cycle(l, Start::coarser, sum);
    if (l + 1 == m_levels.size()) break;
    const KernelCost restriction = restriction_cost(l);
    sum.bytes += restriction.bytes;
    sum.flops += restriction.flops;
  }
  return sum;
}

#define LAMINA_INSTANTIATE(Scalar, Memory) template class PoissonMultigrid<Scalar, Memory>;
LAMINA_FOR_EACH_SCALAR_AND_MEMORY(LAMINA_INSTANTIATE)

}  // namespace Lamina
