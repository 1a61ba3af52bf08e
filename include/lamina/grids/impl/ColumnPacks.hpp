// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/Access.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <vector>

namespace Lamina::Impl {

/// A mesh as packs of columns, and single columns where these do not fit. A pack has the columns
/// c .. c + width - 1, with c a multiple of width. Each column of a pack is a neighbour of the next
/// one. Their other neighbours are two packs of any columns, `north` and `south`, and a column at
/// either end: `west` of the first, `east` of the last. An absent neighbour has coupling 0. Columns
/// without neighbours may be in a pack. Structured grids consist of packs, whatever the order of their
/// rows or tiles.
///
/// The tables are empty where less than half of the columns are in packs.
template <class Scalar, class Memory>
struct ColumnPacks {
  enum { north = 0, south = 1, west = 2, east = 3 };
  Kokkos::View<const int* [4], Kokkos::LayoutLeft, Memory> neighbours;    // (pack, side)
  Kokkos::View<const Scalar* [4], Kokkos::LayoutLeft, Memory> couplings;  // (column, side)
  // Where some columns are in no pack; else both lists are empty.
  Kokkos::View<const int*, Memory> packs;  // their numbers: first columns over width
  Kokkos::View<const int*, Memory> rest;   // columns in no pack
  // Pairs of packs, see `find_pack_pairs`, and columns in no pair
  Kokkos::View<const int*, Memory> pairs, rest_of_pairs;

  bool empty() const { return neighbours.extent(0) == 0; }
  /// Whether no more than an eighth of the columns are in no pack.
  bool nearly_all_of(int num_columns) const {
    return !empty() && 8 * rest.extent(0) <= static_cast<std::size_t>(num_columns);
  }
  KOKKOS_FORCEINLINE_FUNCTION ColumnPair pair(int item) const {
    const int first = pairs(item);
    return {first, neighbours(first / pack_width<Scalar>, south)};
  }
};

/// Each edge of the mesh in the list of one of its columns, so that sums over edges may be taken over
/// packs and single columns alike. Columns of packs list the edges on their south and east sides. For
/// others see `find_column_edges`. There are 2 slots or more. An absent neighbour has coupling 0.
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
  bool fits = true;  ///< false: its columns are taken one by one
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

/// The columns in packs of `width` 2 or 4, as many as there are whole packs; some may not fit. Each edge
/// between two packs that fit is on the south or east side of one of its columns, and on the north or
/// west side of the other. Halo columns are south or east where the column is the
/// first of the edge, north or west elsewhere: of two ranks one alone has the edge in the south or
/// east. Empty where less than half of the columns are in packs that fit.
std::vector<ColumnPack> find_column_packs(const HostNeighbours& neighbours, int width);

/// Columns 0 to num_columns - 1 that are in no pack, in ascending order.
std::vector<int> columns_in_no_pack(const std::vector<ColumnPack>& packs, int width,
                                    int num_columns);

/// Packs in pairs, with the second pack south of the first. Returns the first column of each pair, in
/// ascending order. Empty where less than 7/8 of `num_columns` columns are in pairs.
std::vector<int> find_pack_pairs(const std::vector<ColumnPack>& packs, int width, int num_columns);

/// The edges that columns in no pack list, such that each edge of the mesh is in one list: packs list
/// those on their south and east sides. Of two columns in no pack the one of smaller number lists
/// their edge, as long as it has no more than `ListedEdges::most`; others take over what is too much,
/// if they can. Lists are in ascending order. Columns of a structured grid that is numbered row by row
/// list two at most, hexagons three in the mean. An edge to a halo column is listed where the owned
/// column is the first of the edge. By column; those in packs have no list here.
std::vector<ListedEdges> find_column_edges(const HostNeighbours& neighbours,
                                           const std::vector<ColumnPack>& packs, int width);

}  // namespace Lamina::Impl
