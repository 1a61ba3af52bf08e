// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "shallow_water/ShallowWaterSchemes.hpp"

#include <cmath>

namespace Lamina::Cli {
namespace {

StoppingCriteria criteria_of(StoppingCriteria criteria, int iterations, double tolerance) {
  if (iterations > 0) return StoppingCriteria::iterations(iterations);
  criteria.tolerance = tolerance;
  return criteria;
}

}  // namespace

MassOptions mass_options(const ShallowWaterSystems& systems) {
  return {.solver = systems.mass_solver,
          .criteria =
              criteria_of(MassOptions().criteria, systems.cg_iterations, systems.mass_tolerance)};
}

SemiImplicitOptions semi_implicit_options(const ShallowWaterSystems& systems, const Rectangle& size,
                                          double epsilon) {
  const SemiImplicitOptions usual;
  StoppingCriteria newton =
      criteria_of(usual.newton, systems.newton_iterations, systems.newton_tolerance);
  // Residuals consist of heights and velocities of order 1. This is what rounding leaves of them. In
  // single precision it may be more than the relative tolerance asks for.
  newton.absolute_tolerance = 0.5 * epsilon * std::sqrt(size.cells());
  return {.newton = newton,
          .cg = criteria_of(usual.cg, systems.cg_iterations, systems.cg_tolerance),
          .reference_height = systems.phi_star};
}

}  // namespace Lamina::Cli
