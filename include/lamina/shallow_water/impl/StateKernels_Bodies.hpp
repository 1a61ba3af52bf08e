// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/shallow_water/impl/StateKernels.hpp>
#include <lamina/sweeps/impl/CellSweep.hpp>

#include <algorithm>
#include <cstdint>

namespace Lamina::Impl {

/// Every thread takes a place along two sides; ghosts are written only, cells read only.
template <class Scalar, int Count>
struct ExchangeGhosts {
  Rectangle rectangle;
  GridField<Scalar> fields[extent_of<Count>];

  KOKKOS_FUNCTION void operator()(int place) const {
    const int at = place - 1, nx = rectangle.nx, ny = rectangle.ny;
    for (int f = 0; f < Count; ++f) {
      const GridField<Scalar>& field = fields[f];
      if (at <= nx) {  // -1, ..., nx: with the corners
        const int wrapped = at < 0 ? nx - 1 : at < nx ? at : 0;
        field(at, -1) = field(wrapped, ny - 1);
        field(at, ny) = field(wrapped, 0);
      }
      if (at >= 0 && at < ny) {
        field(-1, at) = field(nx - 1, at);
        field(nx, at) = field(0, at);
      }
    }
  }
};

/// The ends of a line, ghost lines too.
template <class Scalar, int Count>
struct ExchangeAlong {
  int nx;
  GridField<Scalar> fields[extent_of<Count>];

  KOKKOS_FUNCTION void operator()(int place) const {
    const int line = place - 1;
    for (const GridField<Scalar>& field : fields) {
      field(-1, line) = field(nx - 1, line);
      field(nx, line) = field(0, line);
    }
  }
};

/// Beyond walls a field goes on as in a mirror.
template <class Scalar>
struct MirrorField {
  int ny;
  bool south, north;
  GridField<Scalar> field;

  KOKKOS_FUNCTION void operator()(int i) const {
    if (south) field(i, -1) = field(i, 0);
    if (north) field(i, ny) = field(i, ny - 1);
  }
};

/// So do height and u. v is odd, and 0 on the walls, which are its lines 0 and ny.
template <class Scalar>
struct MirrorState {
  int ny;
  bool south, north;
  StateFields<Scalar> state;

  KOKKOS_FUNCTION void operator()(int i) const {
    const GridField<Scalar>&height = state.height, &u = state.u, &v = state.v;
    if (north) {
      height(i, ny) = height(i, ny - 1);
      u(i, ny) = u(i, ny - 1);
      v(i, ny) = 0;
    }
    if (south) {
      height(i, -1) = height(i, 0);
      u(i, -1) = u(i, 0);
      v(i, -1) = -v(i, 1);
      v(i, 0) = 0;
    }
  }
};

template <class Scalar>
struct ExtendNorth {
  int ny;
  bool is_one_line;
  GridField<Scalar> field;

  KOKKOS_FUNCTION void operator()(int place) const {
    const int i = place - 1;
    const Scalar last = field(i, ny - 1);
    field(i, ny) = is_one_line ? last : last + (last - field(i, ny - 2));
  }
};

inline int places_along(const Rectangle& rectangle) {
  return std::max(rectangle.nx, rectangle.ny) + 2;
}

/// With ghosts.
template <class Scalar>
struct CopyState {
  StateFields<const Scalar> from;
  StateFields<Scalar> to;

  KOKKOS_FORCEINLINE_FUNCTION void cell(std::int64_t i, std::int64_t j) const {
    to.height(i, j) = from.height(i, j);
    to.u(i, j) = from.u(i, j);
    to.v(i, j) = from.v(i, j);
  }
};

/// Judges single cells.
template <class Scalar>
struct JudgeCells {
  int width;  ///< nx
  StateFields<const Scalar> state;

  /// Without branches, so that lines without a fault go by in vectors. Differences of infinities,
  /// and what is NaN, do not equal 0.
  KOKKOS_FORCEINLINE_FUNCTION static bool is_finite(Scalar phi, Scalar x, Scalar y) {
    return (phi - phi) + (x - x) + (y - y) == Scalar(0);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool is_sound(std::int64_t i, std::int64_t j) const {
    const Scalar phi = state.height(i, j);
    const bool finite = is_finite(phi, state.u(i, j), state.v(i, j)), positive = phi > Scalar(0);
    return finite & positive;
  }
  KOKKOS_FORCEINLINE_FUNCTION std::int64_t code(std::int64_t i, std::int64_t j) const {
    if (is_sound(i, j)) return FirstFault::none;
    return 2 * (i + j * width) +
           (is_finite(state.height(i, j), state.u(i, j), state.v(i, j)) ? 1 : 0);
  }
};

template <class Scalar>
struct FindFirstFault {
  JudgeCells<Scalar> cells;

