// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/problems/Vortex.hpp>

#include <cmath>
#include <string>

namespace Lamina {

Vortex::Vortex(double coriolis, double velocity_x, double velocity_y)
    : m_data{coriolis, velocity_x, velocity_y} {
  const auto require = [](const char* argument, double value) {
    LAMINA_REQUIRE(std::isfinite(value), "Vortex",
                   std::string("argument ") + argument + ": expected a finite value, got " +
                       std::to_string(value));
  };
  require("coriolis", coriolis);
  require("velocity_x", velocity_x);
  require("velocity_y", velocity_y);
}

void Vortex::require_fit(const char* function, const Rectangle& rectangle) {
  LAMINA_REQUIRE(fits(rectangle), function,
                 "argument state: expected ny/nx >= 2/5, got " + std::to_string(rectangle.nx) +
                     " x " + std::to_string(rectangle.ny) + " cells");
}

bool Vortex::has_exact_solution() const {
  return m_data.coriolis == 0 || (m_data.velocity_x == 0 && m_data.velocity_y == 0);
}

namespace Impl {

#define LAMINA_INSTANTIATE(Space)              \
  template struct VortexKernels<Space, float>; \
  template struct VortexKernels<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_INSTANTIATE)

}  // namespace Impl
}  // namespace Lamina
