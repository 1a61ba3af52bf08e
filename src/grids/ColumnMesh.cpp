// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/device/impl/HostTable.hpp>
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
  if constexpr (is_on_host) {
    require_graph(graph);
    make_tables(graph);
  } else {
    m_on_host = ColumnMesh<Kokkos::HostSpace>(graph);
    m_num_owned = m_on_host.num_owned();
    m_num_edges = m_on_host.num_edges();
    const auto copy = [](const auto& view) { return Impl::copy_in<Memory>(view); };
    m_neighbours = copy(m_on_host.neighbours());
    m_couplings = copy(m_on_host.couplings());
    m_areas = copy(m_on_host.areas());
    m_boundary_couplings = copy(m_on_host.boundary_couplings());
    m_halo_coupling_sums = copy(m_on_host.halo_coupling_sums());
    m_is_first = m_on_host.is_first();
    m_edges = m_on_host.edges();
  }
}

template <MemorySpace Memory>
void ColumnMesh<Memory>::make_tables(
    const ColumnGraph& graph) requires std::same_as<Memory, Kokkos::HostSpace> {
  m_num_owned = graph.count_owned();
  m_num_edges = static_cast<int>(graph.edges.size());
  const auto num_owned = static_cast<std::size_t>(m_num_owned);
  const auto num_slots = static_cast<std::size_t>(count_slots(graph));
  const auto neighbours =
      Impl::host_table<int**>("Lamina::ColumnMesh::neighbours", num_owned, num_slots);
  const auto couplings =
      Impl::host_table<double**>("Lamina::ColumnMesh::couplings", num_owned, num_slots);
  const auto is_first =
      Impl::host_table<bool**>("Lamina::ColumnMesh::is_first", num_owned, num_slots);
  const auto edges = Impl::host_table<int**>("Lamina::ColumnMesh::edges", num_owned, num_slots);
  fill_slots(graph,
             {m_num_owned, static_cast<int>(num_slots), neighbours.data(), couplings.data(),
              is_first.data(), edges.data()},
             no_edge);
  std::vector<double> boundary(num_owned, 0.0);
  for (const auto& edge : graph.boundary_edges) {
    if (edge.column < m_num_owned) {
      boundary[static_cast<std::size_t>(edge.column)] += edge.length / edge.distance;
    }
  }
  m_neighbours = neighbours;
  m_couplings = couplings;
  m_is_first = is_first;
  m_edges = edges;
  m_areas = Impl::list_of<Memory>("Lamina::ColumnMesh::areas", graph.areas);
  m_boundary_couplings = Impl::list_of<Memory>("Lamina::ColumnMesh::boundary_couplings", boundary);
  m_halo_coupling_sums =
      Impl::list_of<Memory>("Lamina::ColumnMesh::halo_coupling_sums", graph.halo_coupling_sums);
}

#define LAMINA_INSTANTIATE_CLASS(Memory) template class ColumnMesh<Memory>;
LAMINA_FOR_EACH_MEMORY(LAMINA_INSTANTIATE_CLASS)

}  // namespace Lamina
