// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/core/impl/Index.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>
#include <lamina/multigrid/impl/RankColumns.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace Lamina::Impl {
namespace {

struct NumberedEdge {
  std::int64_t first, second;
  double length, distance;
};

/// All ranks with columns have centres afterwards, or none has, and all know of what kind they are.
void agree_on_centres(const Transport& transport, ColumnGraph& graph) {
  struct Kind {
    int num_columns, has_points;
    ColumnCentres::Surface surface;
    std::array<double, 2> periods;
  };
  ColumnCentres& centres = graph.centres;
  const auto kinds = gather_values(
      transport,
      Kind{graph.count_owned(), centres.points.empty() ? 0 : 1, centres.surface, centres.periods});
  bool all_have = true;
  for (auto kind = kinds.rbegin(); kind != kinds.rend(); ++kind) {
    if (kind->num_columns == 0) continue;
    all_have = all_have && kind->has_points != 0;
    centres.surface = kind->surface;
    centres.periods = kind->periods;
  }
  if (!all_have) centres.points.clear();
}

/// The columns of the finest level.
RankColumns finest_columns(const Transport& transport, const LocalColumns& local) {
  RankColumns finest{.graph = local.graph, .halo = local.halo, .numbers = {}, .firsts = {}};
  ColumnGraph& graph = finest.graph;
  const int num_owned = graph.num_owned = graph.count_owned();
  const auto remove = [](auto& edges, const auto& is_superfluous) {
    edges.erase(std::remove_if(edges.begin(), edges.end(), is_superfluous), edges.end());
  };
  remove(graph.edges,
         [&](const auto& edge) { return edge.first >= num_owned && edge.second >= num_owned; });
  remove(graph.boundary_edges, [&](const auto& edge) { return edge.column >= num_owned; });
  agree_on_centres(transport, graph);
  const RankNumbers numbers(transport, num_owned);
  finest.numbers.assign(graph.areas.size(), no_item);
  for (int c = 0; c < num_owned; ++c) finest.numbers[index(c)] = numbers.begin() + c;
  update_halo(transport, finest.halo, finest.numbers);
  finest.firsts.assign(local.columns.begin(), local.columns.begin() + num_owned);
  return finest;
}

/// Adds all edges to the graph of all columns.
/// \param place  (number over all ranks): column of that graph
void gather_edges(const Transport& transport, const RankColumns& columns,
                  const RankNumbers& numbers, const std::vector<int>& place, ColumnGraph& whole) {
  std::vector<NumberedEdge> edges, boundary_edges;
  for (const auto& edge : columns.graph.edges) {
    const auto [low, high] =
        std::minmax(columns.numbers[index(edge.first)], columns.numbers[index(edge.second)]);
    if (numbers.is_own(low)) edges.push_back({low, high, edge.length, edge.distance});
  }
  for (const auto& edge : columns.graph.boundary_edges) {
    const std::int64_t number = columns.numbers[index(edge.column)];
    boundary_edges.push_back({number, number, edge.length, edge.distance});
  }
  for (const NumberedEdge& edge : gather_list(transport, edges)) {
    const auto [first, second] = std::minmax(place[index(edge.first)], place[index(edge.second)]);
    whole.edges.push_back({first, second, edge.length, edge.distance});
  }
  const auto key = [](const auto& edge) {
    return std::tuple(edge.first, edge.second, edge.length, edge.distance);
  };
  std::sort(whole.edges.begin(), whole.edges.end(),
            [&](const auto& a, const auto& b) { return key(a) < key(b); });
  for (const NumberedEdge& edge : gather_list(transport, boundary_edges)) {
    whole.boundary_edges.push_back({place[index(edge.first)], edge.length, edge.distance});
  }
}

/// Every column gets the values of the same one.
ColumnTransfer same_columns(const std::vector<std::int64_t>& numbers) {
  ColumnTransfer transfer;
  for (std::size_t c = 0; c < numbers.size(); ++c) {
    transfer.columns.emplace_back().fill(static_cast<int>(c));
    transfer.weights.push_back({numbers[c] == no_item ? 0.0 : 1.0});
  }
  return transfer;
}

}  // namespace

WholeColumns gather_columns(const Transport& transport, const RankColumns& columns) {
  const ColumnGraph& shared = columns.graph;
  const RankNumbers numbers(transport, shared.count_owned());
  run_agreed(transport, [&] {
    LAMINA_REQUIRE(numbers.total() <= std::numeric_limits<int>::max(), "ColumnHierarchy",
                   "local: expected fewer than 2^31 columns on a level that is gathered, got " +
                       std::to_string(numbers.total()));
  });
  const auto firsts = gather_list(transport, columns.firsts);
  std::vector<int> order(firsts.size()), place(firsts.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](int a, int b) { return firsts[index(a)] < firsts[index(b)]; });
  for (std::size_t n = 0; n < order.size(); ++n) place[index(order[n])] = static_cast<int>(n);
  const auto gather_sorted = [&](auto mine) {  // of the owned columns
    mine.resize(std::min(mine.size(), columns.firsts.size()));
    const auto all = gather_list(transport, mine);
    auto sorted = all;
    for (std::size_t n = 0; n < all.size(); ++n) sorted[index(place[n])] = all[n];
    return sorted;
  };

  WholeColumns whole;
  whole.graph.areas = gather_sorted(shared.areas);
  whole.graph.centres = shared.centres;
  whole.graph.centres.points = gather_sorted(shared.centres.points);
  gather_edges(transport, columns, numbers, place, whole.graph);
  for (const std::int64_t number : columns.numbers) {
    whole.columns.push_back(number == no_item ? -1 : place[index(number)]);
  }
  return whole;
}

