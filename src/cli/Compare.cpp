// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Commands.hpp"
#include "support/ExitStatus.hpp"
#include "support/options/Choices.hpp"
#include "support/options/InputError.hpp"
#include "support/output/StandardOutput.hpp"

namespace Lamina::Cli {
namespace {

Choices<CommandFunction> comparisons() {
  Choices<CommandFunction> found;
  for (const Command& command : commands()) {
    if (command.compare != nullptr) found.push_back({command.name, command.compare});
  }
  return found;
}

}  // namespace

int compare_command(const Arguments& arguments) {
  const Choices<CommandFunction> choices = comparisons();
  const std::string name = arguments.own.empty() ? "nothing" : arguments.own.front();
  if (name == "--help" || name == "-h") {
    print(
        "Usage: lamina compare {} [OPTIONS]\n\nRun a command in every way that its options offer; "
        "see "
        "lamina compare helmholtz --help\n",
        list_names(choices));
    return success;
  }
  for (const auto& choice : choices) {
    if (choice.name != name) continue;
    return choice.value({{arguments.own.begin() + 1, arguments.own.end()}, arguments.kokkos});
  }
  throw InputError("expected a command to compare (" + list_names(choices) + "), got " + name);
}

}  // namespace Lamina::Cli
