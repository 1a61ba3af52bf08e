// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "poisson/PoissonCommand.hpp"
#include "poisson/PoissonJson.hpp"
#include "poisson/PoissonLimits.hpp"
#include "poisson/PoissonOptions.hpp"
#include "poisson/PoissonText.hpp"
#include "support/Comparison.hpp"
#include "support/ExitStatus.hpp"
#include "support/machine/Space.hpp"

namespace Lamina::Cli {
namespace {

std::string in_columns(std::string_view space, std::string_view precision, std::string_view memory,
                       std::string_view solver) {
  return fmt::format("{:<7} {:<9} {:<9} {:<8}", space, precision, memory, solver);
}

std::vector<PoissonVariant> variants_of(const PoissonOptions& options) {
  std::vector<PoissonVariant> variants;
  for (const Space* space : selected(options.space, space_choices())) {
    for (const Precision precision : selected(options.precision, poisson_precisions)) {
      for (const StencilMemory memory : selected(options.memory, stencil_memories)) {
        for (const PoissonSolver solver : selected(options.solver, poisson_solvers)) {
          variants.push_back({space, options.layout, precision, memory, solver});
        }
      }
    }
  }
  return variants;
}

ComparedSolve compared(const PoissonOptions& options, const PoissonVariant& variant) {
  PoissonTask task;
  task.size = options.size;
  task.variant = variant;
  task.criteria = options.criteria;
  const auto run = [task](Progress& progress, const std::string& title,
                          double copy_gb_per_s) mutable -> ComparedResult {
    task.criteria.on_check = progress.on_check(title);
    const PoissonResult result = task.variant.space->solve_poisson(task);
    return {result.report, result.solve_seconds, result.bytes_per_iteration,
            json_report(task, result, copy_gb_per_s)};
  };
  return {.space = variant.space,
          .variant = in_columns(variant.space->name, name_of(precisions, variant.precision),
                                name_of(stencil_memories, variant.memory),
                                name_of(poisson_solvers, variant.solver)),
          .obstacle = [task] { return size_obstacle(task); },
          .run = run};
}

}  // namespace

int compare_poisson_command(const Arguments& arguments) {
  const auto options = parse_poisson(CommandUse::comparison, arguments.own);
  if (!options) return success;
  const KokkosSession session(arguments.kokkos);
  Comparison comparison{.columns = in_columns("space", "precision", "memory", "solver"),
                        .size_option = "--n",
                        .solves = {},
                        .json = options->json,
                        .quiet = options->quiet};
  for (const PoissonVariant& variant : variants_of(*options)) {
    comparison.solves.push_back(compared(*options, variant));
  }
  return run_comparison(comparison, [&] { print_problem(options->size, options->criteria); });
}

}  // namespace Lamina::Cli
