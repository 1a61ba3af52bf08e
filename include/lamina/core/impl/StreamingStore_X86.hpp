// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Stores that go past the caches. A plain store first reads the line that it overwrites; for a
// field that is written once and not read again soon, that read is a third of the traffic of a
// copy. x86-64 only: elsewhere these are plain stores.

#include <lamina/core/impl/Lanes_Host.hpp>

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__) && !defined(__CUDA_ARCH__)
#include <immintrin.h>
#endif

namespace Lamina::Impl {

/// `stream_lanes` may be used for addresses a multiple of `stride` values from `base`.
template <class Scalar>
inline bool can_stream(const Scalar* base, std::size_t stride) {
  return reinterpret_cast<std::uintptr_t>(base) % vector_bytes == 0 &&
         stride % lane_count<Scalar> == 0;
}

/// Writes `lanes` past the caches; the target must be aligned to the vector.
template <class Scalar>
inline void stream_lanes(Scalar* to, const Lanes<Scalar>& lanes) {
#if defined(__CUDA_ARCH__)  // nvcc's device pass checks this, but never calls it
  store_lanes(to, lanes);
#elif defined(__AVX512F__)
  _mm512_stream_si512(reinterpret_cast<__m512i*>(to), reinterpret_cast<const __m512i&>(lanes));
#elif defined(__AVX__)
  _mm256_stream_si256(reinterpret_cast<__m256i*>(to), reinterpret_cast<const __m256i&>(lanes));
#elif defined(__x86_64__)
  _mm_stream_si128(reinterpret_cast<__m128i*>(to), reinterpret_cast<const __m128i&>(lanes));
#else
  store_lanes(to, lanes);
#endif
}

/// Makes streaming stores of this thread visible to others before what follows.
inline void finish_streaming() {
#if defined(__x86_64__) && !defined(__CUDA_ARCH__)
  _mm_sfence();
#endif
}

}  // namespace Lamina::Impl