RestrictedRows whole_rows(const Transport& transport, const ColumnTransfer& transfer,
                          int num_owned) {
  std::vector<int> mine;
  for (std::size_t c = 0; c < index(num_owned); ++c) {
    for (std::size_t n = 0; n < transfer.columns[c].size(); ++n) {
      if (transfer.weights[c][n] != 0) mine.push_back(transfer.columns[c][n]);
    }
  }
  std::sort(mine.begin(), mine.end());
  mine.erase(std::unique(mine.begin(), mine.end()), mine.end());
  return gathered_rows(transport, mine);
}

RestrictedRows gathered_rows(const Transport& transport, const std::vector<int>& mine) {
  RestrictedRows rows;
  std::vector<int> own(mine.size());
  std::vector<HaloPattern::Peer> peers;
  int rank = 0;
  for (const auto& list : gather_lists(transport, mine)) {
    const int begin = static_cast<int>(rows.columns.size());
    rows.columns.insert(rows.columns.end(), list.begin(), list.end());
    std::vector<int> received(list.size());
    std::iota(received.begin(), received.end(), begin);
    if (rank == transport.rank()) {
      rows.own_begin = begin;
      rows.own_end = static_cast<int>(rows.columns.size());
      own = received;
    } else if (!list.empty() || !mine.empty()) {
      peers.push_back({.rank = rank, .send = {}, .receive = std::move(received)});
    }
    ++rank;
  }
  for (auto& peer : peers) peer.send = own;
  rows.exchange.peers = std::move(peers);
  rows.exchange.num_owned = rows.exchange.num_local = static_cast<int>(rows.columns.size());
  return rows;
}

namespace {

std::int64_t sum_over_ranks(const Transport& transport, std::size_t count) {
  return RankNumbers(transport, static_cast<std::int64_t>(count)).total();
}

/// The way from a shared level to one that every rank has.
/// \param level  with aggregates, and a transfer to columns that are shared
HierarchyLevel gather_below(const Transport& transport, const RankColumns& coarse,
                            Coarsening coarsening, HierarchyLevel& level) {
  WholeColumns whole = gather_columns(transport, coarse);
  for (int& column : level.aggregates) column = whole.columns[index(column)];
  for (std::size_t c = 0; c < level.transfer.columns.size(); ++c) {
    for (std::size_t n = 0; n < level.transfer.columns[c].size(); ++n) {
      int& column = level.transfer.columns[c][n];
      column = level.transfer.weights[c][n] == 0 ? 0 : whole.columns[index(column)];
    }
  }
  level.rows = whole_rows(transport, level.transfer, level.graph.count_owned());
  return {.graph = std::move(whole.graph), .coarsening = coarsening};
}

}  // namespace

std::vector<HierarchyLevel> shared_levels(const Transport& transport, const LocalColumns& local,
                                          const HierarchyParameters& parameters) {
  std::vector<HierarchyLevel> levels;
  RankColumns columns = finest_columns(transport, local);
  Coarsening coarsening = Coarsening::none;
  std::optional<GridRows> rows;
  ColumnGraph owned;
  run_agreed(transport, [&] {
    owned = owned_graph(columns.graph);
    if (parameters.use_rows) rows = find_isotropic_rows(owned);
  });
  // All ranks coarsen in rows, or none does.
  const bool in_rows =
      parameters.use_rows && sum_over_ranks(transport, !rows && !owned.areas.empty() ? 1 : 0) == 0;
  if (!in_rows) rows.reset();
  while (true) {
    Aggregates aggregates;
    run_agreed(transport, [&] {
      owned = owned_graph(columns.graph);
      aggregates = rows ? pair_rows(*rows) : grow_aggregates(ColumnCouplings(owned));
    });
    const std::int64_t count = sum_over_ranks(transport, owned.areas.size()),
                       coarse_count =
                           sum_over_ranks(transport, static_cast<std::size_t>(aggregates.count)),
                       num_edges = sum_over_ranks(transport, columns.graph.edges.size());
    HierarchyLevel& level = levels.emplace_back();
    level.graph = columns.graph;
    level.coarsening = coarsening;
    level.is_shared = true;
    level.halo = columns.halo;
    if (num_edges == 0) return levels;
    if (2 * coarse_count > count) {  // ranks have hardly two neighbouring columns
      level.aggregates.resize(owned.areas.size());
      std::iota(level.aggregates.begin(), level.aggregates.end(), 0);
      level.transfer = same_columns(columns.numbers);
      levels.push_back(gather_below(transport, columns, Coarsening::gather, level));
      return levels;
    }
    coarsening = in_rows ? Coarsening::rows : Coarsening::growth;
    CoarserColumns coarser = coarser_columns(transport, columns, aggregates);
    level.aggregates = aggregates.of_column;
    level.transfer = std::move(coarser.transfer);
    if (coarse_count <= parameters.gathered_columns) {
      levels.push_back(gather_below(transport, coarser.columns, coarsening, level));
      return levels;
    }
    level.rows = shared_rows(coarser.columns);
    columns = std::move(coarser.columns);
    if (rows) rows = rows->coarser();
  }
}

}  // namespace Lamina::Impl
