// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "PaperTables_Machine.hpp"

#if defined(KOKKOS_ENABLE_CUDA)
#include <cstddef>
#include <string>

namespace Lamina::Paper {

template <>
struct Machine<Kokkos::Cuda> {
  static constexpr const char* memory_name = "device";
  using transfer_space = Kokkos::CudaHostPinnedSpace;
  static std::string describe(const Kokkos::Cuda& space) { return space.cuda_device_prop().name; }
  static double available_bytes() {
    std::size_t available = 0, total = 0;
    return cudaMemGetInfo(&available, &total) == cudaSuccess ? static_cast<double>(available) : 0;
  }
};

}  // namespace Lamina::Paper
#endif
