// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The way of a command from its options to its exit status, which is the same for all models.

#include <lamina/device/CopyBandwidth.hpp>

#include <concepts>
#include <optional>
#include <string>

#include "support/ExitStatus.hpp"
#include "support/Interruption.hpp"
#include "support/SolveResult.hpp"
#include "support/machine/KokkosSession.hpp"
#include "support/machine/Launcher.hpp"
#include "support/machine/MemoryNeed.hpp"
#include "support/machine/OnSpace.hpp"
#include "support/options/CommandUse.hpp"
#include "support/options/InputError.hpp"
#include "support/options/SolveOptions.hpp"
#include "support/output/JsonReport.hpp"
#include "support/output/Progress.hpp"
#include "support/output/Solution.hpp"
#include "support/output/Text.hpp"
#include "support/ranks/RankConnection.hpp"

namespace Lamina::Cli {

/// Solves on the space of the task, by the `solve_on` of its model.
template <class Task>
auto solve(const Task& task) {
  return on_space(*task.variant.space, [&](const auto& space) { return solve_on(space, task); });
}

/// The task of a model: what is solved, on which space and how. The folder of the model has these
/// functions for it, and a `solve_on` for `solve`.
template <class Task>
concept ModelTask = requires(const Task& task, Task& watched, Progress& progress, double number) {
  { *task.variant.space } -> std::convertible_to<const Space&>;
  { size_obstacle(task) } -> std::same_as<std::string>;  // why it cannot be solved; empty: it can
  { solve(task) } -> std::derived_from<SolveResult>;
  { json_report(task, solve(task), number) } -> std::same_as<Json>;
  watch(watched, progress, std::string("title"));
  print_problem(task);
  print_place(task);
  print_result(task, solve(task), number);
  print_files(task, solve(task));
};

/// Tasks of iterative solves, for which two of them are here.
template <class Task>
concept IterativeTask = requires(Task& task) {
  task.criteria.on_check;
};

template <IterativeTask Task>
void watch(Task& task, Progress& progress, const std::string& title) {
  task.criteria.on_check = progress.on_check(title);
}
template <IterativeTask Task>
void print_files(const Task& task, const SolveResult& result) {
  if (has_solution(result.report)) print_file("--output", task.output.string());
}

/// \throws InputError that names the option where there is an obstacle
inline void require_no_obstacle(const std::string& size_option, const std::string& obstacle) {
  if (!obstacle.empty()) throw InputError(size_option + ": " + obstacle);
}

/// Solves a task and tells of it: measures copies, solves, writes the report, prints.
template <ModelTask Task>
auto run_solve(Task task, const SolveOptions& options, const Ranks* ranks) {
  // Launchers give their processes a terminal where there is none.
  Progress progress(!options.quiet && ranks == nullptr);
  const auto copy = measured_copies(*task.variant.space, options.tells_copies(), progress, ranks);
  progress.show("setting up");
  task.on_ready = [&] {
    progress.clear();
    catch_signals();
    if (options.quiet) return;
    print_problem(task);
    print_place(task);
  };
  watch(task, progress, "  ");
  const auto result = solve(task);
  progress.clear();
  const double copy_gb_per_s = best_gb_per_s(copy);
  run_agreed(ranks, [&] {
    if (options.json.empty() || !is_first_process()) return;
    write_json(options.json, json_report(task, result, copy_gb_per_s));
  });
  if (!options.quiet) {
    print_result(task, result, copy_gb_per_s);
    print_kernels(result.kernels, copy);
    print_files(task, result);
    print_file("--json", options.json.string());
  }
  return result;
}

/// Of models whose tasks need no other rank.
struct NothingToShare {
  template <class Task>
  void operator()(Task&) const {}
};

/// The command of a model. Options are read before ranks are connected and Kokkos is started: readers
/// of files are processes that are copies of this one.
/// \param program  as in messages
/// \param parse    parse(use, arguments) gives the options, or none where help was asked for
/// \param prepare  prepare(options) gives the task, by work of each process alone. It throws
///   InputError where there is an obstacle.
/// \param share    share(task) adds to it what ranks tell each other. It is collective, and so
///   agrees itself on what may fail; what else it throws on one rank ends all.
/// \return the status to exit with
template <class Parse, class Prepare, class Share = NothingToShare>
int solve_command(const char* program, const Arguments& arguments, const Parse& parse,
                  const Prepare& prepare, const Share& share = {}) {
  decltype(parse(CommandUse::one_solve, arguments.own)) options;
  const Ranks* ranks =
      connect_ranks_after([&] { options = parse(CommandUse::one_solve, arguments.own); });
  if (!options) return success;
  options->rank_grid.ranks = ranks;
  std::optional<KokkosSession> session;
  run_agreed(ranks, [&] { session.emplace(arguments.kokkos); });
  std::optional<decltype(prepare(*options))> task;
  run_agreed(ranks, [&] { task.emplace(prepare(*options)); });
  if (ranks != nullptr) share(*task);
  const SolveReport report = run_solve(*task, *options, ranks).report;
  if constexpr (IterativeTask<decltype(prepare(*options))>) {
    tell_of_missing_output(program, options->output, report);
  }
  return report.succeeded() ? success : not_converged;
}

}  // namespace Lamina::Cli
