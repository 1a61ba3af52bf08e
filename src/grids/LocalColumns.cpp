// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/impl/Index.hpp>
#include <lamina/grids/impl/CutColumns.hpp>

#include <limits>
#include <numeric>

namespace Lamina {
namespace Impl {
namespace {

/// A line of 128 bytes in double precision, and a pack in either precision.
constexpr std::size_t halo_multiple = 16, peer_multiple = 4;

}  // namespace

LocalNumbers::LocalNumbers(std::vector<std::int64_t> owned, std::vector<Owned> halo)
    : m_num_owned(owned.size()), m_columns(std::move(owned)), m_halo(std::move(halo)) {
  const auto pad = [this](std::size_t multiple) {
    m_columns.resize((m_columns.size() + multiple - 1) / multiple * multiple, no_item);
  };
  if (m_halo.empty()) return;
  pad(halo_multiple);
  for (std::size_t n = 0; n < m_halo.size(); ++n) {
    if (n > 0 && m_halo[n].first != m_halo[n - 1].first) pad(peer_multiple);
    m_halo_numbers.push_back(static_cast<int>(m_columns.size()));
    m_columns.push_back(m_halo[n].second);
  }
  pad(halo_multiple);
  LAMINA_REQUIRE(
      m_columns.size() <= index(std::numeric_limits<int>::max()), "LocalColumns",
      "expected fewer than 2^31 columns on a rank, got " + std::to_string(m_columns.size()));
}

int LocalNumbers::of_owned(std::int64_t column) const {
  const auto begin = m_columns.begin(), end = begin + static_cast<std::ptrdiff_t>(m_num_owned);
  return static_cast<int>(std::lower_bound(begin, end, column) - begin);
}

int LocalNumbers::of_halo(const Owned& column) const {
  const auto at = std::lower_bound(m_halo.begin(), m_halo.end(), column);
  return m_halo_numbers[index(at - m_halo.begin())];
}

HaloPattern LocalNumbers::pattern(const std::vector<Owned>& sent) const {
  HaloPattern pattern;
  pattern.num_owned = static_cast<int>(m_num_owned);
  pattern.num_local = static_cast<int>(m_columns.size());
  pattern.halo_begin = m_halo.empty() ? pattern.num_local : m_halo_numbers.front();
  // Neighbours are mutual: a rank sends to those that it receives from.
  const auto peer_of = [&](int rank) -> HaloPattern::Peer& {
    if (pattern.peers.empty() || pattern.peers.back().rank != rank) {
      pattern.peers.push_back({rank, {}, {}});
    }
    return pattern.peers.back();
  };
  for (std::size_t n = 0; n < m_halo.size(); ++n) {
    peer_of(m_halo[n].first).receive.push_back(m_halo_numbers[n]);
  }
  auto peer = pattern.peers.begin();
  for (const auto& [rank, column] : sent) {
    while (peer->rank != rank) ++peer;
    peer->send.push_back(of_owned(column));
  }
  return pattern;
}

namespace {

/// A graph as a grid: the edges of each column.
class GraphColumns {
 public:
  explicit GraphColumns(const ColumnGraph& graph)
      : m_graph(graph), m_edges(graph.areas.size()), m_boundary_edges(graph.areas.size()) {
    for (const auto& edge : graph.edges) {
      require_column(edge.first);
      require_column(edge.second);
      m_edges[index(edge.first)].push_back(&edge);
      m_edges[index(edge.second)].push_back(&edge);
    }
    for (const auto& edge : graph.boundary_edges) {
      require_column(edge.column);
      m_boundary_edges[index(edge.column)].push_back(&edge);
    }
  }

  std::int64_t num_columns() const { return static_cast<std::int64_t>(m_graph.areas.size()); }
  double area(std::int64_t column) const { return m_graph.areas[index(column)]; }

  template <class Visit>
  void for_each_neighbour(std::int64_t column, const Visit& visit) const {
    for (const auto* const edge : m_edges[index(column)]) {
      const bool is_first = edge->first == column;
      visit(static_cast<std::int64_t>(is_first ? edge->second : edge->first), is_first, [edge] {
        return Flux{edge->length, edge->distance};
      });
    }
  }
  template <class Visit>
  void for_each_boundary(std::int64_t column, const Visit& visit) const {
    for (const auto* const edge : m_boundary_edges[index(column)]) {
      visit(Flux{edge->length, edge->distance});
    }
  }

 private:
  void require_column(int column) const {
    LAMINA_REQUIRE(column >= 0 && column < num_columns(), "local_columns",
                   "whole: expected edges of columns 0 to " + std::to_string(num_columns() - 1) +
                       ", got " + std::to_string(column));
  }

  const ColumnGraph& m_graph;
  std::vector<std::vector<const ColumnGraph::Edge*>> m_edges;
  std::vector<std::vector<const ColumnGraph::BoundaryEdge*>> m_boundary_edges;
};

}  // namespace
}  // namespace Impl

LocalColumns local_columns(const ColumnGraph& whole, const Partition& partition, int rank) {
  Impl::require_extent("local_columns", "whole", "owned columns",
                       static_cast<long long>(whole.areas.size()), whole.count_owned());
  LocalColumns local =
      Impl::cut_columns("local_columns", Impl::GraphColumns(whole), partition, rank);
  const ColumnCentres& centres = whole.centres;
  local.graph.centres = {centres.surface, {}, centres.periods};
  if (!centres.points.empty()) {
    Impl::require_extent("local_columns", "whole", "centres",
                         static_cast<long long>(whole.areas.size()),
                         static_cast<long long>(centres.points.size()));
    Impl::set_centres(
        [&](std::int64_t column) { return centres.points[static_cast<std::size_t>(column)]; },
        local);
  }
  return local;
}

std::vector<int> edges_of_rank(const ColumnGraph& whole, const LocalColumns& local) {
  using Ends = std::pair<std::int64_t, std::int64_t>;
  std::vector<std::pair<Ends, int>> known;
  known.reserve(whole.edges.size());
  for (const auto& edge : whole.edges) {
    known.emplace_back(std::minmax<std::int64_t>({edge.first, edge.second}),
                       static_cast<int>(known.size()));
  }
  std::sort(known.begin(), known.end());
  std::vector<int> edges;
  edges.reserve(local.graph.edges.size());
  for (const auto& edge : local.graph.edges) {
    const auto number = [&](int column) { return local.columns[static_cast<std::size_t>(column)]; };
    const Ends ends = std::minmax({number(edge.first), number(edge.second)});
    const auto at = std::lower_bound(known.begin(), known.end(), std::pair(ends, 0));
    LAMINA_REQUIRE(at != known.end() && at->first == ends, "edges_of_rank",
                   "local: expected edges of the whole graph, got one of columns " +
                       std::to_string(ends.first) + " and " + std::to_string(ends.second));
    edges.push_back(at->second);
  }
  return edges;
}

}  // namespace Lamina
