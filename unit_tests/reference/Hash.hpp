// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>

namespace Reference {

/// The generator splitmix64, counted from 0.
inline std::uint64_t splitmix64(std::uint64_t index) {
  std::uint64_t z = (index + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// Its 53 leading bits as a value in [-1, 1).
inline double unit_value(std::uint64_t index) {
  return static_cast<double>(splitmix64(index) >> 11) / 4503599627370496.0 - 1.0;  // 2^52
}

}  // namespace Reference
