// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Kernels whose teams are all on the device at once and may wait for each other. Kokkos has no such
// kernels: a team that waits for another team waits for ever where that team has no slot, for
// example because two kernels on two streams each took half of the device. A cooperative launch of
// CUDA starts when there are slots for all teams, or is refused.

#include <lamina/device/impl/ResidentTeams.hpp>
#include <lamina/device/impl/cuda/Team_Cuda.hpp>

#include <Kokkos_Core.hpp>

#include <cooperative_groups.h>

#include <cstddef>
#include <string>

namespace Lamina::Impl {

/// The team of a thread of such a kernel.
class ResidentTeam : public CudaTeam {
 public:
  using CudaTeam::CudaTeam;

  /// Waits for all teams. After it all teams see what any team wrote before it.
  KOKKOS_FORCEINLINE_FUNCTION void league_barrier() const {
#if defined(__CUDA_ARCH__)
    cooperative_groups::this_grid().sync();
#endif
  }

  /// Adds each value up over all threads of all teams, in the same order each time. All threads get
  /// the sums. `parts` has a place for each sum of each team. There are at most as many sums as a
  /// team has warps. It is also a league barrier.
  template <int NumSums>
  KOKKOS_FORCEINLINE_FUNCTION void add_up(double (&values)[NumSums], double* parts) const {
#if defined(__CUDA_ARCH__)
    // Loops over sums are unrolled; otherwise the compiler would keep the sums in memory.
    __shared__ double of_warps[NumSums][warp_size];
    const int lane = team_rank() % warp_size, warp = team_rank() / warp_size;
#pragma unroll
    for (int n = 0; n < NumSums; ++n) {
      values[n] = sum_of_warp(values[n]);
      if (lane == 0) of_warps[n][warp] = values[n];
    }
    team_barrier();
    if (warp < NumSums) {
      const int num_warps = static_cast<int>(blockDim.x) / warp_size;
      const double part = sum_of_warp(lane < num_warps ? of_warps[warp][lane] : 0);
      if (lane == 0) parts[warp * league_size() + league_rank()] = part;
    }
    league_barrier();
    // Each warp adds up all parts by itself, which is faster than one warp and a barrier.
#pragma unroll
    for (int n = 0; n < NumSums; ++n) {
      values[n] = sum_of_warp(sum_of_lane(parts + n * league_size(), lane));
    }
#else
    static_cast<void>(values);
    static_cast<void>(parts);
#endif
  }

 private:
#if defined(__CUDA_ARCH__)
  static constexpr int warp_size = 32;

  /// The parts of the teams lane, lane + 32, ...
  __device__ double sum_of_lane(const double* parts, int lane) const {
    constexpr int in_flight = 6;  // all parts of a lane, on most devices
    double sum = 0;
    for (int first = lane; first < league_size(); first += in_flight * warp_size) {
      double part[in_flight];
#pragma unroll
      for (int i = 0; i < in_flight; ++i) {
        const int team = first + i * warp_size;
        part[i] = team < league_size() ? parts[team] : 0;
      }
#pragma unroll
      for (int i = 0; i < in_flight; ++i) sum += part[i];
    }
    return sum;
  }

  /// In the same order in each lane.
  __device__ static double sum_of_warp(double value) {
    for (int other = warp_size / 2; other > 0; other /= 2) {
      value += __shfl_xor_sync(0xffffffffU, value, other);
    }
    return value;
  }
#endif
};

template <int TeamSize, class Kernel>
__global__ __launch_bounds__(TeamSize,
                             1) void resident_kernel(const LAMINA_GRID_CONSTANT Kernel kernel) {
  extern __shared__ __align__(scratch_alignment) char lamina_resident_scratch[];
  static_assert(sizeof(Kernel) <= 4096, "more than an argument may have");
  kernel(ResidentTeam(lamina_resident_scratch));
}

template <int TeamSize, class Kernel>
ResidentLimits resident_limits(const Kokkos::Cuda& space) {
  const int device = space.cuda_device();
  const auto attribute = [device](cudaDeviceAttr which) {
    int value = 0;
    return cudaDeviceGetAttribute(&value, which, device) == cudaSuccess ? value : 0;
  };
  const auto kernel = resident_kernel<TeamSize, Kernel>;
  cudaFuncAttributes of_kernel{};
  const bool possible = cudaSetDevice(device) == cudaSuccess &&
                        attribute(cudaDevAttrCooperativeLaunch) != 0 &&
                        cudaFuncGetAttributes(&of_kernel, kernel) == cudaSuccess;
  const int bytes = possible ? attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) -
                                   static_cast<int>(of_kernel.sharedSizeBytes)
                             : 0;
  int teams = 0;
  if (bytes <= 0 ||
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) !=
          cudaSuccess ||
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &teams, kernel, TeamSize, static_cast<std::size_t>(bytes)) != cudaSuccess ||
      teams < 1) {
    static_cast<void>(cudaGetLastError());
    return {};
  }
  return {attribute(cudaDevAttrMultiProcessorCount), static_cast<std::size_t>(bytes)};
}

template <int TeamSize, class Kernel>
void launch_resident(const std::string& label, const Kokkos::Cuda& space, int teams,
                     std::size_t scratch_bytes, Kernel kernel) {
  launch_on_cuda(label, space, [&] {
    void* arguments[] = {&kernel};
    return cudaLaunchCooperativeKernel(resident_kernel<TeamSize, Kernel>,
                                       dim3(static_cast<unsigned>(teams)), dim3(TeamSize),
                                       arguments, scratch_bytes, space.cuda_stream());
  });
}

}  // namespace Lamina::Impl
