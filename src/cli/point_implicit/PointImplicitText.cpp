// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "point_implicit/PointImplicitText.hpp"

#include <lamina/Version.hpp>

#include <fmt/format.h>

#include <algorithm>

#include "support/machine/Space.hpp"
#include "support/output/Text.hpp"

namespace Lamina::Cli {
namespace {

/// What is counted.
std::string name_of_steps(Krylov krylov) {
  return krylov == Krylov::none ? "sweeps" : "iterations";
}
std::string one_of_steps(Krylov krylov) { return krylov == Krylov::none ? "sweep" : "iteration"; }

}  // namespace

void print_problem(const PointImplicitProblem& problem, const StoppingCriteria& criteria,
                   const PointImplicitInput& input, Krylov krylov) {
  const int rows = input.graph.num_rows();
  print("Lamina {}\n\n", LAMINA_VERSION_STRING);
  print_line("equation", "A x = b in blocks of {} x {}", problem.block_size, problem.block_size);
  if (problem.on_box()) {
    print_line("matrix", "generated: {} x {} x {} vertices of a Freudenthal mesh", problem.num_x,
               problem.num_y, problem.num_z);
  } else if (problem.generated()) {
    print_line("matrix", "generated: the edges of the volume elements of {}",
               problem.mesh.string());
  } else {
    print_line("matrix", "{}", problem.matrix.string());
  }
  print_line("", "{} block rows, {} unknowns", grouped(rows),
             grouped(std::int64_t{rows} * problem.block_size));
  if (criteria.fixed_count) {
    print_line("until", "{} sweeps", criteria.max_iterations);
  } else {
    print_line("until", "|b - A x|/|b| <= {:g}, at most {} {}", criteria.tolerance,
               criteria.max_iterations, name_of_steps(krylov));
  }
}

void print_ordering(const PointImplicitProblem& problem, RowOrder order, Colours colours) {
  print_line("colouring", "{}, after {} order", colouring_of(problem, colours),
             order == RowOrder::rcm ? "reverse Cuthill-McKee" : "the given");
}

void print_place(const PointImplicitProblem& problem, const PointImplicitVariant& variant) {
  print_ordering(problem, variant.order, variant.colours);
  print_line("sweeps", "{}, diagonal by {}, others read in {}",
             name_of(directions, variant.direction), name_of(block_inverses, variant.inverse),
             name_of(storages, variant.storage));
  if (is_rounded(problem, variant.storage)) {
    print_line("residuals", "of the matrix before it was rounded, in double");
  }
  if (variant.krylov != Krylov::none) {
    print_line("krylov", "{}, preconditioned by {} {}", name_of(krylov_methods, variant.krylov),
               variant.num_sweeps, variant.num_sweeps == 1 ? "sweep" : "sweeps");
  }
  print_space(*variant.space);
}

void print_result(const PointImplicitTask& task, const PointImplicitResult& result,
                  double copy_gb_per_s) {
  const PointImplicitVariant& variant = task.variant;
  const std::string step = one_of_steps(variant.krylov);
  const SolveReport& report = result.report;
  if (!result.colour_sizes.empty()) {
    const auto [least, most] =
        std::minmax_element(result.colour_sizes.begin(), result.colour_sizes.end());
    print_line("colours", "{} of {} to {} rows; {} blocks off the diagonal",
               result.colour_sizes.size(), grouped(*least), grouped(*most),
               grouped(result.num_blocks));
  }
  print_line("result", "{} after {} {}", explain(report.status), report.iterations,
             report.iterations == 1 ? step : name_of_steps(variant.krylov));
  const bool got_stuck =
      report.status == SolveStatus::stagnated || report.status == SolveStatus::diverged;
  if (got_stuck && is_rounded(task.problem, variant.storage)) {
    print_line("", "sweeps read blocks rounded to {}, which may be why: try --storage double",
               name_of(storages, variant.storage));
  }
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
  print("\n");
}

}  // namespace Lamina::Cli
