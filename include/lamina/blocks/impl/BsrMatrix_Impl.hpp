// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/BsrMatrix.hpp>

#if defined(LAMINA_HAS_BSR_MATRIX)

#include <cstdint>

namespace Lamina {
namespace Impl {

/// A team writes a block row. The diagonal block goes to the place of its column.
template <class From, class Value>
struct CopyToBsr {
  From from;
  std::size_t* offsets;
  int* columns;
  Value* values;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    const int row = member.league_rank(), size = from.size;
    const std::int64_t begin = from.offsets[row], end = from.offsets[row + 1];
    std::int64_t below = 0;
    while (begin + below < end && from.columns[begin + below] < row) ++below;
    const std::int64_t first = begin + row, block_values = from.block_values();
    Kokkos::parallel_for(
        Kokkos::TeamVectorRange(member, (end - begin + 1) * block_values), [&](std::int64_t n) {
          const std::int64_t k = n / block_values;
          const auto entry = static_cast<int>(n % block_values);
          const std::int64_t source = entry % size * std::int64_t{size} + entry / size;
          const std::int64_t other = (begin + k - (k > below ? 1 : 0)) * block_values + source;
          values[first * block_values + n] =
              k == below ? static_cast<Value>(from.diagonal[row * block_values + source])
                         : static_cast<Value>(from.off_diagonal[other]);
          if (entry == 0) {
            columns[first + k] = k == below ? row : from.columns[begin + k - (k > below ? 1 : 0)];
          }
        });
    Kokkos::single(Kokkos::PerTeam(member), [&] {
      offsets[row + 1] = static_cast<std::size_t>(end + row + 1);
      if (row == 0) offsets[0] = 0;
    });
  }
};

}  // namespace Impl

template <class Value, ExecutionSpace Space, class Matrix>
requires WorksIn<Space, typename Matrix::memory_space> &&
    FieldScalar<typename Matrix::off_diagonal_type>
        BsrMatrix<Value, Space> bsr_matrix(const Space& space, const Matrix& matrix) {
  using Result = BsrMatrix<Value, Space>;
  Impl::require_extent("bsr_matrix", "matrix", "halo columns", 0, matrix.num_halo());
  const auto rows = static_cast<std::size_t>(matrix.num_rows()),
             blocks = static_cast<std::size_t>(matrix.num_blocks()) + rows,
             size = static_cast<std::size_t>(matrix.block_size());
  const auto label = [](const char* name) {
    return Kokkos::view_alloc(std::string("Lamina::BsrMatrix::") + name,
                              Kokkos::WithoutInitializing);
  };
  const typename Result::row_map_type::non_const_type offsets(label("offsets"), rows + 1);
  const typename Result::index_type::non_const_type columns(label("columns"), blocks);
  const typename Result::values_type::non_const_type values(label("values"), blocks * size * size);
  if (rows == 0) {
    Kokkos::deep_copy(space, offsets, 0);
  } else {
    using Copy = Impl::CopyToBsr<decltype(matrix.block_rows()), Value>;
    Kokkos::parallel_for("Lamina::BsrMatrix::copy",
                         Kokkos::TeamPolicy<Space>(space, matrix.num_rows(), Kokkos::AUTO),
                         Copy{matrix.block_rows(), offsets.data(), columns.data(), values.data()});
  }
  space.fence();
  return Result("Lamina::BsrMatrix", matrix.num_rows(), matrix.num_rows(), blocks, values, offsets,
                columns, matrix.block_size());
}

}  // namespace Lamina

#endif
