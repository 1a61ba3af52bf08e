// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/columns/ColumnMesh.hpp>
#include <lamina/core/Require.hpp>

#include <algorithm>
#include <cmath>
#include <string>

namespace Lamina {
namespace {

struct Slot {
  int neighbour;
  double coupling;
};

bool positive(double value) { return std::isfinite(value) && value > 0; }

/// Neighbour lists of the owned columns, each sorted by neighbour: contiguous columns then have
/// contiguous neighbours in the same slot, which kernels turn into contiguous loads.
std::vector<std::vector<Slot>> neighbour_lists(const ColumnGraph& graph) {
  const int num_columns = static_cast<int>(graph.areas.size());
  std::vector<std::vector<Slot>> lists(static_cast<std::size_t>(graph.num_owned));
  for (const auto& edge : graph.edges) {
    const auto name = "edge " + std::to_string(edge.first) + " - " + std::to_string(edge.second);
    for (int column : {edge.first, edge.second}) {
      LAMINA_REQUIRE(column >= 0 && column < num_columns, "ColumnMesh",
                     name + ": expected columns 0 to " + std::to_string(num_columns - 1));
    }
    LAMINA_REQUIRE(edge.first != edge.second, "ColumnMesh",
                   name + ": expected two columns, got one");
    LAMINA_REQUIRE(positive(edge.length) && positive(edge.distance), "ColumnMesh",
                   name + ": expected a positive length and distance");
    const double coupling = edge.length / edge.distance;
    LAMINA_REQUIRE(positive(coupling), "ColumnMesh",
                   name + ": expected a length and distance of comparable size");
    if (edge.first < graph.num_owned) {
      lists[static_cast<std::size_t>(edge.first)].push_back({edge.second, coupling});
    }
    if (edge.second < graph.num_owned) {
      lists[static_cast<std::size_t>(edge.second)].push_back({edge.first, coupling});
    }
  }
  for (std::size_t column = 0; column < lists.size(); ++column) {
    auto& list = lists[column];
    std::sort(list.begin(), list.end(),
              [](const Slot& a, const Slot& b) { return a.neighbour < b.neighbour; });
    const auto twice =
        std::adjacent_find(list.begin(), list.end(),
                           [](const Slot& a, const Slot& b) { return a.neighbour == b.neighbour; });
    LAMINA_REQUIRE(twice == list.end(), "ColumnMesh",
                   "edge " + std::to_string(column) + " - " + std::to_string(twice->neighbour) +
                       ": expected each pair once, got it again");
  }
  return lists;
}

}  // namespace

template <MemorySpace Memory>
ColumnMesh<Memory>::ColumnMesh(const ColumnGraph& graph) : m_num_owned(graph.num_owned) {
  const auto num_columns = graph.areas.size();
  LAMINA_REQUIRE(graph.num_owned >= 0 && static_cast<std::size_t>(graph.num_owned) <= num_columns,
                 "ColumnMesh",
                 "num_owned: expected 0 to " + std::to_string(num_columns) +
                     " columns with an area, got " + std::to_string(graph.num_owned));
  for (double area : graph.areas) {
    LAMINA_REQUIRE(positive(area), "ColumnMesh",
                   "areas: expected positive values, got " + std::to_string(area));
  }

  const auto lists = neighbour_lists(graph);
  std::size_t slots = 0;
  for (const auto& list : lists) slots = std::max(slots, list.size());

  using Kokkos::view_alloc;
  using Kokkos::WithoutInitializing;
  m_neighbours = Kokkos::View<int**, Kokkos::LayoutLeft, Memory>(
      view_alloc("Lamina::ColumnMesh::neighbours", WithoutInitializing), lists.size(), slots);
  m_couplings = Kokkos::View<double**, Kokkos::LayoutLeft, Memory>(
      view_alloc("Lamina::ColumnMesh::couplings", WithoutInitializing), lists.size(), slots);
  m_areas = Kokkos::View<double*, Memory>(
      view_alloc("Lamina::ColumnMesh::areas", WithoutInitializing), num_columns);
  m_boundary_couplings = Kokkos::View<double*, Memory>(
      view_alloc("Lamina::ColumnMesh::boundary_couplings", WithoutInitializing), lists.size());

  const auto neighbours = Kokkos::create_mirror_view(m_neighbours);
  const auto couplings = Kokkos::create_mirror_view(m_couplings);
  const auto areas = Kokkos::create_mirror_view(m_areas);
  const auto boundary = Kokkos::create_mirror_view(m_boundary_couplings);
  for (std::size_t column = 0; column < lists.size(); ++column) {
    for (std::size_t n = 0; n < slots; ++n) {
      const bool present = n < lists[column].size();
      neighbours(column, n) = present ? lists[column][n].neighbour : static_cast<int>(column);
      couplings(column, n) = present ? lists[column][n].coupling : 0;
    }
    boundary(column) = 0;
  }
  std::copy(graph.areas.begin(), graph.areas.end(), areas.data());
  for (const auto& edge : graph.boundary_edges) {
    const auto name = "boundary edge of column " + std::to_string(edge.column);
    LAMINA_REQUIRE(edge.column >= 0 && static_cast<std::size_t>(edge.column) < num_columns,
                   "ColumnMesh", name + ": expected a column of the mesh");
    LAMINA_REQUIRE(positive(edge.length) && positive(edge.distance), "ColumnMesh",
                   name + ": expected a positive length and distance");
    LAMINA_REQUIRE(positive(edge.length / edge.distance), "ColumnMesh",
                   name + ": expected a length and distance of comparable size");
    if (edge.column < graph.num_owned) boundary(edge.column) += edge.length / edge.distance;
  }
  Kokkos::deep_copy(m_neighbours, neighbours);
  Kokkos::deep_copy(m_couplings, couplings);
  Kokkos::deep_copy(m_areas, areas);
  Kokkos::deep_copy(m_boundary_couplings, boundary);
}

template class ColumnMesh<Kokkos::HostSpace>;
#if defined(KOKKOS_ENABLE_CUDA)
template class ColumnMesh<Kokkos::CudaSpace>;
#endif

}  // namespace Lamina
