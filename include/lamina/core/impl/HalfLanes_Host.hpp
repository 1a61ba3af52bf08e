// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Several halves at once on CPU cores: one instruction where the target has F16C, as x86-64 has from
// version 3 on; elsewhere what `float_of_half_bits` does, lane by lane.

#include <lamina/core/Half.hpp>
#include <lamina/core/impl/Lanes_Host.hpp>

#include <cstdint>

#if defined(__AVX__) && !defined(__CUDA_ARCH__)
#include <immintrin.h>
#endif

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

#if !defined(__CUDA_ARCH__)  // nvcc's device pass needs none of this

/// Short vectors of `Count` floats.
template <int Count>
struct FloatsOfHalves {
  typedef float type __attribute__((vector_size(Count * 4)));
  typedef std::uint32_t Bits __attribute__((vector_size(Count * 4)));

  /// `Count` stored numbers, at any address.
  static type load(const Half* from) {
#if defined(__F16C__)
    if constexpr (Count == 4) {
      return reinterpret_cast<type>(
          _mm_cvtph_ps(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from))));
    } else if constexpr (Count == 8) {
      return reinterpret_cast<type>(
          _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))));
    }
#endif
    return load_bits(from);
  }

  /// The same by integer arithmetic. `Bits16` only makes the vectors depend on a type, without which
  /// g++ does not take them for vectors in a template.
  template <class Bits16 = std::uint16_t>
  static type load_bits(const Half* from) {
    typedef Bits16 Stored __attribute__((vector_size(Count * 2), aligned(2), may_alias));
    const Bits bits = __builtin_convertvector(*reinterpret_cast<const Stored*>(from), Bits),
               magnitude = (bits & 0x7FFF) << 13;
    const type value = reinterpret_cast<type>(magnitude) * 0x1p112F;
    const Bits not_finite = reinterpret_cast<Bits>(magnitude >= (0x7C00U << 13)) & 0x7F800000;
    return reinterpret_cast<type>(reinterpret_cast<Bits>(value) | not_finite |
                                  (bits & 0x8000) << 16);
  }
};

/// Floats as `To`, vectors of as many scalars. g++ 12 converts halves of a vector, and those of four
/// floats by way of memory, where one instruction does it all.
template <class To, class Floats>
inline To widened(const Floats& floats) {
#if defined(__AVX512F__)
  if constexpr (sizeof(To) == 64 && sizeof(Floats) == 32) {
    return reinterpret_cast<To>(
        _mm512_maskz_cvtps_pd(0xFF, reinterpret_cast<const __m256&>(floats)));
  }
#endif
#if defined(__AVX__)
  if constexpr (sizeof(To) == 32 && sizeof(Floats) == 16) {
    return reinterpret_cast<To>(_mm256_cvtps_pd(reinterpret_cast<const __m128&>(floats)));
  }
#endif
  return __builtin_convertvector(floats, To);
}

#endif

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
