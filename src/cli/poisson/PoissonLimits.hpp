// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string>

#include "poisson/PoissonTask.hpp"

namespace Lamina::Cli {

/// Memory that a solve takes on its space: right-hand side, solution and scratch, and what the
/// solver has, whose lines are longer.
inline double poisson_bytes(int size, PoissonSolver solver, Precision precision) {
  const double n = size, scalar = precision == Precision::double_precision ? 8 : 4;
  const double of_solver = solver == PoissonSolver::fused_cg ? 5 * (n + 512 / scalar) : 3 * n;
  return n * (3 * n + of_solver) * scalar;
}

/// Why a task cannot be solved with the memory that is available now: one line, empty where it can.
std::string size_obstacle(const PoissonTask& task);

}  // namespace Lamina::Cli
