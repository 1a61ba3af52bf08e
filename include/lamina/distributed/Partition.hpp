// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace Lamina {

/// Which rank owns which item: column, block row, or cell of a plane. Items have global numbers 0
/// to num_items() - 1. A partition is data of the host, and the same on every rank.
///
/// A rank may own nothing. Partitions of blocks and grids have no table: their size does not
/// matter. The others hold 4 bytes per item.
class Partition {
 public:
  /// Contiguous items, in the order of the ranks. Sizes differ by one at most.
  /// \throws InvalidArgument unless num_items >= 0 and num_ranks >= 1.
  static Partition blocks(std::int64_t num_items, int num_ranks);

  /// Rectangles of cells (i, j), 0 <= i < cells[0], 0 <= j < cells[1]. Cell (i, j) is item
  /// cells[1] * i + j, as the columns of `CubedSpherePanel` and `plane` are numbered.
  /// Rectangle (p, q) belongs to rank ranks[1] * p + q.
  ///
  /// \param align  cuts are at multiples of it in each direction, but at any cell where some rank
  ///   would be left without cells
  /// \throws InvalidArgument unless cells >= 0, ranks >= 1, align >= 1, and the products fit.
  static Partition grid(std::array<std::int64_t, 2> cells, std::array<int, 2> ranks,
                        std::array<int, 2> align = {1, 1});

  /// Cuts an order of all items into consecutive pieces of nearly equal weight, for example the
  /// order along a space-filling curve.
  ///
  /// \param order    each item once
  /// \param weights  of the items, >= 0, with a finite sum. All items count alike where it is
  ///   empty, or all weights are 0
  /// \throws InvalidArgument for other input.
  static Partition along_order(const std::vector<int>& order, const std::vector<double>& weights,
                               int num_ranks);

  /// \param owners  the rank of each item, as METIS writes it
  /// \throws InvalidArgument unless 0 <= owner < num_ranks.
  static Partition from_owners(std::vector<int> owners, int num_ranks);

  int num_ranks() const { return m_ranks[0] * m_ranks[1]; }
  std::int64_t num_items() const { return m_cells[0] * m_cells[1]; }
  /// \throws InvalidArgument where there is no such item.
  int owner(std::int64_t item) const;
  /// \throws InvalidArgument where there is no such rank, as does `items`.
  std::int64_t num_items(int rank) const;
  /// The items of a rank, ascending.
  std::vector<std::int64_t> items(int rank) const;

 private:
  Partition() = default;
  void require_rank(const char* function, int rank) const;

  std::array<std::int64_t, 2> m_cells{};
  std::array<int, 2> m_ranks{1, 1};
  std::array<std::vector<std::int64_t>, 2> m_cuts;  // of a grid: ranks + 1 in each direction
  std::vector<int> m_owners;                        // or a table
  std::vector<std::int64_t> m_counts;               // and its number of items of each rank
};

/// How well a partition suits a graph of its items.
struct PartitionQuality {
  double imbalance = 1;              ///< weight of the heaviest rank over the mean
  std::int64_t cut_edges = 0;        ///< edges between items of two ranks
  int most_peers = 0;                ///< most ranks that one rank shares edges with
  double largest_halo_fraction = 0;  ///< largest number of halo items over owned items of a rank
                                     ///< that owns any
  std::int64_t most_items = 0;       ///< own and halo items of the rank that has most of both

  /// \param edges    pairs of items, each pair once
  /// \param weights  of the items, as of `Partition::along_order`
  /// \throws InvalidArgument for an edge to an item that is none, and other weights.
  static PartitionQuality of(const Partition& partition,
                             const std::vector<std::pair<std::int64_t, std::int64_t>>& edges,
                             const std::vector<double>& weights = {});
};

}  // namespace Lamina
