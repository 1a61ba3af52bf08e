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

#include "support/SolveResult.hpp"
#include "support/output/StandardOutput.hpp"
#include "support/ranks/RankGrid.hpp"

// What commands print, on standard output.

namespace Lamina::Cli {

struct Space;

/// "  topic      text"
template <class... Values>
void print_line(std::string_view topic, fmt::format_string<Values...> format, Values&&... values) {
  print("  {:<12}{}\n", topic, printable(fmt::format(format, std::forward<Values>(values)...)));
}

/// "8 388 608"
std::string grouped(std::int64_t number);
/// "1.23 ms", with a unit that suits.
std::string duration_text(double seconds);

/// When an iterative solve is to end.
void print_until(const StoppingCriteria& criteria);

/// How a solve ended, and after how many of what it counts: "iteration", or "step".
void print_ending(const SolveReport& report, std::string_view iteration);

/// The same of iterations, with the residual they left.
void print_convergence(const SolveResult& result);

/// Whether the recomputed residual of a solution is much larger than the one of its iteration. Rounding of the
/// solution is then what is left.
bool is_recomputed_larger(const SolveResult& result, const StoppingCriteria& criteria);

/// Times and traffic, messages of several ranks, and an empty line.
void print_times(const SolveResult& result, double copy_gb_per_s,
                 std::string_view iteration = "iteration");

/// Where a solve runs, and an empty line.
void print_space(const Space& space, const RankGrid& grid = {});
void print_kernels(const std::vector<KernelRecord>& kernels,
                   const std::vector<CopyMeasurement>& copy);
void print_copy(const std::vector<CopyMeasurement>& copy);
void print_file(const std::string& option, const std::string& path);

}  // namespace Lamina::Cli
