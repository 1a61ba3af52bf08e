// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/grids/ColumnMesh.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace Lamina {
namespace {

bool positive(double value) { return std::isfinite(value) && value > 0; }

template <class Edge, class Name>
void require_flux(const Edge& edge, const Name& name) {
  LAMINA_REQUIRE(positive(edge.length) && positive(edge.distance), "ColumnMesh",
                 name() + ": expected a positive length and distance");
  LAMINA_REQUIRE(positive(edge.length / edge.distance), "ColumnMesh",
                 name() + ": expected a length and distance of comparable size");
}

void require_edge(const ColumnGraph::Edge& edge, int num_columns) {
  const auto name = [&] {
    return "edge " + std::to_string(edge.first) + " - " + std::to_string(edge.second);
  };
  for (int column : {edge.first, edge.second}) {
    LAMINA_REQUIRE(column >= 0 && column < num_columns, "ColumnMesh",
                   name() + ": expected columns 0 to " + std::to_string(num_columns - 1));
  }
  LAMINA_REQUIRE(edge.first != edge.second, "ColumnMesh",
                 name() + ": expected two columns, got one");
  require_flux(edge, name);
}

void require_boundary_edge(const ColumnGraph::BoundaryEdge& edge, int num_columns) {
  const auto name = [&] { return "boundary edge of column " + std::to_string(edge.column); };
  LAMINA_REQUIRE(edge.column >= 0 && edge.column < num_columns, "ColumnMesh",
                 name() + ": expected a column of the mesh");
  require_flux(edge, name);
}

void require_graph(const ColumnGraph& graph) {
  const auto num_columns = graph.areas.size();
  LAMINA_REQUIRE(num_columns <= static_cast<std::size_t>(std::numeric_limits<int>::max()),
                 "ColumnMesh",
                 "areas: expected fewer than 2^31 columns, got " + std::to_string(num_columns));
  LAMINA_REQUIRE(graph.edges.size() <= static_cast<std::size_t>(std::numeric_limits<int>::max()),
                 "ColumnMesh",
                 "edges: expected fewer than 2^31, got " + std::to_string(graph.edges.size()));
  const int num_owned = graph.count_owned();
  LAMINA_REQUIRE(num_owned >= 0 && static_cast<std::size_t>(num_owned) <= num_columns, "ColumnMesh",
                 "num_owned: expected 0 to " + std::to_string(num_columns) +
                     " columns with an area, got " + std::to_string(num_owned));
  for (double area : graph.areas) {
    LAMINA_REQUIRE(positive(area), "ColumnMesh",
                   "areas: expected positive values, got " + std::to_string(area));
  }
  LAMINA_REQUIRE(
      graph.halo_coupling_sums.empty() ||
          graph.halo_coupling_sums.size() + static_cast<std::size_t>(num_owned) == num_columns,
      "ColumnMesh",
      "halo_coupling_sums: expected none or those of " +
          std::to_string(static_cast<int>(num_columns) - num_owned) + " halo columns, got " +
          std::to_string(graph.halo_coupling_sums.size()));
  for (const double sum : graph.halo_coupling_sums) {
    LAMINA_REQUIRE(std::isfinite(sum) && sum >= 0, "ColumnMesh",
                   "halo_coupling_sums: expected finite values >= 0, got " + std::to_string(sum));
  }
  for (const auto& edge : graph.edges) require_edge(edge, static_cast<int>(num_columns));
  for (const auto& edge : graph.boundary_edges) {
    require_boundary_edge(edge, static_cast<int>(num_columns));
  }
}

/// Calls on_side(owned column, its neighbour, coupling, whether it is the first, edge) for both sides
/// of each edge.
template <class OnSide>
void for_each_side(const ColumnGraph& graph, const OnSide& on_side) {
  const int num_owned = graph.count_owned();
  int number = 0;
  for (const auto& edge : graph.edges) {
    const double coupling = edge.length / edge.distance;
    if (edge.first < num_owned) on_side(edge.first, edge.second, coupling, true, number);
    if (edge.second < num_owned) on_side(edge.second, edge.first, coupling, false, number);
    ++number;
  }
}

/// The largest number of neighbours of an owned column.
int count_slots(const ColumnGraph& graph) {
  std::vector<int> counts(static_cast<std::size_t>(graph.count_owned()), 0);
  for_each_side(graph, [&](int column, int, double, bool, int) {
    ++counts[static_cast<std::size_t>(column)];
  });
  return counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
}

/// The tables (owned column, slot) of a mesh, as they lie in their Views: raw pointers need not be read again
/// after each store.
struct SlotTables {
  int num_owned, num_slots;
  int* neighbours;
  double* couplings;
  bool* is_first;
  int* edges;

