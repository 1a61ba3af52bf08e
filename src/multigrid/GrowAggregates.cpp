// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/impl/Index.hpp>
#include <lamina/multigrid/impl/Aggregates.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <queue>
#include <utility>
#include <vector>

namespace Lamina::Impl {
namespace {

/// The strong couplings W of a graph, scaled to D^-1/2 W D^-1/2. An edge is strong if its coupling is
/// at least a quarter of the strongest one of either column.
class StrongCouplings {
 public:
  explicit StrongCouplings(const ColumnCouplings& all) : m_begin{0} {
    constexpr double strong = 0.25;
    std::vector<double> strongest(index(all.num_columns()), 0.0), sums(strongest);
    m_begin.reserve(all.begin.size());
    m_entries.reserve(all.neighbours.size());
    for (int c = 0; c < all.num_columns(); ++c) {
      all.for_each(c,
                   [&](int, double w) { strongest[index(c)] = std::max(strongest[index(c)], w); });
    }
    for (int c = 0; c < all.num_columns(); ++c) {
      all.for_each(c, [&](int neighbour, double w) {
        if (w < strong * std::min(strongest[index(c)], strongest[index(neighbour)])) return;
        m_entries.emplace_back(neighbour, w);
        sums[index(c)] += w;
      });
      m_begin.push_back(m_entries.size());
    }
    for (int c = 0; c < all.num_columns(); ++c) {
      for (std::size_t n = m_begin[index(c)]; n < m_begin[index(c) + 1]; ++n) {
        m_entries[n].second /= std::sqrt(sums[index(c)] * sums[index(m_entries[n].first)]);
      }
    }
  }

  /// visit(neighbour, scaled coupling)
  template <class Visit>
  void for_each(int column, const Visit& visit) const {
    for (std::size_t n = m_begin[index(column)]; n < m_begin[index(column) + 1]; ++n) {
      visit(m_entries[n].first, m_entries[n].second);
    }
  }

 private:
  std::vector<std::size_t> m_begin;
  std::vector<std::pair<int, double>> m_entries;
};

/// Grows aggregates one after the other, each beside those that are there already.
///
/// How near two columns are is S = W + W W of the scaled strong couplings: two columns with two
/// common neighbours belong together, although no edge joins them. So aggregates stay compact.
class AggregateGrowth {
 public:
  explicit AggregateGrowth(const ColumnCouplings& couplings)
      : m_couplings(couplings),
        m_strong(couplings),
        m_of_column(index(couplings.num_columns()), free),
        m_sums(m_of_column.size(), 0.0),
        m_taken(m_of_column.size(), 0.0),
        m_shares(m_of_column.size(), 0.0),
        m_pulls(m_of_column.size(), 0.0),
        m_waiting_shares(m_of_column.size(), 0.0),
        m_nearness(m_of_column.size(), 0.0) {
    for (int c = 0; c < couplings.num_columns(); ++c) {
      couplings.for_each(c, [&](int, double w) { m_sums[index(c)] += w; });
    }
  }

  Aggregates grow() {
    for (int seed = next_seed(); seed != free; seed = next_seed()) grow_from(seed);
    for (std::size_t a = 0; a < m_members.size(); ++a) join_if_small(static_cast<int>(a));
    return numbered();
  }

 private:
  static constexpr int free = -1;
  static constexpr double weight_of_share = 0.1;
  static constexpr std::size_t wanted_size = 4, small_size = 2, largest_size = 6;

  /// The columns of an aggregate.
  class Members {
   public:
    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    const int* begin() const { return m_columns.data(); }
    const int* end() const { return begin() + m_size; }
    void push_back(int column) { m_columns[m_size++] = column; }
    void clear() { m_size = 0; }

   private:
    std::array<int, largest_size> m_columns{};
    std::size_t m_size = 0;
  };

  /// The free column that aggregates have the largest share of, of several the first one; `free` where
  /// none is left.
  int next_seed() {
    while (!m_waiting.empty()) {
      const int seed = -m_waiting.top().second;
      m_waiting.pop();
      if (m_of_column[index(seed)] == free) return seed;
    }
    while (m_first_free < m_of_column.size() && m_of_column[m_first_free] != free) ++m_first_free;
    return m_first_free < m_of_column.size() ? static_cast<int>(m_first_free) : free;
  }

