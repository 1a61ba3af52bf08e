// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string>

#include "shallow_water/ShallowWaterTask.hpp"

// What `shallow-water` and `compare` print about the problem, on standard output.

namespace Lamina::Cli {

/// "the doubly periodic unit square"
std::string domain_text(const ShallowWaterProblem& problem);

void print_problem(const ShallowWaterTask& task);
/// With the head of the table of diagnostics, where that is asked for.
void print_place(const ShallowWaterTask& task);
/// A line of this table, which grows while time goes on.
void print_series(const StateDiagnostics& diagnostics);

void print_result(const ShallowWaterTask& task, const ShallowWaterResult& result,
                  double copy_gb_per_s);
void print_files(const ShallowWaterTask& task, const ShallowWaterResult& result);

}  // namespace Lamina::Cli
