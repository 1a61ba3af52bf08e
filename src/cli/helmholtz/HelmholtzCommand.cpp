// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "helmholtz/HelmholtzCommand.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "helmholtz/HelmholtzJson.hpp"
#include "helmholtz/HelmholtzMemory.hpp"
#include "helmholtz/HelmholtzOptions.hpp"
#include "helmholtz/HelmholtzText.hpp"
#include "helmholtz/columns/ColumnsOptions.hpp"
#include "support/Comparison.hpp"

namespace Lamina::Cli {
namespace {

HelmholtzTask task_of(const HelmholtzOptions& options) {
  const Space* space = options.space.value_or(&enabled_spaces().front());
  return {.problem = options.problem,
          .variant = {.space = space,
                      .layout = options.layout.value_or(space->best_layout),
                      .precision = options.precision.value_or(Precision::double_precision),
                      .solver = options.solver.value_or(Solver::fused_pcg),
                      .rank_grid = options.rank_grid,
                      .multigrid = options.multigrid},
          .criteria = options.criteria,
          .output = options.output,
          .on_ready = nullptr};
}

/// The option to blame for a problem too large.
const char* size_option(const HelmholtzOptions& options) {
  return options.problem.grid ? "--grid" : "--size";
}

// --- Comparison ---

std::string in_columns(std::string_view space, std::string_view precision, std::string_view layout,
                       std::string_view solver) {
  return fmt::format("{:<7} {:<9} {:<6} {:<16}", space, precision, layout, solver);
}

std::string columns_of(const HelmholtzVariant& variant) {
  return in_columns(variant.space->name, name_of(precisions, variant.precision),
                    name_of(layouts, variant.layout), name_of(solvers, variant.solver));
}

/// Whether a comparison has a solver in a precision. On CPU cores `fused-pcg` is the published form itself. Cycles alone
/// look at true residuals, which fall less in single precision than recursive ones.
bool is_compared(const HelmholtzOptions& options, const Space& space, Solver solver,
                 Precision precision) {
  if (!offers(solver, precision)) return false;
  if (options.problem.columns && !takes_columns(solver)) return false;
  if (options.solver) return true;
  if (solver == Solver::fused_pcg_stored) return space.own_memory;
  return solver != Solver::multigrid || precision != Precision::single_precision;
}

std::vector<HelmholtzVariant> variants_of(const HelmholtzOptions& options) {
  std::vector<HelmholtzVariant> variants;
  for (const Space* space : selected(options.space, space_choices())) {
    for (const Precision precision : selected(options.precision, precisions)) {
      for (const Layout layout : selected(options.layout, layouts)) {
        for (const Solver solver : selected(options.solver, solvers)) {
          if (is_compared(options, *space, solver, precision)) {
            variants.push_back({space, layout, precision, solver, {}, options.multigrid});
          }
        }
      }
    }
  }
  return variants;
}

}  // namespace

int helmholtz_command(const Arguments& arguments) {
  return solve_command("lamina helmholtz", arguments, parse_helmholtz,
                       [](const HelmholtzOptions& options) {
                         HelmholtzTask task = task_of(options);
                         require_no_obstacle(size_option(options), size_obstacle(task));
                         return task;
                       });
}

int compare_helmholtz_command(const Arguments& arguments) {
  return comparison_command(arguments, parse_helmholtz, [](const HelmholtzOptions& options) {
    const HelmholtzTask task = task_of(options);
    return Comparison{.columns = in_columns("space", "precision", "layout", "solver"),
                      .size_option = size_option(options),
                      .solves = compared_solves(task, variants_of(options), columns_of),
                      .print_problem = [task] { print_problem(task); }};
  });
}

}  // namespace Lamina::Cli
