// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Commands.hpp"

#include "helmholtz/HelmholtzCommand.hpp"
#include "point_implicit/PointImplicitCommand.hpp"
#include "poisson/PoissonCommand.hpp"
#include "shallow_water/ShallowWaterCommand.hpp"

namespace Lamina::Cli {

std::span<const Command> commands() {
  static constexpr Command table[] = {
      {"helmholtz", "Solve the anisotropic elliptic equation in a thin spherical shell",
       helmholtz_command, compare_helmholtz_command, true},
      {"point-implicit", "Solve a block-sparse system by multicolour point-implicit sweeps",
       point_implicit_command, compare_point_implicit_command, true},
      {"poisson", "Solve the Poisson equation on the unit square", poisson_command,
       compare_poisson_command, true},
      {"shallow-water", "Integrate the nonlinear shallow water equations on a rectangle",
       shallow_water_command, compare_shallow_water_command, true},
      {"compare", "Run a command on every space and in every way that it offers, as one table",
       compare_command},
      {"info", "Say what was built in, and what copy bandwidth its spaces reach", info_command,
       nullptr, true},
  };
  return table;
}

}  // namespace Lamina::Cli
