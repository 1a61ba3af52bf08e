// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/machine/HostMachine.hpp"

#include <fstream>

#include "support/machine/HostMemory.hpp"

namespace Lamina::Cli {
namespace {

/// What follows "key" and a colon in a file of lines "key : value", as in /proc.
std::string value_of(const char* file, const std::string& key) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const auto colon = line.find(':');
    if (line.compare(0, key.size(), key) != 0 || colon == std::string::npos) continue;
    const auto begin = line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return "";
}

}  // namespace

std::string HostMachine::describe(int num_threads) {
  const std::string processor = value_of("/proc/cpuinfo", "model name");
  return std::to_string(num_threads) + (num_threads == 1 ? " thread, " : " threads, ") +
         (processor.empty() ? "unknown processor" : processor);
}

double HostMachine::available_bytes() { return available_host_memory(); }

}  // namespace Lamina::Cli
