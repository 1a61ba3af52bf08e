// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/core/impl/Index.hpp>
#include <lamina/multigrid/impl/RankColumns.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace Lamina::Impl {
namespace {

using Numbers = std::vector<std::int64_t>;

/// What other ranks need to know of a column. Columns have numbers over all ranks, those of the next coarser
/// level too.
struct Column {
  double area = 1;
  int num_links = 0;
  std::array<std::int64_t, ColumnTransfer::max_entries> coarse{};
  std::array<double, ColumnTransfer::max_entries> weights{};
};

/// An edge of a column, or with `no_item` one of the boundary.
struct Link {
  std::int64_t column, other;
  double length, distance;

  /// All ranks add up the edges of a column in this order.
  auto key() const {
    const auto [low, high] = std::minmax(column, other);
    return std::tuple(low, high, length, distance);
  }
};

/// The numbers of the columns of a level, as of `RankNumbers`.
Numbers numbers_of(const Transport& transport, const RankNumbers& ranks,
                   const HierarchyLevel& level) {
  Numbers numbers(level.graph.areas.size(), no_item);
  for (int c = 0; c < level.halo.num_owned; ++c) numbers[index(c)] = ranks.begin() + c;
  update_halo(transport, level.halo, numbers);
  return numbers;
}

/// The columns that a rank owns, with their edges.
class OwnColumns {
 public:
  /// \param numbers  of the columns of the level
  /// \param coarse   of those of the next coarser one; empty where every rank has all of them
  OwnColumns(const HierarchyLevel& level, std::int64_t begin, const Numbers& numbers,
             const Numbers& coarse)
      : m_begin(begin), m_columns(index(level.graph.count_owned())), m_links(m_columns.size()) {
    for (const auto& edge : level.graph.edges) {
      const std::int64_t first = numbers[index(edge.first)], second = numbers[index(edge.second)];
      add({first, second, edge.length, edge.distance});
      add({second, first, edge.length, edge.distance});
    }
    for (const auto& edge : level.graph.boundary_edges) {
      add({numbers[index(edge.column)], no_item, edge.length, edge.distance});
    }
    for (std::size_t c = 0; c < m_columns.size(); ++c) {
      Column& column = m_columns[c];
      column.area = level.graph.areas[c];
      column.num_links = static_cast<int>(m_links[c].size());
      if (level.transfer.columns.empty()) continue;
      column.weights = level.transfer.weights[c];
      for (std::size_t n = 0; n < column.coarse.size(); ++n) {
        const int to = level.transfer.columns[c][n];
        column.coarse[n] = coarse.empty() ? to : coarse[index(to)];
      }
    }
  }

  const Column& column(std::int64_t number) const { return m_columns[index(number - m_begin)]; }
  const std::vector<Link>& links(std::int64_t number) const {
    return m_links[index(number - m_begin)];
  }

 private:
  void add(const Link& link) {
    const std::int64_t place = link.column - m_begin;
    if (place >= 0 && place < static_cast<std::int64_t>(m_links.size())) {
      m_links[index(place)].push_back(link);
    }
  }

  std::int64_t m_begin;
  std::vector<Column> m_columns;
  std::vector<std::vector<Link>> m_links;
};

std::size_t rounded_up(std::size_t count, std::size_t multiple) {
  return (count + multiple - 1) / multiple * multiple;
}

/// The columns of a rank and of the rings around them, in the order of their places.
class RingsOfLevel {
 public:
  /// Without rings.
  RingsOfLevel(const Transport& transport, const RankNumbers& ranks, const OwnColumns& own)
      : m_transport(transport), m_ranks(ranks) {
    run_agreed(transport, [&] {
      for (std::int64_t number = ranks.begin(); number < ranks.end(); ++number) {
        place(number, own.column(number), own.links(number));
      }
      m_num_own = m_numbers.size();
      fill_up(line);
      m_ends.push_back(static_cast<int>(m_numbers.size()));
      find_beyond(0);
    });
  }

