// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/SolveReport.hpp>

#include <nlohmann/json.hpp>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "support/output/Progress.hpp"

namespace Lamina::Cli {

struct Space;

/// What a table tells of a solve.
struct ComparedResult {
  SolveReport report;
  double solve_seconds = 0, bytes_per_iteration = 0;
  nlohmann::ordered_json json;
};

/// A line of a table: a solve that is still to be run.
struct ComparedSolve {
  const Space* space;
  std::string variant;  ///< how it is solved, in columns
  /// Why it cannot be run: one line, empty where it can.
  std::function<std::string()> obstacle;
  /// Tells of its progress under a title.
  std::function<ComparedResult(Progress& progress, const std::string& title, double copy_gb_per_s)>
      run;
};

/// One problem, solved in many ways.
struct Comparison {
  std::string columns;      ///< the titles of those of the variants
  std::string size_option;  ///< to blame where no solve can be run
  std::vector<ComparedSolve> solves;
  std::filesystem::path json;  ///< empty: none
  bool quiet = false;
  const char* iteration = "iter.";  ///< what is counted
};

/// Runs all solves, then prints a table with speed-ups and writes the reports.
/// \param print_problem  called when it is sure that bandwidth can be measured, unless `quiet`
/// \return the status to exit with
/// \throws InputError where no solve can be run
int run_comparison(const Comparison& comparison, const std::function<void()>& print_problem);

}  // namespace Lamina::Cli
