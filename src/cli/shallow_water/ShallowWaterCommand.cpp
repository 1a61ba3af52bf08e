// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "shallow_water/ShallowWaterCommand.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "shallow_water/ShallowWaterJson.hpp"
#include "shallow_water/ShallowWaterLimits.hpp"
#include "shallow_water/ShallowWaterOptions.hpp"
#include "shallow_water/ShallowWaterText.hpp"
#include "support/Comparison.hpp"

namespace Lamina::Cli {
namespace {

ShallowWaterTask task_of(const ShallowWaterOptions& options) {
  const ShallowWaterVariant best;
  ShallowWaterTask task{.problem = options.problem,
                        .variant = {.space = options.space.value_or(&enabled_spaces().front()),
                                    .precision = options.precision.value_or(best.precision),
                                    .scheme = options.scheme.value_or(best.scheme),
                                    .rank_grid = options.rank_grid},
                        .systems = options.systems,
                        .output_every = options.output_every,
                        .checkpoint_every = options.checkpoint_every,
                        .output = options.output,
                        .checkpoint = options.checkpoint,
                        .restart = options.restart,
                        .restart_file = options.restart_file};
  task.diagnostics_every = options.diagnostics_every.value_or(task.diagnostics_every);
  return task;
}

// --- Comparison ---

std::string in_columns(std::string_view space, std::string_view precision,
                       std::string_view scheme) {
  return fmt::format("{:<7} {:<9} {:<13}", space, precision, scheme);
}

std::string columns_of(const ShallowWaterVariant& variant) {
  return in_columns(variant.space->name, name_of(precisions, variant.precision),
                    name_of(time_schemes, variant.scheme));
}

std::vector<ShallowWaterVariant> variants_of(const ShallowWaterOptions& options) {
  std::vector<ShallowWaterVariant> variants;
  for (const Space* space : selected(options.space, space_choices())) {
    for (const Precision precision : selected(options.precision, shallow_water_precisions)) {
      for (const TimeScheme scheme : selected(options.scheme, time_schemes)) {
        variants.push_back({space, precision, scheme});
      }
    }
  }
  return variants;
}

}  // namespace

void watch(ShallowWaterTask& task, Progress& progress, const std::string& title) {
  task.on_start = [&task, &progress, title](int first_step) {
    task.on_step = progress.on_step(title, first_step, task.problem.num_steps);
  };
  if (!task.on_series) return;
  task.on_series = [&progress, print = task.on_series](const StateDiagnostics& diagnostics) {
    progress.clear();
    print(diagnostics);
  };
}

int shallow_water_command(const Arguments& arguments) {
  return solve_command("lamina shallow-water", arguments, parse_shallow_water,
                       [](const ShallowWaterOptions& options) {
                         ShallowWaterTask task = task_of(options);
                         task.with_series = options.diagnostics_every.has_value();
                         if (!options.quiet) task.on_series = print_series;
                         require_no_obstacle(options.size_option, size_obstacle(task));
                         return task;
                       });
}

int compare_shallow_water_command(const Arguments& arguments) {
  return comparison_command(arguments, parse_shallow_water, [](const ShallowWaterOptions& options) {
    const ShallowWaterTask task = task_of(options);
    return Comparison{.columns = in_columns("space", "precision", "scheme"),
                      .size_option = options.size_option,
                      .solves = compared_solves(task, variants_of(options), columns_of),
                      .print_problem = [task] { print_problem(task); },
                      .iteration = "step"};
  });
}

}  // namespace Lamina::Cli
