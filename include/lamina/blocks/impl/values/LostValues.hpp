// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/impl/BlockKernels.hpp>
#include <lamina/blocks/impl/values/Pivots.hpp>
#include <lamina/device/impl/RangeOf.hpp>

#include <cfloat>
#include <cstdint>
#include <limits>

namespace Lamina::Impl {

/// Finds values of a block row that float cannot hold.
struct LostValues {
  using value_type = int;

  int size;
  const std::int64_t* offsets;
  const std::int64_t* sources;
  const double* blocks;
  const double* diagonal;

  /// The reduction takes the smallest row.
  KOKKOS_FUNCTION void operator()(int row, int& first) const {
    for (int p = 0; p < size && row < first; ++p) {
      if (loses(row, p)) first = row;
    }
  }

 private:
  /// Whether component p of the row has such a value.
  KOKKOS_FUNCTION bool loses(int row, int p) const {
    const std::int64_t block_values = std::int64_t{size} * size;
    // Too small to matter beside the diagonal block, to the precision of float.
    const double negligible =
        FLT_EPSILON * largest_of(size, diagonal + row * block_values + p, size);
    for (std::int64_t k = offsets[row]; k < offsets[row + 1]; ++k) {
      for (int c = 0; c < size; ++c) {
        const double value =
            magnitude(blocks[sources[k] * block_values + std::int64_t{c} * size + p]);
        const bool below = value < FLT_MIN && value > negligible;
        if (value > FLT_MAX || below) return true;
      }
    }
    return false;
  }
};

// traffic: reads 8 bytes a value; set-up only
template <class Space>
int RangeKernels<Space>::first_lost_row(const Space& space, int num_rows, int size,
                                        const std::int64_t* offsets, const std::int64_t* sources,
                                        const double* blocks, const double* diagonal) {
  int first = std::numeric_limits<int>::max();
  Kokkos::parallel_reduce("Lamina::BlockSparseMatrix::first_lost_row", range_of(space, num_rows),
                          LostValues{size, offsets, sources, blocks, diagonal},
                          Kokkos::Min<int>(first));
  return first < num_rows ? first : -1;
}

}  // namespace Lamina::Impl
