// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Packs and edges of a mesh as the kernels of a device read them.

#include <lamina/device/impl/HostTable.hpp>
#include <lamina/grids/impl/ColumnPacks.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace Lamina::Impl {

/// The tables of a mesh. Packs have the width that devices read at once.
template <class Scalar, class Memory>
struct PackTables {
  ColumnPacks<Scalar, Memory> packs;
  ColumnEdges<Scalar, Memory> edges;

  explicit PackTables(const HostNeighbours& neighbours)
      : m_num_columns(static_cast<int>(neighbours.columns.extent(0))),
        m_packs(find_column_packs(neighbours, width)) {
    if (!m_packs.empty()) {
      set_sides();
      set_lists();
    }
    set_edges(find_column_edges(neighbours, m_packs, width));
  }

 private:
  static constexpr int width = pack_width<Scalar>;
  enum { north, south, west, east };

  void set_sides() {
    constexpr auto columns = static_cast<std::size_t>(width);
    const auto sides =
        host_table<int* [4]>("Lamina::HelmholtzOperator::pack_neighbours", m_packs.size());
    const auto couplings = host_table<Scalar* [4]>("Lamina::HelmholtzOperator::pack_couplings",
                                                   m_packs.size() * columns);
    for (std::size_t pack = 0; pack < m_packs.size(); ++pack) {
      for (std::size_t side = 0; side < 4; ++side) {
        sides(pack, side) = m_packs[pack].neighbours[side];
        for (std::size_t i = 0; i < columns; ++i) {
          couplings(pack * columns + i, side) =
              static_cast<Scalar>(m_packs[pack].couplings[side][i]);
        }
      }
    }
    packs.neighbours = copy_in<Memory>(sides);
    packs.couplings = copy_in<Memory>(couplings);
  }

  void set_lists() {
    const auto list = [](const char* name, const std::vector<int>& numbers) {
      return list_of<Memory>(std::string("Lamina::HelmholtzOperator::") + name, numbers);
    };
    const std::vector<int> rest = columns_in_no_pack(m_packs, width, m_num_columns);
    if (!rest.empty()) {
      std::vector<int> fitting;
      for (std::size_t pack = 0; pack < m_packs.size(); ++pack) {
        if (m_packs[pack].fits) fitting.push_back(static_cast<int>(pack));
      }
      packs.packs = list("packs", fitting);
      packs.rest = list("columns_in_no_pack", rest);
    }
    const std::vector<int> pairs = find_pack_pairs(m_packs, width, m_num_columns);
    if (pairs.empty()) return;
    std::vector<bool> in_pair(m_packs.size());
    for (const int first : pairs) {
      const auto pack = static_cast<std::size_t>(first / width);
      in_pair[pack] = in_pair[static_cast<std::size_t>(m_packs[pack].neighbours[south] / width)] =
          true;
    }
    std::vector<int> rest_of_pairs;
    for (int column = 0; column < m_num_columns; ++column) {
      const auto pack = static_cast<std::size_t>(column / width);
      if (pack >= in_pair.size() || !in_pair[pack]) rest_of_pairs.push_back(column);
    }
    packs.pairs = list("pack_pairs", pairs);
    packs.rest_of_pairs = list("columns_in_no_pair", rest_of_pairs);
  }

  /// The next column of a row has the last slot: threads side by side read columns side by side.
  void set_edges(const std::vector<ListedEdges>& lists) {
    std::size_t slots = 2;
    for (const auto& list : lists) {
      if (list.edges.size() > slots) slots = std::max(ListedEdges::most, list.edges.size());
    }
    const auto columns =
        host_table<int**>("Lamina::HelmholtzOperator::edge_neighbours", lists.size(), slots);
    const auto couplings =
        host_table<Scalar**>("Lamina::HelmholtzOperator::edge_couplings", lists.size(), slots);
    for (std::size_t column = 0; column < lists.size(); ++column) {
      for (std::size_t slot = 0; slot < slots; ++slot) {
        columns(column, slot) = static_cast<int>(column);
        couplings(column, slot) = 0;
      }
      std::size_t slot = 0;
      std::array<ListedEdges::Edge, 2> sides;
      for (const auto& edge : in_pack(static_cast<int>(column))
                                  ? sides_of(static_cast<int>(column), sides)
                                  : std::span<const ListedEdges::Edge>(lists[column].edges)) {
        const bool next = edge.neighbour == static_cast<int>(column) + 1;
        const std::size_t place = next ? slots - 1 : slot;
        if (!next) ++slot;
        columns(column, place) = edge.neighbour;
        couplings(column, place) = static_cast<Scalar>(edge.coupling);
      }
    }
    edges.neighbours = copy_in<Memory>(columns);
    edges.couplings = copy_in<Memory>(couplings);
  }

  bool in_pack(int column) const {
    const auto pack = static_cast<std::size_t>(column / width);
    return pack < m_packs.size() && m_packs[pack].fits;
  }
  /// The south and east sides of a column in a pack, where it has them, in `sides`.
  std::span<const ListedEdges::Edge> sides_of(int column,
                                              std::array<ListedEdges::Edge, 2>& sides) const {
    const ColumnPack& pack = m_packs[static_cast<std::size_t>(column / width)];
    const auto i = static_cast<std::size_t>(column % width);
    const double to_south = pack.couplings[south][i], to_east = pack.couplings[east][i];
    std::size_t count = 0;
    if (to_south != 0) sides[count++] = {pack.neighbours[south] + column % width, to_south};
    if (to_east != 0) {
      const bool inside = column % width + 1 < width;
      sides[count++] = {inside ? column + 1 : pack.neighbours[east], to_east};
    }
    return {sides.data(), count};
  }

  int m_num_columns;
  std::vector<ColumnPack> m_packs;
};

}  // namespace Lamina::Impl
