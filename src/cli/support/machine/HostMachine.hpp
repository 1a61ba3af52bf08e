// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string>

namespace Lamina::Cli {

/// The cores and the memory of this computer.
struct HostMachine {
  static std::string describe(int num_threads);  ///< "2 threads, <processor>"
  /// See `available_host_memory`.
  static double available_bytes();
};

}  // namespace Lamina::Cli
