// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/Choices.hpp"
#include "Commands.hpp"
#include "support/ExitStatus.hpp"
#include "support/InputError.hpp"
#include "support/StandardOutput.hpp"

namespace Lamina::Cli {
namespace {

using CompareCommand = int (*)(const Arguments&);

const Choices<CompareCommand> commands{{"helmholtz", compare_helmholtz_command},
                                       {"point-implicit", compare_point_implicit_command},
                                       {"poisson", compare_poisson_command},
                                       {"shallow-water", compare_shallow_water_command}};

}  // namespace

int compare_command(const Arguments& arguments) {
  const std::string name = arguments.own.empty() ? "nothing" : arguments.own.front();
  if (name == "--help" || name == "-h") {
    print(
        "Usage: lamina compare {} [OPTIONS]\n\nRun a command in every way that its options offer; "
        "see "
        "lamina compare helmholtz --help\n",
        list_names(commands));
    return success;
  }
  for (const auto& command : commands) {
    if (command.name != name) continue;
    return command.value({{arguments.own.begin() + 1, arguments.own.end()}, arguments.kokkos});
  }
  throw InputError("expected a command to compare (" + list_names(commands) + "), got " + name);
}

}  // namespace Lamina::Cli
