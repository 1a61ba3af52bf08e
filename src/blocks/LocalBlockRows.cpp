// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/blocks/LocalBlockRows.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/impl/Index.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <limits>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace Lamina {
namespace {

using Impl::index;

/// Where a row stands among the rows of all ranks.
struct RowKey {
  std::int64_t number, place;
  int colour;
};

/// What a rank exchanges with another one: indices of own rows, and keys of halo rows.
struct PeerRows {
  int rank;
  std::vector<int> send;
  std::vector<RowKey> receive;
};

bool by_colour_and_number(const RowKey& a, const RowKey& b) {
  return std::tie(a.colour, a.number) < std::tie(b.colour, b.number);
}

std::string coupled(const RowKey& a, const RowKey& b) {
  return "colours: expected different colours of the coupled rows " + std::to_string(a.number) +
         " and " + std::to_string(b.number) + ", got " + std::to_string(a.colour) + " for both";
}

}  // namespace

namespace Impl {

/// Puts the rows of a rank in order.
class LocalRowsBuilder {
 public:
  LocalRowsBuilder(const char* function, std::vector<RowKey> own, std::vector<PeerRows> peers,
                   std::vector<std::int64_t> colour_rows)
      : m_function(function), m_keys(std::move(own)), m_peers(std::move(peers)) {
    m_rows.ordering.m_colour_rows = std::move(colour_rows);
  }

  /// \param columns  global numbers, of own and of halo rows
  LocalBlockRows build(const std::vector<std::int64_t>& offsets,
                       const std::vector<std::int64_t>& columns) {
    m_rows.halo.num_owned = static_cast<int>(m_keys.size());
    m_rows.offsets = offsets;
    add_halo_rows();
    find_columns(columns);
    order_own_rows();
    make_pattern();
    find_places();
    for (const RowKey& key : m_keys) m_rows.numbers.push_back(key.number);
    return std::move(m_rows);
  }

 private:
  int num_colours() const { return static_cast<int>(m_rows.ordering.m_colour_rows.size()); }

  /// Of each own row: 1 where it has nothing to do with another rank, and 0 where one needs it, or it needs one.
  std::vector<int> find_inner_rows() const {
    std::vector<int> inner(index(m_rows.num_owned()), 1);
    for (const PeerRows& peer : m_peers) {
      for (const int row : peer.send) inner[index(row)] = 0;
    }
    for (std::size_t row = 0; row < inner.size(); ++row) {
      for (std::int64_t k = m_rows.offsets[row]; k < m_rows.offsets[row + 1]; ++k) {
        if (m_rows.columns[index(k)] >= m_rows.num_owned()) inner[row] = 0;
      }
    }
    return inner;
  }

  void order_own_rows() {
    ColourOrdering& ordering = m_rows.ordering;
    const std::vector<int> inner = find_inner_rows();
    ordering.m_old_rows = natural_order(m_rows.num_owned());
    const auto key = [&](int row) {
      const RowKey& of_row = m_keys[index(row)];
      return std::tuple(of_row.colour, inner[index(row)], of_row.place);
    };
    std::sort(ordering.m_old_rows.begin(), ordering.m_old_rows.end(),
              [&](int a, int b) { return key(a) < key(b); });
    ordering.m_new_rows.resize(inner.size());
    ordering.m_offsets.assign(index(num_colours()) + 1, 0);
    ordering.m_boundary_ends.assign(index(num_colours()), 0);
    for (std::size_t n = 0; n < inner.size(); ++n) {
      const int old_row = ordering.m_old_rows[n];
      ordering.m_new_rows[index(old_row)] = static_cast<int>(n);
      ++ordering.m_offsets[index(m_keys[index(old_row)].colour) + 1];
      if (inner[index(old_row)] == 0)
        ++ordering.m_boundary_ends[index(m_keys[index(old_row)].colour)];
    }
    std::partial_sum(ordering.m_offsets.begin(), ordering.m_offsets.end(),
                     ordering.m_offsets.begin());
    for (int colour = 0; colour < num_colours(); ++colour) {
      ordering.m_boundary_ends[index(colour)] += ordering.m_offsets[index(colour)];
    }
  }

  /// Appends the keys of the halo rows.
  void add_halo_rows() {
    for (PeerRows& peer : m_peers) {
      std::sort(peer.receive.begin(), peer.receive.end(), by_colour_and_number);
      m_keys.insert(m_keys.end(), peer.receive.begin(), peer.receive.end());
    }
    m_rows.halo.num_local = static_cast<int>(m_keys.size());
  }

