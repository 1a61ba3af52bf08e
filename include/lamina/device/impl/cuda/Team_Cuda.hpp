// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Common parts of kernels that Kokkos cannot launch.

#include <lamina/device/impl/TeamSums_Device.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace Lamina::Impl {

/// The team of a thread of such a kernel, with the names of Kokkos' teams. In the host pass, which
/// sees kernels too, it is a league of one thread.
class CudaTeam {
 public:
  KOKKOS_FORCEINLINE_FUNCTION explicit CudaTeam(void* scratch) : m_scratch(scratch) {}

  /// The scratch of this team, aligned to `scratch_alignment`.
  KOKKOS_FORCEINLINE_FUNCTION void* scratch() const { return m_scratch; }

#if defined(__CUDA_ARCH__)
#define LAMINA_ON_DEVICE(device, host) device
#else
#define LAMINA_ON_DEVICE(device, host) host
#endif
  KOKKOS_FORCEINLINE_FUNCTION int league_rank() const {
    return LAMINA_ON_DEVICE(static_cast<int>(blockIdx.x), 0);
  }
  KOKKOS_FORCEINLINE_FUNCTION int league_size() const {
    return LAMINA_ON_DEVICE(static_cast<int>(gridDim.x), 1);
  }
  KOKKOS_FORCEINLINE_FUNCTION int team_rank() const {
    return LAMINA_ON_DEVICE(static_cast<int>(threadIdx.x), 0);
  }
  KOKKOS_FORCEINLINE_FUNCTION int team_size() const {
    return LAMINA_ON_DEVICE(static_cast<int>(blockDim.x), 1);
  }
  KOKKOS_FORCEINLINE_FUNCTION void team_barrier() const {
    LAMINA_ON_DEVICE(__syncthreads(), static_cast<void>(0));
  }
#undef LAMINA_ON_DEVICE

 private:
  void* m_scratch;
};

// Declares a kernel argument that stays in constant memory: no thread makes a copy of its members.
// For headers that define such kernels.
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
#define LAMINA_GRID_CONSTANT __grid_constant__
#else
#define LAMINA_GRID_CONSTANT
#endif

/// Calls launch() between the begin and end events of Kokkos Tools.
/// \throws std::runtime_error where it returns an error of CUDA
template <class Launch>
void launch_on_cuda(const std::string& label, const Kokkos::Cuda& space, const Launch& launch) {
  std::uint64_t id = 0;
  const bool tool_listens = Kokkos::Tools::profileLibraryLoaded();
  if (tool_listens) {
    Kokkos::Tools::beginParallelFor(label, Kokkos::Tools::Experimental::device_id(space), &id);
  }
  cudaError_t error = cudaSetDevice(space.cuda_device());
  if (error == cudaSuccess) error = launch();
  if (tool_listens) Kokkos::Tools::endParallelFor(id);
  if (error == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());  // clear it: the next call must not see it
  throw std::runtime_error(label + ": " + cudaGetErrorString(error));
}

}  // namespace Lamina::Impl
