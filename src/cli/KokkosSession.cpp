// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KokkosSession.hpp"

#include <Kokkos_Core.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <string_view>

#include "InputError.hpp"

namespace Lamina::Cli {
namespace {

constexpr std::string_view kokkos_prefix = "--kokkos-";

/// Options that take a number. Some versions of Kokkos end the process where it is none.
struct NumberOption {
  std::string_view name;
  int lowest, highest;
};
constexpr int max_threads = 1024, max_devices = 1024;
constexpr NumberOption number_options[] = {{"--kokkos-threads", 1, max_threads},
                                           {"--kokkos-num-threads", 1, max_threads},
                                           {"--kokkos-device-id", 0, max_devices},
                                           {"--kokkos-numa", 1, max_threads}};

/// What some version of Kokkos takes. For others Kokkos 4 prints a warning of its own.
constexpr std::string_view known_options[] = {"--kokkos-debug",
                                              "--kokkos-device",
                                              "--kokkos-device-id",
                                              "--kokkos-disable-warnings",
                                              "--kokkos-help",
                                              "--kokkos-map-device-id-by",
                                              "--kokkos-ndevices",
                                              "--kokkos-num-devices",
                                              "--kokkos-num-threads",
                                              "--kokkos-numa",
                                              "--kokkos-print-configuration",
                                              "--kokkos-threads",
                                              "--kokkos-tools-args",
                                              "--kokkos-tools-help",
                                              "--kokkos-tools-library",
                                              "--kokkos-tools-libs",
                                              "--kokkos-tune-internals"};

[[noreturn]] void refuse(const std::string& argument) {
  throw InputError(argument + ": Kokkos " + kokkos_version() + " has no such option");
}

std::string_view name_of(const std::string& argument) {
  return std::string_view(argument).substr(0, argument.find('='));
}

void require_known(const std::string& argument) {
  const auto known =
      std::find(std::begin(known_options), std::end(known_options), name_of(argument));
  if (known == std::end(known_options)) refuse(argument);
}

void require_number(const std::string& argument) {
  const auto equals = std::min(argument.find('='), argument.size());
  const std::string_view name = name_of(argument);
  const std::string_view text =
      std::string_view(argument).substr(std::min(equals + 1, argument.size()));
  for (const NumberOption& option : number_options) {
    if (option.name != name) continue;
    int value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || stop != end || value < option.lowest || value > option.highest) {
      throw InputError(fmt::format("{0}: expected {0}=N with N from {1} to {2}, got {3}", name,
                                   option.lowest, option.highest, argument));
    }
  }
}

}  // namespace

Arguments split_arguments(int count, char** arguments) {
  Arguments result;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    (argument.starts_with(kokkos_prefix) ? result.kokkos : result.own).push_back(argument);
  }
  return result;
}

KokkosSession::KokkosSession(const std::vector<std::string>& arguments) {
  // Kokkos warns of unbound threads on standard output, in four lines; `print_place` does in one.
  std::vector<std::string> texts{"lamina", "--kokkos-disable-warnings"};
  for (const std::string& argument : arguments) {
    require_known(argument);
    require_number(argument);
    texts.push_back(argument);
  }
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  int count = static_cast<int>(pointers.size());
  pointers.push_back(nullptr);
  try {
    Kokkos::initialize(count, pointers.data());
  } catch (const std::exception& error) {
    throw InputError(std::string("Kokkos cannot start: ") + error.what());
  }
  // Kokkos takes away the arguments that it knows.
  if (count > 1) {
    const std::string unknown = pointers[1];
    Kokkos::finalize();
    refuse(unknown);
  }
}

KokkosSession::~KokkosSession() { Kokkos::finalize(); }

std::string kokkos_version() {
  return fmt::format("{}.{}.{}", KOKKOS_VERSION / 10000, KOKKOS_VERSION / 100 % 100,
                     KOKKOS_VERSION % 100);
}

}  // namespace Lamina::Cli
