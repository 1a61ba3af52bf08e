// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/output/Solution.hpp"

#include <fmt/format.h>

#include <string_view>

#include "support/output/StandardOutput.hpp"

namespace Lamina::Cli {
namespace {

/// Of a solve without a solution.
std::string_view ended_how(SolveStatus status) {
  if (status == SolveStatus::interrupted) return "was interrupted";
  if (status == SolveStatus::inconsistent) return "had no solution";
  return status == SolveStatus::diverged ? "diverged" : "broke down";
}

}  // namespace

bool has_solution(const SolveReport& report) {
  return report.status != SolveStatus::diverged && report.status != SolveStatus::inconsistent &&
         report.status != SolveStatus::breakdown_indefinite &&
         report.status != SolveStatus::breakdown_zero_pivot &&
         report.status != SolveStatus::breakdown_not_finite &&
         report.status != SolveStatus::interrupted;
}

void tell_of_missing_output(const std::string& program, const std::filesystem::path& output,
                            const SolveReport& report) {
  if (output.empty() || has_solution(report)) return;
  print_error(program, fmt::format("--output: {}: not written, as the solve {}", output.string(),
                                   ended_how(report.status)));
}

}  // namespace Lamina::Cli
