// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/ColumnMesh.hpp>

#include <string>

#include "helmholtz/HelmholtzTask.hpp"

namespace Lamina::Cli {

/// The columns of the largest rank with its halo; those of the panel for one process.
ColumnGridSize grid_of_rank(const HelmholtzProblem& problem, const RankGrid& grid);

/// Why a task is too large for its solver, for the memory of its space, or of the host: one line with
/// what is needed at most and what is available. Empty where it is not.
std::string size_obstacle(const HelmholtzTask& task);

}  // namespace Lamina::Cli
