// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Macros.hpp>

#if defined(KOKKOS_ENABLE_CUDA)
#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/cuda/LoadOnce_Cuda.hpp>
#endif

namespace Lamina::Impl {

/// Loads `Count` consecutive values of at most 16 bytes together, aligned to their size. They are
/// evicted from the caches first, so that other values stay there.
template <int Count, class Value>
KOKKOS_FORCEINLINE_FUNCTION void load_once(const Value* from, Value* to) {
#if LAMINA_CUDA_PASS
  load_once_cuda<Count* int{sizeof(Value)}>(from, to);
#else
  for (int n = 0; n < Count; ++n) to[n] = from[n];
#endif
}

}  // namespace Lamina::Impl
