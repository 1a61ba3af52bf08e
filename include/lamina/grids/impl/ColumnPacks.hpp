// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/Access.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <vector>

namespace Lamina::Impl {

/// Neighbours of packs of columns: columns c .. c + width - 1, c a multiple of width, that are
/// neighbours of each other in turn, and whose other neighbours are two packs, `north` and `south`,
/// and one column at either end, `west` of the first and `east` of the last. Structured grids are
/// made of such packs, whatever the order of their rows or tiles. An absent neighbour has coupling
/// 0; columns without any may stand in a pack. Empty where some columns do not fit.
template <class Scalar, class Memory>
struct ColumnPacks {
  enum { north = 0, south = 1, west = 2, east = 3 };
  Kokkos::View<const int* [4], Kokkos::LayoutLeft, Memory> neighbours;    // (pack, side)
  Kokkos::View<const Scalar* [4], Kokkos::LayoutLeft, Memory> couplings;  // (column, side)
  bool edges_once = false;                                                // see `each_edge_once`
  Kokkos::View<const int*, Memory> pairs;                                 // see `find_pack_pairs`

  KOKKOS_FORCEINLINE_FUNCTION ColumnPair pair(int item) const {
    const int first = pairs(item);
    return {first, neighbours(first / pack_width<Scalar>, south)};
  }
};

/// Each edge of the mesh once, for meshes whose packs do not have it so: of a column the neighbours
/// of greater number, two at most, as on structured grids that are numbered row by row. Rows follow
/// each other in slot 0, columns of a row in slot 1. An absent neighbour has coupling 0. Empty
/// where some column has more, or where packs do.
template <class Scalar, class Memory>
struct ColumnEdges {
  Kokkos::View<const int* [2], Kokkos::LayoutLeft, Memory> neighbours;    // (column, slot)
  Kokkos::View<const Scalar* [2], Kokkos::LayoutLeft, Memory> couplings;  // (column, slot)
};

/// A pack as it is found: the first columns of its neighbours, and the couplings of each column.
struct ColumnPack {
  static constexpr int max_width = 4;
  std::array<int, 4> neighbours;
  std::array<std::array<double, max_width>, 4> couplings;
};

/// The edges from one column.
struct LaterNeighbours {
  std::array<int, 2> neighbours;
  std::array<double, 2> couplings;
};

/// Neighbours and couplings of owned columns on the host, as `ColumnMesh` holds them.
struct HostNeighbours {
  Kokkos::View<const int**, Kokkos::LayoutLeft, Kokkos::HostSpace> columns;
  Kokkos::View<const double**, Kokkos::LayoutLeft, Kokkos::HostSpace> couplings;
};

/// The packs of `width` <= ColumnPack::max_width columns; none where some columns do not fit.
std::vector<ColumnPack> find_column_packs(const HostNeighbours& neighbours, int width);

/// True where each edge of the mesh is on the south or east side of one of its two columns, and on
/// the north or west side of the other: sums over edges then need two sides only.
bool each_edge_once(const std::vector<ColumnPack>& packs, int width);

/// All packs in pairs, the second one south of the first: the first column of the first pack of
/// each, in ascending order. None where packs do not have each edge once, or do not go into pairs:
/// where rows are odd in number, or some pack has no neighbours.
std::vector<int> find_pack_pairs(const std::vector<ColumnPack>& packs, int width);

/// The edges from each column; none where some column has more than two, or one that leads to a
/// halo column or has two couplings.
std::vector<LaterNeighbours> find_column_edges(const HostNeighbours& neighbours);

}  // namespace Lamina::Impl
