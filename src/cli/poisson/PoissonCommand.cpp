// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "poisson/PoissonCommand.hpp"

#include "poisson/PoissonJson.hpp"
#include "poisson/PoissonLimits.hpp"
#include "poisson/PoissonOptions.hpp"
#include "poisson/PoissonText.hpp"
#include "support/ExitStatus.hpp"
#include "support/Interruption.hpp"
#include "support/machine/MemoryNeed.hpp"
#include "support/machine/Space.hpp"
#include "support/options/InputError.hpp"
#include "support/output/JsonReport.hpp"
#include "support/output/Progress.hpp"
#include "support/output/Solution.hpp"
#include "support/output/Text.hpp"

namespace Lamina::Cli {
namespace {

PoissonTask task_of(const PoissonOptions& options) {
  const PoissonVariant best;
  return {.size = options.size,
          .variant = {.space = options.space.value_or(&enabled_spaces().front()),
                      .layout = options.layout,
                      .precision = options.precision.value_or(best.precision),
                      .memory = options.memory.value_or(best.memory),
                      .solver = options.solver.value_or(best.solver)},
          .criteria = options.criteria,
          .output = options.output};
}

void print_outcome(const PoissonOptions& options, const PoissonResult& result,
                   const std::vector<CopyMeasurement>& copy) {
  print_result(result, best_gb_per_s(copy));
  print_kernels(result.kernels, copy);
  if (has_solution(result.report)) print_file("--output", options.output.string());
  print_file("--json", options.json.string());
}

}  // namespace

int poisson_command(const Arguments& arguments) {
  const auto options = parse_poisson(CommandUse::one_solve, arguments.own);
  if (!options) return success;
  const KokkosSession session(arguments.kokkos);
  PoissonTask task = task_of(*options);
  const Space& space = *task.variant.space;
  const std::string obstacle = size_obstacle(task);
  if (!obstacle.empty()) throw InputError("--n: " + obstacle);

  Progress progress(!options->quiet);
  const bool tells_copies = !options->quiet || !options->json.empty();
  const auto copy = measured_copies(space, tells_copies, progress);
  progress.show("setting up");
  task.on_ready = [&] {
    progress.clear();
    catch_signals();
    if (options->quiet) return;
    print_problem(task.size, task.criteria);
    print_place(task.variant);
  };
  task.criteria.on_check = progress.on_check("  ");
  const PoissonResult result = space.solve_poisson(task);
  progress.clear();
  if (!options->json.empty())
    write_json(options->json, json_report(task, result, best_gb_per_s(copy)));
  if (!options->quiet) print_outcome(*options, result, copy);
  tell_of_missing_output("lamina poisson", options->output, result.report);
  return result.report.succeeded() ? success : not_converged;
}

}  // namespace Lamina::Cli
