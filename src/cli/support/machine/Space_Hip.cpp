// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/machine/SpaceOf.hpp"

namespace Lamina::Cli {
namespace {

/// The device that Kokkos chose.
struct HipMachine {
  static std::string describe(int) {
    int device = 0;
    hipDeviceProp_t properties{};
    if (hipGetDevice(&device) != hipSuccess ||
        hipGetDeviceProperties(&properties, device) != hipSuccess) {
      return "unknown device";
    }
    return properties.name;
  }
  static double available_bytes() {
    std::size_t available = 0, total = 0;
    return hipMemGetInfo(&available, &total) == hipSuccess ? static_cast<double>(available) : 0;
  }
};

}  // namespace

template <>
Space make_space<Kokkos::HIP>() {
  return space_of<Kokkos::HIP, HipMachine>("hip", Layout::left);
}

}  // namespace Lamina::Cli
