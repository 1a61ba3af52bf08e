// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Lanes of a warp. They tell each other values without memory only with CUDA; elsewhere teams go by
// way of scratch and barriers.

#include <lamina/device/impl/Backend.hpp>

#include <Kokkos_Core.hpp>

namespace Lamina::Impl {

#if defined(KOKKOS_ENABLE_CUDA)
inline constexpr bool has_warp_shuffles = true;
#else
inline constexpr bool has_warp_shuffles = false;
#endif

/// The value of another lane of the warp, all of whose lanes call this together.
template <class Value>
KOKKOS_FORCEINLINE_FUNCTION Value value_of_lane([[maybe_unused]] int lane, Value value) {
#if LAMINA_CUDA_PASS
  return __shfl_sync(0xFFFFFFFFU, value, lane);
#else
  return value;
#endif
}

/// What each lane of the warp wrote to scratch is there for the others.
KOKKOS_FORCEINLINE_FUNCTION void warp_barrier() {
#if LAMINA_CUDA_PASS
  __syncwarp();
#endif
}

/// Keeps the compiler for CUDA from moving memory accesses across it, by a barrier: all lanes of the
/// warp call it together. Elsewhere it does nothing.
KOKKOS_FORCEINLINE_FUNCTION void keep_order() { warp_barrier(); }

/// As `warp_barrier`, and for what they wrote to any memory, where loops of Kokkos over the lanes of a
/// thread do not end so: those of CUDA do. Lanes of HIP are in step, but the compiler might keep in a
/// register what another lane has overwritten.
KOKKOS_FORCEINLINE_FUNCTION void end_lane_loop() {
#if LAMINA_HIP_PASS
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
  __builtin_amdgcn_wave_barrier();
#endif
}

}  // namespace Lamina::Impl