  /// The pattern of the exchange.
  void make_pattern() {
    HaloPattern& halo = m_rows.halo;
    halo.halo_begin = halo.num_owned;
    halo.num_parts = std::max(1, num_colours());
    int first_of_peer = halo.num_owned;
    for (PeerRows& peer : m_peers) {
      std::vector<RowKey> sent;
      for (const int row : peer.send) sent.push_back(m_keys[index(row)]);
      std::sort(peer.send.begin(), peer.send.end(), [&](int a, int b) {
        return by_colour_and_number(m_keys[index(a)], m_keys[index(b)]);
      });
      HaloPattern::Peer messages{peer.rank, {}, {}, parts_of(sent), parts_of(peer.receive)};
      for (const int row : peer.send) {
        messages.send.push_back(m_rows.ordering.m_new_rows[index(row)]);
      }
      messages.receive.resize(peer.receive.size());
      std::iota(messages.receive.begin(), messages.receive.end(), first_of_peer);
      first_of_peer += static_cast<int>(peer.receive.size());
      halo.peers.push_back(std::move(messages));
    }
  }
  std::vector<int> parts_of(const std::vector<RowKey>& rows) const {
    std::vector<int> offsets(index(m_rows.halo.num_parts) + 1, 0);
    for (const RowKey& row : rows) ++offsets[index(row.colour) + 1];
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    return offsets;
  }

  void find_places() {
    const auto key = [&](int row) {
      const RowKey& of_row = m_keys[index(row)];
      return std::tie(of_row.colour, of_row.place);
    };
    std::vector<int> sorted = natural_order(static_cast<int>(m_keys.size()));
    std::sort(sorted.begin(), sorted.end(), [&](int a, int b) { return key(a) < key(b); });
    const auto same = std::adjacent_find(sorted.begin(), sorted.end(),
                                         [&](int a, int b) { return key(a) == key(b); });
    LAMINA_REQUIRE(same == sorted.end(), m_function,
                   "places: expected another place for each row of a colour, got " +
                       std::to_string(m_keys[index(*same)].place) + " for rows " +
                       std::to_string(m_keys[index(*same)].number) + " and " +
                       std::to_string(m_keys[index(*(same + 1))].number));
    ColourOrdering& ordering = m_rows.ordering;
    ordering.m_places.resize(m_keys.size());
    for (std::size_t n = 0; n < sorted.size(); ++n) {
      const bool own = sorted[n] < m_rows.num_owned();
      const int column = own ? ordering.m_new_rows[index(sorted[n])] : sorted[n];
      ordering.m_places[index(column)] = static_cast<int>(n);
    }
  }

  void find_columns(const std::vector<std::int64_t>& columns) {
    std::unordered_map<std::int64_t, int> local;
    for (std::size_t n = 0; n < m_keys.size(); ++n) {
      local.emplace(m_keys[n].number, static_cast<int>(n));
    }
    m_rows.columns.reserve(columns.size());
    for (int row = 0; row < m_rows.num_owned(); ++row) {
      for (std::int64_t k = m_rows.offsets[index(row)]; k < m_rows.offsets[index(row) + 1]; ++k) {
        const int column = local.at(columns[index(k)]);
        LAMINA_REQUIRE(column == row || m_keys[index(column)].colour != m_keys[index(row)].colour,
                       m_function, coupled(m_keys[index(row)], m_keys[index(column)]));
        m_rows.columns.push_back(column);
      }
    }
  }

  const char* m_function;
  std::vector<RowKey> m_keys;  // of local rows in the user's order
  std::vector<PeerRows> m_peers;
  LocalBlockRows m_rows;
};

}  // namespace Impl

namespace {

void require_own_rows(const char* function, const OwnBlockRows& own) {
  const auto rows = static_cast<long long>(own.rows.size());
  Impl::require_extent(function, "colours", "rows", rows,
                       static_cast<long long>(own.colours.size()));
  Impl::require_extent(function, "offsets", "entries", rows + 1,
                       static_cast<long long>(own.offsets.size()));
  if (!own.places.empty()) {
    Impl::require_extent(function, "places", "rows", rows,
                         static_cast<long long>(own.places.size()));
  }
  LAMINA_REQUIRE(own.offsets.front() == 0 &&
                     std::is_sorted(own.offsets.begin(), own.offsets.end()) &&
                     index(own.offsets.back()) == own.columns.size(),
                 function,
                 "offsets: expected ascending entries from 0 to " +
                     std::to_string(own.columns.size()) + ", the number of columns");
  for (const int colour : own.colours) {
    LAMINA_REQUIRE(colour >= 0 && colour < std::numeric_limits<int>::max(), function,
                   "colours: expected values >= 0, got " + std::to_string(colour));
  }
  for (const std::int64_t column : own.columns) {
    LAMINA_REQUIRE(column >= 0, function,
                   "columns: expected numbers >= 0, got " + std::to_string(column));
  }
}

/// The columns that are no own rows, once each.
std::vector<std::int64_t> halo_of(const OwnBlockRows& own) {
  std::vector<std::int64_t> rows(own.rows), columns(own.columns), halo;
  std::sort(rows.begin(), rows.end());
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  std::set_difference(columns.begin(), columns.end(), rows.begin(), rows.end(),
                      std::back_inserter(halo));
  return halo;
}

/// Rows of each colour on all ranks.
std::vector<std::int64_t> count_colours(const Transport& transport,
                                        const std::vector<int>& colours) {
  const int own = colours.empty() ? 0 : *std::max_element(colours.begin(), colours.end()) + 1;
  const std::vector<int> all = Impl::gather_values(transport, own);
  const std::size_t num_colours = index(*std::max_element(all.begin(), all.end()));
  std::vector<std::int64_t> counts(num_colours, 0);
  for (const int colour : colours) ++counts[index(colour)];
  std::vector<std::int64_t> sums(num_colours, 0), of_ranks(num_colours * index(transport.size()));
  transport.all_gather(std::as_bytes(std::span(counts)),
                       std::as_writable_bytes(std::span(of_ranks)));
  for (std::size_t n = 0; n < of_ranks.size(); ++n) sums[n % num_colours] += of_ranks[n];
  return sums;
}

}  // namespace

