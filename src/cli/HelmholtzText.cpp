// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HelmholtzText.hpp"

#include <lamina/Version.hpp>

#include <fmt/format.h>

#include "Space.hpp"
#include "Text.hpp"

namespace Lamina::Cli {
void print_problem(const HelmholtzProblem& problem, const StoppingCriteria& criteria) {
  fmt::print("Lamina {}\n\n", LAMINA_VERSION_STRING);
  print_line("equation",
             "-omega^2 ( Lap_2d + lambda^2 r^-2 d/dr(r^2 d/dr) ) u + u = f in a thin shell");
  print_line("grid", "{} x {} columns of one cubed-sphere panel, {} levels: {} unknowns",
             problem.num_x, problem.num_y, problem.num_levels, grouped(problem.num_unknowns()));
  print_line("parameters", "omega^2 {:g}, lambda^2 {:g}, depth {:g}, edge {}, right-hand side {}",
             problem.parameters.omega2, problem.parameters.lambda2, problem.depth,
             name_of(edges, problem.edge), problem.rhs);
  if (criteria.fixed_count) {
    print_line("until", "{} iterations", criteria.max_iterations);
  } else {
    print_line("until", "|r|/|r0| <= {:g}, at most {} iterations", criteria.tolerance,
               criteria.max_iterations);
  }
}

void print_place(const HelmholtzVariant& variant) {
  const Space& space = *variant.space;
  print_line("solver", "{}, {} precision, layout {}", name_of(solvers, variant.solver),
             name_of(precisions, variant.precision), name_of(layouts, variant.layout));
  print_space(space);
}

void print_result(const HelmholtzResult& result, double copy_gb_per_s) {
  const SolveReport& report = result.report;
  print_line("result", "{} after {} {}", explain(report.status), report.iterations,
             report.iterations == 1 ? "iteration" : "iterations");
  print_line("residual", "|r|/|r0| {:.3e}, recomputed from the solution {:.3e}",
             report.relative_residual(), result.true_relative_residual);
  if (result.error) {
    print_line("error", "{:.3e} in the L2 norm, {:.3e} at most; the exact solution is u = 1",
               result.error->l2, result.error->linf);
  }
  if (report.iterations > 0) {
    const double seconds = result.solve_seconds / report.iterations;
    const double rate = result.bytes_per_iteration / seconds * 1e-9;
    print_line("time", "{} for the solve, {} per iteration, {} for the set-up",
               duration_text(result.solve_seconds), duration_text(seconds),
               duration_text(result.setup_seconds));
    print_line("traffic", "{:.1f} MB per iteration at {:.1f} GB/s: {:.0f} % of copy bandwidth",
               result.bytes_per_iteration * 1e-6, rate, 100 * rate / copy_gb_per_s);
  }
  fmt::print("\n");
}

}  // namespace Lamina::Cli
