// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "helmholtz/HelmholtzCommand.hpp"
#include "helmholtz/HelmholtzJson.hpp"
#include "helmholtz/HelmholtzOptions.hpp"
#include "helmholtz/HelmholtzText.hpp"
#include "support/Comparison.hpp"
#include "support/ExitStatus.hpp"
#include "support/machine/MemoryNeed.hpp"
#include "support/machine/Space.hpp"

namespace Lamina::Cli {
namespace {

std::string in_columns(std::string_view space, std::string_view precision, std::string_view layout,
                       std::string_view solver) {
  return fmt::format("{:<7} {:<9} {:<6} {:<16}", space, precision, layout, solver);
}

/// Whether a solver is a way of its own: on CPU cores `fused-pcg` is the published form itself.
bool is_own_way(const HelmholtzOptions& options, const Space& space, Solver solver) {
  return solver != Solver::fused_pcg_stored || space.own_memory || options.solver.has_value();
}

std::vector<HelmholtzVariant> variants_of(const HelmholtzOptions& options) {
  std::vector<HelmholtzVariant> variants;
  for (const Space* space : selected(options.space, space_choices())) {
    for (const Precision precision : selected(options.precision, precisions)) {
      for (const Layout layout : selected(options.layout, layouts)) {
        for (const Solver solver : selected(options.solver, solvers)) {
          if (offers(solver, precision) && is_own_way(options, *space, solver)) {
            variants.push_back({space, layout, precision, solver});
          }
        }
      }
    }
  }
  return variants;
}

ComparedSolve compared(const HelmholtzOptions& options, const HelmholtzVariant& variant) {
  HelmholtzTask task;
  task.problem = options.problem;
  task.variant = variant;
  task.criteria = options.criteria;
  const auto run = [task](Progress& progress, const std::string& title,
                          double copy_gb_per_s) mutable -> ComparedResult {
    task.criteria.on_check = progress.on_check(title);
    const HelmholtzResult result = task.variant.space->solve_helmholtz(task);
    return {result.report, result.solve_seconds, result.bytes_per_iteration,
            json_report(task, result, copy_gb_per_s)};
  };
  return {.space = variant.space,
          .variant = in_columns(variant.space->name, name_of(precisions, variant.precision),
                                name_of(layouts, variant.layout), name_of(solvers, variant.solver)),
          .obstacle = [task] { return size_obstacle(task.problem, task.variant, false); },
          .run = run};
}

}  // namespace

int compare_helmholtz_command(const Arguments& arguments) {
  const auto options = parse_helmholtz(CommandUse::comparison, arguments.own);
  if (!options) return success;
  const KokkosSession session(arguments.kokkos);
  Comparison comparison{.columns = in_columns("space", "precision", "layout", "solver"),
                        .size_option = "--size",
                        .solves = {},
                        .json = options->json,
                        .quiet = options->quiet};
  for (const HelmholtzVariant& variant : variants_of(*options)) {
    comparison.solves.push_back(compared(*options, variant));
  }
  return run_comparison(comparison, [&] { print_problem(options->problem, options->criteria); });
}

}  // namespace Lamina::Cli
