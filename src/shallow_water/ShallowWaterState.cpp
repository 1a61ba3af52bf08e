// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/shallow_water/ShallowWaterState.hpp>

namespace Lamina {
namespace Impl {

#define LAMINA_INSTANTIATE(Space)             \
  template struct StateKernels<Space, float>; \
  template struct StateKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_INSTANTIATE)
#undef LAMINA_INSTANTIATE

}  // namespace Impl

template <FieldScalar Scalar, MemorySpace Memory>
ShallowWaterState<Scalar, Memory>::ShallowWaterState(const WaterStrip<Memory>& strip,
                                                     const std::string& label)
    : m_strip(strip) {
  Impl::require_initialized("ShallowWaterState");
  Impl::require_cells("ShallowWaterState", strip.whole());
  const Rectangle& rectangle = strip.owned();
  m_height = Impl::make_ghosted<Scalar, Memory>(label + "::height", rectangle);
  m_u = Impl::make_ghosted<Scalar, Memory>(label + "::u", rectangle);
  m_v = Impl::make_ghosted<Scalar, Memory>(label + "::v", rectangle);
}

#define LAMINA_INSTANTIATE(Scalar, Memory) template class ShallowWaterState<Scalar, Memory>;
LAMINA_FOR_EACH_SCALAR_AND_MEMORY(LAMINA_INSTANTIATE)

}  // namespace Lamina
