// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/distributed/HaloPattern.hpp>
#include <lamina/distributed/Transport.hpp>
#include <lamina/distributed/impl/TransportCalls.hpp>
#include <lamina/distributed/impl/UpdateHalo.hpp>
#include <lamina/grids/LocalColumns.hpp>
#include <lamina/multigrid/ColumnHierarchy.hpp>
#include <lamina/multigrid/impl/Aggregates.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

// Levels of `ColumnHierarchy` that several ranks share. All of it is on the host. Functions that
// take a transport are collective.

namespace Lamina::Impl {

/// Numbers of items over all ranks: those of rank 0 first, then those of rank 1, ...
class RankNumbers {
 public:
  RankNumbers(const Transport& transport, std::int64_t count);

  std::int64_t begin() const { return m_begin[m_rank]; }  ///< of this rank, as `end`
  std::int64_t end() const { return m_begin[m_rank + 1]; }
  std::int64_t total() const { return m_begin.back(); }
  bool is_own(std::int64_t number) const { return number >= begin() && number < end(); }
  int owner(std::int64_t number) const;

 private:
  std::size_t m_rank;
  std::vector<std::int64_t> m_begin;  // (rank), and the end
};

/// The columns of a shared level. Edges between two halo columns, and boundary edges of these, are
/// left out.
struct RankColumns {
  ColumnGraph graph{};
  HaloPattern halo{};
  std::vector<std::int64_t> numbers{};  ///< (column): as of `RankNumbers`, or `no_item`
  /// (owned column): the first of its columns in the whole grid
  std::vector<std::int64_t> firsts{};
};

/// The graph of the owned columns alone, without centres.
ColumnGraph owned_graph(const ColumnGraph& graph);

/// The next coarser level, shared as well.
struct CoarserColumns {
  RankColumns columns{};
  ColumnTransfer transfer{};  ///< to all columns of the finer one
};
/// \param aggregates  of the owned columns of `fine`
CoarserColumns coarser_columns(const Transport& transport, const RankColumns& fine,
                               const Aggregates& aggregates);
/// The rows that ranks restrict to it.
RestrictedRows shared_rows(const RankColumns& coarse);

/// A level as every rank has it.
struct WholeColumns {
  ColumnGraph graph{};         ///< in the order of the whole grid
  std::vector<int> columns{};  ///< (local column of the shared level): that in `graph`, or -1
};
WholeColumns gather_columns(const Transport& transport, const RankColumns& columns);
/// Rows of items that every rank has, of which each rank computes some: all ranks get all rows.
/// \param mine  items, ascending
RestrictedRows gathered_rows(const Transport& transport, const std::vector<int>& mine);
/// The rows that ranks restrict to it.
/// \param num_owned  rows of `transfer` that this rank restricts
RestrictedRows whole_rows(const Transport& transport, const ColumnTransfer& transfer,
                          int num_owned);

/// A shared level on which a rank also does the work of columns around its own ones (a deep halo, with redundant
/// computation), so that it needs fewer messages. Ring n has the columns at a distance of n edges.
struct LevelRings {
  /// Places of owned columns, of the columns of the rings, on which kernels work, too, and of the ring after them,
  /// whose values nobody reads: `num_owned` ends before it. Some places are unused.
  ColumnGraph graph{};
  HaloPattern halo{};  ///< the columns of the rings come from other ranks
  /// (n): behind the places of owned columns and of n rings; for all of them that is `num_owned`
  std::vector<int> ends{};
  /// P of the places that kernels work on. Those of the last ring have no weights.
  ColumnTransfer transfer{};
};
/// The levels 0 to `last` of a hierarchy, all of them shared. The finest one has no rings: of it there is
/// the transfer alone, of its owned and halo columns.
/// \param num_rings  2 or more. The next coarser level has all columns then that P takes values from
std::vector<LevelRings> find_rings(const Transport& transport,
                                   const std::vector<HierarchyLevel>& levels, std::size_t last,
                                   int num_rings);

/// The levels from the finest one to the first one that is on every rank. All are shared where no
/// column has a neighbour.
std::vector<HierarchyLevel> shared_levels(const Transport& transport, const LocalColumns& local,
                                          const HierarchyParameters& parameters);

}  // namespace Lamina::Impl
