// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What a space runs on, and the memory that it has left.

#include <lamina/device/impl/Instantiate.hpp>

#include <support/machine/HostMachine.hpp>

#include <cctype>
#include <string>

namespace Lamina::Paper {

/// The name of a space as --space takes it.
template <class Space>
std::string option_name() {
  std::string name = Space::name();
  for (char& letter : name) letter = static_cast<char>(std::tolower(letter));
  return name;
}

/// call.operator()<Space>() for the space of that name, or for all that are enabled.
template <class Call>
void for_each_space(const std::string& name, const Call& call) {
#define LAMINA_CALL(Space) \
  if (name == "all" || name == option_name<Space>()) call.template operator()<Space>();
  LAMINA_FOR_EACH_SPACE(LAMINA_CALL)
#undef LAMINA_CALL
}

template <class Space>
struct Machine {
  static constexpr const char* memory_name = "host";
  /// Of the host, for copies from and to the space.
  using transfer_space = Kokkos::HostSpace;
  static std::string describe(const Space& space) {
    return Cli::HostMachine::describe(static_cast<int>(space.concurrency()));
  }
  static double available_bytes() { return Cli::HostMachine::available_bytes(); }
};

}  // namespace Lamina::Paper

#include "PaperTables_Machine_Cuda.hpp"
