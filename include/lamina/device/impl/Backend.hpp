// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The one file that asks which pass of a compiler this is, and what the device of this build is
// like. Files named for a backend (_Cuda) may ask too. All others ask for LAMINA_DEVICE_PASS, if at
// all. Beside a plain form they may ask for LAMINA_CUDA_PASS or LAMINA_HIP_PASS.

#include <Kokkos_Macros.hpp>

/// 1 where a compiler translates for a device: no vector types and no intrinsics of a CPU, and
/// functions of the host are declared only.
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
#define LAMINA_DEVICE_PASS 1
#else
#define LAMINA_DEVICE_PASS 0
#endif

/// The same of CUDA alone, whose instructions a function may then use, and for which architecture.
#if defined(__CUDA_ARCH__)
#define LAMINA_CUDA_PASS 1
#define LAMINA_CUDA_ARCH __CUDA_ARCH__
#else
#define LAMINA_CUDA_PASS 0
#define LAMINA_CUDA_ARCH 0
#endif

/// The same of HIP alone.
#if defined(__HIP_DEVICE_COMPILE__)
#define LAMINA_HIP_PASS 1
#else
#define LAMINA_HIP_PASS 0
#endif

/// The device that Kokkos was built for, if any: its execution space, its memory, and the memory of
/// the host that it copies to without a detour.
#if defined(KOKKOS_ENABLE_CUDA)
#define LAMINA_DEVICE_SPACE         Kokkos::Cuda
#define LAMINA_DEVICE_MEMORY        Kokkos::CudaSpace
#define LAMINA_DEVICE_PINNED_MEMORY Kokkos::CudaHostPinnedSpace
#elif defined(KOKKOS_ENABLE_HIP)
#define LAMINA_DEVICE_SPACE         Kokkos::HIP
#define LAMINA_DEVICE_MEMORY        Kokkos::HIPSpace
#define LAMINA_DEVICE_PINNED_MEMORY Kokkos::HIPHostPinnedSpace
#endif

namespace Lamina::Impl {

#if defined(KOKKOS_ENABLE_HIP)
/// Lanes of a warp, which AMD calls a wavefront. Half of it on GPUs of the RDNA line, for which this
/// is two whole warps.
inline constexpr int warp_lanes = 64;

/// What `Kokkos::LaunchBounds` takes for `min_teams` teams that must fit on a multiprocessor. HIP
/// counts warps on each of the four parts of it, which hold 8 at most.
constexpr unsigned min_teams_bound(unsigned max_threads, unsigned min_teams) {
  constexpr unsigned lanes = warp_lanes, parts = 4, most = 8;
  const unsigned warps = (max_threads + lanes - 1) / lanes * min_teams,
                 on_part = (warps + parts - 1) / parts;
  return on_part < most ? on_part : most;
}
#else
inline constexpr int warp_lanes = 32;
constexpr unsigned min_teams_bound(unsigned, unsigned min_teams) { return min_teams; }
#endif

}  // namespace Lamina::Impl

/// `#pragma unroll` in front of a loop of a device: all of it, or the given number of steps at a
/// time. Compilers of the host decide for themselves.
#if LAMINA_DEVICE_PASS
#define LAMINA_PRAGMA(text) _Pragma(#text)
#if LAMINA_HIP_PASS  // clang warns of parentheses
#define LAMINA_DEVICE_UNROLL(...) LAMINA_PRAGMA(unroll __VA_ARGS__)
#else
#define LAMINA_DEVICE_UNROLL(...) LAMINA_PRAGMA(unroll __VA_OPT__((__VA_ARGS__)))
#endif
#else
#define LAMINA_DEVICE_UNROLL(...)
#endif
