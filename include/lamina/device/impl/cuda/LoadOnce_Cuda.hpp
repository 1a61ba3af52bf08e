// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Macros.hpp>

#include <cstring>

namespace Lamina::Impl {

template <class Word>
__device__ __forceinline__ void load_word_once_cuda(const void* from, void* to) {
  const Word word = __ldcs(static_cast<const Word*>(from));
  memcpy(to, &word, sizeof word);
}

/// `load_once` of 2, 4, 8 or 16 bytes.
template <int Bytes>
__device__ __forceinline__ void load_once_cuda(const void* from, void* to) {
  if constexpr (Bytes == 16) {
    load_word_once_cuda<int4>(from, to);
  } else if constexpr (Bytes == 8) {
    load_word_once_cuda<int2>(from, to);
  } else if constexpr (Bytes == 4) {
    load_word_once_cuda<int>(from, to);
  } else {
    static_assert(Bytes == 2);
    load_word_once_cuda<short>(from, to);
  }
}

}  // namespace Lamina::Impl
