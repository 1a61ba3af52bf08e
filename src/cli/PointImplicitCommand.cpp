// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/Version.hpp>

#include <algorithm>
#include <cstdio>

#include "Commands.hpp"
#include "ExitStatus.hpp"
#include "InputError.hpp"
#include "JsonReport.hpp"
#include "MemoryNeed.hpp"
#include "PointImplicitOptions.hpp"
#include "Progress.hpp"
#include "Space.hpp"
#include "Text.hpp"

namespace Lamina::Cli {
namespace {

/// What is counted.
const char* name_of_steps(const PointImplicitVariant& variant) {
  return variant.krylov == Krylov::none ? "sweeps" : "iterations";
}
std::string one_of_steps(const PointImplicitVariant& variant) {
  const std::string steps = name_of_steps(variant);
  return steps.substr(0, steps.size() - 1);
}

void print_problem(const PointImplicitTask& task, const PointImplicitInput& input) {
  const PointImplicitProblem& problem = task.problem;
  const PointImplicitVariant& variant = task.variant;
  const int rows = input.graph.num_rows();
  fmt::print("Lamina {}\n\n", LAMINA_VERSION_STRING);
  print_line("equation", "A x = b in blocks of {} x {}", problem.block_size, problem.block_size);
  if (problem.generated()) {
    print_line("matrix", "generated: {} x {} x {} vertices of a Freudenthal mesh", problem.num_x,
               problem.num_y, problem.num_z);
  } else {
    print_line("matrix", "{}", problem.matrix.string());
  }
  print_line("", "{} block rows, {} unknowns", grouped(rows),
             grouped(std::int64_t{rows} * problem.block_size));
  print_line("sweeps", "{}, {} colours after {} order, diagonal by {}, others stored in {}",
             name_of(directions, variant.direction), name_of(colourings, variant.colours),
             variant.order == RowOrder::rcm ? "reverse Cuthill-McKee" : "the given",
             name_of(block_inverses, variant.inverse), name_of(storages, variant.storage));
  if (variant.krylov != Krylov::none) {
    print_line("krylov", "{}, preconditioned by {} {}", name_of(krylov_methods, variant.krylov),
               variant.num_sweeps, variant.num_sweeps == 1 ? "sweep" : "sweeps");
  }
  const char* steps = name_of_steps(variant);
  if (task.criteria.fixed_count) {
    print_line("until", "{} sweeps", task.criteria.max_iterations);
  } else {
    print_line("until", "|b - A x|/|b| <= {:g}, at most {} {}", task.criteria.tolerance,
               task.criteria.max_iterations, steps);
  }
}

void print_result(const PointImplicitVariant& variant, const PointImplicitResult& result,
                  double copy_gb_per_s) {
  const std::string step = one_of_steps(variant);
  const SolveReport& report = result.report;
  if (!result.colour_sizes.empty()) {
    const auto [least, most] =
        std::minmax_element(result.colour_sizes.begin(), result.colour_sizes.end());
    print_line("colours", "{} of {} to {} rows; {} blocks off the diagonal",
               result.colour_sizes.size(), grouped(*least), grouped(*most),
               grouped(result.num_blocks));
  }
  print_line("result", "{} after {} {}", explain(report.status), report.iterations,
             report.iterations == 1 ? step : name_of_steps(variant));
  if (result.first_bad_row >= 0) {
    print_line("", "the diagonal block of block row {} cannot be solved with",
               grouped(result.first_bad_row + 1));
  }
  if (result.asymmetry && *result.asymmetry > 0) {
    print_line("", "A is not symmetric: largest |A - A^T| {:.1e} of the largest |A|",
               *result.asymmetry);
  }
  print_line("residual", "|b - A x|/|b| {:.3e}", report.relative_residual());
  if (result.error) {
    print_line("error", "{:.3e} in the mean, {:.3e} at most", result.error->l2, result.error->linf);
  }
  if (report.iterations > 0) {
    const double seconds = result.solve_seconds / report.iterations;
    const double rate = result.bytes_per_iteration / seconds * 1e-9;
    print_line("time", "{} for the solve, {} per {}, {} for the set-up",
               duration_text(result.solve_seconds), duration_text(seconds), step,
               duration_text(result.setup_seconds));
    if (rate > 0) {
      print_line("traffic", "{:.1f} MB per {} at {:.1f} GB/s: {:.0f} % of copy bandwidth",
                 result.bytes_per_iteration * 1e-6, step, rate, 100 * rate / copy_gb_per_s);
    }
  }
  fmt::print("\n");
}

void require_memory(const PointImplicitTask& task, const std::string& option, double num_rows,
                    double num_blocks) {
  const Space& space = *task.variant.space;
  const PointImplicitNeed need =
      point_implicit_need(task.problem, task.variant, num_rows, num_blocks);
  std::string text = shortage_of(space, need.space_bytes);
  if (text.empty() && space.own_memory) text = host_shortage_of(need.mirror_bytes);
  if (!text.empty()) throw InputError(option + ": " + text);
}

PointImplicitInput checked_input(const PointImplicitTask& task) {
  const PointImplicitProblem& problem = task.problem;
  constexpr double most_neighbours = 14;
  if (problem.generated()) {
    const auto vertices = static_cast<double>(problem.num_vertices());
    require_memory(task, "--generate", vertices, most_neighbours * vertices);
  }
  PointImplicitInput input = point_implicit_input(problem);
  if (!problem.generated()) {
    const double rows = input.graph.num_rows();
    require_memory(task, "--matrix", rows, static_cast<double>(input.columns.size()) - rows);
  }
  return input;
}

}  // namespace

int point_implicit_command(const Arguments& arguments) {
  const auto options = parse_point_implicit(arguments.own);
  if (!options) return success;
  const KokkosSession session(arguments.kokkos);
  PointImplicitTask task{options->problem, options->variant, options->criteria, options->output,
                         nullptr};
  if (task.variant.space == nullptr) task.variant.space = &enabled_spaces().front();
  require_copies_fit(*task.variant.space);
  const PointImplicitInput input = checked_input(task);

  Progress progress(!options->quiet);
  progress.show("measuring copy bandwidth");
  const auto copy = task.variant.space->copy_bandwidth();
  progress.show("setting up");
  task.on_ready = [&] {
    progress.clear();
    if (options->quiet) return;
    print_problem(task, input);
    print_space(*task.variant.space);
  };
  task.criteria.on_check = progress.on_check("  ");
  const PointImplicitResult result = task.variant.space->solve_point_implicit(task, input);
  progress.clear();
  if (!options->json.empty())
    write_json(options->json, json_report(task, result, best_gb_per_s(copy)));
  const bool written = has_solution(result.report);
  if (!options->quiet) {
    print_result(task.variant, result, best_gb_per_s(copy));
    print_kernels(result.kernels, copy);
    if (written) print_file("--output", options->output.string());
    print_file("--json", options->json.string());
  }
  if (!written && !options->output.empty()) {
    fmt::print(stderr,
               "lamina point-implicit: --output: {}: not written, as the solve broke down\n",
               options->output.string());
  }
  return result.report.succeeded() ? success : not_converged;
}

}  // namespace Lamina::Cli
