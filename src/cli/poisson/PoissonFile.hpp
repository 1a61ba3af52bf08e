// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <functional>

#include "poisson/PoissonTask.hpp"

namespace Lamina::Cli {

/// Writes solution and error at the points to the output file of the task, with their coordinates,
/// and problem and result as attributes. `line(i, values)` fills in the solution at x_i.
/// \throws InputError where that fails
void write_poisson_file(const PoissonTask& task, const SolveResult& result,
                        const std::function<void(int, double*)>& line);

}  // namespace Lamina::Cli
