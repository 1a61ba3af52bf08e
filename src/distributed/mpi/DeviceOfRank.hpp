// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>

#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include <array>
#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace Lamina::Impl {

/// What tells the devices of ranks apart. Host names and numbers of devices do not: containers and
/// CUDA_VISIBLE_DEVICES change both.
using DeviceMark = std::array<std::uint64_t, 2>;

/// Of the device of an instance; zeros where the backend has none.
template <class Space>
DeviceMark device_of_rank(const Space&) {
  return {};
}

/// Whether MPI says that it takes addresses of devices.
inline bool mpi_takes_device_addresses() {
  const auto is_set = [](const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr && std::string_view(value) == "1";
  };
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  if (MPIX_Query_cuda_support() == 1) return true;
#endif
  return is_set("MPICH_GPU_SUPPORT_ENABLED") || is_set("MV2_USE_CUDA");
}

}  // namespace Lamina::Impl

#include <distributed/mpi/DeviceOfRank_Cuda.hpp>
