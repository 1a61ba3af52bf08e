// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Lanes of a warp that tell each other values without memory. Only with CUDA; elsewhere teams go by
// way of scratch and barriers.

#include <lamina/device/impl/Backend.hpp>

#include <Kokkos_Core.hpp>

namespace Lamina::Impl {

#if defined(KOKKOS_ENABLE_CUDA)
inline constexpr bool has_warp_shuffles = true;
#else
inline constexpr bool has_warp_shuffles = false;
#endif
inline constexpr int warp_lanes = 32;

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

}  // namespace Lamina::Impl
