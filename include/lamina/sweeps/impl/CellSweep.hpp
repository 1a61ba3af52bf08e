// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Kernels that treat each cell by itself: lanes along lines on CPU cores, a thread to a cell on a
// device.

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/Lanes_Host.hpp>
#include <lamina/grids/impl/GridField.hpp>

#include <cstdint>

namespace Lamina::Impl {

/// Kernel has `template <class Value> void cell(i, j) const` for one cell or for several in a line.
template <class Scalar, class Kernel>
struct CellSweep {
  CellRange range;
  Kernel kernel;

  struct Line {};
  void operator()(Line, std::int64_t line) const {
    const std::int64_t j = range.j_begin + line;
    std::int64_t i = range.i_begin;
    for (; i + lane_count<Scalar> <= range.i_end; i += lane_count<Scalar>) {
      kernel.template cell<Lanes<Scalar>>(i, j);
    }
    for (; i < range.i_end; ++i) kernel.template cell<Scalar>(i, j);
  }
  struct Cell {};
  KOKKOS_FUNCTION void operator()(Cell, std::int64_t n) const {
    const std::int64_t width = range.width();
    kernel.template cell<Scalar>(range.i_begin + n % width, range.j_begin + n / width);
  }
};

template <class Scalar, class Space, class Kernel>
void run_cells(const char* label, const Space& space, const CellRange& range,
               const Kernel& kernel) {
  using Sweep = CellSweep<Scalar, Kernel>;
  using Index = Kokkos::IndexType<std::int64_t>;
  if constexpr (runs_on_host<Space>) {
    Kokkos::parallel_for(
        label, Kokkos::RangePolicy<Space, Index, typename Sweep::Line>(space, 0, range.lines()),
        Sweep{range, kernel});
  } else {
    Kokkos::parallel_for(
        label, Kokkos::RangePolicy<Space, Index, typename Sweep::Cell>(space, 0, range.count()),
        Sweep{range, kernel});
  }
}

}  // namespace Lamina::Impl
