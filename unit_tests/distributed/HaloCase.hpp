// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/HaloPattern.hpp>
#include <lamina/distributed/Partition.hpp>

#include <reference/Hash.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace LaminaTest {

/// A graph of items, as neighbours of each, and partitions of it that are awkward.
struct HaloGraph {
  std::vector<std::vector<std::int64_t>> neighbours;

  std::int64_t size() const { return static_cast<std::int64_t>(neighbours.size()); }

  /// nx x ny cells, periodic in both directions. A cell may be its own neighbour.
  static HaloGraph torus(int nx, int ny) {
    HaloGraph graph;
    for (int i = 0; i < nx; ++i) {
      for (int j = 0; j < ny; ++j) {
        graph.neighbours.push_back({ny * ((i + 1) % nx) + j, ny * ((i + nx - 1) % nx) + j,
                                    ny * i + (j + 1) % ny, ny * i + (j + ny - 1) % ny});
      }
    }
    return graph;
  }
};

struct NamedPartition {
  std::string name;
  Lamina::Partition partition;
};

/// Partitions of a torus for so many ranks.
inline std::vector<NamedPartition> awkward_partitions(int nx, int ny, int num_ranks) {
  const int size = nx * ny;
  std::vector<int> scattered, empty_in_the_middle;
  for (int n = 0; n < size; ++n) {
    const double value = Reference::unit_value(static_cast<std::uint64_t>(n + 7 * num_ranks));
    scattered.push_back(static_cast<int>((value + 1) / 2 * num_ranks));
    empty_in_the_middle.push_back(n % 2 == 0 ? 0 : num_ranks - 1);
  }
  using Lamina::Partition;
  return {{"strips", Partition::grid({nx, ny}, {num_ranks, 1})},
          {"across", Partition::grid({nx, ny}, {1, num_ranks})},
          {"scattered", Partition::from_owners(scattered, num_ranks)},
          {"all but two are empty", Partition::from_owners(empty_in_the_middle, num_ranks)},
          {"the last has all",
           Partition::from_owners(std::vector<int>(static_cast<std::size_t>(size), num_ranks - 1),
                                  num_ranks)}};
}

/// The items of one rank.
struct RankItems {
  std::vector<std::int64_t> owned, halo;  // global numbers; the halo has unused places

  std::int64_t global(int local) const {
    const auto n = static_cast<std::size_t>(local);
    return n < owned.size() ? owned[n] : halo[n - owned.size()];
  }
  int size() const { return static_cast<int>(owned.size() + halo.size()); }
};

/// Owned items, and all neighbours that are owned by others. `mirrored` adds neighbours of its own
/// that lie on the other side of a seam: the ghost cells of a periodic domain. Three unused places
/// come first, and one between each two halo items.
inline RankItems rank_items(const HaloGraph& graph, const Lamina::Partition& partition, int rank,
                            bool mirrored = false) {
  RankItems items;
  items.owned = partition.items(rank);
  std::vector<std::int64_t> halo;
  for (const std::int64_t item : items.owned) {
    for (const std::int64_t other : graph.neighbours[static_cast<std::size_t>(item)]) {
      const bool is_other = partition.owner(other) != rank;
      if (is_other || (mirrored && std::abs(other - item) > 1)) halo.push_back(other);
    }
  }
  if (!mirrored) {  // otherwise items occur several times, in no order
    std::sort(halo.begin(), halo.end());
    halo.erase(std::unique(halo.begin(), halo.end()), halo.end());
    std::reverse(halo.begin(), halo.end());
  }
  items.halo.assign(3, Lamina::no_item);
  for (const std::int64_t item : halo) items.halo.insert(items.halo.end(), {item, Lamina::no_item});
  return items;
}

}  // namespace LaminaTest
