// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "point_implicit/PointImplicitCommand.hpp"

#include "point_implicit/PointImplicitJson.hpp"
#include "point_implicit/PointImplicitLimits.hpp"
#include "point_implicit/PointImplicitOptions.hpp"
#include "point_implicit/PointImplicitText.hpp"
#include "support/ExitStatus.hpp"
#include "support/Interruption.hpp"
#include "support/machine/MemoryNeed.hpp"
#include "support/machine/Space.hpp"
#include "support/output/JsonReport.hpp"
#include "support/output/Progress.hpp"
#include "support/output/Solution.hpp"
#include "support/output/Text.hpp"

namespace Lamina::Cli {
namespace {

PointImplicitTask task_of(const PointImplicitOptions& options) {
  PointImplicitTask task;
  PointImplicitVariant& variant = task.variant;
  task.problem = options.problem;
  variant.space = options.space.value_or(&enabled_spaces().front());
  variant.storage = options.storage.value_or(variant.storage);
  variant.inverse = options.inverse.value_or(variant.inverse);
  variant.order = options.order;
  variant.colours = options.colours;
  variant.krylov = options.krylov;
  variant.num_sweeps = options.num_sweeps;
  variant.direction = options.direction.value_or(
      variant.krylov == Krylov::pcg ? SweepDirection::symmetric : variant.direction);
  task.criteria = options.criteria;
  task.output = options.output;
  return task;
}

}  // namespace

int point_implicit_command(const Arguments& arguments) {
  const auto options = parse_point_implicit(CommandUse::one_solve, arguments.own);
  if (!options) return success;
  const KokkosSession session(arguments.kokkos);
  PointImplicitTask task = task_of(*options);
  const PointImplicitInput input = checked_input(task.problem, {task.variant});

  Progress progress(!options->quiet);
  const bool tells_copies = !options->quiet || !options->json.empty();
  const auto copy = measured_copies(*task.variant.space, tells_copies, progress);
  progress.show("setting up");
  task.on_ready = [&] {
    progress.clear();
    catch_signals();
    if (options->quiet) return;
    print_problem(task.problem, task.criteria, input, task.variant.krylov);
    print_place(task.problem, task.variant);
  };
  task.criteria.on_check = progress.on_check("  ");
  const PointImplicitResult result = task.variant.space->solve_point_implicit(task, input);
  progress.clear();
  if (!options->json.empty())
    write_json(options->json, json_report(task, result, best_gb_per_s(copy)));
  if (!options->quiet) {
    print_result(task, result, best_gb_per_s(copy));
    print_kernels(result.kernels, copy);
    if (has_solution(result.report)) print_file("--output", options->output.string());
    print_file("--json", options->json.string());
  }
  tell_of_missing_output("lamina point-implicit", options->output, result.report);
  return result.report.succeeded() ? success : not_converged;
}

}  // namespace Lamina::Cli