  std::size_t place(int column, int slot) const {
    return static_cast<std::size_t>(slot) * static_cast<std::size_t>(num_owned) +
           static_cast<std::size_t>(column);
  }
  void set(std::size_t at, int neighbour, double coupling, bool first, int edge) const {
    neighbours[at] = neighbour;
    couplings[at] = coupling;
    is_first[at] = first;
    edges[at] = edge;
  }
};
/// Fills them. The neighbours of a column are sorted: contiguous columns then have contiguous
/// neighbours in the same slot, which kernels turn into contiguous loads.
void fill_slots(const ColumnGraph& graph, const SlotTables tables, int no_edge) {
  std::vector<int> counts(static_cast<std::size_t>(tables.num_owned), 0);
  for_each_side(
      graph, [&, tables](int column, int neighbour, double coupling, bool first, int edge) {
        // Most grids list the neighbours of a column in ascending order: search from the last one.
        int slot = counts[static_cast<std::size_t>(column)]++;
        for (; slot > 0; --slot) {
          const std::size_t before = tables.place(column, slot - 1);
          if (tables.neighbours[before] < neighbour) break;
          LAMINA_REQUIRE(tables.neighbours[before] != neighbour, "ColumnMesh",
                         "edge " + std::to_string(std::min(column, neighbour)) + " - " +
                             std::to_string(std::max(column, neighbour)) +
                             ": expected each pair once, got it again");
          tables.set(tables.place(column, slot), tables.neighbours[before],
                     tables.couplings[before], tables.is_first[before], tables.edges[before]);
        }
        tables.set(tables.place(column, slot), neighbour, coupling, first, edge);
      });
  for (int slot = 0; slot < tables.num_slots; ++slot) {
    for (int column = 0; column < tables.num_owned; ++column) {
      if (slot < counts[static_cast<std::size_t>(column)]) continue;
      tables.set(tables.place(column, slot), column, 0, false, no_edge);
    }
  }
}

}  // namespace

template <MemorySpace Memory>
ColumnMesh<Memory>::ColumnMesh(const ColumnGraph& graph) {
  Impl::require_initialized("ColumnMesh");
  require_graph(graph);
  m_num_owned = graph.count_owned();
  m_num_edges = static_cast<int>(graph.edges.size());
  const auto num_owned = static_cast<std::size_t>(m_num_owned);
  const auto num_slots = static_cast<std::size_t>(count_slots(graph));

  using Kokkos::view_alloc;
  using Kokkos::WithoutInitializing;
  m_neighbours = Kokkos::View<int**, Kokkos::LayoutLeft, Memory>(
      view_alloc("Lamina::ColumnMesh::neighbours", WithoutInitializing), num_owned, num_slots);
  m_couplings = Kokkos::View<double**, Kokkos::LayoutLeft, Memory>(
      view_alloc("Lamina::ColumnMesh::couplings", WithoutInitializing), num_owned, num_slots);
  m_is_first = Kokkos::View<bool**, Kokkos::LayoutLeft, Kokkos::HostSpace>(
      view_alloc("Lamina::ColumnMesh::is_first", WithoutInitializing), num_owned, num_slots);
  m_edges = Kokkos::View<int**, Kokkos::LayoutLeft, Kokkos::HostSpace>(
      view_alloc("Lamina::ColumnMesh::edges", WithoutInitializing), num_owned, num_slots);
  m_areas = Kokkos::View<double*, Memory>(
      view_alloc("Lamina::ColumnMesh::areas", WithoutInitializing), graph.areas.size());
  m_boundary_couplings = Kokkos::View<double*, Memory>(
      view_alloc("Lamina::ColumnMesh::boundary_couplings", WithoutInitializing), num_owned);

  const auto neighbours = Kokkos::create_mirror_view(m_neighbours);
  const auto couplings = Kokkos::create_mirror_view(m_couplings);
  const auto areas = Kokkos::create_mirror_view(m_areas);
  const auto boundary = Kokkos::create_mirror_view(m_boundary_couplings);
  fill_slots(graph,
             {m_num_owned, static_cast<int>(num_slots), neighbours.data(), couplings.data(),
              m_is_first.data(), m_edges.data()},
             no_edge);
  std::copy(graph.areas.begin(), graph.areas.end(), areas.data());
  std::fill_n(boundary.data(), num_owned, 0.0);
  for (const auto& edge : graph.boundary_edges) {
    if (edge.column < m_num_owned) boundary(edge.column) += edge.length / edge.distance;
  }
  Kokkos::deep_copy(m_neighbours, neighbours);
  Kokkos::deep_copy(m_couplings, couplings);
  Kokkos::deep_copy(m_areas, areas);
  Kokkos::deep_copy(m_boundary_couplings, boundary);

  m_halo_coupling_sums = Kokkos::View<double*, Memory>(
      view_alloc("Lamina::ColumnMesh::halo_coupling_sums", WithoutInitializing),
      graph.halo_coupling_sums.size());
  const auto sums = Kokkos::create_mirror_view(m_halo_coupling_sums);
  std::copy(graph.halo_coupling_sums.begin(), graph.halo_coupling_sums.end(), sums.data());
  Kokkos::deep_copy(m_halo_coupling_sums, sums);
}

#define LAMINA_INSTANTIATE_CLASS(Memory) template class ColumnMesh<Memory>;
LAMINA_FOR_EACH_MEMORY(LAMINA_INSTANTIATE_CLASS)

}  // namespace Lamina
