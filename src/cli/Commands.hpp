// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <span>
#include <string_view>

#include "support/machine/KokkosSession.hpp"

namespace Lamina::Cli {

/// What a command does with the arguments after its name. It returns the status to exit with and
/// throws InputError for bad input.
using CommandFunction = int (*)(const Arguments& arguments);

struct Command {
  std::string_view name;              ///< on the command line
  std::string_view summary;           ///< one line of `lamina --help`
  CommandFunction run;                ///< `lamina <name>`
  CommandFunction compare = nullptr;  ///< `lamina compare <name>`; null: nothing to compare
  bool over_ranks = false;            ///< whether several processes may run it together
};

/// All commands, in the order of `lamina --help`.
std::span<const Command> commands();

int compare_command(const Arguments& arguments);
int info_command(const Arguments& arguments);

}  // namespace Lamina::Cli
