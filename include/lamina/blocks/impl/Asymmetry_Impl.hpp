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

/// The largest |A_ij - A_ji^T| of a block row, or the largest |A_ij|.
template <class Rows>
struct LargestOfRow {
  Rows a;
  bool transposed;  ///< subtract the transpose

  KOKKOS_FUNCTION void operator()(int row, double& largest) const {
    take(a.diagonal + row * a.block_values(), a.diagonal + row * a.block_values(), largest);
    for (std::int64_t k = a.offsets[row]; k < a.offsets[row + 1]; ++k) {
      const std::int64_t other = block_at(a.columns[k], row);
      take(a.off_diagonal + k * a.block_values(),
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
  /// \param other  the block whose transpose should be `block`; none: zeros
  template <class Value>
  KOKKOS_FUNCTION void take(const Value* block, const Value* other, double& largest) const {
    for (int c = 0; c < a.size; ++c) {
      for (int r = 0; r < a.size; ++r) {
        double value = static_cast<double>(block[c * a.size + r]);
        if (transposed && other != nullptr) value -= static_cast<double>(other[r * a.size + c]);
        const double size = value < 0 ? -value : value;
        if (!(size <= largest)) largest = size * 0 == 0 ? size : HUGE_VAL;
      }
    }
  }
};

}  // namespace Impl

template <ExecutionSpace Space, class Matrix>
requires WorksIn<Space, typename Matrix::memory_space> &&
    FieldScalar<typename Matrix::off_diagonal_type>
double asymmetry(const Space& space, const Matrix& matrix) {
  const Impl::ProfilingRegion region("Lamina::asymmetry");
  Impl::require_extent("asymmetry", "matrix", "halo columns", 0, matrix.num_halo());
  using Rows = decltype(matrix.block_rows());
  const auto largest = [&](bool transposed) {
    double result = 0;
    if (matrix.num_rows() > 0) {
      Kokkos::parallel_reduce("Lamina::asymmetry", Impl::range_of(space, matrix.num_rows()),
                              Impl::LargestOfRow<Rows>{matrix.block_rows(), transposed},
                              Kokkos::Max<double>(result));
    }
    return result;
  };
  const double difference = largest(true);
  return difference == 0 ? 0 : difference / largest(false);
}

}  // namespace Lamina
