// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The way of a program from its command line to its exit status.

#include <Kokkos_Core.hpp>

#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "OptionValues.hpp"

namespace Lamina::Perf {

/// Sets what an option, by its name, asks for.
template <class Settings>
using Setter = std::function<void(Settings&, const std::string& option, OptionValues&)>;
template <class Settings>
using Setters = std::map<std::string, Setter<Settings>>;

/// \return nothing where help is asked for
/// \throws BadOption
template <class Settings>
std::optional<Settings> parse_options(int argc, char* argv[], const Setters<Settings>& setters) {
  Settings settings;
  OptionValues values(argc, argv);
  while (const char* next = values.next_option()) {
    const std::string option = next;
    if (option == "--help") return std::nullopt;
    if (option.compare(0, 9, "--kokkos-") == 0) continue;
    const auto setter = setters.find(option);
    if (setter == setters.end()) throw BadOption("unknown option " + option);
    setter->second(settings, option, values);
  }
  return settings;
}

/// Runs with the settings, while Kokkos is initialised.
/// \return the status to exit with: 2 for a bad option, else that of `run`
template <class Settings, class Run>
int run_program(const char* program, int argc, char* argv[], const Setters<Settings>& setters,
                void (*print_usage)(), const Run& run) try {
  const auto settings = parse_options(argc, argv, setters);
  if (!settings) {
    print_usage();
    return 0;
  }
  const Kokkos::ScopeGuard kokkos(argc, argv);
  return run(*settings);
} catch (const BadOption& error) {
  std::fprintf(stderr, "%s: %s\n", program, error.what());
  return 2;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s: %s\n", program, error.what());
  return 1;
}

}  // namespace Lamina::Perf
