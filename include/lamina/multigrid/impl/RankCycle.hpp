// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What a level of a multigrid cycle has over several ranks.

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/distributed/HaloExchange.hpp>
#include <lamina/distributed/impl/ExchangeHalo.hpp>
#include <lamina/multigrid/ColumnHierarchy.hpp>
#include <lamina/multigrid/impl/CycleLevel.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace Lamina::Impl {

/// Rings of a cycle, see `LevelRings`: as many that between f and the end of a level no x has to be exchanged.
/// After `steps` steps x is known on steps - 1 rings less. The residuals of the first ring take two of them, and
/// the steps after the coarser level as many as there are steps.
inline int rings_of_steps(int steps) { return std::max(steps + 1, 2 * steps - 1); }

/// On how many rings around its own columns a rank knows x of a level. Where kernels need it on more, it has to
/// come from the other ranks.
class KnownRings {
 public:
  /// After the first step, which takes x from f alone.
  /// \param ends  see `LevelRings`; empty where kernels work on owned columns only
  KnownRings(std::span<const int> ends, int num_owned)
      : m_ends(ends),
        m_num_owned(num_owned),
        m_num_rings(ends.empty() ? 0 : static_cast<int>(ends.size()) - 1),
        m_known(m_num_rings) {}

  bool lacks(int rings) const { return m_known < rings; }
  /// Columns on which the next step gives x: more need not be computed.
  int columns_after_step() const {
    return m_ends.empty() ? m_num_owned
                          : m_ends[static_cast<std::size_t>(std::max(0, m_known - 1))];
  }

  /// x has come from the other ranks.
  void exchanged() { m_known = std::max(1, m_num_rings); }
  /// x becomes that of the next step.
  void step() { --m_known; }
  /// x += P c, where c is known on all rings: P has no weights on the last one.
  void prolong() { m_known = std::min(m_known, std::max(1, m_num_rings - 1)); }

 private:
  std::span<const int> m_ends;
  int m_num_owned, m_num_rings, m_known;
};

/// Before a kernel that reads x on so many rings.
template <class Space, class Memory, class Field>
void need_rings(const Space& space, const HaloExchange<Memory>& halo, int rings, const Field& x,
                KnownRings& known) {
  if (!known.lacks(rings)) return;
  exchange_halo(space, halo, x);
  known.exchanged();
}

/// The exchange of restricted rows, and which rows make a column.
template <class Memory>
struct RankRows {
  using Indices = Kokkos::View<const int*, Memory>;

  int num_rows = 0;  ///< of a field of rows; 0: one process, or the coarsest level
  HaloExchange<Memory> exchange{};
  Indices columns;      ///< (n): columns that are sums of rows
  Indices begin, rows;  ///< (n) and the end; rows, in the order in which they are added

  RankRows() {}  // NOLINT(modernize-use-equals-default): see ColumnMesh
  /// Collective.
  /// \param in_place  rows of columns are these columns themselves
  RankRows(const Transport& transport, const RestrictedRows& from, bool in_place,
           std::size_t most_bytes_per_row);
};

/// column = sum of its rows, in cells or in rows of contiguous cells
template <class In, class Out>
struct SumRankRows {
  using Memory = typename Out::memory_space;
  using Indices = typename RankRows<Memory>::Indices;
  CycleGuard<Memory> guard;
  Indices columns, begin, rows;
  In from;
  Out to;

  KOKKOS_FORCEINLINE_FUNCTION void take(std::int64_t n, std::int64_t level) const {
    const int first = begin(n), end = begin(n + 1);
    auto sum = from(rows(first), level);
    for (int i = first + 1; i < end; ++i) sum += from(rows(i), level);
    to(columns(n), level) = sum;
  }
  KOKKOS_FUNCTION void operator()(std::int64_t n, std::int64_t level) const {
    if (guard.active()) take(n, level);
  }
  KOKKOS_FUNCTION void operator()(std::int64_t n) const {
    if (!guard.active()) return;
    for (std::int64_t level = 0; level < static_cast<std::int64_t>(to.extent(1)); ++level) {
      take(n, level);
    }
  }
};

/// Makes columns of the rows of all ranks.
/// traffic: reads all rows of these columns, writes the columns; flops: an addition for each row
/// but the first of a column, at each level
/// \param from  of all rows;  may be the same memory as `to`
template <class Space, class Memory, class In, class Out>
void sum_rank_rows(const std::string& label, const Space& space, const CycleGuard<Memory>& guard,
                   const RankRows<Memory>& sums, const In& from, const Out& to) {
  const SumRankRows<In, Out> kernel{guard, sums.columns, sums.begin, sums.rows, from, to};
  const int columns = static_cast<int>(sums.columns.extent(0)),
            levels = static_cast<int>(to.extent(1));
  if constexpr (runs_on_host<Space>) {
    Kokkos::parallel_for(label, range_of(space, columns), kernel);
  } else {
    constexpr auto along = levels_contiguous<typename Out::array_layout> ? Kokkos::Iterate::Right
                                                                         : Kokkos::Iterate::Left;
    using Policy = Kokkos::MDRangePolicy<Space, Kokkos::Rank<2, along, along>,
                                         Kokkos::IndexType<std::int64_t>>;
    Kokkos::parallel_for(label, Policy(space, {0, 0}, {columns, levels}), kernel);
  }
}

}  // namespace Lamina::Impl
