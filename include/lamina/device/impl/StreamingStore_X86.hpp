// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Stores that go past the caches. A plain store first reads the line that it overwrites; for a
// field that is written once and not read again soon, that read is a third of the traffic of a
// copy. x86-64 only: elsewhere these are plain stores.

#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/Lanes_Host.hpp>

#include <cstdint>

#if defined(__x86_64__) && !LAMINA_DEVICE_PASS
#include <immintrin.h>
#endif

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

/// Writes `lanes` past the caches; the target must be aligned to the vector.
template <class Scalar>
KOKKOS_FORCEINLINE_FUNCTION void stream_lanes(Scalar* to, const Lanes<Scalar>& lanes) {
#if LAMINA_DEVICE_PASS  // a device's pass checks this, but never calls it
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

/// Writes `count` values past the caches; the target may have any alignment: what does not fill a
/// vector at either end is stored plainly.
template <class Scalar>
inline void stream_span(Scalar* to, const Scalar* from, std::int64_t count) {
  std::int64_t i = 0;
  for (; i < count && reinterpret_cast<std::uintptr_t>(to + i) % vector_bytes != 0; ++i) {
    to[i] = from[i];
  }
  for (; i + lane_count<Scalar> <= count; i += lane_count<Scalar>) {
    stream_lanes(to + i, load_lanes(from + i));
  }
  for (; i < count; ++i) to[i] = from[i];
}

/// Makes streaming stores of this thread visible to others before what follows.
inline void finish_streaming() {
#if defined(__x86_64__) && !LAMINA_DEVICE_PASS
  _mm_sfence();
#endif
}

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
