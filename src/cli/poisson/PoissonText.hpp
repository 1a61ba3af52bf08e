// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string>

#include "poisson/PoissonTask.hpp"

// What `poisson` and `compare` print about the problem, on standard output.

namespace Lamina::Cli {

std::string equation_text(const PoissonTask& task);  ///< "-Laplace u = f on ..."
void print_problem(const PoissonTask& task);
void print_place(const PoissonTask& task);
void print_result(const PoissonTask& task, const PoissonResult& result, double copy_gb_per_s);

}  // namespace Lamina::Cli
