// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Conversions between float and the bits of binary16.

#include <lamina/device/impl/Backend.hpp>
#if LAMINA_CUDA_PASS
#include <lamina/device/impl/cuda/Half_Cuda.hpp>
#endif

#include <cstdint>
#include <cstring>

namespace Lamina::Impl {

KOKKOS_INLINE_FUNCTION std::uint32_t bits_of_float(float value) {
  std::uint32_t bits = 0;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}
KOKKOS_INLINE_FUNCTION float float_of_bits(std::uint32_t bits) {
  float value = 0;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/// The bits of binary16 that are nearest to `value`.
KOKKOS_INLINE_FUNCTION std::uint16_t half_bits_of(float value) {
  constexpr std::uint32_t infinity = 0x7F800000, beyond = 0x477FF000, least_normal = 0x38800000,
                          half_one = 0x3F000000, bias_difference = 112;
  const std::uint32_t bits = bits_of_float(value), sign = bits >> 16 & 0x8000,
                      magnitude = bits & 0x7FFFFFFF;
  std::uint32_t rounded = 0;
  if (magnitude > infinity) {
    rounded = 0x7E00;
  } else if (magnitude >= beyond) {  // 65520
    rounded = 0x7C00;
  } else if (magnitude < least_normal) {
    // Rounds to a multiple of 2^-24: that is the last bit of the sum, which is between 0.5 and 1.
    rounded = bits_of_float(float_of_bits(magnitude) + 0.5F) - half_one;
  } else {
    constexpr int dropped = 13;
    const std::uint32_t odd = magnitude >> dropped & 1;
    rounded = (magnitude - (bias_difference << 23) + 0xFFF + odd) >> dropped;
  }
  return static_cast<std::uint16_t>(sign | rounded);
}

/// The value of bits of binary16. They are the bits of a float, except for the bias of the
/// exponent.
KOKKOS_INLINE_FUNCTION float float_of_half_bits(std::uint16_t half) {
  constexpr float bias = 0x1p112F;
  const std::uint32_t sign = (half & 0x8000U) << 16, magnitude = half & 0x7FFFU;
  if (magnitude >= 0x7C00) return float_of_bits(sign | 0x7F800000 | magnitude << 13);
  return float_of_bits(sign | magnitude << 13) * bias;
}

/// The bits of binary16 that are nearest to `value`. One instruction where the device has it.
KOKKOS_INLINE_FUNCTION std::uint16_t to_half_bits(float value) {
#if LAMINA_CUDA_PASS
  return half_bits_cuda(value);
#else
  return half_bits_of(value);
#endif
}

/// The value of bits of binary16. One instruction where the device has it.
KOKKOS_INLINE_FUNCTION float from_half_bits(std::uint16_t bits) {
#if LAMINA_CUDA_PASS
  return float_of_half_cuda(bits);
#else
  return float_of_half_bits(bits);
#endif
}

}  // namespace Lamina::Impl
