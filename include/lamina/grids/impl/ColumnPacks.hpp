// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/Access.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace Lamina::Impl {

/// The neighbours of packs of columns. A pack has the columns c .. c + width - 1, with c a multiple
/// of width. Each column of a pack is a neighbour of the next one. Their other neighbours are two
/// packs, `north` and `south`, and a column at either end: `west` of the first, `east` of the last.
/// Structured grids consist of such packs, whatever the order of their rows or tiles. An absent
/// neighbour has coupling 0. Columns without neighbours may be in a pack. The tables are empty
/// where some columns do not fit.
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

/// Each edge of the mesh once, for meshes whose packs do not list edges once. There are 2 slots, or 4
/// where some column lists more than 2 edges, see `find_column_edges`. An absent neighbour has
/// coupling 0. The tables are empty where edges do not fit, or where packs list edges once.
template <class Scalar, class Memory>
struct ColumnEdges {
  Kokkos::View<const int**, Kokkos::LayoutLeft, Memory> neighbours;    // (column, slot)
  Kokkos::View<const Scalar**, Kokkos::LayoutLeft, Memory> couplings;  // (column, slot)
};

/// A pack on the host: the first columns of its neighbours, and the couplings of each column.
struct ColumnPack {
  static constexpr int max_width = 4;
  std::array<int, 4> neighbours;
  std::array<std::array<double, max_width>, 4> couplings;
};

/// The edges that a column lists.
struct ListedEdges {
  static constexpr std::size_t most = 4;
  struct Edge {
    int neighbour;
    double coupling;
  };
  std::vector<Edge> edges;
};

/// Neighbours and couplings of owned columns on the host, in the form of `ColumnMesh`.
struct HostNeighbours {
  Kokkos::View<const int**, Kokkos::LayoutLeft, Kokkos::HostSpace> columns;
  Kokkos::View<const double**, Kokkos::LayoutLeft, Kokkos::HostSpace> couplings;
  /// Whether the column is the first one of the edge. Read for halo columns only.
  Kokkos::View<const bool**, Kokkos::LayoutLeft, Kokkos::HostSpace> is_first{};
};

/// The packs of `width` <= ColumnPack::max_width columns. Empty where some columns do not fit. Halo
/// columns are south or east where the column is the first of the edge, north or west elsewhere: of
/// two ranks one alone has the edge in the south or east.
std::vector<ColumnPack> find_column_packs(const HostNeighbours& neighbours, int width);

/// Whether each edge of the mesh is on the south or east side of one of its two columns, and on the
/// north or west side of the other. Then sums over edges need two sides only. Edges to halo columns
/// are so by construction.
bool each_edge_once(const std::vector<ColumnPack>& packs, int width);

/// All packs in pairs, with the second pack south of the first. Returns the first column of each
/// pair, in ascending order. Empty where packs do not list edges once, or do not form pairs: where
/// the number of rows is odd, or some pack has no neighbours.
std::vector<int> find_pack_pairs(const std::vector<ColumnPack>& packs, int width);

/// Each edge of the mesh in the list of one of its columns. That is the column of smaller number, as
/// long as it has no more than `ListedEdges::most`. Others take over what is too much. Lists
/// are in ascending order. Columns of a structured grid that is numbered row by row list two at
/// most, hexagons three in the mean. An edge to a halo column is listed where the owned column is
/// the first of the edge. Empty where the lists cannot hold all edges, and for an edge with two
/// couplings.
std::vector<ListedEdges> find_column_edges(const HostNeighbours& neighbours);

}  // namespace Lamina::Impl
