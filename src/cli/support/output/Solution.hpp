// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/SolveReport.hpp>

#include <filesystem>
#include <string>

namespace Lamina::Cli {

/// Whether a solve left a solution that is worth a file. It need not have converged.
bool has_solution(const SolveReport& report);

/// Where it left none, one line on standard error that `output` was not written; empty: none was
/// asked for.
/// \param program  "lamina" and the command
void tell_of_missing_output(const std::string& program, const std::filesystem::path& output,
                            const SolveReport& report);

}  // namespace Lamina::Cli
