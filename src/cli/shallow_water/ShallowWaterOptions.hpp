// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shallow_water/ShallowWaterTask.hpp"
#include "support/options/SolveOptions.hpp"

namespace Lamina::Cli {

/// The command line of `shallow-water` and `compare shallow-water`. The members that are none were
/// not given: `shallow-water` takes the best of them, `compare` all.
struct ShallowWaterOptions : SolveOptions {
  ShallowWaterProblem problem;
  const char* size_option = "--n";  ///< that it was given by
  ShallowWaterSystems systems;
  std::optional<Precision> precision;
  std::optional<TimeScheme> scheme;
  std::optional<int> diagnostics_every;
  int output_every = 0, checkpoint_every = 0;        ///< 0: not given
  std::filesystem::path checkpoint, restart;         ///< empty: none
  std::shared_ptr<const NetcdfReader> restart_file;  ///< open and checked, where there is one
};

/// Reads and checks all options; with `--restart`, those that were not given are what the file
/// says.
/// \return none where help was asked for, and printed
/// \throws InputError
std::optional<ShallowWaterOptions> parse_shallow_water(CommandUse use,
                                                       const std::vector<std::string>& arguments);

}  // namespace Lamina::Cli
