// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "shallow_water/ShallowWaterCommand.hpp"

#include <algorithm>

#include "shallow_water/ShallowWaterJson.hpp"
#include "shallow_water/ShallowWaterLimits.hpp"
#include "shallow_water/ShallowWaterOptions.hpp"
#include "shallow_water/ShallowWaterText.hpp"
#include "support/ExitStatus.hpp"
#include "support/Interruption.hpp"
#include "support/machine/MemoryNeed.hpp"
#include "support/machine/Space.hpp"
#include "support/options/InputError.hpp"
#include "support/output/JsonReport.hpp"
#include "support/output/Progress.hpp"
#include "support/output/Text.hpp"

namespace Lamina::Cli {
namespace {

ShallowWaterTask task_of(const ShallowWaterOptions& options) {
  const ShallowWaterVariant best;
  ShallowWaterTask task{.problem = options.problem,
                        .variant = {.space = options.space.value_or(&enabled_spaces().front()),
                                    .precision = options.precision.value_or(best.precision),
                                    .scheme = options.scheme.value_or(best.scheme)},
                        .systems = options.systems,
                        .with_series = options.diagnostics_every.has_value(),
                        .output_every = options.output_every,
                        .checkpoint_every = options.checkpoint_every,
                        .output = options.output,
                        .checkpoint = options.checkpoint,
                        .restart = options.restart,
                        .restart_file = options.restart_file};
  task.diagnostics_every = options.diagnostics_every.value_or(task.diagnostics_every);
  return task;
}

/// What is told while the run goes on.
void connect(ShallowWaterTask& task, Progress& progress, const ShallowWaterOptions& options) {
  task.on_ready = [&task, &progress, &options](int first_step) {
    progress.clear();
    catch_signals();
    if (!options.quiet) {
      print_problem(task.problem);
      print_place(task);
      if (task.with_series) print_series_head();
    }
    task.on_step = progress.on_step("  ", first_step, task.problem.num_steps);
  };
  if (options.quiet) return;
  task.on_series = [&progress](const StateDiagnostics& diagnostics) {
    progress.clear();
    print_series(diagnostics);
  };
}

void print_outcome(const ShallowWaterTask& task, const ShallowWaterOptions& options,
                   const ShallowWaterResult& result, const std::vector<CopyMeasurement>& copy) {
  if (task.with_series) print("\n");
  print_result(task, result, best_gb_per_s(copy));
  print_kernels(result.kernels, copy);
  print_file("--output", options.output.string());
  if (result.checkpoint_written) print_file("--checkpoint", options.checkpoint.string());
  print_file("--json", options.json.string());
}

}  // namespace

int shallow_water_command(const Arguments& arguments) {
  const auto options = parse_shallow_water(CommandUse::one_solve, arguments.own);
  if (!options) return success;
  const KokkosSession session(arguments.kokkos);
  ShallowWaterTask task = task_of(*options);
  const Space& space = *task.variant.space;
  const std::string obstacle = size_obstacle(task);
  if (!obstacle.empty()) throw InputError("--n: " + obstacle);

  Progress progress(!options->quiet);
  const bool tells_copies = !options->quiet || !options->json.empty();
  const auto copy = measured_copies(space, tells_copies, progress);
  progress.show("setting up");
  connect(task, progress, *options);
  const ShallowWaterResult result = space.solve_shallow_water(task);
  progress.clear();
  if (!options->json.empty())
    write_json(options->json, json_report(task, result, best_gb_per_s(copy)));
  if (!options->quiet) print_outcome(task, *options, result, copy);
  return result.report.succeeded() ? success : not_converged;
}

}  // namespace Lamina::Cli
