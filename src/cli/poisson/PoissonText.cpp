// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "poisson/PoissonText.hpp"

#include <lamina/Version.hpp>

#include <fmt/format.h>

#include <string>
#include <vector>

#include "support/machine/Space.hpp"
#include "support/output/Text.hpp"

namespace Lamina::Cli {
namespace {

void print_levels(const PoissonTask& task, const std::vector<PoissonLevel>& levels) {
  std::string sizes, times;
  for (const PoissonLevel& level : levels) {
    const char* const comma = sizes.empty() ? "" : ", ";
    sizes += fmt::format("{}{} x {}", comma, level.size.nx, level.size.ny);
    times += fmt::format("{}{:.3f}", comma, level.seconds * 1e3);
  }
  const PoissonCycles& cycles = task.variant.cycles;
  print_line("multigrid", "{} smoothing steps{}, {} levels: {} points", cycles.smoothing,
             cycles.full_multigrid ? ", begins with full multigrid" : "", levels.size(), sizes);
  if (levels.front().seconds > 0) print_line("", "{} ms of a cycle", times);
}

}  // namespace

std::string equation_text(const PoissonTask& task) {
  const double length = (task.size.ny + 1.0) / (task.size.nx + 1.0);
  return fmt::format(
      "-Laplace u = f on {}, u = 0 on its boundary",
      task.size.is_square() ? "the unit square" : fmt::format("a rectangle of 1 x {:.6g}", length));
}

void print_problem(const PoissonTask& task) {
  print("Lamina {}\n\n", LAMINA_VERSION_STRING);
  print_line("equation", "{}", equation_text(task));
  print_line("grid", "{} x {} points: {} unknowns", task.size.nx, task.size.ny,
             grouped(std::int64_t{task.size.nx} * task.size.ny));
  print_until(task.criteria);
}

void print_place(const PoissonTask& task) {
  const PoissonVariant& variant = task.variant;
  print_line("solver", "{}, {} precision, layout {}, memory {}",
             name_of(poisson_solvers, variant.solver), name_of(precisions, variant.precision),
             name_of(layouts, variant.layout), name_of(stencil_memories, variant.memory));
  print_space(*variant.space, variant.rank_grid);
}

void print_result(const PoissonTask& task, const PoissonResult& result, double copy_gb_per_s) {
  print_convergence(result);
  if (is_recomputed_larger(result, task.criteria)) {
    print_line("",
               "differences of neighbours are so small that rounding of the solution alone leaves");
    print_line("", "what was recomputed");
  }
  print_line("error", "{:.4e} at most, {:.4e} in the L2 norm, against the exact solution",
             result.error->linf, result.error->l2);
  if (!result.levels.empty()) print_levels(task, result.levels);
  if (task.variant.cycles.full_multigrid && result.report.iterations == 0) {
    print_line("time", "{} for full multigrid, {} for the set-up",
               duration_text(result.solve_seconds), duration_text(result.setup_seconds));
  }
  print_times(result, copy_gb_per_s);
}

}  // namespace Lamina::Cli
