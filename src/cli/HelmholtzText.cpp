// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HelmholtzText.hpp"

#include <lamina/Version.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "KokkosSession.hpp"
#include "Space.hpp"

namespace Lamina::Cli {
namespace {

/// "  topic      text"
template <class... Values>
void print_line(std::string_view topic, fmt::format_string<Values...> format, Values&&... values) {
  fmt::print("  {:<12}{}\n", topic, fmt::format(format, std::forward<Values>(values)...));
}

std::string_view explain(SolveStatus status) {
  switch (status) {
    case SolveStatus::converged: return "converged";
    case SolveStatus::completed: return "completed";
    case SolveStatus::max_iterations: return "NOT CONVERGED: stopped";
    case SolveStatus::breakdown_indefinite:
      return "BROKE DOWN, operator or preconditioner not positive definite,";
    case SolveStatus::breakdown_zero_pivot: return "BROKE DOWN, zero pivot,";
    case SolveStatus::breakdown_not_finite: return "BROKE DOWN, infinite or NaN,";
    case SolveStatus::stagnated: return "STAGNATED:";
  }
  return "ended";
}

/// "0.83", or a dash for a kernel that does not state its traffic.
std::string rate_text(double value, int decimals) {
  return value > 0 ? fmt::format("{:.{}f}", value, decimals) : "-";
}

}  // namespace

std::string grouped(std::int64_t number) {
  std::string digits = std::to_string(number);
  for (auto n = static_cast<std::ptrdiff_t>(digits.size()) - 3; n > 0; n -= 3) {
    digits.insert(static_cast<std::size_t>(n), 1, ' ');
  }
  return digits;
}

std::string duration_text(double seconds) {
  if (seconds >= 1) return fmt::format("{:.2f} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.1f} us", seconds * 1e6);
}

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
  print_line("on", "{}: {} (Kokkos {})", space.name, space.describe(), kokkos_version());
  if (space.name == "openmp" && std::getenv("OMP_PROC_BIND") == nullptr) {
    print_line("", "threads are not bound to cores: OMP_PROC_BIND=spread is often faster");
  }
  fmt::print("\n");
  std::fflush(stdout);
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

void print_kernels(const HelmholtzResult& result, const std::vector<CopyMeasurement>& copy) {
  std::size_t width = std::string_view("kernel").size();
  for (const KernelRecord& kernel : result.kernels) width = std::max(width, kernel.name.size());
  fmt::print("  {:<{}}  {:>5}  {:>10}  {:>7}  {:>12}\n", "kernel", width, "calls", "time/call",
             "GB/s", "of copy");
  for (const KernelRecord& kernel : result.kernels) {
    fmt::print("  {:<{}}  {:>5}  {:>10}  {:>7}  {:>12}\n", kernel.name, width, kernel.calls,
               duration_text(kernel.seconds / static_cast<double>(kernel.calls)),
               rate_text(kernel.gb_per_s(), 1),
               rate_text(kernel.gb_per_s() / best_gb_per_s(copy), 2));
  }
  fmt::print("\n");
  print_copy(copy);
}

void print_copy(const std::vector<CopyMeasurement>& copy) {
  std::string text;
  for (const CopyMeasurement& measurement : copy) {
    text += fmt::format("{}{} {:.1f}", text.empty() ? "" : ", ", measurement.variant,
                        measurement.gb_per_s);
  }
  print_line("copy", "{:.1f} GB/s ({})", best_gb_per_s(copy), text);
}

void print_file(const std::string& option, const std::string& path) {
  if (!path.empty()) print_line("wrote", "{} ({})", path, option);
}

}  // namespace Lamina::Cli
