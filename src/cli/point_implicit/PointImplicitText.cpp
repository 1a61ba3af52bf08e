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
std::string_view iteration_name(Krylov krylov) {
  return krylov == Krylov::none ? "sweep" : "iteration";
}

}  // namespace

void print_problem(const PointImplicitTask& task) {
  const PointImplicitProblem& problem = task.problem;
  const StoppingCriteria& criteria = task.criteria;
  const int rows = task.num_rows();
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
    print_line("until", "|b - A x|/|b| <= {:g}, at most {} {}s", criteria.tolerance,
               criteria.max_iterations, iteration_name(task.variant.krylov));
  }
}

void print_ordering(const PointImplicitTask& task) {
  print_line("colouring", "{}, after {} order", colouring_of(task.problem, task.variant.colours),
             task.variant.order == RowOrder::rcm ? "reverse Cuthill-McKee" : "the given");
}

void print_place(const PointImplicitTask& task) {
  const PointImplicitVariant& variant = task.variant;
  print_ordering(task);
  print_line("sweeps", "{}, diagonal by {}, others read in {}",
             name_of(directions, variant.direction), name_of(block_inverses, variant.inverse),
             name_of(storages, variant.storage));
  if (is_rounded(task.problem, variant.storage)) {
    print_line("residuals", "of the matrix before it was rounded, in double");
  }
  if (variant.krylov != Krylov::none) {
    print_line("krylov", "{}, preconditioned by {} {}", name_of(krylov_methods, variant.krylov),
               variant.num_sweeps, variant.num_sweeps == 1 ? "sweep" : "sweeps");
  }
  print_space(*variant.space, variant.rank_grid);
}

void print_result(const PointImplicitTask& task, const PointImplicitResult& result,
                  double copy_gb_per_s) {
  const PointImplicitVariant& variant = task.variant;
  const std::string_view iteration = iteration_name(variant.krylov);
  const SolveReport& report = result.report;
  if (!result.colour_sizes.empty()) {
    const auto [least, most] =
        std::minmax_element(result.colour_sizes.begin(), result.colour_sizes.end());
    print_line("colours", "{} of {} to {} rows; {} blocks off the diagonal",
               result.colour_sizes.size(), grouped(*least), grouped(*most),
               grouped(result.num_blocks));
  }
  print_ending(report, iteration);
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
  print_times(result, copy_gb_per_s, iteration);
}

}  // namespace Lamina::Cli
