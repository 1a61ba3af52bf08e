// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/output/Text.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "support/machine/KokkosSession.hpp"
#include "support/machine/Space.hpp"
#include "support/output/Solution.hpp"
#include "support/ranks/Ranks.hpp"

namespace Lamina::Cli {
namespace {

/// "0.83", or a dash for a kernel that does not state its traffic.
std::string rate_text(double value, int decimals) {
  return value > 0 ? fmt::format("{:.{}f}", value, decimals) : "-";
}

/// "converged"
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
    case SolveStatus::diverged: return "DIVERGED:";
    case SolveStatus::interrupted: return "INTERRUPTED";
    case SolveStatus::inconsistent: return "INCONSISTENT:";
  }
  return "ended";
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

void print_until(const StoppingCriteria& criteria) {
  if (criteria.fixed_count) {
    print_line("until", "{} iterations", criteria.max_iterations);
  } else {
    print_line("until", "|r|/|b| <= {:g}, at most {} iterations", criteria.tolerance,
               criteria.max_iterations);
  }
}

void print_ending(const SolveReport& report, std::string_view iteration) {
  print_line("result", "{} after {} {}{}", explain(report.status), report.iterations, iteration,
             report.iterations == 1 ? "" : "s");
}

void print_convergence(const SolveResult& result) {
  print_ending(result.report, "iteration");
  print_line("residual", "|r|/|b| {:.3e}, recomputed from the solution {:.3e}",
             result.report.relative_residual(), result.true_relative_residual);
}

bool is_recomputed_larger(const SolveResult& result, const StoppingCriteria& criteria) {
  constexpr double much = 10;
  const double recursive = result.report.relative_residual();
  return has_solution(result.report) &&
         result.true_relative_residual > much * std::max(recursive, criteria.tolerance);
}

void print_times(const SolveResult& result, double copy_gb_per_s, std::string_view iteration) {
  const int iterations = result.report.iterations;
  if (iterations > 0) {
    const double seconds = result.solve_seconds / iterations;
    const double rate = result.bytes_per_iteration / seconds * 1e-9;
    print_line("time", "{} for the solve, {} per {}, {} for the set-up",
               duration_text(result.solve_seconds), duration_text(seconds), iteration,
               duration_text(result.setup_seconds));
    if (result.ranks) {
      const RankRecord& ranks = *result.ranks;
      const RankMessages all = ranks.messages();
      print_line("messages", "{:.6g} per {} by {}, {:.1f} kB, and {:.6g} sum{}; imbalance {:.2f}",
                 all.messages, iteration, ranks.transport.name, all.bytes * 1e-3, all.sums,
                 all.sums == 1 ? "" : "s", ranks.imbalance());
    }
    if (result.bytes_per_iteration > 0) {  // none where fields stay on the chip
      print_line("traffic", "{:.1f} MB per {} at {:.1f} GB/s: {:.0f} % of copy bandwidth",
                 result.bytes_per_iteration * 1e-6, iteration, rate, 100 * rate / copy_gb_per_s);
    }
  }
  print("\n");
}

void print_space(const Space& space, const RankGrid& grid) {
  print_line("on", "{}: {} (Kokkos {})", space.name, space.describe(), kokkos_version());
  if (space.name == "openmp" && std::getenv("OMP_PROC_BIND") == nullptr) {
    print_line("", "threads are not bound to cores: OMP_PROC_BIND=spread is often faster");
  }
  if (grid.ranks != nullptr) {
    const std::string warning =
        space.own_memory ? "" : binding_warning(*grid.ranks, space.concurrency());
    print_line("ranks", "{}, {}", grid.ranks->size(), grid.parts);
    if (!warning.empty()) print_line("", "{}", warning);
  }
  print("\n");
  require_output();  // a long run begins here
}

void print_kernels(const std::vector<KernelRecord>& kernels,
                   const std::vector<CopyMeasurement>& copy) {
  if (kernels.empty()) return print_copy(copy);  // of a solve that was interrupted
  std::size_t width = std::string_view("kernel").size();
  for (const KernelRecord& kernel : kernels) width = std::max(width, kernel.name.size());
  print("  {:<{}}  {:>5}  {:>10}  {:>7}  {:>12}\n", "kernel", width, "calls", "time/call", "GB/s",
        "of copy");
  for (const KernelRecord& kernel : kernels) {
    print("  {:<{}}  {:>5}  {:>10}  {:>7}  {:>12}\n", kernel.name, width, kernel.calls,
          duration_text(kernel.seconds / static_cast<double>(kernel.calls)),
          rate_text(kernel.gb_per_s(), 1), rate_text(kernel.gb_per_s() / best_gb_per_s(copy), 2));
    if (!kernel.reason.empty()) print("    by {}: {}\n", kernel.path, kernel.reason);
  }
  print("\n");
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