  KOKKOS_FUNCTION void operator()(CellLines, std::int64_t j, std::int64_t& first) const {
    bool sound = true;
    for (int i = 0; i < cells.width; ++i) sound &= cells.is_sound(i, j);
    if (sound) return;
    for (int i = 0; i < cells.width; ++i) take(i, j, first);
  }
  KOKKOS_FUNCTION void operator()(SingleCells, std::int64_t cell, std::int64_t& first) const {
    take(cell % cells.width, cell / cells.width, first);
  }
  KOKKOS_FORCEINLINE_FUNCTION void take(std::int64_t i, std::int64_t j, std::int64_t& first) const {
    const std::int64_t code = cells.code(i, j);
    if (code < first) first = code;
  }
};

template <class Space, class Scalar>
FirstFault StateKernels<Space, Scalar>::first_fault(const Space& space, const Rectangle& rectangle,
                                                    const StateFields<const Scalar>& state) {
  using Index = Kokkos::IndexType<std::int64_t>;
  const char* label = "Lamina::ShallowWaterState::first_fault";
  const FindFirstFault<Scalar> kernel{{rectangle.nx, state}};
  FirstFault first;
  const Kokkos::Min<std::int64_t> result(first.code);
  // Kokkos fences until the number is there.
  if constexpr (runs_on_host<Space>) {
    Kokkos::parallel_reduce(label,
                            Kokkos::RangePolicy<Space, Index, CellLines>(space, 0, rectangle.ny),
                            kernel, result);
  } else {
    Kokkos::parallel_reduce(label,
                            Kokkos::RangePolicy<Space, Index, SingleCells>(
                                space, 0, std::int64_t{rectangle.nx} * rectangle.ny),
                            kernel, result);
  }
  return first;
}

template <class Space, class Scalar>
void StateKernels<Space, Scalar>::exchange(const Space& space, const Rectangle& rectangle,
                                           const Field& field) {
  Kokkos::parallel_for("Lamina::ShallowWaterState::exchange",
                       range_of(space, places_along(rectangle)),
                       ExchangeGhosts<Scalar, 1>{rectangle, {field}});
}

template <class Space, class Scalar>
void StateKernels<Space, Scalar>::exchange(const Space& space, const Rectangle& rectangle,
                                           const StateFields<Scalar>& fields) {
  Kokkos::parallel_for("Lamina::ShallowWaterState::exchange",
                       range_of(space, places_along(rectangle)),
                       ExchangeGhosts<Scalar, 3>{rectangle, {fields.height, fields.u, fields.v}});
}

template <class Space, class Scalar>
void StateKernels<Space, Scalar>::exchange_along(const Space& space, const Rectangle& rectangle,
                                                 const Field& field) {
  Kokkos::parallel_for("Lamina::ShallowWaterState::exchange", range_of(space, rectangle.ny + 2),
                       ExchangeAlong<Scalar, 1>{rectangle.nx, {field}});
}

template <class Space, class Scalar>
void StateKernels<Space, Scalar>::exchange_along(const Space& space, const Rectangle& rectangle,
                                                 const StateFields<Scalar>& fields) {
  Kokkos::parallel_for("Lamina::ShallowWaterState::exchange", range_of(space, rectangle.ny + 2),
                       ExchangeAlong<Scalar, 3>{rectangle.nx, {fields.height, fields.u, fields.v}});
}

template <class Space, class Scalar>
void StateKernels<Space, Scalar>::mirror(const Space& space, const Rectangle& rectangle, bool south,
                                         bool north, const Field& field) {
  Kokkos::parallel_for("Lamina::ShallowWaterState::mirror", range_of(space, rectangle.nx),
                       MirrorField<Scalar>{rectangle.ny, south, north, field});
}

template <class Space, class Scalar>
void StateKernels<Space, Scalar>::mirror(const Space& space, const Rectangle& rectangle, bool south,
                                         bool north, const StateFields<Scalar>& fields) {
  Kokkos::parallel_for("Lamina::ShallowWaterState::mirror", range_of(space, rectangle.nx),
                       MirrorState<Scalar>{rectangle.ny, south, north, fields});
}

template <class Space, class Scalar>
void StateKernels<Space, Scalar>::extend_north(const Space& space, const Rectangle& rectangle,
                                               bool is_one_line, const Field& field) {
  Kokkos::parallel_for("Lamina::WaterBasin::extend_north", range_of(space, rectangle.nx + 2),
                       ExtendNorth<Scalar>{rectangle.ny, is_one_line, field});
}

template <class Space, class Scalar>
void StateKernels<Space, Scalar>::copy(const Space& space, const Rectangle& rectangle,
                                       const StateFields<const Scalar>& from,
                                       const StateFields<Scalar>& to) {
  run_cells<Scalar>("Lamina::ShallowWaterState::copy_from", space,
                    {-1, rectangle.nx + 1, -1, rectangle.ny + 1}, CopyState<Scalar>{from, to});
}

template <class Space, class Scalar>
void StateKernels<Space, Scalar>::copy_cells(const Space& space, const Rectangle& rectangle,
                                             const StridedCells<const Scalar>& from,
                                             const StridedCells<Scalar>& to) {
  run_cells<Scalar>("Lamina::ShallowWaterState::copy_cells", space, CellRange::all(rectangle),
                    CopyCells<Scalar>{from, to});
}

}  // namespace Lamina::Impl
