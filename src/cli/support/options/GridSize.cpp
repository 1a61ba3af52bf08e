// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/options/GridSize.hpp"

#include <fmt/format.h>

#include <limits>

namespace Lamina::Cli {

Rectangle read_size(const CommandLine& line, const Rectangle& otherwise, const char* what) {
  constexpr int most = std::numeric_limits<int>::max();
  if (!line.given("--size")) return Rectangle::square(line.count("--n", otherwise.nx, 1, most));
  if (line.given("--n")) CommandLine::fail("--size", "no --n", "--n " + line.text("--n", ""));
  const auto size = line.counts("--size", {}, 1);
  for (const auto extent : size) {
    if (extent > most) {
      CommandLine::fail("--size", fmt::format("fewer than 2^31 {}", what), std::to_string(extent));
    }
  }
  return {static_cast<int>(size[0]), static_cast<int>(size[1])};
}

const char* size_option(const CommandLine& line) { return line.given("--size") ? "--size" : "--n"; }

std::string size_text(const Rectangle& size) {
  return size.is_square() ? fmt::format("--n {}", size.nx)
                          : fmt::format("--size {} {}", size.nx, size.ny);
}

}  // namespace Lamina::Cli
