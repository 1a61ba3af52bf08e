// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "poisson/PoissonTask.hpp"

// What `poisson` and `compare` print about the problem, on standard output.

namespace Lamina::Cli {

void print_problem(int size, const StoppingCriteria& criteria);
void print_place(const PoissonVariant& variant);
void print_result(const PoissonResult& result, double copy_gb_per_s);

}  // namespace Lamina::Cli
