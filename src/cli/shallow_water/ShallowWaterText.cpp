// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "shallow_water/ShallowWaterText.hpp"

#include <lamina/Version.hpp>

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

#include "support/machine/Space.hpp"
#include "support/output/Text.hpp"

namespace Lamina::Cli {
namespace {

/// "1e-4 at most", or "3 iterations"
std::string until_text(int iterations, double tolerance) {
  return iterations > 0 ? fmt::format("{} iterations", iterations)
                        : fmt::format("tolerance {:g}", tolerance);
}

std::string scheme_text(const ShallowWaterTask& task) {
  const ShallowWaterSystems& systems = task.systems;
  const std::string name{name_of(time_schemes, task.variant.scheme)};
  if (task.variant.scheme == TimeScheme::semi_implicit) {
    const bool plain = systems.cg_preconditioner == CgPreconditioner::none;
    return fmt::format("{}, Newton {}, CG {}{}, phi* {}", name,
                       until_text(systems.newton_iterations, systems.newton_tolerance),
                       until_text(systems.cg_iterations, systems.cg_tolerance),
                       plain ? "" : " with multigrid",
                       name_of(reference_heights, systems.phi_star));
  }
  const bool by_cg = systems.mass_solver == MassSolver::cg;
  return fmt::format("{}, mass solver {}{}", name, name_of(mass_solvers, systems.mass_solver),
                     by_cg ? ", " + until_text(systems.cg_iterations, systems.mass_tolerance) : "");
}

void print_change(const char* topic, double start, double end) {
  const std::string relative =
      start == 0 ? ""
                 : fmt::format(": relative change {:.1e}", std::abs(end - start) / std::abs(start));
  print_line(topic, "{:.12g} at the start, {:.12g} at the end{}", start, end, relative);
}

void print_iterations(const ShallowWaterTask& task, const ShallowWaterResult& result) {
  const double steps = result.report.iterations;
  if (steps == 0) return;
  if (task.variant.scheme == TimeScheme::semi_implicit) {
    print_line("iterations", "{:.1f} of Newton and {:.1f} of CG per step",
               static_cast<double>(result.newton_iterations) / steps,
               static_cast<double>(result.cg_iterations) / steps);
  } else if (task.systems.mass_solver == MassSolver::cg) {
    print_line("iterations", "{:.1f} of CG for the mass matrices per step",
               static_cast<double>(result.mass_iterations) / steps);
  }
  if (result.unconverged_steps > 0) {
    print_line("", "{} steps were taken before their iterations converged",
               result.unconverged_steps);
  }
}

}  // namespace

std::string domain_text(const ShallowWaterProblem& problem) {
  const auto [nx, ny] = problem.size;
  if (problem.sides == WaterSides::walls) {
    return fmt::format("a channel of 1 x {:.6g}, with walls in the south and the north",
                       static_cast<double>(ny) / nx);
  }
  if (problem.size.is_square()) return "the doubly periodic unit square";
  return fmt::format("a doubly periodic rectangle of 1 x {:.6g}", static_cast<double>(ny) / nx);
}

void print_problem(const ShallowWaterTask& task) {
  const ShallowWaterProblem& problem = task.problem;
  print("Lamina {}\n\n", LAMINA_VERSION_STRING);
  print_line("equation", "nonlinear shallow water on {}, an Arakawa C-grid", domain_text(problem));
  print_line("grid", "{} x {} cells: {} unknowns", problem.size.nx, problem.size.ny,
             grouped(3 * problem.num_cells()));
  if (problem.has_bottom()) print_line("bottom", "{}", problem.bottom);
  print_line("start", "{}{}, Coriolis parameter {:g}{}{}", problem.initial,
             problem.generated_initial
                 ? fmt::format(", velocity {:g} {:g}", problem.velocity[0], problem.velocity[1])
                 : "",
             problem.coriolis, problem.beta == 0 ? "" : fmt::format(", beta {:g}", problem.beta),
             problem.viscosity == 0 ? "" : fmt::format(", viscosity {:g}", problem.viscosity));
  print_line("until", "time {:g}, {} steps of {:.6g}: CFL {:.4g}", problem.until,
             grouped(problem.num_steps), problem.time_step, problem.time_step * problem.size.nx);
}

void print_place(const ShallowWaterTask& task) {
  print_line("scheme", "{}, {} precision", scheme_text(task),
             name_of(precisions, task.variant.precision));
  if (!task.restart.empty()) print_line("from", "{} (--restart)", task.restart.string());
  print_space(*task.variant.space, task.variant.rank_grid);
  if (!task.with_series) return;
  print("  {:>9}  {:>10}  {:>18}  {:>18}  {:>18}  {:>8}\n", "step", "time", "mass", "energy",
        "pot. enstrophy", "Courant");
}

void print_series(const StateDiagnostics& diagnostics) {
  print("  {:>9}  {:>10.6g}  {:>18.13g}  {:>18.13g}  {:>18.13g}  {:>8.3g}\n", diagnostics.step,
        diagnostics.time, diagnostics.mass, diagnostics.energy, diagnostics.potential_enstrophy,
        diagnostics.courant_number);
  flush_output();
}

void print_result(const ShallowWaterTask& task, const ShallowWaterResult& result,
                  double copy_gb_per_s) {
  if (task.with_series) print("\n");
  print_ending(result.report, "step");
  if (result.bad_cell) {
    const auto& [step, time, fault] = *result.bad_cell;
    print_line("", "found at step {}, time {:.6g}, in cell (i, j) = ({}, {}): {}", step, time,
               fault.i, fault.j,
               fault.status == SolveStatus::diverged ? "a height that is not positive"
                                                     : "a value that is not finite");
  }
  print_iterations(task, result);
  print_change("mass", result.start.mass, result.end.mass);
  print_change("energy", result.start.energy, result.end.energy);
  print_change("enstrophy", result.start.potential_enstrophy, result.end.potential_enstrophy);
  if (result.error) {
    print_line("error", "of the height {:.4e} at most, {:.4e} in the L2 norm, against the vortex",
               result.error->linf, result.error->l2);
  }
  print_times(result, copy_gb_per_s, "step");
}

void print_files(const ShallowWaterTask& task, const ShallowWaterResult& result) {
  print_file("--output", task.output.string());
  if (result.checkpoint_written) print_file("--checkpoint", task.checkpoint.string());
}

}  // namespace Lamina::Cli
