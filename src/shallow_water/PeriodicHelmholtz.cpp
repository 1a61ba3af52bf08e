// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/shallow_water/PeriodicHelmholtz.hpp>

#include <string>

namespace Lamina {

template <FieldScalar Scalar, MemorySpace Memory>
PeriodicHelmholtz<Scalar, Memory>::PeriodicHelmholtz(const WaterStrip<Memory>& strip, double c_x,
                                                     double c_y, const vector_type& weight,
                                                     InitialGuess guess)
    : m_strip(strip),
      m_stencil{strip.owned(), static_cast<Scalar>(c_x), static_cast<Scalar>(c_y),
                Impl::ghosted_lines_of(weight)},
      m_guess(guess),
      m_weight(weight) {
  Impl::require_cells("PeriodicHelmholtz", strip.whole());
  if (weight.data() != nullptr) {
    const auto [nx, ny] = strip.owned();
    Impl::require_field("PeriodicHelmholtz", "weight", weight, nx + 2, ny + 2);
    LAMINA_REQUIRE(Impl::has_aligned_lines(weight), "PeriodicHelmholtz",
                   "argument weight: expected lines that start aligned and end with room for a "
                   "pack, as make_vector makes them, got others");
  }
  if constexpr (!std::same_as<Memory, Kokkos::HostSpace>) {
    m_parts = Impl::TeamParts<Memory>("Lamina::PeriodicHelmholtz::parts");
  }
}

template <FieldScalar Scalar, MemorySpace Memory>
typename PeriodicHelmholtz<Scalar, Memory>::vector_type
PeriodicHelmholtz<Scalar, Memory>::make_vector(const std::string& label) const {
  return Impl::make_ghosted<Scalar, Memory>(label, rectangle());
}

template <FieldScalar Scalar, MemorySpace Memory>
std::vector<KernelCost> PeriodicHelmholtz<Scalar, Memory>::kernel_costs() const {
  const double cells = rectangle().cells();
  const double weight = m_weight.data() != nullptr ? 1 : 0;
  const auto cost = [&](const char* name, double fields, double flops) {
    return KernelCost{std::string("Lamina::PeriodicHelmholtz::") + name,
                      cells * fields * sizeof(Scalar), cells * flops};
  };
  const double more = 10 * weight;  // flops
  std::vector<KernelCost> costs{
      {"Lamina::ShallowWaterState::copy_cells", cells * 2 * sizeof(Scalar), 0},
      cost("finish", 3, 2),
      cost("measure", 1 + weight, 13 + more),
      m_guess == InitialGuess::zero ? cost("advance_and_set", 5 + weight, 16 + more)
                                    : cost("subtract_image", 3 + weight, 10 + more),
      cost("advance_and_update", 6 + weight, 17 + more),
      cost("advance", 4 + weight, 13 + more)};
  if (!m_strip.is_whole()) {
    const double ghosts = 2.0 * rectangle().nx;
    costs.push_back(
        {"Lamina::PeriodicHelmholtz::advance_ghosts", ghosts * 3 * sizeof(Scalar), 2 * ghosts});
  }
  return costs;
}

#define LAMINA_INSTANTIATE(Scalar, Memory) template class PeriodicHelmholtz<Scalar, Memory>;
LAMINA_FOR_EACH_SCALAR_AND_MEMORY(LAMINA_INSTANTIATE)

namespace Impl {

#define LAMINA_INSTANTIATE_KERNELS(Space)                 \
  template struct PeriodicHelmholtzKernels<Space, float>; \
  template struct PeriodicHelmholtzKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_INSTANTIATE_KERNELS)

}  // namespace Impl
}  // namespace Lamina
