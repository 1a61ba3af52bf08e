// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>

#include "helmholtz/HelmholtzTask.hpp"

namespace Lamina::Cli {

/// Solves a task with bottoms or coefficients. Instantiated in Columns_<Name>.cpp.
template <ExecutionSpace Execution>
HelmholtzResult solve_columns(const HelmholtzTask& task);

/// Bytes that it allocates in the memory of the space, at most.
template <ExecutionSpace Execution>
double columns_bytes(const HelmholtzProblem& problem, const HelmholtzVariant& variant);

}  // namespace Lamina::Cli
