// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/core/impl/Index.hpp>
#include <lamina/distributed/impl/RequirePattern.hpp>
#include <lamina/distributed/impl/RequireSame.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>
#include <lamina/multigrid/ColumnHierarchy.hpp>
#include <lamina/multigrid/impl/Aggregates.hpp>
#include <lamina/multigrid/impl/RankColumns.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace Lamina {
namespace {

/// The mesh of a graph that may be coarsened.
ColumnMesh<Kokkos::HostSpace> mesh_of(const ColumnGraph& graph) {
  ColumnMesh<Kokkos::HostSpace> mesh(graph);  // refuses what is no mesh
  const auto& points = graph.centres.points;
  LAMINA_REQUIRE(points.empty() || points.size() == graph.areas.size(), "ColumnHierarchy",
                 "graph: expected no centres or those of " + std::to_string(graph.areas.size()) +
                     " columns, got " + std::to_string(points.size()));
  for (const auto& point : points) {
    LAMINA_REQUIRE(std::isfinite(point[0]) && std::isfinite(point[1]) && std::isfinite(point[2]),
                   "ColumnHierarchy", "graph: expected finite centres");
  }
  return mesh;
}

/// Each column of the halo that has edges comes from another rank.
void require_halo(const LocalColumns& local, int num_ranks) {
  Impl::require_pattern("ColumnHierarchy", local.halo, num_ranks);
  std::vector<bool> has_owner(local.graph.areas.size(), false);
  std::fill_n(has_owner.begin(), local.halo.num_owned, true);
  for (const auto& peer : local.halo.peers) {
    for (const int column : peer.receive) {
      LAMINA_REQUIRE(column >= local.halo.num_owned, "ColumnHierarchy",
                     "local: expected messages with halo columns, got one with owned column " +
                         std::to_string(column));
      has_owner[static_cast<std::size_t>(column)] = true;
    }
  }
  for (const auto& edge : local.graph.edges) {
    for (const int column : {edge.first, edge.second}) {
      LAMINA_REQUIRE(has_owner[static_cast<std::size_t>(column)], "ColumnHierarchy",
                     "local: expected messages with all halo columns that have edges, got none "
                     "with column " +
                         std::to_string(column));
    }
  }
}

}  // namespace

ColumnHierarchy::ColumnHierarchy(ColumnGraph graph, const HierarchyParameters& parameters)
    : m_finest_mesh(mesh_of(graph)) {
  coarsen_whole(std::move(graph), parameters);
}

ColumnHierarchy::ColumnHierarchy(const Transport& transport, const LocalColumns& local,
                                 const HierarchyParameters& parameters) {
  Impl::require_same("ColumnHierarchy", transport,
                     {{"use_rows", parameters.use_rows ? 1.0 : 0.0},
                      {"gathered_columns", static_cast<double>(parameters.gathered_columns)}});
  Impl::run_agreed(transport, [&] {
    m_finest_mesh = mesh_of(local.graph);
    const auto size = static_cast<long long>(local.graph.areas.size());
    Impl::require_extent("ColumnHierarchy", "local", "numbers of columns", size,
                         static_cast<long long>(local.columns.size()));
    Impl::require_extent("ColumnHierarchy", "local", "columns in the pattern of the halo", size,
                         local.halo.num_local);
    Impl::require_extent("ColumnHierarchy", "local", "owned columns in the pattern of the halo",
                         local.graph.count_owned(), local.halo.num_owned);
    LAMINA_REQUIRE(parameters.gathered_columns >= 0, "ColumnHierarchy",
                   "gathered_columns: expected at least 0, got " +
                       std::to_string(parameters.gathered_columns));
    require_halo(local, transport.size());
  });
  Impl::require_match("ColumnHierarchy", transport, local.halo, 0);
  if (transport.size() == 1) {
    coarsen_whole(local.graph, parameters);
    return;
  }
  m_levels = Impl::shared_levels(transport, local, parameters);
  if (!m_levels.back().is_shared) coarsen(parameters);
}

void ColumnHierarchy::coarsen_whole(ColumnGraph graph, const HierarchyParameters& parameters) {
  Impl::require_extent("ColumnHierarchy", "graph", "owned columns",
                       static_cast<long long>(graph.areas.size()), graph.count_owned());
  m_levels.push_back({.graph = std::move(graph)});
  coarsen(parameters);
}

