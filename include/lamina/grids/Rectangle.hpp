// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

namespace Lamina {

/// The extents of a two-dimensional grid, whose fields are Views (i, j), 0 <= i < nx, 0 <= j < ny.
struct Rectangle {
  int nx = 0, ny = 0;

  /// n x n
  static Rectangle square(int n) { return {n, n}; }

  bool is_square() const { return nx == ny; }
  /// nx ny; exact below 2^53
  double cells() const { return static_cast<double>(nx) * ny; }
  friend bool operator==(const Rectangle&, const Rectangle&) = default;
};

namespace Impl {

/// Throws `InvalidArgument` unless there is a cell.
void require_cells(const char* function, const Rectangle& rectangle);

/// Throws `InvalidArgument` unless an argument has the cells that are expected.
void require_same_cells(const char* function, const char* argument, const Rectangle& expected,
                        const Rectangle& got);

}  // namespace Impl
}  // namespace Lamina
