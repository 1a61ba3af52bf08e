// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support/machine/SpaceOf.hpp"

namespace Lamina::Cli {
namespace {

/// The device that Kokkos chose.
struct CudaMachine {
  static std::string describe(int) {
    int device = 0;
    cudaDeviceProp properties{};
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaGetDeviceProperties(&properties, device) != cudaSuccess) {
      return "unknown device";
    }
    return properties.name;
  }
  static double available_bytes() {
    std::size_t available = 0, total = 0;
    return cudaMemGetInfo(&available, &total) == cudaSuccess ? static_cast<double>(available) : 0;
  }
};

}  // namespace

template <>
Space make_space<Kokkos::Cuda>() {
  return space_of<Kokkos::Cuda, CudaMachine>("cuda", Layout::left);
}

}  // namespace Lamina::Cli
