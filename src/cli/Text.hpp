// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/CopyBandwidth.hpp>
#include <lamina/core/KernelRecord.hpp>
#include <lamina/core/SolveReport.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// What commands print, on standard output.

namespace Lamina::Cli {

struct Space;

/// "  topic      text"
template <class... Values>
void print_line(std::string_view topic, fmt::format_string<Values...> format, Values&&... values) {
  fmt::print("  {:<12}{}\n", topic, fmt::format(format, std::forward<Values>(values)...));
}

/// "converged"
std::string_view explain(SolveStatus status);
/// "8 388 608"
std::string grouped(std::int64_t number);
/// "1.23 ms", with a unit that suits.
std::string duration_text(double seconds);

/// Where a solve runs, and an empty line.
void print_space(const Space& space);
void print_kernels(const std::vector<KernelRecord>& kernels,
                   const std::vector<CopyMeasurement>& copy);
void print_copy(const std::vector<CopyMeasurement>& copy);
void print_file(const std::string& option, const std::string& path);

}  // namespace Lamina::Cli
