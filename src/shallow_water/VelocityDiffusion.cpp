// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/shallow_water/impl/VelocityDiffusion.hpp>

#include <string>

namespace Lamina::Impl {

template <class Scalar, class Memory>
VelocityDiffusion<Scalar, Memory>::VelocityDiffusion(const char* function,
                                                     const WaterBasin<Scalar, Memory>& basin,
                                                     double time_step, int steps) {
  constexpr double rounding = 1e-9;
  const double inverse_h = inverse_mesh_width(basin.rectangle());
  const double number = basin.viscosity() * time_step * inverse_h * inverse_h,
               largest = WaterBasin<Scalar, Memory>::largest_diffusion_number / steps;
  // Other checks refuse dt where it is no number.
  LAMINA_REQUIRE(!(number > largest * (1 + rounding)), function,
                 "viscosity: expected nu dt / h^2 <= " + std::to_string(largest) + ", got " +
                     std::to_string(number));
  m_factor = static_cast<Scalar>(steps * number);
}

template <class Scalar, class Memory>
std::vector<KernelCost> VelocityDiffusion<Scalar, Memory>::kernel_costs(
    const Rectangle& rectangle) const {
  if (m_factor == 0) return {};
  const double cells = rectangle.cells();
  return {{"Lamina::VelocityDiffusion::change", 4 * cells * sizeof(Scalar), 12 * cells},
          {"Lamina::VelocityDiffusion::add", 6 * cells * sizeof(Scalar), 2 * cells}};
}

template <class Scalar, class Memory>
void VelocityDiffusion<Scalar, Memory>::add_cost(const Rectangle& rectangle, KernelCost& to) const {
  for (const KernelCost& cost : kernel_costs(rectangle)) {
    to.bytes += cost.bytes;
    to.flops += cost.flops;
  }
}

#define LAMINA_INSTANTIATE(Scalar, Memory) template class VelocityDiffusion<Scalar, Memory>;
LAMINA_FOR_EACH_SCALAR_AND_MEMORY(LAMINA_INSTANTIATE)

#define LAMINA_INSTANTIATE_KERNELS(Space)         \
  template struct DiffusionKernels<Space, float>; \
  template struct DiffusionKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_INSTANTIATE_KERNELS)

}  // namespace Lamina::Impl
