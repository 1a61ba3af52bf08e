// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Coarser and coarser grids of a rectangle of cells, and the operator of `PeriodicHelmholtz` on each of them.

#include <lamina/device/impl/Access.hpp>
#include <lamina/grids/Rectangle.hpp>
#include <lamina/grids/impl/GridField.hpp>
#include <lamina/shallow_water/impl/PeriodicHelmholtzKernels.hpp>

#include <cstdint>

namespace Lamina::Impl {

/// The row of a cell, or of several: mass x + west (x - W x) + east (x - E x) + ...
template <class Value>
struct PeriodicRow {
  Value mass, west, east, south, north;

  KOKKOS_FORCEINLINE_FUNCTION Value diagonal() const {
    return mass + ((west + east) + (south + north));
  }
  KOKKOS_FORCEINLINE_FUNCTION Value image(const GridCross<Value>& x) const {
    return mass * x.centre + ((west * (x.centre - x.west) + east * (x.centre - x.east)) +
                              (south * (x.centre - x.south) + north * (x.centre - x.north)));
  }
};

/// A level as kernels capture it. The couplings of the finest one follow from weights, those of coarser ones
/// are stored.
template <class Scalar>
struct PeriodicLevel {
  Rectangle rectangle;  ///< of all ranks; lines have their numbers in it
  bool walls = false;   ///< in the south and in the north
  bool wraps = true;    ///< this process has all lines: ghost lines repeat those of the other side
  // The finest level
  Scalar c_x = 0, c_y = 0;         ///< 0 across a single cell, which is its own neighbour
  GridField<const Scalar> weight;  ///< without values where weights are 1
  // Coarser levels
  GridField<const Scalar> west,
      south;  ///< couplings to the cells before, 0 at walls; also of cells nx, and ny
  GridField<const Scalar> mass;  ///< areas of cells

  bool is_stored() const { return mass.values != nullptr; }
  bool is_weighted() const { return weight.values != nullptr; }
  /// That couplings come from.
  int num_fields() const { return is_stored() ? 3 : is_weighted() ? 1 : 0; }
};

/// Couplings of the finest level.
template <class Scalar, bool Weighted>
struct WeightedRows {
  PeriodicLevel<Scalar> level;

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value mass(std::int64_t, std::int64_t) const {
    return Scalar(1) - Value{};
  }
  /// At the edge before cell (i, j).
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value west(std::int64_t i, std::int64_t j) const {
    return level.c_x * mean<Value>(i - 1, j, i, j);
  }
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value south(std::int64_t i, std::int64_t j) const {
    const bool at_wall = level.walls && (j == 0 || j == level.rectangle.ny);
    return (at_wall ? Scalar(0) : level.c_y) * mean<Value>(i, j - 1, i, j);
  }

 private:
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value mean(std::int64_t before_i, std::int64_t before_j,
                                         std::int64_t i, std::int64_t j) const {
    if constexpr (Weighted) {
      return Scalar(0.5) * (load<Value>(level.weight.line(before_j) + before_i) +
                            load<Value>(level.weight.line(j) + i));
    } else {
      return Scalar(1) - Value{};
    }
  }
};

/// Couplings of a coarser level.
template <class Scalar>
struct StoredRows {
  PeriodicLevel<Scalar> level;

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value mass(std::int64_t i, std::int64_t j) const {
    return load<Value>(level.mass.line(j) + i);
  }
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value west(std::int64_t i, std::int64_t j) const {
    return load<Value>(level.west.line(j) + i);
  }
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION Value south(std::int64_t i, std::int64_t j) const {
    return load<Value>(level.south.line(j) + i);
  }
};

template <class Value, class Rows>
KOKKOS_FORCEINLINE_FUNCTION PeriodicRow<Value> row_of(const Rows& rows, std::int64_t i,
                                                      std::int64_t j) {
  return {rows.template mass<Value>(i, j), rows.template west<Value>(i, j),
          rows.template west<Value>(i + 1, j), rows.template south<Value>(i, j),
          rows.template south<Value>(i, j + 1)};
}

template <class Value, class Scalar>
KOKKOS_FORCEINLINE_FUNCTION GridCross<Value> cross_of(const GridField<const Scalar>& x,
                                                      std::int64_t i, std::int64_t j) {
  const Scalar* const centre = x.line(j) + i;
  return {load<Value>(centre), load<Value>(centre - 1), load<Value>(centre + 1),
          load<Value>(x.line(j - 1) + i), load<Value>(x.line(j + 1) + i)};
}

}  // namespace Lamina::Impl