HaloPattern LocalBlockRows::halo_in(VectorOrder order) const {
  HaloPattern pattern = halo;
  if (order == VectorOrder::user) {
    for (auto& peer : pattern.peers) {
      for (int& row : peer.send) row = ordering.old_rows()[index(row)];
    }
  }
  return pattern;
}

LocalBlockRows make_local_block_rows(const Transport& transport, const OwnBlockRows& own) {
  const char* const function = "make_local_block_rows";
  Impl::run_agreed(transport, [&] { require_own_rows(function, own); });
  const HaloPattern found = make_halo_pattern(transport, own.rows, halo_of(own));
  std::vector<RowKey> keys;
  for (std::size_t n = 0; n < own.rows.size(); ++n) {
    keys.push_back({own.rows[n], own.places.empty() ? own.rows[n] : own.places[n], own.colours[n]});
  }
  std::vector<std::vector<RowKey>> outgoing(index(transport.size()));
  for (const auto& peer : found.peers) {
    for (const int row : peer.send) outgoing[index(peer.rank)].push_back(keys[index(row)]);
  }
  auto incoming = Impl::exchange_lists(transport, outgoing);
  std::vector<PeerRows> peers;
  for (const auto& peer : found.peers) {
    peers.push_back({peer.rank, peer.send, std::move(incoming[index(peer.rank)])});
  }
  auto colour_rows = count_colours(transport, own.colours);
  LocalBlockRows local;
  Impl::run_agreed(transport, [&] {
    Impl::LocalRowsBuilder builder(function, std::move(keys), std::move(peers),
                                   std::move(colour_rows));
    local = builder.build(own.offsets, own.columns);
  });
  return local;
}

LocalBlockRows local_block_rows(const BlockGraph& graph, const ColourOrdering& ordering,
                                const Partition& partition, int rank) {
  const char* const function = "local_block_rows";
  Impl::require_extent(function, "ordering", "rows", graph.num_rows(), ordering.num_rows());
  Impl::require_extent(function, "partition", "rows", graph.num_rows(), partition.num_items());
  std::vector<int> colours(index(graph.num_rows()));
  std::vector<std::int64_t> colour_rows;
  for (int colour = 0; colour < ordering.num_colours(); ++colour) {
    for (int n = ordering.offsets()[index(colour)]; n < ordering.offsets()[index(colour) + 1];
         ++n) {
      colours[index(ordering.old_rows()[index(n)])] = colour;
    }
    colour_rows.push_back(ordering.colour_rows(colour));
  }
  const auto key = [&](std::int64_t row) {
    return RowKey{row, ordering.new_rows()[index(row)], colours[index(row)]};
  };
  std::vector<RowKey> own;
  std::vector<std::int64_t> offsets{0}, columns;
  std::vector<std::vector<int>> send(index(partition.num_ranks()));
  std::vector<std::vector<std::int64_t>> receive(send.size());
  for (const std::int64_t row : partition.items(rank)) {
    const int position = static_cast<int>(own.size());
    own.push_back(key(row));
    for (std::int64_t k = graph.offsets[index(row)]; k < graph.offsets[index(row) + 1]; ++k) {
      const int column = graph.columns[index(k)], owner = partition.owner(column);
      columns.push_back(column);
      if (owner == rank) continue;
      auto& sent = send[index(owner)];
      if (sent.empty() || sent.back() != position) sent.push_back(position);
      receive[index(owner)].push_back(column);
    }
    offsets.push_back(static_cast<std::int64_t>(columns.size()));
  }
  std::vector<PeerRows> peers;
  for (int peer = 0; peer < partition.num_ranks(); ++peer) {
    auto& rows = receive[index(peer)];
    if (rows.empty()) continue;  // the graph is symmetric: nothing is sent either
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    peers.push_back({peer, std::move(send[index(peer)]), {}});
    for (const std::int64_t row : rows) peers.back().receive.push_back(key(row));
  }
  return Impl::LocalRowsBuilder(function, std::move(own), std::move(peers), std::move(colour_rows))
      .build(offsets, columns);
}

}  // namespace Lamina
