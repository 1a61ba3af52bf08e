// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/core/impl/RequireCriteria.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/shallow_water/VelocityMass.hpp>

#include <algorithm>
#include <cstddef>

namespace Lamina {

template <FieldScalar Scalar, MemorySpace Memory>
VelocityMass<Scalar, Memory>::VelocityMass(const WaterStrip<Memory>& strip,
                                           const MassOptions& options)
    : m_strip(strip), m_options(options), m_direct(1.0 / 6, 4.0 / 6), m_model(strip) {
  Impl::require_cells("VelocityMass", strip.whole());
  LAMINA_REQUIRE(!strip.has_walls() || options.solver == MassSolver::direct, "VelocityMass",
                 "argument options: expected MassSolver::direct between walls, got MassSolver::cg");
  if (needs_ends(VelocityComponent::v)) {
    m_ends = decltype(m_ends)("Lamina::VelocityMass::ends", 4,
                              static_cast<std::size_t>(strip.owned().nx));
  }
  if (options.solver == MassSolver::direct) return;
  Impl::require_criteria("VelocityMass", options.criteria, FusedPcg<Model>::max_check_every);
  m_options.criteria.relative_to = Reference::initial_residual;  // it starts from 0
  m_cg = std::make_shared<FusedPcg<Model>>(typename Memory::execution_space(), m_model);
}

template <FieldScalar Scalar, MemorySpace Memory>
std::vector<KernelCost> VelocityMass<Scalar, Memory>::kernel_costs() const {
  const double cells = m_strip.owned().cells();
  const double bytes = cells * 3 * sizeof(Scalar);
  if (m_options.solver == MassSolver::direct) {
    std::vector<KernelCost> costs{{"Lamina::VelocityMass::solve_u", bytes, cells * 7},
                                  {"Lamina::VelocityMass::solve_v", bytes, cells * 7}};
    if (needs_ends(VelocityComponent::v)) costs.push_back(ends_cost());
    return costs;
  }
  std::vector<KernelCost> costs;
  for (const KernelCost& cost :
       PeriodicHelmholtz<Scalar, Memory>(m_strip, -1.0 / 6, 0, {}, InitialGuess::zero)
           .kernel_costs()) {
    if (cost.label != "Lamina::PeriodicHelmholtz::finish") costs.push_back(cost);
  }
  const int parts = m_options.criteria.fixed_count
                        ? Impl::parts_of_solution(true, m_options.criteria.max_iterations)
                        : 1;
  costs.push_back({"Lamina::VelocityMass::combine", cells * (parts + 2) * sizeof(Scalar),
                   cells * (2 * parts + 3)});
  return costs;
}

template <FieldScalar Scalar, MemorySpace Memory>
KernelCost VelocityMass<Scalar, Memory>::ends_cost() const {
  const double values = 2.0 * std::min(m_direct.reach(), m_strip.owned().ny) * m_strip.owned().nx;
  return {"Lamina::VelocityMass::find_ends", values * sizeof(Scalar), 2 * values};
}

template <FieldScalar Scalar, MemorySpace Memory>
int VelocityMass<Scalar, Memory>::ends_passes() const {
  if (!needs_ends(VelocityComponent::v)) return 0;
  return static_cast<int>(Impl::ceil_divide(m_direct.reach(), m_strip.shortest()));
}

#define LAMINA_INSTANTIATE(Scalar, Memory) template class VelocityMass<Scalar, Memory>;
LAMINA_FOR_EACH_SCALAR_AND_MEMORY(LAMINA_INSTANTIATE)

namespace Impl {

#define LAMINA_INSTANTIATE_KERNELS(Space)    \
  template struct MassKernels<Space, float>; \
  template struct MassKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_INSTANTIATE_KERNELS)

}  // namespace Impl
}  // namespace Lamina
