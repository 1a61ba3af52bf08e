// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/core/impl/Index.hpp>
#include <lamina/distributed/impl/UpdateHalo.hpp>
#include <lamina/multigrid/impl/ColumnCoarsening.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace Lamina::Impl {
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
      if (edges(c, n) != mesh.no_edge) places[index(edges(c, n))] = {c, n};
    }
  }
  return places;
}

void share_wet(const Transport* transport, const HaloPattern& halo, WetTable& wet) {
  if (transport == nullptr) return;
  const std::size_t levels = wet.empty() ? 0 : wet.front().size();
  std::vector<unsigned char> flags;
  flags.reserve(wet.size() * levels);
  for (const auto& column : wet) flags.insert(flags.end(), column.begin(), column.end());
  update_halo(*transport, halo, flags, levels);
  for (std::size_t n = 0; n < flags.size(); ++n) wet[n / levels][n % levels] = flags[n] != 0;
}

namespace {

/// The pattern of the columns that have a number.
HaloPattern keep_numbered(const HaloPattern& all, const std::vector<int>& number, int num_owned) {
  HaloPattern kept{.num_owned = num_owned, .halo_begin = num_owned};
  kept.num_local = static_cast<int>(
      std::count_if(number.begin(), number.end(), [](int column) { return column >= 0; }));
  const auto keep = [&](const std::vector<int>& from, std::vector<int>& to) {
    for (const int column : from) {
      if (number[index(column)] >= 0) to.push_back(number[index(column)]);
    }
  };
  for (const auto& peer : all.peers) {
    HaloPattern::Peer& here = kept.peers.emplace_back();
    here.rank = peer.rank;
    keep(peer.send, here.send);
    keep(peer.receive, here.receive);
  }
  return kept;
}

/// Edges in an order that is the same on all ranks which have them: so coefficients of coarser edges are
/// added up alike.
void sort_edges(WetGraph& wet) {
  auto& edges = wet.local.graph.edges;
  const auto key = [&](int e) {
    const auto number = [&](int column) { return wet.local.columns[index(column)]; };
    return std::minmax({number(edges[index(e)].first), number(edges[index(e)].second)});
  };
  std::vector<int> order(edges.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
  const auto in_order = [&](auto& values) {
    auto sorted = values;
    for (std::size_t n = 0; n < order.size(); ++n) sorted[n] = values[index(order[n])];
    values = std::move(sorted);
  };
  in_order(wet.edges);
  in_order(edges);
}

}  // namespace

WetGraph find_wet_graph(const LocalColumns& all, const WetTable& wet,
                        const std::vector<double>& coupling_sums,
                        const std::vector<double>& wall_sums) {
  WetGraph result;
  const ColumnGraph& graph = all.graph;
  ColumnGraph& found = result.local.graph;
  std::vector<int> number(graph.areas.size(), -1);
  found.centres = {graph.centres.surface, {}, graph.centres.periods};
  found.num_owned = 0;
  for (std::size_t c = 0; c < graph.areas.size(); ++c) {
    if (std::find(wet[c].begin(), wet[c].end(), true) == wet[c].end()) continue;
    number[c] = static_cast<int>(result.columns.size());
    result.columns.push_back(static_cast<int>(c));
    if (static_cast<int>(c) < graph.count_owned()) ++found.num_owned;
    found.areas.push_back(graph.areas[c]);
    if (!graph.centres.points.empty()) found.centres.points.push_back(graph.centres.points[c]);
    if (!all.columns.empty()) result.local.columns.push_back(all.columns[c]);
  }
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const auto& edge = graph.edges[e];
    if (!(coupling_sums[e] > 0)) continue;
    const int first = number[index(edge.first)], second = number[index(edge.second)];
    LAMINA_REQUIRE(first >= 0 && second >= 0, "ColumnMultigrid",
                   "horizontal: expected couplings of wet columns alone, got one of edge " +
                       std::to_string(e) + " to a dry column");
    found.edges.push_back({first, second, coupling_sums[e] * edge.distance, edge.distance});
    result.edges.push_back(static_cast<int>(e));
  }
  for (int c = 0; c < graph.count_owned(); ++c) {
    if (!(wall_sums[index(c)] > 0) || number[index(c)] < 0) continue;
    const double distance = std::sqrt(graph.areas[index(c)]) / 2;  // any: only its growth matters
    found.boundary_edges.push_back({number[index(c)], wall_sums[index(c)] * distance, distance});
  }
  if (!all.columns.empty()) {
    result.local.halo = keep_numbered(all.halo, number, found.num_owned);
    sort_edges(result);
  }
  return result;
}

namespace {

/// What a column is part of. Prolongation to columns of the halo names it first.
int aggregate_of(const HierarchyLevel& fine, int column) {
  return index(column) < fine.aggregates.size() ? fine.aggregates[index(column)]
                                                : fine.transfer.columns[index(column)][0];
}

/// The columns and edges of a coarser level, each with what it is made of.
struct CoarseParts {
  std::vector<std::vector<int>> members;  ///< owned columns
  std::vector<std::vector<int>> edges;
};
CoarseParts find_parts(const HierarchyLevel& fine, const HierarchyLevel& coarse) {
  CoarseParts parts;
  parts.members.resize(coarse.graph.areas.size());
  for (std::size_t c = 0; c < fine.aggregates.size(); ++c) {
    parts.members[index(fine.aggregates[c])].push_back(static_cast<int>(c));
  }
  const auto& edges = coarse.graph.edges;
  std::map<std::pair<int, int>, std::size_t> number;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    number[std::minmax(edges[e].first, edges[e].second)] = e;
  }
  parts.edges.resize(edges.size());
  const bool is_gathered = fine.is_shared && !coarse.is_shared;
  for (std::size_t e = 0; e < fine.graph.edges.size(); ++e) {
    const auto& edge = fine.graph.edges[e];
    if (is_gathered && edge.first >= fine.graph.count_owned()) continue;  // the other rank's
    const int first = aggregate_of(fine, edge.first), second = aggregate_of(fine, edge.second);
    if (first == second) continue;
    parts.edges[number.at(std::minmax(first, second))].push_back(static_cast<int>(e));
  }
  return parts;
}

}  // namespace

