// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "helmholtz/HelmholtzText.hpp"

#include <lamina/Version.hpp>

#include <fmt/format.h>

#include <string>

#include "helmholtz/columns/HelmholtzColumns.hpp"
#include "support/machine/Space.hpp"
#include "support/output/Text.hpp"

namespace Lamina::Cli {
namespace {

/// Where the 2-norm of the recomputed residual says less than it seems to, and where rounding
/// matters more than the residual.
void print_doubts(const HelmholtzResult& result, const StoppingCriteria& criteria) {
  if (is_recomputed_larger(result, criteria)) {
    print_line("", "in the preconditioner's norm {:.3e}: the couplings are so strong that",
               result.true_relative_residual_preconditioned);
    print_line("", "rounding of the solution alone leaves what was recomputed in the 2-norm");
  }
  const double rounding = result.rounding_error.value_or(0);
  if (result.report.converged() && rounding > criteria.tolerance) {
    print_line("rounding",
               "may change the solution by {:.1e} of its mean, beyond the tolerance:", rounding);
    print_line("", "the mass term is small beside the couplings");
  }
}

void print_columns(const HelmholtzColumns& columns) {
  if (!columns.bottom_name.empty()) {
    print_line("bottoms", "{}: {} wet columns, {} wet cells, {} of them cut by the bottom",
               columns.bottom_name, grouped(columns.num_wet_columns),
               grouped(columns.num_wet_cells), grouped(columns.num_partial_cells));
  }
  const char* const kept = columns.kind == ColumnsClass::stored ? "stored for each cell and edge"
                           : columns.kind == ColumnsClass::profiles ? "as profiles"
                                                                    : "as profiles with bottoms";
  print_line("terms", "{}{}",
             columns.coefficient_name.empty()
                 ? ""
                 : fmt::format("coefficients of {}, ", columns.coefficient_name),
             kept);
}

void print_parts(const ColumnParts& parts, bool solved) {
  print_line("parts", "{} connected part{} of wet cells, {} of them singular", parts.components,
             parts.components == 1 ? "" : "s", parts.singular);
  if (parts.rhs_defect == 0) return;
  print_line("", "{:.1e} of the right-hand side has no solution{}", parts.rhs_defect,
             solved ? "" : ": --project takes it out");
}

void print_grid(const HelmholtzProblem& problem) {
  if (!problem.grid) {
    return print_line("grid", "{} x {} columns of one cubed-sphere panel, {} levels: {} unknowns",
                      problem.num_x, problem.num_y, problem.num_levels,
                      grouped(problem.num_unknowns()));
  }
  const HelmholtzGrid& grid = *problem.grid;
  print_line("grid", "{}{}: {} columns of {} to {} neighbours, {} levels: {} unknowns", grid.name,
             grid.convention.empty() ? "" : fmt::format(" ({})", grid.convention),
             grouped(problem.num_columns()), grid.min_neighbours, grid.max_neighbours,
             problem.num_levels,
             grouped(problem.columns ? problem.columns->num_wet_cells : problem.num_unknowns()));
  print_line("", "columns along a Hilbert curve; skewness {:.1e} at most, {:.1e} in the mean",
             grid.quality.largest_skewness, grid.quality.mean_skewness);
  if (grid.num_left_out > 0) {
    print_line("", "nothing flows through {} edges between obtuse angles", grid.num_left_out);
  }
  if (!grid.is_skew()) return;
  const auto column = static_cast<std::size_t>(grid.quality.most_skew);
  print_line("warning",
             "edges are skew, most at column {}: fluxes between columns are not consistent there",
             grid.original[column]);
}

}  // namespace

void print_problem(const HelmholtzTask& task) {
  const HelmholtzProblem& problem = task.problem;
  print("Lamina {}\n\n", LAMINA_VERSION_STRING);
  print_line("equation", "{}",
             problem.grid && !problem.grid->on_sphere()
                 ? "-omega^2 ( Lap_2d + lambda^2 d^2/dz^2 ) u + u = f above a plane"
                 : "-omega^2 ( Lap_2d + lambda^2 r^-2 d/dr(r^2 d/dr) ) u + u = f in a thin shell");
  print_grid(problem);
  if (!problem.levels_file.empty()) {
    const auto [lowest, highest] = problem.heights();
    print_line("levels", "{}: {} from {:g} to {:g}", problem.levels_file, problem.num_levels,
               lowest, highest);
  }
  if (problem.columns) print_columns(*problem.columns);
  print_line("parameters", "omega^2 {:g}, lambda^2 {:g}, depth {:g}, edge {}, right-hand side {}",
             problem.parameters.omega2, problem.parameters.lambda2, problem.depth,
             name_of(edges, problem.edge), problem.rhs);
  print_until(task.criteria);
}

void print_place(const HelmholtzTask& task) {
  const HelmholtzVariant& variant = task.variant;
  print_line("solver", "{}, {} precision, layout {}", name_of(solvers, variant.solver),
             name_of(precisions, variant.precision), name_of(layouts, variant.layout));
  print_space(*variant.space, variant.rank_grid);
}

void print_result(const HelmholtzTask& task, const HelmholtzResult& result, double copy_gb_per_s) {
  if (result.parts) {
    print_parts(*result.parts, result.report.status != SolveStatus::inconsistent);
  }
  print_convergence(result);
  print_doubts(result, task.criteria);
  if (result.error) {
    print_line("error", "{:.3e} in the L2 norm, {:.3e} at most; the exact solution is u = 1",
               result.error->l2, result.error->linf);
  }
  if (!result.levels.empty()) {
    std::string columns;
    for (const MultigridLevel& level : result.levels) {
      columns += fmt::format("{}{}", columns.empty() ? "" : ", ", level.columns);
    }
    print_line("multigrid", "{} levels: {} columns; {} precision", result.levels.size(), columns,
               name_of(precisions, *result.cycle_precision));
    if (result.levels.front().seconds > 0) {
      std::string times;
      for (const MultigridLevel& level : result.levels) {
        times += fmt::format("{}{:.3f}", times.empty() ? "" : ", ", level.seconds * 1e3);
      }
      print_line("", "{} ms of a cycle", times);
    }
  }
  print_times(result, copy_gb_per_s);
}

}  // namespace Lamina::Cli
