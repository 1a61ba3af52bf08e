// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/Asymmetry.hpp>
#include <lamina/core/ProfilingRegion.hpp>
#include <lamina/device/impl/RangeOf.hpp>

#include <cmath>
#include <cstdint>

namespace Lamina {
namespace Impl {

/// Takes the entries of a block, or of its difference from the transpose of another one.
/// \param other  null: zeros
template <class Value, class Other>
KOKKOS_FUNCTION void take_largest(int size, const Value* block, const Other* other,
                                  double& largest) {
  for (int c = 0; c < size; ++c) {
    for (int r = 0; r < size; ++r) {
      double value = static_cast<double>(block[c * size + r]);
      if (other != nullptr) value -= static_cast<double>(other[r * size + c]);
      const double magnitude = value < 0 ? -value : value;
      if (!(magnitude <= largest)) largest = magnitude * 0 == 0 ? magnitude : HUGE_VAL;
    }
  }
}

/// The largest |A_ij - A_ji^T| of a block row, or the largest |A_ij|.
template <class Rows>
struct LargestOfRow {
  Rows a;
  bool transposed;  ///< subtract the transpose, and leave out halo columns

  KOKKOS_FUNCTION void operator()(int row, double& largest) const {
    const auto* const diagonal = a.diagonal + row * a.block_values();
    take_largest(a.size, diagonal, transposed ? diagonal : nullptr, largest);
    for (std::int64_t k = a.offsets[row]; k < a.offsets[row + 1]; ++k) {
      const bool is_cut = a.columns[k] >= a.num_rows;
      if (transposed && is_cut) continue;
      const std::int64_t other = transposed ? block_at(a.columns[k], row) : -1;
      take_largest(a.size, a.off_diagonal + k * a.block_values(),
                   other < 0 ? nullptr : a.off_diagonal + other * a.block_values(), largest);
    }
  }

 private:
  /// The number of block (row, column), or -1.
  KOKKOS_FUNCTION std::int64_t block_at(int row, int column) const {
    for (std::int64_t k = a.offsets[row]; k < a.offsets[row + 1]; ++k) {
      if (a.columns[k] == column) return k;
    }
    return -1;
  }
};

/// The largest entry of all rows of a matrix, or of their difference from the transpose.
template <class Space, class Rows>
double largest_of_rows(const Space& space, const Rows& rows, bool transposed) {
  double result = 0;
  if (rows.num_rows > 0) {
    Kokkos::parallel_reduce("Lamina::asymmetry", range_of(space, rows.num_rows),
                            LargestOfRow<Rows>{rows, transposed}, Kokkos::Max<double>(result));
  }
  return result;
}

}  // namespace Impl

template <ExecutionSpace Space, class Matrix>
requires WorksIn<Space, typename Matrix::memory_space> &&
    FieldScalar<typename Matrix::off_diagonal_type>
double asymmetry(const Space& space, const Matrix& matrix) {
  const Impl::ProfilingRegion region("Lamina::asymmetry");
  Impl::require_extent("asymmetry", "matrix", "halo columns", 0, matrix.num_halo());
  const double difference = Impl::largest_of_rows(space, matrix.block_rows(), true);
  return difference == 0 ? 0
                         : difference / Impl::largest_of_rows(space, matrix.block_rows(), false);
}

}  // namespace Lamina

#include <lamina/blocks/impl/Asymmetry_Ranks.hpp>
