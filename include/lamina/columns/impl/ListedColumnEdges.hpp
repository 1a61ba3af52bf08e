// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/grids/ColumnMesh.hpp>
#include <lamina/grids/impl/ColumnPacks.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>

namespace Lamina::Impl {

/// Each edge of a mesh in the list of one of its columns, by its number, see `find_column_edges`.
template <class Memory>
struct ListedColumnEdges {
  // (owned column, slot); 2 slots or more. A slot without an edge has `no_edge`.
  Kokkos::View<const int**, Kokkos::LayoutLeft, Memory> neighbours, edges;
};

template <class Memory>
ListedColumnEdges<Memory> listed_column_edges(const ColumnMesh<Memory>& mesh) {
  const auto neighbours = mesh.on_host().neighbours();
  const auto couplings = mesh.on_host().couplings();
  const auto lists = find_column_edges({neighbours, couplings, mesh.is_first()}, {}, 1);
  std::size_t slots = 2;
  for (const auto& list : lists) {
    if (list.edges.size() > slots) slots = std::max(ListedEdges::most, list.edges.size());
  }
  const Kokkos::View<int**, Kokkos::LayoutLeft, Memory> of_neighbours(
      "Lamina::StoredCoefficients::listed_neighbours", lists.size(), slots),
      of_edges("Lamina::StoredCoefficients::listed_edges", lists.size(), slots);
  const auto host_neighbours = Kokkos::create_mirror_view(of_neighbours);
  const auto host_edges = Kokkos::create_mirror_view(of_edges);
  for (std::size_t c = 0; c < lists.size(); ++c) {
    for (std::size_t slot = 0; slot < slots; ++slot) {
      host_neighbours(c, slot) = static_cast<int>(c);
      host_edges(c, slot) = ColumnMesh<Memory>::no_edge;
    }
    std::size_t slot = 0;
    for (const auto& edge : lists[c].edges) {
      for (std::size_t n = 0; n < neighbours.extent(1); ++n) {
        if (neighbours(c, n) == edge.neighbour) host_edges(c, slot) = mesh.edges()(c, n);
      }
      host_neighbours(c, slot++) = edge.neighbour;
    }
  }
  Kokkos::deep_copy(of_neighbours, host_neighbours);
  Kokkos::deep_copy(of_edges, host_edges);
  return {of_neighbours, of_edges};
}

}  // namespace Lamina::Impl
