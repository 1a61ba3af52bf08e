// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/KernelRecord.hpp>
#include <lamina/core/SolveReport.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/device/CopyBandwidth.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/output/StandardOutput.hpp"

// What commands print, on standard output.

namespace Lamina::Cli {

struct Space;

/// "  topic      text"
template <class... Values>
void print_line(std::string_view topic, fmt::format_string<Values...> format, Values&&... values) {
  print("  {:<12}{}\n", topic, printable(fmt::format(format, std::forward<Values>(values)...)));
}

/// "converged"
std::string_view explain(SolveStatus status);
/// "8 388 608"
std::string grouped(std::int64_t number);
/// "1.23 ms", with a unit that suits.
std::string duration_text(double seconds);

/// When an iterative solve is to end.
void print_until(const StoppingCriteria& criteria);

/// How an iterative solve ended.
template <class Result>
void print_convergence(const Result& result) {
  const SolveReport& report = result.report;
  print_line("result", "{} after {} {}", explain(report.status), report.iterations,
             report.iterations == 1 ? "iteration" : "iterations");
  print_line("residual", "|r|/|b| {:.3e}, recomputed from the solution {:.3e}",
             report.relative_residual(), result.true_relative_residual);
}

/// Its times and its traffic, and an empty line; of runs, `iteration` is a step.
template <class Result>
void print_times(const Result& result, double copy_gb_per_s,
                 std::string_view iteration = "iteration") {
  const int iterations = result.report.iterations;
  if (iterations > 0) {
    const double seconds = result.solve_seconds / iterations;
    const double rate = result.bytes_per_iteration / seconds * 1e-9;
    print_line("time", "{} for the solve, {} per {}, {} for the set-up",
               duration_text(result.solve_seconds), duration_text(seconds), iteration,
               duration_text(result.setup_seconds));
    if (result.bytes_per_iteration > 0) {  // none where fields stay on the chip
      print_line("traffic", "{:.1f} MB per {} at {:.1f} GB/s: {:.0f} % of copy bandwidth",
                 result.bytes_per_iteration * 1e-6, iteration, rate, 100 * rate / copy_gb_per_s);
    }
  }
  print("\n");
}

/// Where a solve runs, and an empty line.
void print_space(const Space& space);
void print_kernels(const std::vector<KernelRecord>& kernels,
                   const std::vector<CopyMeasurement>& copy);
void print_copy(const std::vector<CopyMeasurement>& copy);
void print_file(const std::string& option, const std::string& path);

}  // namespace Lamina::Cli
