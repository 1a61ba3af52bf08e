// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Macros.hpp>

namespace Lamina::Impl {

/// `copy_async` of 4 or 8 bytes through L1, because other threads may read them, or of 16 bytes
/// past L1.
template <int Bytes>
__device__ __forceinline__ void copy_async_cuda(void* to, const void* from) {
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to));
  if constexpr (Bytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(address), "l"(from), "n"(Bytes)
                 : "memory");
  }
}

__device__ __forceinline__ void close_copies_cuda() {
  asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int Open>
__device__ __forceinline__ void wait_for_copies_cuda() {
  asm volatile("cp.async.wait_group %0;" ::"n"(Open) : "memory");
}

}  // namespace Lamina::Impl