void ColumnHierarchy::coarsen(const HierarchyParameters& parameters) {
  std::optional<Impl::GridRows> rows;
  if (parameters.use_rows) {
    rows = Impl::find_isotropic_rows(m_levels.back().graph,
                                     m_levels.back().coarsening == Coarsening::rows);
  }
  while (true) {
    HierarchyLevel& finer = m_levels.back();
    const auto size = static_cast<int>(finer.graph.areas.size());
    const Impl::ColumnCouplings couplings(finer.graph);
    Impl::Aggregates aggregates = rows ? Impl::pair_rows(*rows) : Impl::grow_aggregates(couplings);
    if (aggregates.count == size) break;
    HierarchyLevel coarser{.graph = Impl::coarser_graph(finer.graph, aggregates),
                           .coarsening = rows ? Coarsening::rows : Coarsening::growth};
    finer.transfer = Impl::smoothed_transfer(couplings, aggregates);
    finer.aggregates = std::move(aggregates.of_column);
    m_levels.push_back(std::move(coarser));
    if (rows) rows = rows->coarser();
  }
}

namespace Impl {
ColumnCouplings::ColumnCouplings(const ColumnGraph& graph)
    : begin(graph.areas.size() + 1, 0), boundary(graph.areas.size(), 0.0) {
  for (const auto& edge : graph.edges) {
    ++begin[index(edge.first) + 1];
    ++begin[index(edge.second) + 1];
  }
  for (std::size_t c = 0; c < boundary.size(); ++c) begin[c + 1] += begin[c];
  neighbours.resize(begin.back());
  couplings.resize(begin.back());
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  const auto add = [&](int column, int neighbour, double coupling) {
    const std::size_t place = next[index(column)]++;
    neighbours[place] = neighbour;
    couplings[place] = coupling;
  };
  for (const auto& edge : graph.edges) {
    add(edge.first, edge.second, edge.length / edge.distance);
    add(edge.second, edge.first, edge.length / edge.distance);
  }
  for (const auto& edge : graph.boundary_edges) {
    boundary[index(edge.column)] += edge.length / edge.distance;
  }
}

ColumnTransfer smoothed_transfer(const ColumnCouplings& couplings, const Aggregates& aggregates) {
  constexpr double damping = 0.66;
  constexpr std::size_t max_entries = ColumnTransfer::max_entries;
  ColumnTransfer transfer;
  transfer.columns.reserve(aggregates.of_column.size());
  transfer.weights.reserve(aggregates.of_column.size());
  std::vector<std::pair<int, double>> others;  // aggregate, coupling with it
  for (int column = 0; column < couplings.num_columns(); ++column) {
    const int own = aggregates.of_column[index(column)];
    double diagonal = couplings.boundary[index(column)], within = 0;
    others.clear();
    couplings.for_each(column, [&](int neighbour, double coupling) {
      diagonal += coupling;
      const int other = aggregates.of_column[index(neighbour)];
      if (other == own) {
        within += coupling;
        return;
      }
      const auto known = std::find_if(others.begin(), others.end(),
                                      [&](const auto& entry) { return entry.first == other; });
      if (known == others.end()) {
        others.emplace_back(other, coupling);
      } else {
        known->second += coupling;
      }
    });
    std::sort(others.begin(), others.end(), [](const auto& a, const auto& b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    const double scale = diagonal > 0 ? damping / diagonal : 0;
    auto& columns = transfer.columns.emplace_back();
    auto& weights = transfer.weights.emplace_back();
    columns.fill(own);
    weights[0] = diagonal > 0 ? 1 - damping + scale * within : 1;
    double sum = weights[0], kept = weights[0];
    for (std::size_t n = 0; n < others.size(); ++n) {
      sum += scale * others[n].second;
      if (n + 1 >= max_entries) continue;
      columns[n + 1] = others[n].first;
      weights[n + 1] = scale * others[n].second;
      kept += weights[n + 1];
    }
    for (double& weight : weights) weight *= sum / kept;
  }
  return transfer;
}

}  // namespace Impl
}  // namespace Lamina
