// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <vector>

namespace Lamina::Impl {

/// Neighbours of packs of columns: columns c .. c + width - 1, c a multiple of width, that are
/// neighbours of each other in turn, and whose other neighbours are two packs, `north` and `south`,
/// and one column at either end, `west` of the first and `east` of the last. Structured grids are
/// made of such packs, whatever the order of their rows or tiles. An absent neighbour has coupling
/// 0. Empty where some columns do not fit.
template <class Scalar, class Memory>
struct ColumnPacks {
  enum { north = 0, south = 1, west = 2, east = 3 };
  Kokkos::View<const int* [4], Kokkos::LayoutLeft, Memory> neighbours;    // (pack, side)
  Kokkos::View<const Scalar* [4], Kokkos::LayoutLeft, Memory> couplings;  // (column, side)
};

/// A pack as it is found: the first columns of its neighbours, and the couplings of each column.
struct ColumnPack {
  int neighbours[4];
  std::vector<double> couplings[4];
};

/// Neighbours and couplings of owned columns on the host, as `ColumnMesh` holds them.
struct HostNeighbours {
  Kokkos::View<const int**, Kokkos::LayoutLeft, Kokkos::HostSpace> columns;
  Kokkos::View<const double**, Kokkos::LayoutLeft, Kokkos::HostSpace> couplings;
};

/// The packs of `width` columns; none where some columns do not fit.
std::vector<ColumnPack> find_column_packs(const HostNeighbours& neighbours, int width);

}  // namespace Lamina::Impl
