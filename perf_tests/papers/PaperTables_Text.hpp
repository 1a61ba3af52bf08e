// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Cells of printed tables, and what stands for those that could not be measured.

#include <cmath>
#include <cstdio>
#include <string>

namespace Lamina::Paper {

inline constexpr int name_width = 18, cell_width = 27;

inline void print_cell(const std::string& text, int width = cell_width) {
  std::printf("%*s", width, text.c_str());
}
template <class... Values>
std::string text(const char* format, Values... values) {
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, format, values...);
  return buffer;
}
/// A dash where there is no value.
inline std::string text_or_dash(const char* format, double value) {
  return value > 0 ? text(format, value) : "-";
}

/// Why something does not fit; empty: it does.
inline std::string shortage(double needed, double available, const std::string& where) {
  if (needed <= available) return "";
  const auto gigabytes = [](double bytes) { return std::to_string(std::lround(bytes * 1e-9)); };
  return "needs " + gigabytes(needed) + " GB of " + where + " memory, " + gigabytes(available) +
         " are free";
}

}  // namespace Lamina::Paper
