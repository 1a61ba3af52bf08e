// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "helmholtz/HelmholtzSolve.hpp"
#include "point_implicit/PointImplicitSolve.hpp"
#include "poisson/PoissonSolve.hpp"
#include "shallow_water/ShallowWaterSolve.hpp"
#include "support/machine/MemoryNeed.hpp"
#include "support/machine/Space.hpp"
#include "support/ranks/TransportTrial.hpp"

namespace Lamina::Cli {

/// What an execution space can do here; `Machine` says what it runs on, by static functions
/// `describe` and `available_bytes`.
template <ExecutionSpace Execution, class Machine>
Space space_of(std::string_view name, Layout best_layout) {
  return {.name = name,
          .best_layout = best_layout,
          .own_memory = !runs_on_host<Execution>,
          .describe = [] { return Machine::describe(Execution().concurrency()); },
          .available_bytes = Machine::available_bytes,
          .concurrency = [] { return static_cast<int>(Execution().concurrency()); },
          .copy_bandwidth =
              [](std::size_t bytes) { return measure_copy_bandwidth(Execution(), bytes / 2); },
          .copy_bandwidth_bytes = copy_bandwidth_bytes<Execution>,
          .transports = try_transports<Execution>,
          .helmholtz_bytes = helmholtz_bytes<Execution>,
          .solve_helmholtz = solve_helmholtz<Execution>,
          .solve_point_implicit = solve_point_implicit<Execution>,
          .solve_poisson = solve_poisson<Execution>,
          .solve_shallow_water = solve_shallow_water<Execution>};
}

}  // namespace Lamina::Cli
