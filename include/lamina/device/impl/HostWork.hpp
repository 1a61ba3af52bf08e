// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/Backend.hpp>

#include <Kokkos_Macros.hpp>

#include <cstddef>
#include <cstdint>
#if defined(KOKKOS_ENABLE_CUDA)
#include <lamina/device/impl/cuda/Prefetch_Cuda.hpp>
#endif

namespace Lamina::Impl {

/// Half-open range of work items.
struct WorkRange {
  std::int64_t begin = 0, end = 0;
};

/// The share of `worker`, where `workers` get contiguous, nearly equal shares of `items`.
inline WorkRange share_of(std::int64_t worker, std::int64_t workers, std::int64_t items) {
  return {items * worker / workers, items * (worker + 1) / workers};
}

inline std::int64_t ceil_divide(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

/// Prefetches a cache line into the second-level cache. The first-level cache is too small for
/// prefetched data, and supports too few outstanding misses. A prefetch never faults.
KOKKOS_FORCEINLINE_FUNCTION void prefetch_line(const void* address) {
#if LAMINA_CUDA_PASS
  prefetch_line_cuda(address);
#elif LAMINA_HIP_PASS
  (void)address;
#else
  // g++ considers a function that only prefetches to have no effect, and drops its calls.
  asm volatile("");
  __builtin_prefetch(address, 0, 2);
#endif
}

/// The same for a line that will be written, not read. A device does not fetch such a line.
KOKKOS_FORCEINLINE_FUNCTION void prefetch_written_line(const void* address) {
#if LAMINA_DEVICE_PASS
  (void)address;
#else
  prefetch_line(address);
#endif
}

/// Bytes of the last-level cache of the host. A conservative guess where the system does not tell.
std::size_t last_level_cache_bytes();
/// What of it the cores can use, at most: a virtual machine may have two cores, and tell of the cache of a whole
/// processor. What is larger is past the caches before it is read again.
std::size_t reachable_cache_bytes();

}  // namespace Lamina::Impl
