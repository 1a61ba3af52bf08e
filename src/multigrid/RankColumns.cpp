// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/impl/Index.hpp>
#include <lamina/grids/impl/CutColumns.hpp>
#include <lamina/multigrid/impl/RankColumns.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace Lamina::Impl {
namespace {

using Numbers = std::vector<std::int64_t>;

/// A row of P whose columns have numbers over all ranks.
struct TransferRow {
  std::array<std::int64_t, ColumnTransfer::max_entries> columns;
  std::array<double, ColumnTransfer::max_entries> weights;
};

/// The rows of P of all columns: those of owned ones computed here, those of the halo by their
/// owners.
/// \param aggregates  (column): numbers over all ranks
std::vector<TransferRow> transfer_rows(const Transport& transport, const RankColumns& fine,
                                       const Numbers& aggregates) {
  std::vector<TransferRow> rows;
  run_agreed(transport, [&] {
    // `smoothed_transfer` takes aggregates without gaps. The order stays.
    Numbers known(aggregates);
    std::sort(known.begin(), known.end());
    known.erase(std::unique(known.begin(), known.end()), known.end());
    Aggregates local{.of_column = {}, .count = static_cast<int>(known.size())};
    for (const std::int64_t number : aggregates) {
      const auto at = std::lower_bound(known.begin(), known.end(), number);
      local.of_column.push_back(static_cast<int>(at - known.begin()));
    }
    const ColumnTransfer transfer = smoothed_transfer(ColumnCouplings(fine.graph), local);
    rows.resize(aggregates.size());
    for (std::size_t c = 0; c < rows.size(); ++c) {
      for (std::size_t n = 0; n < rows[c].columns.size(); ++n) {
        rows[c].columns[n] = known[index(transfer.columns[c][n])];
        rows[c].weights[n] = transfer.weights[c][n];
      }
    }
  });
  update_halo(transport, fine.halo, rows);
  return rows;
}

/// Whether each column has an edge. Those of the halo that have none are there for prolongation
/// alone.
std::vector<bool> find_neighbours(const ColumnGraph& graph) {
  std::vector<bool> has_edge(graph.areas.size(), false);
  for (const auto& edge : graph.edges) {
    has_edge[index(edge.first)] = has_edge[index(edge.second)] = true;
  }
  return has_edge;
}

/// Sorts edges such that all ranks that have some of them add them up in the same order.
void sort_edges(const Numbers& numbers, std::vector<ColumnGraph::Edge>& edges) {
  const auto key = [&](const ColumnGraph::Edge& edge) {
    const auto [low, high] = std::minmax(numbers[index(edge.first)], numbers[index(edge.second)]);
    return std::tuple(low, high, edge.length, edge.distance);  // two columns may share several
  };
  std::sort(edges.begin(), edges.end(),
            [&](const auto& a, const auto& b) { return key(a) < key(b); });
}

/// The first column of an edge is that of the lower number, on all ranks.
void turn_edges(const Numbers& numbers, std::vector<ColumnGraph::Edge>& edges) {
  for (auto& edge : edges) {
    if (numbers[index(edge.first)] > numbers[index(edge.second)]) {
      std::swap(edge.first, edge.second);
    }
  }
}

/// Areas and centres of the owned columns become those of all columns.
void add_halo(const Transport& transport, const HaloPattern& halo, ColumnGraph& graph) {
  graph.num_owned = halo.num_owned;
  auto points = graph.centres.points;  // ranks without columns take part, too
  run_agreed(transport, [&] {
    graph.areas.resize(index(halo.num_local), 1);
    points.resize(index(halo.num_local), {});
  });
  update_halo(transport, halo, graph.areas);
  update_halo(transport, halo, points);
  if (!graph.centres.points.empty()) graph.centres.points = std::move(points);
}

/// The local numbers of the columns of a coarser level.
class CoarserNumbers {
 public:
  /// \param is_used  (fine column): whether it takes values from the coarser level
  CoarserNumbers(const RankNumbers& numbers, const std::vector<TransferRow>& rows,
                 const std::vector<bool>& is_used)
      : m_numbers(numbers), m_local(owned_by(numbers), halo_of(numbers, rows, is_used)) {}

  const Numbers& columns() const { return m_local.columns(); }
  int column_of(std::int64_t number) const {
    return m_numbers.is_own(number) ? static_cast<int>(number - m_numbers.begin())
                                    : m_local.of_halo({m_numbers.owner(number), number});
  }

 private:
  static Numbers owned_by(const RankNumbers& numbers) {
    Numbers owned(index(numbers.end() - numbers.begin()));
    std::iota(owned.begin(), owned.end(), numbers.begin());
    return owned;
  }
  static std::vector<LocalNumbers::Owned> halo_of(const RankNumbers& numbers,
                                                  const std::vector<TransferRow>& rows,
                                                  const std::vector<bool>& is_used) {
    std::vector<LocalNumbers::Owned> halo;
    for (std::size_t c = 0; c < rows.size(); ++c) {
      if (!is_used[c]) continue;
      for (const std::int64_t number : rows[c].columns) {
        if (!numbers.is_own(number)) halo.emplace_back(numbers.owner(number), number);
      }
    }
    std::sort(halo.begin(), halo.end());
    halo.erase(std::unique(halo.begin(), halo.end()), halo.end());
    return halo;
  }

