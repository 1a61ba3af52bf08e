// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/core/impl/Index.hpp>
#include <lamina/distributed/Partition.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <string>

namespace Lamina {
namespace {

using std::to_string;

using Impl::index;

void require_ranks(const char* function, std::int64_t num_ranks) {
  LAMINA_REQUIRE(num_ranks >= 1 && num_ranks <= std::numeric_limits<int>::max(), function,
                 "ranks: expected at least one, and fewer than 2^31, got " + to_string(num_ranks));
}

/// Where rank `part` begins, of `parts` with nearly equal shares: count * part / parts, which might
/// not fit.
std::int64_t share_begin(std::int64_t count, std::int64_t part, std::int64_t parts) {
  return count / parts * part + count % parts * part / parts;
}

std::vector<std::int64_t> cuts_of(std::int64_t cells, int ranks, std::int64_t align) {
  const std::int64_t aligned = cells / align + (cells % align != 0 ? 1 : 0);
  const std::int64_t step = aligned >= ranks ? align : 1, steps = step == 1 ? cells : aligned;
  std::vector<std::int64_t> cuts;
  for (int rank = 0; rank < ranks; ++rank) cuts.push_back(step * share_begin(steps, rank, ranks));
  cuts.push_back(cells);
  return cuts;
}

/// The piece that a position is in. Some pieces may be empty.
std::int64_t piece_of(const std::vector<std::int64_t>& cuts, std::int64_t position) {
  return std::upper_bound(cuts.begin(), cuts.end(), position) - cuts.begin() - 1;
}

void require_order(const std::vector<int>& order) {
  std::vector<bool> seen(order.size(), false);
  for (const int item : order) {
    LAMINA_REQUIRE(item >= 0 && index(item) < order.size() && !seen[index(item)],
                   "Partition::along_order",
                   "order: expected each of " + to_string(order.size()) + " items once, got " +
                       to_string(item));
    seen[index(item)] = true;
  }
}

void require_weights(const char* function, const std::vector<double>& weights,
                     std::size_t num_items) {
  LAMINA_REQUIRE(
      weights.empty() || weights.size() == num_items, function,
      "weights: expected " + to_string(num_items) + ", got " + to_string(weights.size()));
  double total = 0;
  for (const double weight : weights) {
    LAMINA_REQUIRE(weight >= 0 && std::isfinite(weight), function,
                   "weights: expected finite values >= 0, got " + to_string(weight));
    total += weight;
  }
  LAMINA_REQUIRE(std::isfinite(total), function,
                 "weights: expected a finite sum, got " + to_string(total));
}

/// Weights of 0 alone count as equal ones, as do none.
bool are_equal(const std::vector<double>& weights) {
  return std::all_of(weights.begin(), weights.end(), [](double weight) { return weight == 0; });
}

/// The weight of the heaviest rank over the mean.
double imbalance_of(const Partition& partition, const std::vector<double>& weights) {
  const bool equal = are_equal(weights);
  std::vector<double> of_ranks(index(partition.num_ranks()), 0);
  double total = 0;
  for (int rank = 0; rank < partition.num_ranks(); ++rank) {
    double& sum = of_ranks[index(rank)];
    if (equal) {
      sum = static_cast<double>(partition.num_items(rank));
    } else {
      for (const std::int64_t item : partition.items(rank)) sum += weights[index(item)];
    }
    total += sum;
  }
  const double largest = *std::max_element(of_ranks.begin(), of_ranks.end());
  return total > 0 ? largest * partition.num_ranks() / total : 1;
}

}  // namespace

Partition Partition::blocks(std::int64_t num_items, int num_ranks) {
  LAMINA_REQUIRE(num_items >= 0, "Partition::blocks",
                 "num_items: expected a number >= 0, got " + to_string(num_items));
  require_ranks("Partition::blocks", num_ranks);
  return grid({num_items, 1}, {num_ranks, 1});
}

Partition Partition::grid(std::array<std::int64_t, 2> cells, std::array<int, 2> ranks,
                          std::array<int, 2> align) {
  for (const std::size_t n : {std::size_t(0), std::size_t(1)}) {
    LAMINA_REQUIRE(cells[n] >= 0, "Partition::grid",
                   "cells: expected numbers >= 0, got " + to_string(cells[n]));
    LAMINA_REQUIRE(align[n] >= 1, "Partition::grid",
                   "align: expected numbers >= 1, got " + to_string(align[n]));
    require_ranks("Partition::grid", ranks[n]);
  }
  require_ranks("Partition::grid", static_cast<std::int64_t>(ranks[0]) * ranks[1]);
  LAMINA_REQUIRE(
      cells[1] == 0 || cells[0] <= std::numeric_limits<std::int64_t>::max() / cells[1],
      "Partition::grid",
      "cells: expected fewer than 2^63, got " + to_string(cells[0]) + " x " + to_string(cells[1]));
  Partition partition;
  partition.m_cells = cells;
  partition.m_ranks = ranks;
  for (const std::size_t n : {std::size_t(0), std::size_t(1)}) {
    partition.m_cuts[n] = cuts_of(cells[n], ranks[n], align[n]);
  }
  return partition;
}

Partition Partition::along_order(const std::vector<int>& order, const std::vector<double>& weights,
                                 int num_ranks) {
  require_ranks("Partition::along_order", num_ranks);
  require_order(order);
  require_weights("Partition::along_order", weights, order.size());
  const bool equal = are_equal(weights);
  const double total = equal ? static_cast<double>(order.size())
                             : std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<int> owners(order.size());
  double before = 0;
  for (const int item : order) {
    const double weight = equal ? 1 : weights[index(item)];
    // The rank in whose share the middle of the item lies.
    const double share = (before + weight / 2) / total * num_ranks;
    owners[index(item)] = std::min(static_cast<int>(share), num_ranks - 1);
    before += weight;
  }
  return from_owners(std::move(owners), num_ranks);
}

Partition Partition::from_owners(std::vector<int> owners, int num_ranks) {
  require_ranks("Partition::from_owners", num_ranks);
  Partition partition;
  partition.m_cells = {static_cast<std::int64_t>(owners.size()), 1};
  partition.m_ranks = {num_ranks, 1};
  partition.m_counts.assign(index(num_ranks), 0);
  for (const int owner : owners) {
    LAMINA_REQUIRE(
        owner >= 0 && owner < num_ranks, "Partition::from_owners",
        "owners: expected ranks 0 to " + to_string(num_ranks - 1) + ", got " + to_string(owner));
    ++partition.m_counts[index(owner)];
  }
  partition.m_owners = std::move(owners);
  return partition;
}

int Partition::owner(std::int64_t item) const {
  LAMINA_REQUIRE(item >= 0 && item < num_items(), "Partition::owner",
                 "item: expected 0 to " + to_string(num_items() - 1) + ", got " + to_string(item));
  if (!m_counts.empty()) return m_owners[index(item)];
  const std::int64_t p = piece_of(m_cuts[0], item / m_cells[1]);
  const std::int64_t q = piece_of(m_cuts[1], item % m_cells[1]);
  return static_cast<int>(m_ranks[1] * p + q);
}

void Partition::require_rank(const char* function, int rank) const {
  LAMINA_REQUIRE(rank >= 0 && rank < num_ranks(), function,
                 "rank: expected 0 to " + to_string(num_ranks() - 1) + ", got " + to_string(rank));
}

std::int64_t Partition::num_items(int rank) const {
  require_rank("Partition::num_items", rank);
  if (!m_counts.empty()) return m_counts[index(rank)];
  const std::size_t p = index(rank / m_ranks[1]), q = index(rank % m_ranks[1]);
  return (m_cuts[0][p + 1] - m_cuts[0][p]) * (m_cuts[1][q + 1] - m_cuts[1][q]);
}

std::vector<std::int64_t> Partition::items(int rank) const {
  require_rank("Partition::items", rank);
  std::vector<std::int64_t> items;
  items.reserve(index(num_items(rank)));
  if (!m_counts.empty()) {
    for (std::size_t item = 0; item < m_owners.size(); ++item) {
      if (m_owners[item] == rank) items.push_back(static_cast<std::int64_t>(item));
    }
    return items;
  }
  const std::size_t p = index(rank / m_ranks[1]), q = index(rank % m_ranks[1]);
  for (std::int64_t i = m_cuts[0][p]; i < m_cuts[0][p + 1]; ++i) {
    for (std::int64_t j = m_cuts[1][q]; j < m_cuts[1][q + 1]; ++j) {
      items.push_back(m_cells[1] * i + j);
    }
  }
  return items;
}

PartitionQuality PartitionQuality::of(
    const Partition& partition, const std::vector<std::pair<std::int64_t, std::int64_t>>& edges,
    const std::vector<double>& weights) {
  require_weights("PartitionQuality::of", weights, index(partition.num_items()));
  // Both ends see the other one as a halo item: (rank, item), and (rank, peer).
  std::vector<std::pair<int, std::int64_t>> halo, peers;
  PartitionQuality quality;
  for (const auto& [first, second] : edges) {
    const int here = partition.owner(first), there = partition.owner(second);
    if (here == there) continue;
    ++quality.cut_edges;
    halo.insert(halo.end(), {{here, second}, {there, first}});
    peers.insert(peers.end(), {{here, there}, {there, here}});
  }
  const auto count_of_ranks = [&](auto& list) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    std::vector<std::int64_t> counts(index(partition.num_ranks()), 0);
    for (const auto& entry : list) ++counts[index(entry.first)];
    return counts;
  };
  const auto halo_counts = count_of_ranks(halo), peer_counts = count_of_ranks(peers);
  for (int rank = 0; rank < partition.num_ranks(); ++rank) {
    const std::int64_t owned = partition.num_items(rank), others = halo_counts[index(rank)];
    quality.most_items = std::max(quality.most_items, owned + others);
    quality.most_peers = std::max(quality.most_peers, static_cast<int>(peer_counts[index(rank)]));
    if (owned == 0) continue;
    quality.largest_halo_fraction = std::max(
        quality.largest_halo_fraction, static_cast<double>(others) / static_cast<double>(owned));
  }
  quality.imbalance = imbalance_of(partition, weights);
  return quality;
}

}  // namespace Lamina
