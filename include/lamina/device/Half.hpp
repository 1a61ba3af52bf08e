// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/HalfBits.hpp>

#include <cstdint>
#include <type_traits>

namespace Lamina {
/// A number in half precision for storage (binary16 of IEEE 754): 11 significant bits, magnitudes
/// from 2^-14 (6.1e-5) to 65504, and multiples of 2^-24 below. It has two bytes on every space; the
/// half type of Kokkos has more where there is no device. Convert it to compute with it.
class Half {
 public:
  Half() = default;

  /// Rounds to nearest, ties to even. From 65520 on the result is infinite. NaN stays NaN.
  KOKKOS_FUNCTION explicit Half(float value) : m_bits(Impl::to_half_bits(value)) {}
  /// Rounded to float first.
  KOKKOS_FUNCTION explicit Half(double value) : Half(static_cast<float>(value)) {}

  /// Exact.
  KOKKOS_FUNCTION explicit operator float() const { return Impl::from_half_bits(m_bits); }
  KOKKOS_FUNCTION explicit operator double() const {
    return static_cast<double>(static_cast<float>(*this));
  }

  KOKKOS_FUNCTION static Half from_bits(std::uint16_t bits) {
    Half half;
    half.m_bits = bits;
    return half;
  }
  KOKKOS_FUNCTION std::uint16_t bits() const { return m_bits; }

 private:
  std::uint16_t m_bits;
};
static_assert(sizeof(Half) == 2 && alignof(Half) == 2 && std::is_trivially_copyable_v<Half> &&
              std::is_trivially_default_constructible_v<Half>);

}  // namespace Lamina