  /// Adds the next ring. Collective.
  void add_ring(const OwnColumns& own) {
    std::vector<Numbers> wanted(index(m_transport.size()));
    for (const std::int64_t number : m_beyond) {
      wanted[index(m_ranks.owner(number))].push_back(number);
    }
    const auto asked = exchange_lists(m_transport, wanted);
    std::vector<std::vector<Column>> columns(asked.size());
    std::vector<std::vector<Link>> links(asked.size());
    for (std::size_t rank = 0; rank < asked.size(); ++rank) {
      for (const std::int64_t number : asked[rank]) {
        columns[rank].push_back(own.column(number));
        const auto& of_column = own.links(number);
        links[rank].insert(links[rank].end(), of_column.begin(), of_column.end());
      }
    }
    const auto told = exchange_lists(m_transport, columns);
    const auto told_links = exchange_lists(m_transport, links);
    run_agreed(m_transport, [&] {
      const std::size_t first_link = m_links.size();
      m_last_ring = m_numbers.size();
      for (std::size_t rank = 0; rank < wanted.size(); ++rank) {
        fill_up(pack);
        auto link = told_links[rank].begin();
        for (std::size_t n = 0; n < wanted[rank].size(); ++n) {
          const Column& column = told[rank][n];
          place(wanted[rank][n], column, {link, link + column.num_links});
          link += column.num_links;
        }
      }
      fill_up(pack);
      m_ends.push_back(static_cast<int>(m_numbers.size()));
      find_beyond(first_link);
    });
  }

  /// The place of a column, or -1 for one beyond the rings.
  int find(std::int64_t number) const {
    if (m_ranks.is_own(number)) return static_cast<int>(number - m_ranks.begin());
    const auto known = m_places.find(number);
    return known == m_places.end() ? -1 : known->second;
  }

  /// The same for a column that the rings must have.
  int place_of(std::int64_t number) const {
    const int place = find(number);
    LAMINA_REQUIRE(place >= 0, "ColumnHierarchy",
                   "rings: expected all columns that P takes values from, got none with number " +
                       std::to_string(number));
    return place;
  }

  /// See `LevelRings`.
  const std::vector<int>& ends() const { return m_ends; }
  /// After the last ring. Forgets the edges.
  ColumnGraph take_graph() {
    fill_up(line);
    m_ends.back() = static_cast<int>(m_numbers.size());
    ColumnGraph graph;
    graph.num_owned = static_cast<int>(m_numbers.size());
    for (const Column& column : m_columns) graph.areas.push_back(column.area);
    graph.areas.resize(size(), 1);
    std::sort(m_links.begin(), m_links.end(),
              [](const Link& a, const Link& b) { return a.key() < b.key(); });
    for (const Link& link : m_links) {
      const int here = find(link.column), there = link.other == no_item ? -1 : find(link.other);
      if (link.other == no_item) {
        graph.boundary_edges.push_back({here, link.length, link.distance});
      } else if (there < 0) {
        const auto at = std::lower_bound(m_beyond.begin(), m_beyond.end(), link.other);
        const auto place = graph.num_owned + static_cast<int>(at - m_beyond.begin());
        graph.edges.push_back({here, place, link.length, link.distance});
      } else if (link.column < link.other) {  // the other one has it, too
        graph.edges.push_back({here, there, link.length, link.distance});
      }
    }
    m_links = {};
    return graph;
  }
  /// Places of the graph: fields have levels that begin at cache lines.
  std::size_t size() const { return rounded_up(m_numbers.size() + m_beyond.size(), line); }

  /// Collective.
  HaloPattern pattern() const {
    const auto end_of_own = m_numbers.begin() + static_cast<std::ptrdiff_t>(m_num_own);
    Numbers halo(end_of_own, m_numbers.end());
    halo.resize(size() - m_num_own, no_item);
    return make_halo_pattern(m_transport, {m_numbers.begin(), end_of_own}, halo);
  }

  /// The rows of P of the places that kernels work on; those of the last ring are empty.
  /// \param coarser  null where every rank has all columns of the next coarser level
  ColumnTransfer transfer(const RingsOfLevel* coarser) const {
    ColumnTransfer transfer;
    transfer.columns.resize(m_numbers.size());
    transfer.weights.resize(m_numbers.size());
    for (std::size_t c = 0; c < m_last_ring; ++c) {
      const Column& column = m_columns[c];
      for (std::size_t n = 0; n < column.coarse.size(); ++n) {
        if (column.weights[n] == 0) continue;
        transfer.weights[c][n] = column.weights[n];
        transfer.columns[c][n] = coarser == nullptr ? static_cast<int>(column.coarse[n])
                                                    : coarser->place_of(column.coarse[n]);
      }
    }
    return transfer;
  }

