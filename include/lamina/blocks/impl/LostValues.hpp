// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/impl/BlockKernels.hpp>

#include <cfloat>
#include <cstdint>
#include <limits>

namespace Lamina::Impl {

/// Looks for values of a block row that float cannot hold.
struct LostValues {
  using value_type = int;

  int block_values;
  const std::int64_t* offsets;
  const std::int64_t* sources;
  const double* blocks;
  const double* diagonal;

  /// As the reduction is of the smallest row.
  KOKKOS_FUNCTION void operator()(int row, int& first) const {
    if (row < first && loses(row)) first = row;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION static double magnitude(double value) {
    return value < 0 ? -value : value;
  }
  KOKKOS_FUNCTION bool loses(int row) const {
    // What is less than this of the diagonal block would be lost beside it anyway.
    double negligible = 0;
    for (int n = 0; n < block_values; ++n) {
      const double value = FLT_EPSILON * magnitude(diagonal[std::int64_t{row} * block_values + n]);
      if (value > negligible) negligible = value;
    }
    for (std::int64_t k = offsets[row]; k < offsets[row + 1]; ++k) {
      for (int n = 0; n < block_values; ++n) {
        const double value = magnitude(blocks[sources[k] * block_values + n]);
        const bool below = value < FLT_MIN && value > negligible;
        if (value > FLT_MAX || below) return true;
      }
    }
    return false;
  }
};

// traffic: reads 8 bytes a value; set-up only
template <class Space>
int RangeKernels<Space>::first_lost_row(const Space& space, int num_rows, int block_values,
                                        const std::int64_t* offsets, const std::int64_t* sources,
                                        const double* blocks, const double* diagonal) {
  int first = std::numeric_limits<int>::max();
  Kokkos::parallel_reduce(
      "Lamina::BlockSparseMatrix::first_lost_row", Kokkos::RangePolicy<Space>(space, 0, num_rows),
      LostValues{block_values, offsets, sources, blocks, diagonal}, Kokkos::Min<int>(first));
  return first < num_rows ? first : -1;
}

}  // namespace Lamina::Impl
