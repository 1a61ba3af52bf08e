// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/helmholtz/MixedHelmholtz.hpp>

#include <algorithm>
#include <string_view>

namespace Lamina {
namespace Impl {

#define LAMINA_INSTANTIATE(Space, Layout) template struct MixedKernels<Space, Layout>;
LAMINA_FOR_EACH_LAYOUT(LAMINA_INSTANTIATE)
#undef LAMINA_INSTANTIATE

}  // namespace Impl

template <MemorySpace Memory>
std::vector<KernelCost> MixedHelmholtz<Memory>::kernel_costs() const {
  const auto& system = m_operator.system();
  const auto& short_system = m_sweeps.system();
  const double cells = system.topology.cells();
  std::vector<KernelCost> costs{
      {"Lamina::MixedHelmholtz::residual", cells * 20 + system.coefficients.stencil_bytes(),
       cells * 25},
      {"Lamina::MixedHelmholtz::advance_and_update",
       cells * 36 + short_system.coefficients.stencil_bytes(), cells * 31},
      {"Lamina::FusedModel::add", cells * 20, cells * 2}};
  for (const KernelCost& cost : Impl::column_copy_costs(cells * 8)) costs.push_back(cost);
  // Of the sweeps in single precision, those that `FusedPcg` runs.
  constexpr std::string_view used[] = {"Lamina::FusedHelmholtz::precondition",
                                       "Lamina::FusedHelmholtz::measure",
                                       "Lamina::FusedHelmholtz::advance"};
  for (const KernelCost& cost : m_sweeps.kernel_costs()) {
    if (std::find(std::begin(used), std::end(used), cost.label) != std::end(used))
      costs.push_back(cost);
  }
  return costs;
}

#define LAMINA_INSTANTIATE_CLASS(Memory) template class MixedHelmholtz<Memory>;
LAMINA_FOR_EACH_MEMORY(LAMINA_INSTANTIATE_CLASS)

}  // namespace Lamina
