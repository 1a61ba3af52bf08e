// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "PoissonTask.hpp"

namespace Lamina::Cli {

/// The command line of `poisson`.
struct PoissonOptions {
  PoissonTask task;  ///< space and layout are set once Kokkos is there
  std::optional<const Space*> space;
  std::optional<Layout> layout;
  std::filesystem::path json;  ///< empty: none
  bool quiet = false;
};

/// Reads and checks all options.
/// \return none where help was asked for, and printed
/// \throws InputError
std::optional<PoissonOptions> parse_poisson(const std::vector<std::string>& arguments);

}  // namespace Lamina::Cli
