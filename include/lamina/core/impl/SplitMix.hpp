// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Macros.hpp>

#include <cstdint>

namespace Lamina::Impl {

/// Value number `index` of the generator splitmix64, counted from 0.
KOKKOS_INLINE_FUNCTION constexpr std::uint64_t splitmix64(std::uint64_t index) {
  std::uint64_t z = (index + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// The same, scaled to [-1, 1) and cut to 53 bits. Every machine computes the same number.
KOKKOS_INLINE_FUNCTION constexpr double unit_hash(std::uint64_t index) {
  return 2 * (static_cast<double>(splitmix64(index) >> 11) * 0x1p-53) - 1;
}

}  // namespace Lamina::Impl
