// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/impl/BlockKernels.hpp>

#include <cstdint>

namespace Lamina::Impl {

/// The power of two that values up to `largest` are divided by for storage. It brings `largest`
/// between 2^14 and 2^15: values down to 2^-28 of it keep 11 significant bits. The scale is a
/// float: values beyond the range of floats become infinite.
KOKKOS_INLINE_FUNCTION float half_scale(float largest) {
  constexpr int mantissa_bits = 23, head_room = 14;
  const auto exponent = static_cast<int>(bits_of_float(largest) >> mantissa_bits);
  const int scale = exponent > head_room ? exponent - head_room : 1;
  return float_of_bits(static_cast<std::uint32_t>(scale) << mantissa_bits);
}

/// Rounds one component of a block row.
template <class From>
struct RoundRows {
  int size;
  const std::int64_t* offsets;
  const From* from;
  Half* to;
  float* row_scales;

  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const std::int64_t row = n / size, block_values = std::int64_t{size} * size,
                       begin = offsets[row] * block_values + n % size,
                       end = offsets[row + 1] * block_values;
    From largest = 0;
    for (std::int64_t k = begin; k < end; k += size) {
      const From magnitude = from[k] < 0 ? -from[k] : from[k];
      if (magnitude > largest) largest = magnitude;
    }
    row_scales[n] = half_scale(static_cast<float>(largest));
    const From inverse = From(1) / static_cast<From>(row_scales[n]);
    for (std::int64_t k = begin; k < end; k += size) to[k] = static_cast<Half>(from[k] * inverse);
  }
};

// traffic: reads 2 s, writes 2 a value, with s = sizeof(From); set-up only
template <class Space, class From>
void RoundKernels<Space, From>::round(const Space& space, int num_rows, int size,
                                      const std::int64_t* offsets, const From* from, Half* to,
                                      float* row_scales) {
  Kokkos::parallel_for("Lamina::BlockSparseMatrix::rounded_to_half",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(
                           space, 0, std::int64_t{num_rows} * size),
                       RoundRows<From>{size, offsets, from, to, row_scales});
}

}  // namespace Lamina::Impl
