// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What the reports of all commands have in common. Numbers that are not finite become null.

#include <lamina/core/KernelRecord.hpp>
#include <lamina/core/SolveReport.hpp>
#include <lamina/core/StoppingCriteria.hpp>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string_view>
#include <vector>

namespace Lamina::Cli {

using Json = nlohmann::ordered_json;

struct Space;

/// The value of `tolerance_relative_to`.
const char* reference_name(const StoppingCriteria& criteria);
Json kernel_list(const std::vector<KernelRecord>& kernels, double copy_gb_per_s);

/// What reports of all commands begin with.
Json head_object(const char* command, const Space& space, std::string_view precision,
                 std::string_view layout, const Json& problem, SolveStatus status);

/// What they end with: the errors, times and kernels of `result`.
template <class Result>
void add_tail(Json& json, const Result& result, double copy_gb_per_s) {
  if (result.error) json["error"] = {{"l2", result.error->l2}, {"linf", result.error->linf}};
  json.update({{"seconds", {{"setup", result.setup_seconds}, {"solve", result.solve_seconds}}},
               {"kernels", kernel_list(result.kernels, copy_gb_per_s)},
               {"copy_gb_per_s", copy_gb_per_s},
               {"ranks", 1}});
}

/// The report of a solve by iterations; `precision`, `layout` and `problem` are those of the task.
template <class Task, class Result>
Json solve_object(const char* command, const Task& task, std::string_view precision,
                  std::string_view layout, const Json& problem, const Result& result,
                  double copy_gb_per_s) {
  const SolveReport& report = result.report;
  Json json = head_object(command, *task.variant.space, precision, layout, problem, report.status);
  json.update({{"converged", report.converged()},
               {"iterations", report.iterations},
               {"relative_residual", report.relative_residual()},
               {"true_relative_residual", result.true_relative_residual},
               {"residual_history", report.residual_history}});
  add_tail(json, result, copy_gb_per_s);
  return json;
}

/// Writes the value to the file, or the descriptor, that `--json` names.
/// \throws InputError where that fails
void write_json(const std::filesystem::path& path, const Json& value);

}  // namespace Lamina::Cli