  const RankNumbers& m_numbers;
  LocalNumbers m_local;
};

ColumnTransfer transfer_of(const std::vector<TransferRow>& rows, const std::vector<bool>& is_used,
                           const CoarserNumbers& local) {
  ColumnTransfer transfer;
  for (std::size_t c = 0; c < rows.size(); ++c) {
    auto& columns = transfer.columns.emplace_back();
    auto& weights = transfer.weights.emplace_back();
    columns.fill(0);
    weights.fill(0);
    for (std::size_t n = 0; is_used[c] && n < columns.size(); ++n) {
      columns[n] = local.column_of(rows[c].columns[n]);
      weights[n] = rows[c].weights[n];
    }
  }
  return transfer;
}

/// The edges between the columns of a coarser level.
/// \param of_column  (fine column): numbers over all ranks
void add_shared_edges(const RankColumns& fine, const Numbers& of_column,
                      const std::vector<bool>& is_used, const CoarserNumbers& local,
                      RankColumns& coarse) {
  std::vector<int> local_of(of_column.size(), 0);
  for (std::size_t c = 0; c < of_column.size(); ++c) {
    if (is_used[c]) local_of[c] = local.column_of(of_column[c]);
  }
  ColumnGraph sorted = fine.graph;
  sort_edges(fine.numbers, sorted.edges);
  add_coarser_edges(sorted, local_of, coarse.graph);
  turn_edges(coarse.numbers, coarse.graph.edges);
}

/// The first of the columns of each aggregate in the whole grid.
Numbers find_firsts(const RankColumns& fine, const Aggregates& aggregates) {
  Numbers firsts(index(aggregates.count), no_item);
  for (std::size_t c = 0; c < aggregates.of_column.size(); ++c) {
    std::int64_t& first = firsts[index(aggregates.of_column[c])];
    if (first == no_item || fine.firsts[c] < first) first = fine.firsts[c];
  }
  return firsts;
}

}  // namespace

RankNumbers::RankNumbers(const Transport& transport, std::int64_t count)
    : m_rank(index(transport.rank())), m_begin{0} {
  for (const std::int64_t of_rank : gather_values(transport, count)) {
    m_begin.push_back(m_begin.back() + of_rank);
  }
}

int RankNumbers::owner(std::int64_t number) const {
  return static_cast<int>(std::upper_bound(m_begin.begin(), m_begin.end(), number) -
                          m_begin.begin()) -
         1;
}

ColumnGraph owned_graph(const ColumnGraph& graph) {
  const int num_owned = graph.count_owned();
  ColumnGraph owned;
  owned.areas.assign(graph.areas.begin(), graph.areas.begin() + num_owned);
  for (const auto& edge : graph.edges) {
    if (edge.first < num_owned && edge.second < num_owned) owned.edges.push_back(edge);
  }
  owned.boundary_edges = graph.boundary_edges;
  return owned;
}

CoarserColumns coarser_columns(const Transport& transport, const RankColumns& fine,
                               const Aggregates& aggregates) {
  const RankNumbers numbers(transport, aggregates.count);
  const std::size_t num_owned = aggregates.of_column.size();
  Numbers of_column;
  run_agreed(transport, [&] {
    of_column.assign(fine.graph.areas.size(), numbers.begin());  // unused places do not matter
    for (std::size_t c = 0; c < num_owned; ++c) {
      of_column[c] = numbers.begin() + aggregates.of_column[c];
    }
  });
  update_halo(transport, fine.halo, of_column);
  const auto rows = transfer_rows(transport, fine, of_column);

  std::vector<bool> is_used;
  std::optional<CoarserNumbers> local;
  CoarserColumns result;
  RankColumns& coarse = result.columns;
  Numbers owned, halo;
  run_agreed(transport, [&] {
    is_used = find_neighbours(fine.graph);
    std::fill_n(is_used.begin(), num_owned, true);
    local.emplace(numbers, rows, is_used);
    result.transfer = transfer_of(rows, is_used, *local);
    coarse.numbers = local->columns();
    const auto end_of_owned = coarse.numbers.begin() + aggregates.count;
    owned.assign(coarse.numbers.begin(), end_of_owned);
    halo.assign(end_of_owned, coarse.numbers.end());
  });
  coarse.halo = make_halo_pattern(transport, owned, halo);
  run_agreed(transport, [&] { coarse.graph = coarser_columns(fine.graph, aggregates); });
  add_halo(transport, coarse.halo, coarse.graph);
  run_agreed(transport, [&] {
    add_shared_edges(fine, of_column, is_used, *local, coarse);
    coarse.firsts = find_firsts(fine, aggregates);
  });
  return result;
}

RestrictedRows shared_rows(const RankColumns& coarse) {
  constexpr std::size_t multiple = 16;  // a line of 128 bytes
  const int count = coarse.halo.num_local;
  RestrictedRows rows{.columns = {}, .own_begin = 0, .own_end = count, .exchange = {}};
  for (int c = 0; c < count; ++c) {
    rows.columns.push_back(coarse.numbers[index(c)] == no_item ? -1 : c);
  }
  for (const auto& peer : coarse.halo.peers) {
    HaloPattern::Peer back{.rank = peer.rank, .send = peer.receive, .receive = {}};
    for (const int column : peer.send) {
      back.receive.push_back(static_cast<int>(rows.columns.size()));
      rows.columns.push_back(column);
    }
    rows.exchange.peers.push_back(std::move(back));
  }
  rows.columns.resize((rows.columns.size() + multiple - 1) / multiple * multiple, -1);
  rows.exchange.num_owned = rows.exchange.num_local = static_cast<int>(rows.columns.size());
  return rows;
}

}  // namespace Lamina::Impl
