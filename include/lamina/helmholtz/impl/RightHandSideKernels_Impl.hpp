// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/helmholtz/impl/RightHandSideKernels.hpp>

namespace Lamina::Impl {

template <class Scalar, class Layout, class Memory>
struct FillCells {
  SourceTables<Memory> tables;
  FieldView<Scalar, Layout, Memory> b;

  KOKKOS_FUNCTION void operator()(int column, int level) const {
    b(column, level) = static_cast<Scalar>(tables.integral(column, level));
  }
};

template <class Space, class Scalar, class Layout>
void RightHandSideKernels<Space, Scalar, Layout>::fill(const Space& space,
                                                       const SourceTables<Memory>& tables,
                                                       const FieldView<Scalar, Layout, Memory>& b) {
  // The contiguous index of the field is the fast one, in every space.
  constexpr auto order = levels_contiguous<Layout> ? Kokkos::Iterate::Right : Kokkos::Iterate::Left;
  using Cells = Kokkos::MDRangePolicy<Space, Kokkos::Rank<2, order, order>, Kokkos::IndexType<int>>;
  Kokkos::parallel_for(
      "Lamina::fill_rhs",
      Cells(space, {0, 0}, {static_cast<int>(tables.areas.extent(0)), tables.num_levels}),
      FillCells<Scalar, Layout, Memory>{tables, b});
}

}  // namespace Lamina::Impl
