// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/blocks/BlockSparseMatrix.hpp>
#include <lamina/blocks/impl/BlockKernels.hpp>
#include <lamina/blocks/impl/slices/BlockSlices.hpp>
#include <lamina/blocks/impl/values/BlockCopies.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace Lamina::Impl {

template <class Scalar, class OffDiagonal, class Memory>
template <class Space>
BlockSlices<Scalar, OffDiagonal, Memory>::BlockSlices(const Space& space, const SliceShape& shape,
                                                      const BlockRows<Scalar, OffDiagonal>& matrix,
                                                      const std::vector<std::int64_t>& row_offsets,
                                                      const std::vector<int>& first_rows,
                                                      const Scalar* inverses) {
  const SliceLayout layout(row_offsets, first_rows, shape);
  if (!layout.is_dense(shape, matrix.num_rows, matrix.num_blocks)) return;
  const auto allocate = [](const char* name) {
    return Kokkos::view_alloc(std::string("Lamina::PointImplicitSolver::slice_") + name,
                              Kokkos::WithoutInitializing);
  };
  const auto copy = [&](const auto& view, const auto& values) {
    using Value = typename std::decay_t<decltype(values)>::value_type;
    Kokkos::deep_copy(space, view, HostValues<const Value>(values.data(), values.size()));
  };
  const std::size_t num_slices = layout.offsets.size() - 1,
                    num_steps = static_cast<std::size_t>(layout.offsets.back()),
                    step_values = static_cast<std::size_t>(shape.block_values() * shape.places());
  m_first_slices = layout.first_slices;
  m_offsets = List<std::int64_t>(allocate("offsets"), layout.offsets.size());
  m_row_numbers = List<int>(allocate("rows"), layout.rows.size());
  m_columns = List<int>(allocate("columns"), num_steps * static_cast<std::size_t>(shape.rows()));
  m_values = List<OffDiagonal>(allocate("values"), num_steps * step_values);
  // Zeros where lanes have no row: kernels copy whole slices.
  m_inverses = List<Scalar>(
      Kokkos::view_alloc(space, std::string("Lamina::PointImplicitSolver::slice_inverses")),
      num_slices * step_values);
  m_rows = {shape,
            static_cast<int>(num_slices),
            m_offsets.data(),
            m_row_numbers.data(),
            m_columns.data(),
            m_values.data(),
            m_inverses.data(),
            matrix.row_scales};
  copy(m_offsets, layout.offsets);
  copy(m_row_numbers, layout.rows);
  fill(space, matrix, in_place(matrix), inverses);
  space.fence();  // before `layout` is destroyed
}

template <class Scalar, class OffDiagonal, class Memory>
template <class Space>
void BlockSlices<Scalar, OffDiagonal, Memory>::fill(const Space& space,
                                                    const BlockRows<Scalar, OffDiagonal>& matrix,
                                                    const BlockUpdate<Scalar, OffDiagonal>& update,
                                                    const Scalar* inverses) const {
  SliceKernels<Space, Scalar, OffDiagonal>::fill(space, matrix, update, inverses, m_rows);
}

}  // namespace Lamina::Impl
