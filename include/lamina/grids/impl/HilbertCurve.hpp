// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>
#include <utility>

namespace Lamina::Impl {

/// The number of cell (x, y) along Hilbert's curve through the 2^bits x 2^bits cells of a square.
/// Cells of successive numbers share a side, so that points that are sorted by it are near to those
/// before and after them (Hilbert, Math. Ann. 38, 1891).
/// \param x, y  < 2^bits
/// \param bits  <= 32
constexpr std::uint64_t hilbert_index(std::uint32_t x, std::uint32_t y, int bits) {
  std::uint64_t index = 0;
  for (int bit = bits - 1; bit >= 0; --bit) {
    const std::uint32_t side = std::uint32_t(1) << bit;
    const bool right = (x & side) != 0, up = (y & side) != 0;
    // Quadrants in the order: lower left, upper left, upper right, lower right.
    index = 4 * index + (right ? (up ? 2u : 3u) : (up ? 1u : 0u));
    // The curve within the lower quadrants is turned, so that it ends where the next one begins.
    if (!up) {
      if (right) {
        x = ~x;
        y = ~y;
      }
      std::swap(x, y);
    }
  }
  return index;
}

}  // namespace Lamina::Impl
