// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HelmholtzText.hpp"

#include <lamina/Version.hpp>

#include <fmt/format.h>

#include "Space.hpp"
#include "Text.hpp"

namespace Lamina::Cli {
void print_problem(const HelmholtzProblem& problem, const StoppingCriteria& criteria) {
  print("Lamina {}\n\n", LAMINA_VERSION_STRING);
  print_line("equation",
             "-omega^2 ( Lap_2d + lambda^2 r^-2 d/dr(r^2 d/dr) ) u + u = f in a thin shell");
  print_line("grid", "{} x {} columns of one cubed-sphere panel, {} levels: {} unknowns",
             problem.num_x, problem.num_y, problem.num_levels, grouped(problem.num_unknowns()));
  print_line("parameters", "omega^2 {:g}, lambda^2 {:g}, depth {:g}, edge {}, right-hand side {}",
             problem.parameters.omega2, problem.parameters.lambda2, problem.depth,
             name_of(edges, problem.edge), problem.rhs);
  print_until(criteria);
}

void print_place(const HelmholtzVariant& variant) {
  const Space& space = *variant.space;
  print_line("solver", "{}, {} precision, layout {}", name_of(solvers, variant.solver),
             name_of(precisions, variant.precision), name_of(layouts, variant.layout));
  print_space(space);
}

void print_result(const HelmholtzResult& result, double copy_gb_per_s) {
  print_convergence(result);
  if (result.error) {
    print_line("error", "{:.3e} in the L2 norm, {:.3e} at most; the exact solution is u = 1",
               result.error->l2, result.error->linf);
  }
  print_times(result, copy_gb_per_s);
}

}  // namespace Lamina::Cli
