// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Neighbours of columns on the host, as a mesh holds them and as packs do.

#include <lamina/grids/ColumnMesh.hpp>
#include <lamina/grids/impl/ColumnPacks.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <map>

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
  for (int side = 0; side < 4; ++side) {
    if (pack.couplings[side][at] != 0) couplings[neighbours[side]] += pack.couplings[side][at];
  }
  return couplings;
}

/// Packs of `width` columns hold the neighbours of all columns of a mesh, and no more.
inline void expect_packs_hold(const Lamina::Impl::HostNeighbours& mesh, int width) {
  const auto packs = find_column_packs(mesh, width);
  ASSERT_EQ(packs.size() * static_cast<std::size_t>(width), mesh.columns.extent(0));
  for (std::size_t pack = 0; pack < packs.size(); ++pack) {
    const int first = static_cast<int>(pack) * width;
    for (const int neighbour : {packs[pack].neighbours[0], packs[pack].neighbours[1]}) {
      EXPECT_EQ(neighbour % width, 0);
    }
    for (int i = 0; i < width; ++i) {
      EXPECT_EQ(couplings_in_pack(packs[pack], first, width, i),
                couplings_in_mesh(mesh, static_cast<std::size_t>(first + i)));
    }
  }
}

}  // namespace LaminaTest
