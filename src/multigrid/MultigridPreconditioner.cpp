// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/multigrid/MultigridPreconditioner.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace Lamina {

template <FieldScalar Scalar, MemorySpace Memory>
auto MultigridPreconditioner<Scalar, Memory>::counted_kernels() const
    -> std::vector<CountedKernel> {
  std::vector<CountedKernel> kernels;
  const auto take = [&](const std::string& label, double calls, double fields, double more,
                        double flops) {
    kernels.push_back({calls, {label, fields * sizeof(Scalar) + more, flops}});
  };
  for (std::size_t l = 0; l < m_levels.size(); ++l) {
    const Impl::CycleLabels& labels = m_levels[l].labels;
    const auto& [system, lines, prolongation, restriction, residuals] = m_levels[l].data;
    const double cells = system.topology.cells(), stencil = system.coefficients.stencil_bytes(),
                 line = system.coefficients.line_bytes();
    const bool coarsest = l + 1 == m_levels.size();
    const double steps = coarsest ? static_cast<double>(m_coarsest_weights.size()) - 1
                                  : 2 * static_cast<double>(m_weights.size()) - 1;
    take(labels.first_step, 1, 2 * cells, line, 12 * cells);
    const bool on_the_way = !coarsest && Impl::prolongs_in_step(m_levels[l].data);
    const double coarse =
        coarsest ? 0 : static_cast<double>(restriction.num_coarse()) * system.topology.num_levels;
    // One of the steps adds P c: of a column, of its neighbours, and again for the sum.
    const double more = on_the_way ? 1 / steps : 0;
    take(labels.step, steps, 3 * cells + more * coarse,
         stencil + line + more * prolongation.bytes(),
         (35 + more * 6 * (2 + Impl::few_slots)) * cells);
    if (coarsest) continue;
    take(labels.restriction, 1, 2 * cells + coarse, stencil + restriction.bytes(),
         (6 + 22 * restriction.repetition(system.topology.num_owned)) * cells);
    if (!on_the_way) {
      take(labels.prolongation, 1, 2 * cells + coarse, prolongation.bytes(), 6 * cells);
    }
  }
  return kernels;
}

template <FieldScalar Scalar, MemorySpace Memory>
std::vector<KernelCost> MultigridPreconditioner<Scalar, Memory>::kernel_costs() const {
  std::vector<KernelCost> costs;
  for (const auto& [calls, cost] : counted_kernels()) costs.push_back(cost);
  if (std::is_same_v<Memory, Kokkos::HostSpace>) {
    costs.push_back({"Lamina::MultigridPreconditioner::turn",
                     2 * finest().system().topology.cells() * sizeof(Scalar)});
  }
  return costs;
}

template <FieldScalar Scalar, MemorySpace Memory>
KernelCost MultigridPreconditioner<Scalar, Memory>::cycle_cost() const {
  KernelCost cost{"Lamina::MultigridPreconditioner::solve"};
  for (const auto& [calls, one] : counted_kernels()) {
    cost.bytes += calls * one.bytes;
    cost.flops += calls * one.flops;
  }
  return cost;
}

#define LAMINA_INSTANTIATE(Scalar, Memory) template class MultigridPreconditioner<Scalar, Memory>;
LAMINA_FOR_EACH_SCALAR_AND_MEMORY(LAMINA_INSTANTIATE)

}  // namespace Lamina
