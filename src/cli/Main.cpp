// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/Version.hpp>

#include <algorithm>
#include <exception>
#include <iostream>
#include <new>
#include <string>

#include "Commands.hpp"
#include "ExitStatus.hpp"
#include "InputError.hpp"

namespace Lamina::Cli {
namespace {

struct Command {
  std::string name, summary;
  int (*run)(const Arguments& arguments);
};

const Command commands[] = {
    {"helmholtz", "Solve the anisotropic elliptic equation in a thin spherical shell",
     helmholtz_command},
    {"point-implicit", "Solve a block-sparse system by multicolour point-implicit sweeps",
     point_implicit_command},
    {"poisson", "Solve the Poisson equation on the unit square", poisson_command},
    {"shallow-water", "Integrate the nonlinear shallow water equations on a periodic square",
     shallow_water_command},
    {"compare", "Run a command on every space and in every way that it offers, as one table",
     compare_command},
    {"info", "Say what was built in, and what copy bandwidth its spaces reach", info_command},
};

void print_help() {
  std::cout << "Lamina " LAMINA_VERSION_STRING
               ": solvers for flat domains, on CPU cores and GPUs\n"
               "Usage: lamina COMMAND [OPTIONS]\n\nCommands:\n";
  for (const Command& command : commands) {
    std::cout << "  " << command.name << std::string(16 - command.name.size(), ' ')
              << command.summary << '\n';
  }
  std::cout << "\nOptions:\n  -h,--help       Print this help and exit; each command has its own\n"
               "  --version       Print the version and exit\n";
}

/// One line, whatever a library put into its message.
void print_error(const std::string& who, std::string message) {
  std::replace(message.begin(), message.end(), '\n', ' ');
  std::cerr << who << ": " << message << '\n';
}

int run(const std::string& who, const Command& command, const Arguments& arguments) {
  try {
    return command.run(arguments);
  } catch (const std::bad_alloc&) {
    print_error(who, "out of memory");
  } catch (const std::exception& error) {
    print_error(who, error.what());
  }
  return bad_input;
}

int run(Arguments arguments) {
  if (arguments.own.empty()) {
    print_help();
    print_error("lamina", "expected a command, got none");
    return bad_input;
  }
  const std::string name = arguments.own.front();
  arguments.own.erase(arguments.own.begin());
  if (name == "--help" || name == "-h") {
    print_help();
    return success;
  }
  if (name == "--version") {
    std::cout << "lamina " LAMINA_VERSION_STRING "\n";
    return success;
  }
  for (const Command& command : commands) {
    if (command.name == name) return run("lamina " + name, command, arguments);
  }
  print_error("lamina", "expected a command (see lamina --help), got " + name);
  return bad_input;
}

}  // namespace
}  // namespace Lamina::Cli

int main(int count, char** arguments) {
  return Lamina::Cli::run(Lamina::Cli::split_arguments(count, arguments));
}
