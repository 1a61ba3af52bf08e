// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/grids/ColumnMesh.hpp>

#include <string>

#include "helmholtz/HelmholtzTask.hpp"

namespace Lamina::Cli {

/// The columns of the largest rank with its halo; those of the panel for one process.
ColumnGridSize grid_of_rank(const HelmholtzProblem& problem, const RankGrid& grid);

/// Why a task is too large for its solver, for the memory of its space, or of the host: one line with
/// what is needed at most and what is available. Empty where it is not.
std::string size_obstacle(const HelmholtzTask& task);

/// Bytes that a solve allocates in the memory of a space, at most; instantiated by HelmholtzSolve.cpp.in.
template <ExecutionSpace Execution>
double helmholtz_bytes(const Execution& space, const HelmholtzProblem& problem,
                       const HelmholtzVariant& variant);

}  // namespace Lamina::Cli
