// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "helmholtz/HelmholtzTask.hpp"
#include "support/options/SolveOptions.hpp"

namespace Lamina::Cli {

/// The command line of `helmholtz` and `compare helmholtz`. The members that are none were not
/// given: `helmholtz` takes the best of them, `compare` all.
struct HelmholtzOptions : SolveOptions {
  HelmholtzProblem problem;
  StoppingCriteria criteria;
  std::optional<Layout> layout;
  std::optional<Precision> precision;
  std::optional<Solver> solver;
  MultigridParameters multigrid;
};

/// Reads and checks all options: numbers, names, and the files to be read and written.
/// \return none where help was asked for, and printed
/// \throws InputError
std::optional<HelmholtzOptions> parse_helmholtz(CommandUse use,
                                                const std::vector<std::string>& arguments);

}  // namespace Lamina::Cli
