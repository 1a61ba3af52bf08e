// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Stores that bypass the caches. A plain store first reads the cache line that it overwrites. For a
// field that is written once and not read again soon, that read is a third of the traffic of a
// copy. Only x86-64 has these stores; elsewhere they are plain stores.

#include <lamina/device/impl/Access.hpp>
#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/Lanes_Host.hpp>

#include <cstdint>
#include <type_traits>

#if defined(__x86_64__) && !LAMINA_DEVICE_PASS
#include <immintrin.h>
#endif

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

/// Stores `lanes`, bypassing the caches. The target must be aligned to the vector.
template <class Scalar>
KOKKOS_FORCEINLINE_FUNCTION void stream_lanes(Scalar* to, const Lanes<Scalar>& lanes) {
#if LAMINA_DEVICE_PASS  // the device pass checks this function, but never calls it
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

/// Stores a value, or lanes; these bypass the caches with `Stream`.
template <bool Stream, class Scalar, class Value>
KOKKOS_FORCEINLINE_FUNCTION void store_or_stream(Scalar* to, const Value& value) {
  if constexpr (Stream && !std::is_arithmetic_v<Value>) {
    stream_lanes(to, value);
  } else {
    store(to, value);
  }
}

/// Stores `count` values, bypassing the caches. The target may have any alignment: values at both
/// ends that do not fill a vector take plain stores.
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

/// Orders the streaming stores of this thread before its later stores.
inline void finish_streaming() {
#if defined(__x86_64__) && !LAMINA_DEVICE_PASS
  _mm_sfence();
#endif
}

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
