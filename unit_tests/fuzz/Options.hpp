// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace LaminaFuzz {

/// An option as `--help` tells of it.
struct Option {
  std::string name;                  ///< "--size"
  std::vector<std::string> types;    ///< {"NX", "NY", "NZ"}; none: a flag
  std::vector<std::string> choices;  ///< words that it takes
};

/// A command and its options.
struct CommandOptions {
  std::vector<std::string> words;  ///< {"compare", "poisson"}
  std::vector<Option> options;
};

/// Asks the program. \throws std::runtime_error where it tells of no options
std::vector<CommandOptions> options_of(const std::filesystem::path& program,
                                       const std::filesystem::path& folder);

}  // namespace LaminaFuzz