  void take(int column, int aggregate) {
    m_of_column[index(column)] = aggregate;
    m_members[index(aggregate)].push_back(column);
    m_couplings.for_each(column, [&](int neighbour, double w) {
      const std::size_t n = index(neighbour);
      m_taken[n] += w;
      m_shares[n] = m_taken[n] / m_sums[n];
      m_pulls[n] = weight_of_share * m_shares[n];
    });
  }

  /// Free columns beside this one wait with the share that is taken now. Shares only grow, so that those
  /// with which they waited before do not matter.
  void queue_neighbours(int column) {
    m_couplings.for_each(column, [&](int neighbour, double) {
      const std::size_t n = index(neighbour);
      if (m_of_column[n] != free || m_shares[n] == m_waiting_shares[n]) return;
      m_waiting_shares[n] = m_shares[n];
      m_waiting.emplace(m_shares[n], -neighbour);
    });
  }

  /// Adds the nearness of all columns to this one.
  void add_nearness(int column) {
    m_strong.for_each(column, [&](int near, double w) {
      m_nearness[index(near)] += w;
      m_strong.for_each(near, [&](int far, double v) { m_nearness[index(far)] += w * v; });
    });
  }
  void clear_nearness(int column) {
    m_strong.for_each(column, [&](int near, double) {
      m_nearness[index(near)] = 0;
      m_strong.for_each(near, [&](int far, double) { m_nearness[index(far)] = 0; });
    });
  }

  void grow_from(int seed) {
    const int aggregate = static_cast<int>(m_members.size());
    m_members.emplace_back();
    take(seed, aggregate);
    add_nearness(seed);
    while (m_members.back().size() < wanted_size) {
      int best = free;
      double best_score = 0;
      for (const int member : m_members.back()) {
        m_strong.for_each(member, [&](int candidate, double) {
          if (m_of_column[index(candidate)] != free) return;
          const double score = m_nearness[index(candidate)] + m_pulls[index(candidate)];
          const bool better = score > best_score || (score == best_score && candidate < best);
          if (best != free && !better) return;
          best = candidate;
          best_score = score;
        });
      }
      if (best == free) break;
      take(best, aggregate);
      add_nearness(best);
    }
    for (const int member : m_members.back()) {
      clear_nearness(member);
      queue_neighbours(member);
    }
  }

  /// An aggregate of one or two columns joins the one that is nearest to it, per member.
  void join_if_small(int aggregate) {
    auto& members = m_members[index(aggregate)];
    if (members.empty() || members.size() > small_size) return;
    std::vector<std::pair<int, double>> candidates;  // aggregate, nearness
    for (const int member : members) add_nearness(member);
    for (const int member : members) {
      m_strong.for_each(member, [&](int neighbour, double) {
        const int other = m_of_column[index(neighbour)];
        if (other == aggregate) return;
        const auto& theirs = m_members[index(other)];
        if (theirs.size() + members.size() > largest_size) return;
        double nearness = 0;
        for (const int column : theirs) nearness += m_nearness[index(column)];
        candidates.emplace_back(other, nearness / static_cast<double>(theirs.size()));
      });
    }
    for (const int member : members) clear_nearness(member);
    if (candidates.empty()) return;
    const auto nearest =
        *std::max_element(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
          return a.second != b.second ? a.second < b.second : a.first > b.first;
        });
    for (const int member : members) {
      m_of_column[index(member)] = nearest.first;
      m_members[index(nearest.first)].push_back(member);
    }
    members.clear();
  }

  Aggregates numbered() const {
    Aggregates aggregates;
    std::vector<int> numbers(m_members.size(), free);
    aggregates.of_column.reserve(m_of_column.size());
    for (const int aggregate : m_of_column) {
      int& number = numbers[index(aggregate)];
      if (number == free) number = aggregates.count++;
      aggregates.of_column.push_back(number);
    }
    return aggregates;
  }

  const ColumnCouplings& m_couplings;
  StrongCouplings m_strong;
  std::vector<int> m_of_column;
  std::vector<Members> m_members;       // of each aggregate
  std::vector<double> m_sums, m_taken;  // couplings of each column
  std::vector<double> m_shares;         // taken / sum
  std::vector<double> m_pulls;          // what that adds to the nearness
  std::vector<double> m_waiting_shares;
  std::vector<double> m_nearness;  // to the growing aggregate
  // Columns beside aggregates: share taken, - column
  std::priority_queue<std::pair<double, int>> m_waiting;
  std::size_t m_first_free = 0;
};

}  // namespace

Aggregates grow_aggregates(const ColumnCouplings& couplings) {
  return AggregateGrowth(couplings).grow();
}

}  // namespace Lamina::Impl
