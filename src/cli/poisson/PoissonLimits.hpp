// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string>

#include "poisson/PoissonTask.hpp"

namespace Lamina::Cli {

/// Memory that a solve takes on its space: right-hand side, solution and scratch, and what the
/// solver has, whose lines are longer.
/// \param is_strip  of several ranks, whose cycles have two fields more
inline double poisson_bytes(const Rectangle& size, PoissonSolver solver, Precision precision,
                            bool is_strip = false) {
  const double nx = size.nx, ny = size.ny,
               scalar = precision == Precision::double_precision ? 8 : 4;
  const double of_solver = solver == PoissonSolver::fused_cg       ? 5 * (ny + 512 / scalar)
                           : solver == PoissonSolver::multigrid    ? 3.4 * ny
                           : solver == PoissonSolver::multigrid_cg ? 7.4 * ny
                                                                   : 3 * ny;
  const double of_strip = is_strip && is_multigrid(solver) ? 2 * ny : 0;
  return nx * (3 * ny + of_solver + of_strip) * scalar;
}

/// Why a task cannot be solved with the memory that is available now: one line, empty where it can.
std::string size_obstacle(const PoissonTask& task);

}  // namespace Lamina::Cli
