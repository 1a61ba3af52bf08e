// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Neighbours of columns on the host, as a mesh holds them and as packs do.

#include <lamina/grids/ColumnMesh.hpp>
#include <lamina/grids/impl/ColumnPacks.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <map>
#include <vector>

namespace LaminaTest {

inline Lamina::Impl::HostNeighbours neighbours_of(const Lamina::ColumnGraph& graph) {
  const Lamina::ColumnMesh<Kokkos::HostSpace> mesh(graph);
  return {mesh.neighbours(), mesh.couplings(), mesh.is_first()};
}

using Couplings = std::map<int, double>;

inline Couplings couplings_in_mesh(const Lamina::Impl::HostNeighbours& mesh, std::size_t column) {
  Couplings couplings;
  for (std::size_t n = 0; n < mesh.columns.extent(1); ++n) {
    if (mesh.couplings(column, n) != 0) {
      couplings[mesh.columns(column, n)] += mesh.couplings(column, n);
    }
  }
  return couplings;
}

/// The neighbours of column `i` of a pack, as a kernel reads them.
inline Couplings couplings_in_pack(const Lamina::Impl::ColumnPack& pack, int first, int width,
                                   int i) {
  const auto at = static_cast<std::size_t>(i);
  const int neighbours[4] = {pack.neighbours[0] + i, pack.neighbours[1] + i,
                             i > 0 ? first + i - 1 : pack.neighbours[2],
                             i + 1 < width ? first + i + 1 : pack.neighbours[3]};
  Couplings couplings;
  for (std::size_t side = 0; side < 4; ++side) {
    if (pack.couplings[side][at] != 0) couplings[neighbours[side]] += pack.couplings[side][at];
  }
  return couplings;
}

/// Packs of `width` columns hold the neighbours of their columns, and no more. Returns the columns that
/// are in no pack.
inline std::vector<int> expect_some_packs_hold(const Lamina::Impl::HostNeighbours& mesh,
                                               int width) {
  const int num_columns = static_cast<int>(mesh.columns.extent(0));
  const auto packs = find_column_packs(mesh, width);
  for (std::size_t pack = 0; pack < packs.size(); ++pack) {
    if (!packs[pack].fits) continue;
    const int first = static_cast<int>(pack) * width;
    for (const int neighbour : {packs[pack].neighbours[0], packs[pack].neighbours[1]}) {
      EXPECT_EQ(neighbour % width, 0);
    }
    for (int i = 0; i < width; ++i) {
      EXPECT_EQ(couplings_in_pack(packs[pack], first, width, i),
                couplings_in_mesh(mesh, static_cast<std::size_t>(first + i)));
    }
  }
  return columns_in_no_pack(packs, width, num_columns);
}

/// The same where all columns are in packs.
inline void expect_packs_hold(const Lamina::Impl::HostNeighbours& mesh, int width) {
  EXPECT_TRUE(expect_some_packs_hold(mesh, width).empty());
}

/// The edges that a column lists, those of columns in packs included.
inline std::vector<Lamina::Impl::ListedEdges> listed_edges(const Lamina::Impl::HostNeighbours& mesh,
                                                           int width) {
  const auto packs = find_column_packs(mesh, width);
  auto edges = find_column_edges(mesh, packs, width);
  for (std::size_t column = 0; column < edges.size(); ++column) {
    const auto of_pack = static_cast<std::size_t>(width), pack = column / of_pack;
    if (pack >= packs.size() || !packs[pack].fits) continue;
    EXPECT_TRUE(edges[column].edges.empty()) << "column " << column << " is in a pack";
    const std::size_t i = column % of_pack, south = 1, east = 3;
    const int number = static_cast<int>(column);
    const int to_east = i + 1 < of_pack ? number + 1 : packs[pack].neighbours[east];
    const int to_south = packs[pack].neighbours[south] + static_cast<int>(i);
    if (const double coupling = packs[pack].couplings[south][i]; coupling != 0) {
      edges[column].edges.push_back({to_south, coupling});
    }
    if (const double coupling = packs[pack].couplings[east][i]; coupling != 0) {
      edges[column].edges.push_back({to_east, coupling});
    }
  }
  return edges;
}

/// Each edge between owned columns is in one list.
inline void expect_edges_are_the_mesh(const Lamina::ColumnGraph& graph, int width) {
  const auto mesh = neighbours_of(graph);
  const auto edges = listed_edges(mesh, width);
  ASSERT_EQ(edges.size(), mesh.columns.extent(0));
  std::vector<Couplings> found(edges.size());
  for (std::size_t column = 0; column < edges.size(); ++column) {
    for (const auto& [other, coupling] : edges[column].edges) {
      ASSERT_TRUE(other >= 0 && other < static_cast<int>(edges.size())) << "column " << column;
      found[column][other] += coupling;
      found[static_cast<std::size_t>(other)][static_cast<int>(column)] += coupling;
    }
  }
  for (std::size_t column = 0; column < edges.size(); ++column) {
    EXPECT_EQ(found[column], couplings_in_mesh(mesh, column)) << "column " << column;
  }
}

}  // namespace LaminaTest
