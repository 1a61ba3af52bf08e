// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/shallow_water/Leapfrog.hpp>
#include <lamina/shallow_water/RungeKutta3.hpp>

#include <cmath>
#include <string>

namespace Lamina {
namespace Impl {

void require_step(const char* function, double time_step) {
  LAMINA_REQUIRE(
      std::isfinite(time_step) && time_step > 0, function,
      "argument time_step: expected a positive finite value, got " + std::to_string(time_step));
}

template <class Scalar, class Memory>
std::vector<KernelCost> ExplicitStage<Scalar, Memory>::kernel_costs() const {
  const double cells = m_strip.owned().cells();
  auto costs = m_mass.kernel_costs();
  const int fields = 7 + m_basin.num_fields();
  const double flops = m_basin.fields().varies() ? 79 : 77;
  costs.push_back(
      {"Lamina::ShallowWater::tendency", cells * fields * sizeof(Scalar), cells * flops});
  costs.push_back(
      {"Lamina::ShallowWaterState::first_fault", cells * 3 * sizeof(Scalar), cells * 6});
  return costs;
}

#define LAMINA_INSTANTIATE_KERNELS(Space)     \
  template struct StageKernels<Space, float>; \
  template struct StageKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_INSTANTIATE_KERNELS)

}  // namespace Impl

namespace {

/// So many fields, and in each stage those of the basin and what ends of lines read.
template <class Scalar, class Memory>
KernelCost cost_of_step(const char* label, const Impl::ExplicitStage<Scalar, Memory>& stage,
                        int stages, double fields) {
  const double cells = stage.strip().owned().cells();
  const KernelCost ends = stage.ends_cost();
  return {
      label,
      cells * (fields + stages * stage.basin().num_fields()) * sizeof(Scalar) + stages * ends.bytes,
      cells * stages * (77 + 2 * 7) + stages * ends.flops};
}

}  // namespace

template <FieldScalar Scalar, MemorySpace Memory>
RungeKutta3<Scalar, Memory>::RungeKutta3(const WaterBasin<Scalar, Memory>& basin, double time_step,
                                         const MassOptions& mass)
    : m_time_step(time_step),
      m_stage(basin, mass),
      m_diffusion("RungeKutta3", basin, time_step),
      m_first(strip(), "Lamina::RungeKutta3::first"),
      m_height(Impl::make_ghosted<Scalar, Memory>("Lamina::RungeKutta3::height", rectangle())) {
  Impl::require_step("RungeKutta3", time_step);
}

template <FieldScalar Scalar, MemorySpace Memory>
std::vector<KernelCost> RungeKutta3<Scalar, Memory>::kernel_costs() const {
  auto costs = m_stage.kernel_costs();
  for (const KernelCost& cost : m_diffusion.kernel_costs(rectangle())) costs.push_back(cost);
  return costs;
}

template <FieldScalar Scalar, MemorySpace Memory>
KernelCost RungeKutta3<Scalar, Memory>::step_cost() const {
  KernelCost cost = cost_of_step("Lamina::RungeKutta3::step", m_stage, 3, 42);
  m_diffusion.add_cost(rectangle(), cost);
  return cost;
}

template <FieldScalar Scalar, MemorySpace Memory>
Leapfrog<Scalar, Memory>::Leapfrog(const WaterBasin<Scalar, Memory>& basin, double time_step,
                                   const MassOptions& mass)
    : m_diffusion("Leapfrog", basin, time_step, 2),
      m_start(basin, time_step, mass),
      m_previous(strip(), "Lamina::Leapfrog::previous") {
  m_start.check_every(0);  // its steps are counted here
}

template <FieldScalar Scalar, MemorySpace Memory>
KernelCost Leapfrog<Scalar, Memory>::step_cost() const {
  KernelCost cost = cost_of_step("Lamina::Leapfrog::step", m_start.m_stage, 1, 13);
  m_diffusion.add_cost(rectangle(), cost);
  return cost;
}

#define LAMINA_INSTANTIATE(Scalar, Memory)            \
  template class Impl::ExplicitStage<Scalar, Memory>; \
  template class RungeKutta3<Scalar, Memory>;         \
  template class Leapfrog<Scalar, Memory>;
LAMINA_FOR_EACH_SCALAR_AND_MEMORY(LAMINA_INSTANTIATE)

}  // namespace Lamina
