// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <distributed/mpi/DeviceOfRank.hpp>

#include <cstring>

#if defined(KOKKOS_ENABLE_CUDA)
namespace Lamina::Impl {

inline DeviceMark device_of_rank(const Kokkos::Cuda& space) {
  DeviceMark mark{};
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, space.cuda_device()) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());  // clear it: a rank without a mark is refused
    return mark;
  }
  static_assert(sizeof mark == sizeof properties.uuid);
  std::memcpy(mark.data(), &properties.uuid, sizeof mark);
  return mark;
}

}  // namespace Lamina::Impl
#endif
