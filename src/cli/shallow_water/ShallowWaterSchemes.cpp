// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "shallow_water/ShallowWaterSchemes.hpp"

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

SemiImplicitOptions semi_implicit_options(const ShallowWaterSystems& systems, double rounding) {
  const SemiImplicitOptions usual;
  StoppingCriteria newton =
      criteria_of(usual.newton, systems.newton_iterations, systems.newton_tolerance);
  // In single precision it may be more than the relative tolerance asks for.
  newton.absolute_tolerance = rounding;
  return {.newton = newton,
          .cg = criteria_of(usual.cg, systems.cg_iterations, systems.cg_tolerance),
          .reference_height = systems.phi_star,
          .preconditioner = systems.cg_preconditioner};
}

}  // namespace Lamina::Cli
