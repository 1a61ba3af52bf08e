// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <cuda_runtime.h>

#include <cstddef>

#include "support/machine/DeviceMachine.hpp"

namespace Lamina::Cli {

std::string DeviceMachine::describe(int) {
  int device = 0;
  cudaDeviceProp properties{};
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaGetDeviceProperties(&properties, device) != cudaSuccess) {
    return "unknown device";
  }
  return properties.name;
}

double DeviceMachine::available_bytes() {
  std::size_t available = 0, total = 0;
  return cudaMemGetInfo(&available, &total) == cudaSuccess ? static_cast<double>(available) : 0;
}

}  // namespace Lamina::Cli
