// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string>

#include "poisson/PoissonTask.hpp"

namespace Lamina::Cli {

/// Memory that a solve takes on its space: right-hand side, solution and scratch, and what the
/// solver has, whose lines are longer.
/// \param ghosts  columns of others on each side of a strip of several ranks, in all fields of cycles, of
///   which strips have two more; 0 of one process
inline double poisson_bytes(const Rectangle& size, PoissonSolver solver, Precision precision,
                            int ghosts = 0) {
  const double nx = size.nx, ny = size.ny,
               scalar = precision == Precision::double_precision ? 8 : 4;
  const double of_solver = solver == PoissonSolver::fused_cg       ? 5 * (ny + 512 / scalar)
                           : solver == PoissonSolver::multigrid    ? 3.4 * ny
                           : solver == PoissonSolver::multigrid_cg ? 7.4 * ny
                                                                   : 3 * ny;
  double values = nx * (3 * ny + of_solver);
  if (ghosts > 0 && is_multigrid(solver)) {
    // Columns in four fields of the finest level, and in as many of all coarser ones together.
    values += (2 * nx + 2 * 4 * 2 * ghosts) * ny;
  }
  return values * scalar;
}

/// Why a task cannot be solved with the memory that is available now: one line, empty where it can.
std::string size_obstacle(const PoissonTask& task);

}  // namespace Lamina::Cli
