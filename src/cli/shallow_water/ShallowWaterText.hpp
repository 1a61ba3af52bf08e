// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "shallow_water/ShallowWaterTask.hpp"

// What `shallow-water` and `compare` print about the problem, on standard output.

namespace Lamina::Cli {

void print_problem(const ShallowWaterProblem& problem);
void print_place(const ShallowWaterTask& task);

/// A table of diagnostics that grows while time goes on.
void print_series_head();
void print_series(const StateDiagnostics& diagnostics);

void print_result(const ShallowWaterTask& task, const ShallowWaterResult& result,
                  double copy_gb_per_s);

}  // namespace Lamina::Cli
