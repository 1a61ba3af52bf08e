// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Conversion of several halves or floats at once on CPU cores. Halves take one instruction where
// the target has F16C (x86-64-v3 and later). Elsewhere lanes do what `float_of_half_bits` does.

#include <lamina/device/Half.hpp>
#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/Lanes_Host.hpp>

#include <cstdint>
#include <cstring>

#if defined(__AVX__) && !LAMINA_DEVICE_PASS
#include <immintrin.h>
#endif

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

#if !LAMINA_DEVICE_PASS  // the device pass needs none of it

// Vectors are returned through arguments, and their scalars are template parameters. Otherwise g++
// loses the vector attribute of a type within templates, or in the code that nvcc hands to it.

/// The same bits as another vector.
template <class From, class To>
inline void copy_bits(const From& from, To& to) {
  static_assert(sizeof(To) == sizeof(From));
  memcpy(&to, &from, sizeof to);
}

/// Short vectors of `Count` floats.
template <int Count, class Float = float, class Bits32 = std::uint32_t,
          class Bits16 = std::uint16_t>
struct FloatsOfHalves {
  typedef Float type __attribute__((vector_size(Count * sizeof(Float))));
  typedef Bits32 Bits __attribute__((vector_size(Count * sizeof(Bits32))));
  typedef Bits16 Stored
      __attribute__((vector_size(Count * sizeof(Bits16)), aligned(alignof(Half)), may_alias));

  /// `Count` stored numbers, at any address.
  static type load(const Half* from) {
#if defined(__F16C__)
    if constexpr (Count == 4 || Count == 8) {
      type result;
      if constexpr (Count == 4) {
        copy_bits(_mm_cvtph_ps(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from))), result);
      } else {
        copy_bits(_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))), result);
      }
      return result;
    }
#endif
    return load_bits(from);
  }

  /// The same by integer arithmetic.
  static type load_bits(const Half* from) {
    constexpr Bits32 dropped = 13, infinity = 0x7C00, float_infinity = 0x7F800000;
    const Bits bits = __builtin_convertvector(*reinterpret_cast<const Stored*>(from), Bits),
               magnitude = (bits & 0x7FFF) << dropped;
    type value;
    copy_bits(magnitude, value);
    value *= 0x1p112F;
    Bits result;
    copy_bits(value, result);
    result = (magnitude >= infinity << dropped ? result | float_infinity : result) | (bits & 0x8000)
                                                                                         << 16;
    copy_bits(result, value);
    return value;
  }
};

/// to = from, with floats converted to another scalar type. g++ 12 would convert half vectors, and
/// vectors of four floats by way of memory, where one instruction is enough.
template <class Floats, class To>
inline void widen(const Floats& from, To& to) {
#if defined(__AVX512F__)
  if constexpr (sizeof(To) == 64 && sizeof(Floats) == 32) {
    __m256 floats;
    copy_bits(from, floats);
    copy_bits(_mm512_maskz_cvtps_pd(0xFF, floats), to);
    return;
  }
#endif
#if defined(__AVX__)
  if constexpr (sizeof(To) == 32 && sizeof(Floats) == 16) {
    __m128 floats;
    copy_bits(from, floats);
    copy_bits(_mm256_cvtps_pd(floats), to);
    return;
  }
#endif
  to = __builtin_convertvector(from, To);
}

#endif

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
