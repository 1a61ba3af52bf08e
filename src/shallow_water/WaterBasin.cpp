// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/shallow_water/WaterBasin.hpp>

#include <cmath>
#include <string>

namespace Lamina {

template <FieldScalar Scalar, MemorySpace Memory>
WaterBasin<Scalar, Memory>::WaterBasin(const WaterStrip<Memory>& strip, double coriolis)
    : m_strip(strip), m_coriolis(coriolis) {
  Impl::require_initialized("WaterBasin");
  Impl::require_cells("WaterBasin", strip.whole());
  LAMINA_REQUIRE(std::isfinite(coriolis), "WaterBasin",
                 "argument coriolis: expected a finite value, got " + std::to_string(coriolis));
  m_constants = Impl::make_ghosted<Scalar, Memory>("Lamina::WaterBasin::constants",
                                                   Rectangle{rectangle().nx, 1});
  Kokkos::deep_copy(Kokkos::subview(m_constants, Kokkos::ALL(), 1), static_cast<Scalar>(coriolis));
}

template <FieldScalar Scalar, MemorySpace Memory>
WaterBasin<Scalar, Memory> WaterBasin<Scalar, Memory>::with_viscosity(double nu) const {
  LAMINA_REQUIRE(std::isfinite(nu) && nu >= 0, "WaterBasin::with_viscosity",
                 "argument nu: expected a finite value >= 0, got " + std::to_string(nu));
  WaterBasin basin(*this);
  basin.m_viscosity = nu;
  return basin;
}

#define LAMINA_INSTANTIATE(Scalar, Memory) template class WaterBasin<Scalar, Memory>;
LAMINA_FOR_EACH_SCALAR_AND_MEMORY(LAMINA_INSTANTIATE)

}  // namespace Lamina
