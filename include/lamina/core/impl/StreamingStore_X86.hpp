// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Stores that go past the caches. A plain store first reads the line that it overwrites; for a field
// that is written once and not read again soon, that read is a third of the traffic of a copy.
// x86-64 only: elsewhere these are plain stores.

#include <lamina/core/impl/Lanes_Host.hpp>

#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace Lamina::Impl {

/// Writes `lanes` past the caches where the target is aligned to the vector, plainly otherwise.
template <class Scalar>
inline void stream_lanes(Scalar* to, const Lanes<Scalar>& lanes) {
#if defined(__x86_64__)
  if (reinterpret_cast<std::uintptr_t>(to) % vector_bytes == 0) {
#if defined(__AVX512F__)
    _mm512_stream_si512(reinterpret_cast<__m512i*>(to), reinterpret_cast<const __m512i&>(lanes));
#elif defined(__AVX__)
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to), reinterpret_cast<const __m256i&>(lanes));
#else
    _mm_stream_si128(reinterpret_cast<__m128i*>(to), reinterpret_cast<const __m128i&>(lanes));
#endif
    return;
  }
#endif
  store_lanes(to, lanes);
}

/// Makes streaming stores of this thread visible to others before what follows.
inline void finish_streaming() {
#if defined(__x86_64__)
  _mm_sfence();
#endif
}

}  // namespace Lamina::Impl
