// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What the command lines of all tables have in common.

#include <lamina/device/impl/Instantiate.hpp>

#include <Kokkos_Core.hpp>

#include <cstdio>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "../support/OptionValues.hpp"
#include "PaperTables_Machine.hpp"

namespace Lamina::Paper {

/// Sets what an option, by its name, asks for.
template <class Settings>
using Setter = std::function<void(Settings&, const std::string& option, Perf::OptionValues&)>;

/// \return nothing where help is asked for
/// \throws Perf::BadOption
template <class Settings>
std::optional<Settings> parse_options(int argc, char* argv[],
                                      const std::map<std::string, Setter<Settings>>& setters) {
  Settings settings;
  Perf::OptionValues values(argc, argv);
  while (const char* next = values.next_option()) {
    const std::string option = next;
    if (option == "--help") return std::nullopt;
    if (option.compare(0, 9, "--kokkos-") == 0) continue;
    const auto setter = setters.find(option);
    if (setter == setters.end()) throw Perf::BadOption("unknown option " + option);
    setter->second(settings, option, values);
  }
  return settings;
}

/// What a program of tables does, from command line to exit status: 2 for a bad option, else that of
/// `run`. `parse` is as `parse_options`.
template <class Parse, class Run>
int run_tables(const char* program, int argc, char* argv[], const Parse& parse,
               void (*print_usage)(), const Run& run) try {
  const auto settings = parse(argc, argv);
  if (!settings) {
    print_usage();
    return 0;
  }
  const Kokkos::ScopeGuard kokkos(argc, argv);
  return run(*settings);
} catch (const Perf::BadOption& error) {
  std::fprintf(stderr, "%s: %s\n", program, error.what());
  return 2;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s: %s\n", program, error.what());
  return 1;
}

/// "all", or the name of an enabled space.
inline std::string space_value(const std::string& option, Perf::OptionValues& values) {
  const std::string space = values.text(option);
  std::string known = "all";
  bool is_known = space == "all";
#define LAMINA_COMPARE(Space)           \
  known += ", " + option_name<Space>(); \
  is_known = is_known || space == option_name<Space>();
  LAMINA_FOR_EACH_SPACE(LAMINA_COMPARE)
#undef LAMINA_COMPARE
  if (!is_known) {
    throw Perf::BadOption(option + ": expected one of " + known + ", got " + space);
  }
  return space;
}

}  // namespace Lamina::Paper
