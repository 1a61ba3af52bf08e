// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/Version.hpp>

#include <fmt/format.h>

#include "Commands.hpp"
#include "ExitStatus.hpp"
#include "InputError.hpp"
#include "JsonReport.hpp"
#include "MemoryNeed.hpp"
#include "PoissonOptions.hpp"
#include "Progress.hpp"
#include "Space.hpp"
#include "Text.hpp"

namespace Lamina::Cli {
namespace {

/// \throws InputError where the problem does not fit into memory
void require_size_fits(const PoissonTask& task) {
  const double n = task.size;
  const double scalar = task.variant.precision == Precision::double_precision ? 8 : 4;
  // Right-hand side, solution, scratch; the solver's, whose lines are longer
  const bool fused = task.variant.solver == PoissonSolver::fused_cg;
  const double solver = fused ? 5 * (n + 512 / scalar) : 3 * n;
  const double needed = n * (3 * n + solver) * scalar;
  std::string obstacle = shortage_of(*task.variant.space, needed);
  if (obstacle.empty() && task.variant.space->own_memory && !task.output.empty()) {
    obstacle = host_shortage_of(n * n * scalar);
  }
  if (!obstacle.empty()) throw InputError("--n: " + obstacle);
}

void print_task(const PoissonTask& task) {
  fmt::print("Lamina {}\n\n", LAMINA_VERSION_STRING);
  print_line("equation", "-Laplace u = f on the unit square, u = 0 on its boundary");
  print_line("grid", "{0} x {0} points: {1} unknowns", task.size,
             grouped(std::int64_t{task.size} * task.size));
  if (task.criteria.fixed_count) {
    print_line("until", "{} iterations", task.criteria.max_iterations);
  } else {
    print_line("until", "|r|/|r0| <= {:g}, at most {} iterations", task.criteria.tolerance,
               task.criteria.max_iterations);
  }
  const PoissonVariant& variant = task.variant;
  print_line("solver", "{}, {} precision, layout {}, memory {}",
             name_of(poisson_solvers, variant.solver), name_of(precisions, variant.precision),
             name_of(layouts, variant.layout), name_of(stencil_memories, variant.memory));
  print_space(*variant.space);
}

void print_outcome(const PoissonOptions& options, const PoissonResult& result,
                   const std::vector<CopyMeasurement>& copy) {
  print_convergence(result);
  print_line("error", "{:.4e} at most, {:.4e} in the L2 norm, against the exact solution",
             result.error->linf, result.error->l2);
  print_times(result, best_gb_per_s(copy));
  print_kernels(result.kernels, copy);
  print_file("--output", options.task.output.string());
  print_file("--json", options.json.string());
}

}  // namespace

int poisson_command(const Arguments& arguments) {
  auto options = parse_poisson(arguments.own);
  if (!options) return success;
  const KokkosSession session(arguments.kokkos);
  PoissonTask& task = options->task;
  const Space* space = options->space.value_or(&enabled_spaces().front());
  task.variant.space = space;
  // The stencil treats both directions alike: either layout is as fast.
  task.variant.layout = options->layout.value_or(Layout::right);
  require_size_fits(task);
  require_copies_fit(*space);

  Progress progress(!options->quiet);
  progress.show("measuring copy bandwidth");
  const auto copy = space->copy_bandwidth();
  progress.show("setting up");
  task.on_ready = [&] {
    progress.clear();
    if (!options->quiet) print_task(task);
  };
  task.criteria.on_check = progress.on_check("  ");
  const PoissonResult result = space->solve_poisson(task);
  progress.clear();
  if (!options->json.empty())
    write_json(options->json, json_report(task, result, best_gb_per_s(copy)));
  if (!options->quiet) print_outcome(*options, result, copy);
  return result.report.succeeded() ? success : not_converged;
}

}  // namespace Lamina::Cli