 private:
  void place(std::int64_t number, const Column& column, const std::vector<Link>& links) {
    if (!m_ranks.is_own(number)) m_places.emplace(number, static_cast<int>(m_numbers.size()));
    m_numbers.push_back(number);
    m_columns.push_back(column);
    m_links.insert(m_links.end(), links.begin(), links.end());
  }
  /// Unused places, so that what follows begins at a multiple.
  void fill_up(std::size_t multiple) {
    m_numbers.resize(rounded_up(m_numbers.size(), multiple), no_item);
    m_columns.resize(m_numbers.size());
  }
  /// The columns that links from one on lead to, and that have no place.
  void find_beyond(std::size_t first_link) {
    m_beyond.clear();
    for (std::size_t n = first_link; n < m_links.size(); ++n) {
      const std::int64_t other = m_links[n].other;
      if (other != no_item && find(other) < 0) m_beyond.push_back(other);
    }
    std::sort(m_beyond.begin(), m_beyond.end());
    m_beyond.erase(std::unique(m_beyond.begin(), m_beyond.end()), m_beyond.end());
  }

  static constexpr std::size_t line = 16,  // a cache line of doubles
      pack = 4;                            // columns that a thread of a device takes at once

  const Transport& m_transport;
  const RankNumbers& m_ranks;
  std::unordered_map<std::int64_t, int> m_places;  // of columns of other ranks
  Numbers m_numbers;                               // (place), or `no_item`
  std::vector<Column> m_columns;                   // (place)
  std::vector<Link> m_links;                       // of all columns
  Numbers m_beyond;                                // the next ring
  std::size_t m_num_own = 0, m_last_ring = 0;      // place at which the last ring begins
  std::vector<int> m_ends;                         // of owned columns, then of each ring
};

/// P of a level without rings, to places of the next coarser one.
ColumnTransfer transfer_to_places(const ColumnTransfer& transfer, const Numbers& coarse,
                                  const RingsOfLevel& coarser) {
  ColumnTransfer result = transfer;
  for (std::size_t c = 0; c < result.columns.size(); ++c) {
    for (std::size_t n = 0; n < ColumnTransfer::max_entries; ++n) {
      const bool is_used = transfer.weights[c][n] != 0;
      result.columns[c][n] = is_used ? coarser.place_of(coarse[index(transfer.columns[c][n])]) : 0;
    }
  }
  return result;
}

}  // namespace

std::vector<LevelRings> find_rings(const Transport& transport,
                                   const std::vector<HierarchyLevel>& levels, std::size_t last,
                                   int num_rings) {
  std::vector<RankNumbers> ranks;
  std::vector<Numbers> numbers;
  for (std::size_t l = 0; l <= last + 1 && l < levels.size() && levels[l].is_shared; ++l) {
    ranks.emplace_back(transport, levels[l].halo.num_owned);
    numbers.push_back(numbers_of(transport, ranks[l], levels[l]));
  }
  numbers.resize(last + 2);
  std::deque<RingsOfLevel> rings;  // of levels 1 to `last`
  std::vector<LevelRings> result(last + 1);
  for (std::size_t l = 1; l <= last; ++l) {
    std::optional<OwnColumns> own;
    run_agreed(transport,
               [&] { own.emplace(levels[l], ranks[l].begin(), numbers[l], numbers[l + 1]); });
    RingsOfLevel& level = rings.emplace_back(transport, ranks[l], *own);
    for (int n = 0; n < num_rings; ++n) level.add_ring(*own);
    run_agreed(transport, [&] {
      result[l].graph = level.take_graph();
      result[l].ends = level.ends();
    });
    result[l].halo = level.pattern();
  }
  run_agreed(transport, [&] {
    const auto rings_of = [&](std::size_t l) { return l <= last ? &rings[l - 1] : nullptr; };
    result[0].transfer = last == 0
                             ? levels[0].transfer
                             : transfer_to_places(levels[0].transfer, numbers[1], *rings_of(1));
    for (std::size_t l = 1; l <= last; ++l) {
      const bool is_used = l < last || (l + 1 < levels.size() && !levels[l + 1].is_shared);
      if (is_used) result[l].transfer = rings[l - 1].transfer(rings_of(l + 1));
    }
  });
  return result;
}

}  // namespace Lamina::Impl
