// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/columns/BoundaryInflow.hpp>
#include <lamina/device/impl/Instantiate.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

namespace Lamina {
namespace Impl {

BoundaryEdgeLists list_boundary_edges(const ColumnGraph& graph) {
  const auto column_of = [&](int edge) {
    return graph.boundary_edges[static_cast<std::size_t>(edge)].column;
  };
  BoundaryEdgeLists lists;
  lists.edges.resize(graph.boundary_edges.size());
  std::iota(lists.edges.begin(), lists.edges.end(), 0);
  std::stable_sort(lists.edges.begin(), lists.edges.end(),
                   [&](int a, int b) { return column_of(a) < column_of(b); });
  for (std::size_t i = 0; i < lists.edges.size(); ++i) {
    const auto& edge = graph.boundary_edges[static_cast<std::size_t>(lists.edges[i])];
    LAMINA_REQUIRE(edge.column >= 0 && static_cast<std::size_t>(edge.column) < graph.areas.size(),
                   "BoundaryInflow",
                   "boundary edge of column " + std::to_string(edge.column) +
                       ": expected a column of the graph");
    if (lists.columns.empty() || lists.columns.back() != edge.column) {
      lists.columns.push_back(edge.column);
      lists.begin.push_back(static_cast<int>(i));
    }
    lists.coupling.push_back(edge.length / edge.distance);
  }
  lists.begin.push_back(static_cast<int>(lists.edges.size()));
  return lists;
}

}  // namespace Impl

namespace {

template <class Value, class Memory, class Source>
Kokkos::View<const Value*, Memory> inflow_list(const char* name,
                                               const std::vector<Source>& values) {
  const Kokkos::View<Value*, Memory> view(
      Kokkos::view_alloc(std::string("Lamina::BoundaryInflow::") + name,
                         Kokkos::WithoutInitializing),
      values.size());
  const auto host = Kokkos::create_mirror_view(view);
  for (std::size_t i = 0; i < values.size(); ++i) host(i) = static_cast<Value>(values[i]);
  Kokkos::deep_copy(view, host);
  return view;
}

}  // namespace

template <FieldScalar Scalar, MemorySpace Memory>
BoundaryInflow<Scalar, Memory>::BoundaryInflow(const ColumnGraph& graph,
                                               const std::vector<double>& horizontal)
    : m_num_columns(static_cast<int>(graph.areas.size())) {
  Impl::require_initialized("BoundaryInflow");
  const Impl::BoundaryEdgeLists lists = Impl::list_boundary_edges(graph);
  m_columns = inflow_list<int, Memory>("columns", lists.columns);
  m_begin = inflow_list<int, Memory>("begin", lists.begin);
  m_edges = inflow_list<int, Memory>("edges", lists.edges);
  m_coupling = inflow_list<Scalar, Memory>("coupling", lists.coupling);
  m_profile = inflow_list<Scalar, Memory>("profile", horizontal);
}

#define LAMINA_INSTANTIATE(Scalar, Memory) template class BoundaryInflow<Scalar, Memory>;
LAMINA_FOR_EACH_SCALAR_AND_MEMORY(LAMINA_INSTANTIATE)

}  // namespace Lamina
