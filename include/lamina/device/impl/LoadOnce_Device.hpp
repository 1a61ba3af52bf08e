// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Macros.hpp>

#if defined(KOKKOS_ENABLE_CUDA)
#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/LoadOnce_Cuda.hpp>
#endif

namespace Lamina::Impl {

/// `Count` values that lie side by side, at a place that is a multiple of their bytes: loaded at
/// once, and the first to leave the caches again, so that others stay there. At most 16 bytes.
template <int Count, class Value>
KOKKOS_FORCEINLINE_FUNCTION void load_once(const Value* from, Value* to) {
#if LAMINA_CUDA_PASS
  load_once_cuda<Count* int{sizeof(Value)}>(from, to);
#else
  for (int n = 0; n < Count; ++n) to[n] = from[n];
#endif
}

}  // namespace Lamina::Impl
