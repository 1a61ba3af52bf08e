// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>

#include <cstdint>

namespace Lamina::Impl {

/// y += a x over the owned columns, in the precision of y. Both may be padded.
template <class From, class Scalar, class Layout, class Memory>
struct AddScaled {
  Scalar a;
  FieldView<const From, Layout, Memory> x;
  FieldView<Scalar, Layout, Memory> y;
  std::int64_t row_length;

  KOKKOS_FUNCTION void cell(std::int64_t row, std::int64_t i) const {
    if constexpr (levels_contiguous<Layout>) {
      y(row, i) += a * static_cast<Scalar>(x(row, i));
    } else {
      y(i, row) += a * static_cast<Scalar>(x(i, row));
    }
  }
  struct Row {};
  KOKKOS_FUNCTION void operator()(Row, std::int64_t row) const {
    for (std::int64_t i = 0; i < row_length; ++i) cell(row, i);
  }
  struct Cell {};
  KOKKOS_FUNCTION void operator()(Cell, std::int64_t index) const {
    cell(index / row_length, index % row_length);
  }
};

// traffic: reads 2n, writes n; flops: 2n
template <class Space, class From, class Scalar, class Layout, class Memory>
void add_scaled(const Space& space, const char* label, Scalar a,
                const FieldView<const From, Layout, Memory>& x,
                const FieldView<Scalar, Layout, Memory>& y, int num_owned) {
  using Index = Kokkos::IndexType<std::int64_t>;
  using Kernel = AddScaled<From, Scalar, Layout, Memory>;
  const auto num_levels = static_cast<std::int64_t>(y.extent(1));
  const std::int64_t rows = levels_contiguous<Layout> ? num_owned : num_levels;
  const std::int64_t row_length = levels_contiguous<Layout> ? num_levels : num_owned;
  const Kernel kernel{a, x, y, row_length};
  if constexpr (runs_on_host<Space>) {
    using Rows = Kokkos::RangePolicy<Space, Index, typename Kernel::Row>;
    Kokkos::parallel_for(label, Rows(space, 0, rows), kernel);
  } else {
    using Cells = Kokkos::RangePolicy<Space, Index, typename Kernel::Cell>;
    Kokkos::parallel_for(label, Cells(space, 0, rows * row_length), kernel);
  }
}

}  // namespace Lamina::Impl
