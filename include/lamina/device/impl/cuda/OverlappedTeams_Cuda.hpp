// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Overlapped kernels by programmatic dependent launch: devices of compute capability 9 and later
// have it, and graphs from CUDA 12.3 on. Kokkos does not launch its kernels in this way.

#include <lamina/device/impl/cuda/LaunchGraph_Cuda.hpp>
#include <lamina/device/impl/cuda/Team_Cuda.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>

namespace Lamina::Impl {

/// A team with the interface of `KokkosTeam`.
class OverlappedTeam : public CudaTeam {
 public:
  using CudaTeam::CudaTeam;

  KOKKOS_FORCEINLINE_FUNCTION void let_next_begin() const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
  }
  KOKKOS_FORCEINLINE_FUNCTION void wait_for_previous() const {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
  }
};

template <unsigned MaxThreads, unsigned MinTeams, class Kernel>
__global__ __launch_bounds__(MaxThreads, MinTeams) void overlapped_kernel(
    const LAMINA_GRID_CONSTANT Kernel kernel) {
  extern __shared__ __align__(scratch_alignment) char lamina_overlapped_scratch[];
  kernel(OverlappedTeam(lamina_overlapped_scratch));
}

/// Whether a kernel may start early, which is whether its code waits. Code for an older device,
/// which the driver translates, does not wait.
template <auto Kernel>
bool can_overlap(const Kokkos::Cuda& space) {
#if CUDART_VERSION >= 12030
  static const bool code_waits = [&] {
    cudaFuncAttributes attributes{};
    const bool known = cudaFuncGetAttributes(&attributes, Kernel) == cudaSuccess;
    if (!known) static_cast<void>(cudaGetLastError());  // the launch reports it
    return known && attributes.ptxVersion >= 90;
  }();
  return code_waits && space.cuda_device_prop().major >= 9;
#else
  static_cast<void>(space);
  return false;
#endif
}

/// Bytes of scratch of a team that a kernel gets without asking.
inline constexpr std::size_t granted_scratch = std::size_t{48} << 10;

template <unsigned MaxThreads, unsigned MinTeams, class Kernel>
void launch_teams(const std::string& label, const Kokkos::Cuda& space, int teams, int team_size,
                  std::size_t scratch_bytes, const Kernel& kernel,
                  KernelStart start = KernelStart::overlapped,
                  LaunchGraph<Kokkos::Cuda>* graph = nullptr) {
  static_assert(sizeof(Kernel) <= 4096, "more than an argument may have");
  launch_on_cuda(label, space, [&] {
    constexpr auto launched = overlapped_kernel<MaxThreads, MinTeams, Kernel>;
    const bool overlapped = start == KernelStart::overlapped && can_overlap<launched>(space);
    if (scratch_bytes > granted_scratch) {
      const cudaError_t refused = cudaFuncSetAttribute(
          launched, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(scratch_bytes));
      if (refused != cudaSuccess) return refused;
    }
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(teams));
    config.blockDim = dim3(static_cast<unsigned>(team_size));
    config.dynamicSmemBytes = scratch_bytes;
    if (graph != nullptr) return graph->add(config, launched, kernel, overlapped);
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    config.stream = space.cuda_stream();
    config.attrs = &attribute;
    config.numAttrs = overlapped ? 1 : 0;
    return cudaLaunchKernelEx(&config, launched, kernel);
  });
}

}  // namespace Lamina::Impl
