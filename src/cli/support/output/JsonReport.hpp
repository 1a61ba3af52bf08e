// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What the reports of all commands have in common. Numbers that are not finite become null.

#include <lamina/core/SolveReport.hpp>
#include <lamina/core/StoppingCriteria.hpp>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string_view>

#include "support/SolveResult.hpp"

namespace Lamina::Cli {

using Json = nlohmann::ordered_json;

struct Space;

/// Adds the tolerance, what it is relative to, and the largest number of iterations.
void add_criteria(Json& problem, const StoppingCriteria& criteria);

/// What reports of all commands begin with.
Json head_object(const char* command, const Space& space, std::string_view precision,
                 std::string_view layout, const Json& problem, SolveStatus status);

/// What they end with: the errors, times and kernels of `result`.
void add_tail(Json& json, const SolveResult& result, double copy_gb_per_s);

/// The report of a solve by iterations.
Json solve_object(const char* command, const Space& space, std::string_view precision,
                  std::string_view layout, const Json& problem, const SolveResult& result,
                  double copy_gb_per_s);

/// Writes the value to the file, or the descriptor, that `--json` names.
/// \throws InputError where that fails
void write_json(const std::filesystem::path& path, const Json& value);

}  // namespace Lamina::Cli
