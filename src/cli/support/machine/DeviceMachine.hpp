// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <string>

namespace Lamina::Cli {

/// The device that Kokkos chose, with its memory; only builds for a device define it.
struct DeviceMachine {
  static std::string describe(int num_threads);  ///< its name
  static double available_bytes();
};

}  // namespace Lamina::Cli
