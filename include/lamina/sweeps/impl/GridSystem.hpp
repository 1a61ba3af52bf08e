// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Operators on a rectangle of cells, which sweeps apply with the same sources and sinks as operators on
// columns: a line of cells takes the part of a level, a cell of it that of a column. What they are made
// of is a class that is copied into kernels:
//
//   static constexpr bool has_ghosts;   // beyond lines and their ends are ghost cells; else zeros
//   static constexpr bool is_weighted;  // the image also takes weights
//   static constexpr bool flushes_subnormals;  // CPU cores take numbers below the normal range for zero
//   Value image(const GridCross<Value>& x) const;
//   Value image(const GridCross<Value>& x, const GridCross<Value>& weights) const;   // if weighted
//   GridField<const Scalar> weight;     // if weighted; with ghosts where the operator has them

#include <lamina/grids/impl/GridField.hpp>

#include <climits>

namespace Lamina::Impl {

/// Values of a cell, or of several in a line, and of those around: east is the next in the line, north
/// is in the next line.
template <class Value>
struct GridCross {
  Value centre, west, east, south, north;
};

/// Lines of cells. What lies beside the first and the last of them may stand anywhere in a field: copies
/// of what other ranks own come behind all owned lines, or cells of a line. Beside some lines of many
/// are other lines, at -1 and at the end. Operators with ghosts have these there.
struct GridTopology {
  static constexpr int none = INT_MIN;
  int num_owned = 0;               ///< cells of a line
  int num_levels = 0;              ///< lines
  int south = none, north = none;  ///< the line before the first one, and that behind the last one
  int west = none, east = none;    ///< the same of the cells of a line

  /// Some of the lines, in fields that begin with the first of them.
  GridTopology lines(int first, int count) const {
    GridTopology part = *this;
    part.num_levels = count;
    if (first > 0) part.south = -1;
    if (first + count < num_levels) {
      part.north = count;
    } else if (north != none) {
      part.north = north - first;
    }
    return part;
  }
};

template <class Coefficients>
struct GridSystem {
  using coefficients_type = Coefficients;
  using scalar_type = typename Coefficients::scalar_type;
  using memory_space = typename Coefficients::memory_space;

  GridTopology topology;
  Coefficients coefficients;
};

}  // namespace Lamina::Impl
