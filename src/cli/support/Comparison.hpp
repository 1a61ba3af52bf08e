// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "support/SolveCommand.hpp"

namespace Lamina::Cli {

struct ComparedResult {
  SolveResult result;
  Json json;
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

/// A task as a line of the table.
template <ModelTask Task>
ComparedSolve compared_solve(const Task& task, const std::string& variant) {
  // `= task` drops the const of the reference.
  const auto run = [task = task](Progress& progress, const std::string& title,
                                 double copy_gb_per_s) mutable -> ComparedResult {
    watch(task, progress, title);
    const auto result = solve(task);
    return {result, json_report(task, result, copy_gb_per_s)};
  };
  return {.space = task.variant.space,
          .variant = variant,
          .obstacle = [task] { return size_obstacle(task); },
          .run = run};
}

/// A task in each of its variants. columns_of(variant) gives the columns of one.
template <ModelTask Task, class Variants, class ColumnsOf>
std::vector<ComparedSolve> compared_solves(Task task, const Variants& variants,
                                           const ColumnsOf& columns_of) {
  std::vector<ComparedSolve> solves;
  for (const auto& variant : variants) {
    task.variant = variant;
    solves.push_back(compared_solve(task, columns_of(variant)));
  }
  return solves;
}

/// One problem, solved in many ways.
struct Comparison {
  std::string columns;      ///< the titles of those of the variants
  std::string size_option;  ///< to blame where no solve can be run
  std::vector<ComparedSolve> solves;
  std::function<void()> print_problem;
  const char* iteration = "iter.";  ///< what is counted
};

/// Runs all solves, then prints a table with speed-ups and writes the reports. Prints the problem
/// when it is sure that bandwidth can be measured, unless `quiet`.
/// \return the status to exit with
/// \throws InputError where no solve can be run
int run_comparison(const Comparison& comparison, const SolveOptions& options);

/// The comparison of a model.
/// \param parse    as of `solve_command`
/// \param prepare  prepare(options) gives the comparison
template <class Parse, class Prepare>
int comparison_command(const Arguments& arguments, const Parse& parse, const Prepare& prepare) {
  const auto options = parse(CommandUse::comparison, arguments.own);
  if (!options) return success;
  const KokkosSession session(arguments.kokkos);
  return run_comparison(prepare(*options), *options);
}

}  // namespace Lamina::Cli
