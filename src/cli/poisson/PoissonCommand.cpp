// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "poisson/PoissonCommand.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "poisson/PoissonJson.hpp"
#include "poisson/PoissonLimits.hpp"
#include "poisson/PoissonOptions.hpp"
#include "poisson/PoissonText.hpp"
#include "support/Comparison.hpp"

namespace Lamina::Cli {
namespace {

PoissonTask task_of(const PoissonOptions& options) {
  const PoissonVariant best;
  return {.size = options.size,
          .variant = {.space = options.space.value_or(&enabled_spaces().front()),
                      .layout = options.layout,
                      .precision = options.precision.value_or(best.precision),
                      .memory = options.memory.value_or(best.memory),
                      .solver = options.solver.value_or(best.solver),
                      .rank_grid = options.rank_grid,
                      .cycles = options.cycles},
          .criteria = options.criteria,
          .output = options.output};
}

// --- Comparison ---

std::string in_columns(std::string_view space, std::string_view precision, std::string_view memory,
                       std::string_view solver) {
  return fmt::format("{:<7} {:<9} {:<9} {:<12}", space, precision, memory, solver);
}

std::string columns_of(const PoissonVariant& variant) {
  return in_columns(variant.space->name, name_of(precisions, variant.precision),
                    name_of(stencil_memories, variant.memory),
                    name_of(poisson_solvers, variant.solver));
}

/// Whether a comparison has a solver in a precision, through a memory. Multigrid reads its points in one way. By
/// itself it looks at true residuals, which fall less in single precision than recursive ones.
bool is_compared(const PoissonOptions& options, PoissonSolver solver, Precision precision,
                 StencilMemory memory) {
  if (!is_multigrid(solver)) return true;
  if (memory != StencilMemory::automatic) return false;
  return solver != PoissonSolver::multigrid || precision == Precision::double_precision ||
         options.solver.has_value();
}

std::vector<PoissonVariant> variants_of(const PoissonOptions& options) {
  std::vector<PoissonVariant> variants;
  for (const Space* space : selected(options.space, space_choices())) {
    for (const Precision precision : selected(options.precision, poisson_precisions)) {
      for (const StencilMemory memory : selected(options.memory, stencil_memories)) {
        for (const PoissonSolver solver : selected(options.solver, poisson_solvers)) {
          if (!is_compared(options, solver, precision, memory)) continue;
          variants.push_back(
              {space, options.layout, precision, memory, solver, {}, options.cycles});
        }
      }
    }
  }
  return variants;
}

}  // namespace

int poisson_command(const Arguments& arguments) {
  return solve_command("lamina poisson", arguments, parse_poisson,
                       [](const PoissonOptions& options) {
                         PoissonTask task = task_of(options);
                         require_no_obstacle(options.size_option, size_obstacle(task));
                         return task;
                       });
}

int compare_poisson_command(const Arguments& arguments) {
  return comparison_command(arguments, parse_poisson, [](const PoissonOptions& options) {
    const PoissonTask task = task_of(options);
    return Comparison{.columns = in_columns("space", "precision", "memory", "solver"),
                      .size_option = options.size_option,
                      .solves = compared_solves(task, variants_of(options), columns_of),
                      .print_problem = [task] { print_problem(task); }};
  });
}

}  // namespace Lamina::Cli
