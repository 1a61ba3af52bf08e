// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "helmholtz/HelmholtzCommand.hpp"

#include "helmholtz/HelmholtzJson.hpp"
#include "helmholtz/HelmholtzOptions.hpp"
#include "helmholtz/HelmholtzText.hpp"
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

HelmholtzTask task_of(const HelmholtzOptions& options) {
  const Space* space = options.space.value_or(&enabled_spaces().front());
  return {.problem = options.problem,
          .variant = {.space = space,
                      .layout = options.layout.value_or(space->best_layout),
                      .precision = options.precision.value_or(Precision::double_precision),
                      .solver = options.solver.value_or(Solver::fused_pcg)},
          .criteria = options.criteria,
          .output = options.output,
          .on_ready = nullptr};
}

void print_outcome(const HelmholtzOptions& options, const HelmholtzResult& result,
                   const std::vector<CopyMeasurement>& copy) {
  print_result(result, options.criteria, best_gb_per_s(copy));
  print_kernels(result.kernels, copy);
  if (has_solution(result.report)) print_file("--output", options.output.string());
  print_file("--json", options.json.string());
}

}  // namespace

int helmholtz_command(const Arguments& arguments) {
  const auto options = parse_helmholtz(CommandUse::one_solve, arguments.own);
  if (!options) return success;
  const KokkosSession session(arguments.kokkos);
  HelmholtzTask task = task_of(*options);
  const std::string obstacle = size_obstacle(task.problem, task.variant, !task.output.empty());
  if (!obstacle.empty()) throw InputError("--size: " + obstacle);

  Progress progress(!options->quiet);
  const bool tells_copies = !options->quiet || !options->json.empty();
  const auto copy = measured_copies(*task.variant.space, tells_copies, progress);
  progress.show("setting up");
  task.on_ready = [&] {
    progress.clear();
    catch_signals();
    if (options->quiet) return;
    print_problem(task.problem, task.criteria);
    print_place(task.variant);
  };
  task.criteria.on_check = progress.on_check("  ");
  const HelmholtzResult result = task.variant.space->solve_helmholtz(task);
  progress.clear();
  if (!options->json.empty())
    write_json(options->json, json_report(task, result, best_gb_per_s(copy)));
  if (!options->quiet) print_outcome(*options, result, copy);
  tell_of_missing_output("lamina helmholtz", options->output, result.report);
  return result.report.succeeded() ? success : not_converged;
}

}  // namespace Lamina::Cli
