// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/shallow_water/impl/StateKernels.hpp>

#include <cstdint>

namespace Lamina::Impl {

/// Every thread takes a place along the border; ghosts are written only, cells read only.
template <class Scalar, int Count>
struct ExchangeGhosts {
  int size;
  GridField<Scalar> fields[extent_of<Count>];

  KOKKOS_FUNCTION void operator()(int place) const {
    const int i = place - 1, n = size;  // -1, ..., n
    const int wrapped = i < 0 ? n - 1 : i < n ? i : 0;
    for (int f = 0; f < Count; ++f) {
      const GridField<Scalar>& field = fields[f];
      field(i, -1) = field(wrapped, n - 1);
      field(i, n) = field(wrapped, 0);
      if (i >= 0 && i < n) {
        field(-1, i) = field(n - 1, i);
        field(n, i) = field(0, i);
      }
    }
  }
};

/// Lines of cells on CPU cores, cells on a device.
struct CellLines {};
struct SingleCells {};

/// Runs kernel(CellLines, j) or kernel(SingleCells, cell) over lines of `width` cells.
template <class Space, class Kernel>
void for_each_cell(const char* label, const Space& space, std::int64_t width, std::int64_t lines,
                   const Kernel& kernel) {
  using Index = Kokkos::IndexType<std::int64_t>;
  if constexpr (runs_on_host<Space>) {
    Kokkos::parallel_for(label, Kokkos::RangePolicy<Space, Index, CellLines>(space, 0, lines),
                         kernel);
  } else {
    Kokkos::parallel_for(
        label, Kokkos::RangePolicy<Space, Index, SingleCells>(space, 0, width * lines), kernel);
  }
}

/// With ghosts.
template <class Scalar>
struct CopyState {
  int size;
  StateFields<const Scalar> from;
  StateFields<Scalar> to;

  KOKKOS_FUNCTION void copy(std::int64_t i, std::int64_t j) const {
    to.height(i, j) = from.height(i, j);
    to.u(i, j) = from.u(i, j);
    to.v(i, j) = from.v(i, j);
  }
  KOKKOS_FUNCTION void operator()(CellLines, std::int64_t line) const {
    for (int i = -1; i <= size; ++i) copy(i, line - 1);
  }
  KOKKOS_FUNCTION void operator()(SingleCells, std::int64_t cell) const {
    const std::int64_t width = size + 2;
    copy(cell % width - 1, cell / width - 1);
  }
};

template <class Scalar>
struct CopyCells {
  int size;
  StridedCells<const Scalar> from;
  StridedCells<Scalar> to;

  KOKKOS_FUNCTION void operator()(CellLines, std::int64_t j) const {
    for (int i = 0; i < size; ++i) to(i, j) = from(i, j);
  }
  KOKKOS_FUNCTION void operator()(SingleCells, std::int64_t cell) const {
    const std::int64_t i = cell % size, j = cell / size;
    to(i, j) = from(i, j);
  }
};

template <class Scalar>
struct FindFirstFault {
  JudgeCells<Scalar> cells;

  KOKKOS_FUNCTION void operator()(CellLines, std::int64_t j, std::int64_t& first) const {
    bool sound = true;
    for (int i = 0; i < cells.size; ++i) sound &= cells.is_sound(i, j);
    if (sound) return;
    for (int i = 0; i < cells.size; ++i) take(i, j, first);
  }
  KOKKOS_FUNCTION void operator()(SingleCells, std::int64_t cell, std::int64_t& first) const {
    take(cell % cells.size, cell / cells.size, first);
  }
  KOKKOS_FORCEINLINE_FUNCTION void take(std::int64_t i, std::int64_t j, std::int64_t& first) const {
    const std::int64_t code = cells.code(i, j);
    if (code < first) first = code;
  }
};

template <class Space, class Scalar>
FirstFault StateKernels<Space, Scalar>::first_fault(const Space& space, int size,
                                                    const StateFields<const Scalar>& state) {
  using Index = Kokkos::IndexType<std::int64_t>;
  const char* label = "Lamina::ShallowWaterState::first_fault";
  const FindFirstFault<Scalar> kernel{{size, state}};
  FirstFault first;
  const Kokkos::Min<std::int64_t> result(first.code);
  // Kokkos fences until the number is there.
  if constexpr (runs_on_host<Space>) {
    Kokkos::parallel_reduce(label, Kokkos::RangePolicy<Space, Index, CellLines>(space, 0, size),
                            kernel, result);
  } else {
    Kokkos::parallel_reduce(
        label, Kokkos::RangePolicy<Space, Index, SingleCells>(space, 0, std::int64_t{size} * size),
        kernel, result);
  }
  return first;
}

template <class Space, class Scalar>
void StateKernels<Space, Scalar>::exchange(const Space& space, int size, const Field& field) {
  Kokkos::parallel_for("Lamina::ShallowWaterState::exchange", range_of(space, size + 2),
                       ExchangeGhosts<Scalar, 1>{size, {field}});
}

template <class Space, class Scalar>
void StateKernels<Space, Scalar>::exchange(const Space& space, int size,
                                           const StateFields<Scalar>& fields) {
  Kokkos::parallel_for("Lamina::ShallowWaterState::exchange", range_of(space, size + 2),
                       ExchangeGhosts<Scalar, 3>{size, {fields.height, fields.u, fields.v}});
}

template <class Space, class Scalar>
void StateKernels<Space, Scalar>::copy(const Space& space, int size,
                                       const StateFields<const Scalar>& from,
                                       const StateFields<Scalar>& to) {
  for_each_cell("Lamina::ShallowWaterState::copy_from", space, size + 2, size + 2,
                CopyState<Scalar>{size, from, to});
}

template <class Space, class Scalar>
void StateKernels<Space, Scalar>::copy_cells(const Space& space, int size,
                                             const StridedCells<const Scalar>& from,
                                             const StridedCells<Scalar>& to) {
  for_each_cell("Lamina::ShallowWaterState::copy_cells", space, size, size,
                CopyCells<Scalar>{size, from, to});
}

}  // namespace Lamina::Impl
