// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/problems/impl/RightHandSideKernels.hpp>

#include <cstdint>

namespace Lamina::Impl {

template <class Scalar, class Layout, class Memory>
struct FillCells {
  SourceTables<Memory> tables;
  FieldView<Scalar, Layout, Memory> b;

  /// Cell n in the order of the field.
  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    const std::int64_t fast = levels_contiguous<Layout> ? tables.num_levels : tables.num_columns();
    const auto quotient = static_cast<int>(n / fast), rest = static_cast<int>(n % fast);
    const int column = levels_contiguous<Layout> ? quotient : rest,
              level = levels_contiguous<Layout> ? rest : quotient;
    b(column, level) = static_cast<Scalar>(tables.integral(column, level));
  }
};

template <class Space, class Scalar, class Layout>
void RightHandSideKernels<Space, Scalar, Layout>::fill(const Space& space,
                                                       const SourceTables<Memory>& tables,
                                                       const FieldView<Scalar, Layout, Memory>& b) {
  Kokkos::parallel_for("Lamina::fill_rhs",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(
                           space, 0, tables.num_columns() * tables.num_levels),
                       FillCells<Scalar, Layout, Memory>{tables, b});
}

}  // namespace Lamina::Impl
