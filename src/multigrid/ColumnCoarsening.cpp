// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/multigrid/impl/ColumnCoarsening.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace Lamina::Impl {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace

void require_graph_of(
    const ColumnGraph& graph,
    const Kokkos::View<const int**, Kokkos::LayoutLeft, Kokkos::HostSpace>& neighbours) {
  const char* function = "ColumnMultigrid";
  if (!graph.centres.points.empty()) {
    require_extent(function, "graph", "centres", static_cast<long long>(graph.areas.size()),
                   static_cast<long long>(graph.centres.points.size()));
  }
  const ColumnMesh<Kokkos::HostSpace> mesh(graph);
  require_extent(function, "graph", "neighbours of a column",
                 static_cast<long long>(neighbours.extent(1)), mesh.max_neighbours());
  for (int c = 0; c < mesh.num_owned(); ++c) {
    for (int n = 0; n < mesh.max_neighbours(); ++n) {
      const int expected = neighbours(c, n), found = mesh.neighbours()(c, n);
      if (found == expected) continue;
      fail_requirement(function, "graph: expected neighbour " + std::to_string(expected) +
                                     " of column " + std::to_string(c) + ", got " +
                                     std::to_string(found));
    }
  }
}

std::vector<EdgePlace> find_edge_places(const ColumnGraph& graph) {
  const ColumnMesh<Kokkos::HostSpace> mesh(graph);
  const auto edges = mesh.edges();
  std::vector<EdgePlace> places(graph.edges.size());
  for (int n = 0; n < mesh.max_neighbours(); ++n) {
    for (int c = 0; c < mesh.num_owned(); ++c) {
      if (edges(c, n) != mesh.no_edge) places[at(edges(c, n))] = {c, n};
    }
  }
  return places;
}

WetGraph find_wet_graph(const ColumnGraph& graph, const std::vector<std::vector<bool>>& wet,
                        const std::vector<double>& coupling_sums,
                        const std::vector<double>& wall_sums) {
  WetGraph result;
  std::vector<int> number(graph.areas.size(), -1);
  result.graph.centres = {graph.centres.surface, {}, graph.centres.periods};
  for (std::size_t c = 0; c < graph.areas.size(); ++c) {
    if (std::find(wet[c].begin(), wet[c].end(), true) == wet[c].end()) continue;
    number[c] = static_cast<int>(result.columns.size());
    result.columns.push_back(static_cast<int>(c));
    result.graph.areas.push_back(graph.areas[c]);
    if (!graph.centres.points.empty()) {
      result.graph.centres.points.push_back(graph.centres.points[c]);
    }
  }
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const auto& edge = graph.edges[e];
    if (!(coupling_sums[e] > 0)) continue;
    result.graph.edges.push_back({number[at(edge.first)], number[at(edge.second)],
                                  coupling_sums[e] * edge.distance, edge.distance});
    result.edges.push_back(static_cast<int>(e));
  }
  for (std::size_t c = 0; c < graph.areas.size(); ++c) {
    if (!(wall_sums[c] > 0) || number[c] < 0) continue;
    const double distance = std::sqrt(graph.areas[c]) / 2;  // any: only its growth matters
    result.graph.boundary_edges.push_back({number[c], wall_sums[c] * distance, distance});
  }
  return result;
}

CoarseLists list_coarse(const HierarchyLevel& fine, const ColumnGraph& coarse,
                        const std::vector<int>& columns, const std::vector<EdgePlace>& places) {
  CoarseLists lists;
  std::vector<std::vector<int>> members(coarse.areas.size());
  for (std::size_t c = 0; c < fine.aggregates.size(); ++c) {
    members[at(fine.aggregates[c])].push_back(columns[c]);
  }
  std::vector<std::vector<double>> factors(coarse.areas.size());
  for (std::size_t c = 0; c < fine.aggregates.size(); ++c) {
    const std::size_t to = at(fine.aggregates[c]);
    factors[to].push_back(std::sqrt(fine.graph.areas[c] / coarse.areas[to]));
  }
  for (const auto& list : factors) {
    lists.wall_factors.insert(lists.wall_factors.end(), list.begin(), list.end());
  }
  for (const auto& list : members) {
    lists.members.insert(lists.members.end(), list.begin(), list.end());
    lists.begin_members.push_back(static_cast<int>(lists.members.size()));
  }
  std::map<std::pair<int, int>, std::size_t> number;
  for (std::size_t e = 0; e < coarse.edges.size(); ++e) {
    number[std::minmax(coarse.edges[e].first, coarse.edges[e].second)] = e;
  }
  std::vector<std::vector<std::size_t>> parts(coarse.edges.size());
  for (std::size_t e = 0; e < fine.graph.edges.size(); ++e) {
    const auto& edge = fine.graph.edges[e];
    const std::pair<int, int> ends =
        std::minmax(fine.aggregates[at(edge.first)], fine.aggregates[at(edge.second)]);
    if (ends.first != ends.second) parts[number.at(ends)].push_back(e);
  }
  for (std::size_t e = 0; e < parts.size(); ++e) {
    for (const std::size_t part : parts[e]) {
      lists.edges.push_back(places[part]);
      lists.factors.push_back(fine.graph.edges[part].distance / coarse.edges[e].distance);
    }
    lists.begin_edges.push_back(static_cast<int>(lists.edges.size()));
  }
  return lists;
}

std::vector<std::vector<bool>> coarsen_wet(const HierarchyLevel& fine, std::size_t num_coarse,
                                           const std::vector<std::vector<bool>>& wet) {
  std::vector<std::vector<bool>> result(
      num_coarse, std::vector<bool>(wet.empty() ? 0 : wet.front().size(), false));
  for (std::size_t c = 0; c < wet.size(); ++c) {
    std::vector<bool>& coarse = result[at(fine.aggregates[c])];
    for (std::size_t k = 0; k < coarse.size(); ++k) coarse[k] = coarse[k] || wet[c][k];
  }
  return result;
}

ColumnTransfer keep_to_wet(const HierarchyLevel& fine, const std::vector<std::vector<bool>>& wet,
                           const std::vector<std::vector<bool>>& coarse_wet) {
  ColumnTransfer transfer = fine.transfer;
  for (std::size_t c = 0; c < wet.size(); ++c) {
    for (std::size_t n = 1; n < transfer.columns[c].size(); ++n) {
      const std::vector<bool>& other = coarse_wet[at(transfer.columns[c][n])];
      bool covers = true;
      for (std::size_t k = 0; k < other.size(); ++k) covers = covers && (!wet[c][k] || other[k]);
      if (covers) continue;
      transfer.weights[c][0] += transfer.weights[c][n];
      transfer.weights[c][n] = 0;
      transfer.columns[c][n] = transfer.columns[c][0];
    }
  }
  return transfer;
}

ColumnTransfer spread_transfer(const ColumnTransfer& transfer, const std::vector<int>& columns,
                               std::size_t num_columns) {
  ColumnTransfer result;
  result.columns.assign(num_columns, {});
  result.weights.assign(num_columns, {});
  for (std::size_t c = 0; c < columns.size(); ++c) {
    result.columns[at(columns[c])] = transfer.columns[c];
    result.weights[at(columns[c])] = transfer.weights[c];
  }
  return result;
}

}  // namespace Lamina::Impl