CoarseLists list_coarse(const HierarchyLevel& fine, const HierarchyLevel& coarse,
                        const std::vector<int>& columns, const std::vector<EdgePlace>& places) {
  const CoarseParts parts = find_parts(fine, coarse);
  CoarseLists lists;
  for (std::size_t c = 0; c < parts.members.size(); ++c) {
    for (const int member : parts.members[c]) {
      lists.members.push_back(columns[index(member)]);
      lists.wall_factors.push_back(
          std::sqrt(fine.graph.areas[index(member)] / coarse.graph.areas[c]));
    }
    lists.begin_members.push_back(static_cast<int>(lists.members.size()));
  }
  for (std::size_t e = 0; e < parts.edges.size(); ++e) {
    for (const int part : parts.edges[e]) {
      lists.edges.push_back(places[index(part)]);
      lists.factors.push_back(fine.graph.edges[index(part)].distance /
                              coarse.graph.edges[e].distance);
    }
    lists.begin_edges.push_back(static_cast<int>(lists.edges.size()));
  }
  return lists;
}

std::vector<int> listed_edges(const CoarseLists& lists) {
  std::vector<int> listed;
  for (std::size_t e = 0; e + 1 < lists.begin_edges.size(); ++e) {
    if (lists.begin_edges[e] < lists.begin_edges[e + 1]) listed.push_back(static_cast<int>(e));
  }
  return listed;
}

CoarseLists lists_of_rows(const CoarseLists& lists, const RestrictedRows& of_columns,
                          const RestrictedRows& of_edges) {
  CoarseLists result;
  const auto for_each_part = [](const RestrictedRows& rows, const std::vector<int>& begin,
                                const auto& take, const auto& close) {
    for (int row = 0; row < static_cast<int>(rows.columns.size()); ++row) {
      const int item = rows.columns[index(row)];
      if (row >= rows.own_begin && row < rows.own_end && item >= 0) {
        for (int n = begin[index(item)]; n < begin[index(item) + 1]; ++n) take(index(n));
      }
      close();
    }
  };
  for_each_part(
      of_columns, lists.begin_members,
      [&](std::size_t n) {
        result.members.push_back(lists.members[n]);
        result.wall_factors.push_back(lists.wall_factors[n]);
      },
      [&] { result.begin_members.push_back(static_cast<int>(result.members.size())); });
  for_each_part(
      of_edges, lists.begin_edges,
      [&](std::size_t n) {
        result.edges.push_back(lists.edges[n]);
        result.factors.push_back(lists.factors[n]);
      },
      [&] { result.begin_edges.push_back(static_cast<int>(result.edges.size())); });
  return result;
}

namespace {

/// All ranks get the flags of the columns that one of them has computed.
/// \param mine  ascending
void gather_wet(const Transport& transport, const std::vector<int>& mine, std::size_t levels,
                WetTable& wet) {
  std::vector<unsigned char> flags;
  for (const int column : mine) {
    flags.insert(flags.end(), wet[index(column)].begin(), wet[index(column)].end());
  }
  const auto columns = gather_list(transport, mine);
  const auto all = gather_list(transport, flags);
  for (std::size_t n = 0; n < columns.size(); ++n) {
    for (std::size_t k = 0; k < levels; ++k) wet[index(columns[n])][k] = all[n * levels + k] != 0;
  }
}

}  // namespace

WetTable coarsen_wet(const Transport* transport, const HierarchyLevel& fine,
                     const HierarchyLevel& coarse, const WetTable& wet, int num_levels) {
  WetTable result(coarse.graph.areas.size(), std::vector<bool>(index(num_levels), false));
  for (std::size_t c = 0; c < fine.aggregates.size(); ++c) {
    std::vector<bool>& to = result[index(fine.aggregates[c])];
    for (std::size_t k = 0; k < to.size(); ++k) to[k] = to[k] || wet[c][k];
  }
  if (coarse.is_shared) {
    share_wet(transport, coarse.halo, result);
  } else if (fine.is_shared) {
    std::vector<int> mine = fine.aggregates;
    std::sort(mine.begin(), mine.end());
    mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
    gather_wet(*transport, mine, index(num_levels), result);
  }
  return result;
}

ColumnTransfer keep_to_wet(const HierarchyLevel& fine, const WetTable& wet,
                           const WetTable& coarse_wet) {
  ColumnTransfer transfer = fine.transfer;
  for (std::size_t c = 0; c < wet.size(); ++c) {
    for (std::size_t n = 1; n < transfer.columns[c].size(); ++n) {
      if (transfer.weights[c][n] == 0) continue;
      const std::vector<bool>& other = coarse_wet[index(transfer.columns[c][n])];
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
  for (std::size_t c = 0; c < transfer.columns.size(); ++c) {
    result.columns[index(columns[c])] = transfer.columns[c];
    result.weights[index(columns[c])] = transfer.weights[c];
  }
  return result;
}

}  // namespace Lamina::Impl
