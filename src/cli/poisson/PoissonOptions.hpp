// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "poisson/PoissonTask.hpp"
#include "support/options/SolveOptions.hpp"

namespace Lamina::Cli {

/// The command line of `poisson` and `compare poisson`. The members that are none were not given:
/// `poisson` takes the best of them, `compare` all, except layouts.
struct PoissonOptions : SolveOptions {
  Rectangle size = PoissonTask{}.size;  ///< points
  const char* size_option = "--n";      ///< that it was given by
  StoppingCriteria criteria;
  std::optional<Precision> precision;
  std::optional<StencilMemory> memory;
  std::optional<PoissonSolver> solver;
  PoissonCycles cycles;
  /// The stencil treats both directions alike: either layout is as fast.
  Layout layout = Layout::right;
};

/// Reads and checks all options.
/// \return none where help was asked for, and printed
/// \throws InputError
std::optional<PoissonOptions> parse_poisson(CommandUse use,
                                            const std::vector<std::string>& arguments);

}  // namespace Lamina::Cli
