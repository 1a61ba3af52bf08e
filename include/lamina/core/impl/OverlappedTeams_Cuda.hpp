// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// CUDA calls it programmatic dependent launch: devices of compute capability 9 and later have it.
// Kokkos does not launch its kernels so.

#include <lamina/core/impl/Team_Cuda.hpp>

#include <Kokkos_Core.hpp>

#include <string>

namespace Lamina::Impl {

/// As `TeamInTurn`.
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
  extern __shared__ __align__(64) char lamina_overlapped_scratch[];
  kernel(OverlappedTeam(lamina_overlapped_scratch));
}

/// Whether code for this device waits: code for an older one, which the driver translates, does not.
template <unsigned MaxThreads, unsigned MinTeams, class Kernel>
bool waits_for_previous() {
  cudaFuncAttributes attributes{};
  return cudaFuncGetAttributes(&attributes, overlapped_kernel<MaxThreads, MinTeams, Kernel>) ==
             cudaSuccess &&
         attributes.ptxVersion >= 90;
}

template <unsigned MaxThreads, unsigned MinTeams, class Kernel>
void launch_overlapped(const std::string& label, const Kokkos::Cuda& space, int teams,
                       int team_size, std::size_t scratch_bytes, const Kernel& kernel) {
  static_assert(sizeof(Kernel) <= 4096, "more than an argument may have");
  launch_on_cuda(label, space, [&] {
    const auto launched = overlapped_kernel<MaxThreads, MinTeams, Kernel>;
    constexpr std::size_t always_allowed = 47 << 10;  // with what the kernel itself declares
    if (scratch_bytes > always_allowed) {
      const cudaError_t error = cudaFuncSetAttribute(
          launched, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(scratch_bytes));
      if (error != cudaSuccess) return error;
    }
    static const bool waits = waits_for_previous<MaxThreads, MinTeams, Kernel>();
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(teams));
    config.blockDim = dim3(static_cast<unsigned>(team_size));
    config.dynamicSmemBytes = scratch_bytes;
    config.stream = space.cuda_stream();
    config.attrs = &attribute;
    config.numAttrs = waits ? 1 : 0;
    return cudaLaunchKernelEx(&config, launched, kernel);
  });
}

}  // namespace Lamina::Impl
