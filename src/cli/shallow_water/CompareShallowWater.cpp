// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "shallow_water/ShallowWaterCommand.hpp"
#include "shallow_water/ShallowWaterJson.hpp"
#include "shallow_water/ShallowWaterLimits.hpp"
#include "shallow_water/ShallowWaterOptions.hpp"
#include "shallow_water/ShallowWaterText.hpp"
#include "support/Comparison.hpp"
#include "support/ExitStatus.hpp"
#include "support/machine/Space.hpp"

namespace Lamina::Cli {
namespace {

std::string in_columns(std::string_view space, std::string_view precision,
                       std::string_view scheme) {
  return fmt::format("{:<7} {:<9} {:<13}", space, precision, scheme);
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

ComparedSolve compared(const ShallowWaterOptions& options, const ShallowWaterVariant& variant) {
  ShallowWaterTask task{.problem = options.problem, .variant = variant, .systems = options.systems};
  task.diagnostics_every = options.diagnostics_every.value_or(task.diagnostics_every);
  const auto run = [task](Progress& progress, const std::string& title,
                          double copy_gb_per_s) mutable -> ComparedResult {
    task.on_ready = [&](int first_step) {
      task.on_step = progress.on_step(title, first_step, task.problem.num_steps);
    };
    const ShallowWaterResult result = task.variant.space->solve_shallow_water(task);
    return {result.report, result.solve_seconds, result.bytes_per_iteration,
            json_report(task, result, copy_gb_per_s)};
  };
  return {.space = variant.space,
          .variant = in_columns(variant.space->name, name_of(precisions, variant.precision),
                                name_of(time_schemes, variant.scheme)),
          .obstacle = [task] { return size_obstacle(task); },
          .run = run};
}

}  // namespace

int compare_shallow_water_command(const Arguments& arguments) {
  const auto options = parse_shallow_water(CommandUse::comparison, arguments.own);
  if (!options) return success;
  const KokkosSession session(arguments.kokkos);
  Comparison comparison{.columns = in_columns("space", "precision", "scheme"),
                        .size_option = "--n",
                        .solves = {},
                        .json = options->json,
                        .quiet = options->quiet,
                        .iteration = "step"};
  for (const ShallowWaterVariant& variant : variants_of(*options)) {
    comparison.solves.push_back(compared(*options, variant));
  }
  return run_comparison(comparison, [&] { print_problem(options->problem); });
}

}  // namespace Lamina::Cli
