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
#include <type_traits>

namespace Lamina::Impl {

/// Lines of cells on CPU cores, cells on a device.
struct CellLines {};
struct SingleCells {};

/// Kernel has `void cell(i, j) const`, or `template <class Value> void cell(i, j) const` for one cell or
/// for several in a line.
template <class Scalar, class Kernel>
struct CellSweep {
  CellRange range;
  Kernel kernel;

  void operator()(CellLines, std::int64_t line) const {
    const std::int64_t j = range.j_begin + line;
    std::int64_t i = range.i_begin;
    if constexpr (in_lanes) {
      for (; i + lane_count<Scalar> <= range.i_end; i += lane_count<Scalar>) {
        kernel.template cell<Lanes<Scalar>>(i, j);
      }
    }
    for (; i < range.i_end; ++i) take(i, j);
  }
  KOKKOS_FUNCTION void operator()(SingleCells, std::int64_t n) const {
    const std::int64_t width = range.width();
    take(range.i_begin + n % width, range.j_begin + n / width);
  }

 private:
  static constexpr bool in_lanes = requires(const Kernel& kernel) {
    kernel.template cell<Scalar>(0, 0);
  };
  KOKKOS_FORCEINLINE_FUNCTION void take(std::int64_t i, std::int64_t j) const {
    if constexpr (in_lanes) {
      kernel.template cell<Scalar>(i, j);
    } else {
      kernel.cell(i, j);
    }
  }
};

template <class Scalar, class Space, class Kernel>
void run_cells(const char* label, const Space& space, const CellRange& range,
               const Kernel& kernel) {
  using Index = Kokkos::IndexType<std::int64_t>;
  constexpr bool on_host = runs_on_host<Space>;
  using Tag = std::conditional_t<on_host, CellLines, SingleCells>;
  Kokkos::parallel_for(
      label,
      Kokkos::RangePolicy<Space, Index, Tag>(space, 0, on_host ? range.lines() : range.count()),
      CellSweep<Scalar, Kernel>{range, kernel});
}

/// to = from
template <class Scalar>
struct CopyCells {
  StridedCells<const Scalar> from;
  StridedCells<Scalar> to;
  KOKKOS_FORCEINLINE_FUNCTION void cell(std::int64_t i, std::int64_t j) const {
    to(i, j) = from(i, j);
  }
};

}  // namespace Lamina::Impl
