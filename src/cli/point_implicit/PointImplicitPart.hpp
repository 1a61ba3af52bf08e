// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What a process has of the block rows; included by what PointImplicitSolve.cpp.in instantiates.

#include <lamina/blocks/LocalBlockRows.hpp>
#include <lamina/distributed/Decomposition.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "point_implicit/PointImplicitOutcome.hpp"
#include "point_implicit/PointImplicitTask.hpp"
#include "support/ranks/RankLink.hpp"
#include "support/ranks/RankRecord.hpp"

namespace Lamina::Cli {

/// The block rows that a process works on: all, or those of its rank and the rows that these read.
template <ExecutionSpace Execution>
class PointImplicitPart {
 public:
  using Memory = typename Execution::memory_space;

  /// Collective.
  PointImplicitPart(const Execution& space, const PointImplicitTask& task)
      : m_link(space, task.variant.rank_grid),
        m_input(*task.input),
        m_rows(task.rows.get()),
        m_num_rows(task.num_rows()),
        m_block_size(static_cast<std::size_t>(task.problem.block_size)),
        m_ordering(m_rows == nullptr ? ordering_of(m_input, task.variant)
                                     : m_rows->local.ordering) {
    if (m_rows == nullptr) return;
    m_decomposition = Decomposition<Memory>(m_link.transport(), m_rows->local.halo,
                                            m_block_size * sizeof(double));
  }

  const RankLink& link() const { return m_link; }
  const Ranks* ranks() const { return m_link.ranks(); }
  const Decomposition<Memory>& decomposition() const { return m_decomposition; }
  const PointImplicitInput& input() const { return m_input; }
  /// Of own rows.
  const ColourOrdering& ordering() const { return m_ordering; }
  /// Of the rows of all ranks.
  std::vector<int> colour_sizes() const { return colour_sizes_of(m_ordering); }
  /// With halo rows.
  std::size_t num_rows() const { return static_cast<std::size_t>(input().graph.num_rows()); }
  std::size_t num_owned() const { return num_rows() - static_cast<std::size_t>(input().num_halo); }

  /// Halo rows of a vector in the order of the colours become those of their owners. Collective.
  template <class Field>
  void update_halo(const Execution& space, const Field& field) const {
    exchange_halo(space, m_decomposition.halo, field);
  }

  /// The first of such rows of all ranks in the user's numbering, from that of each in local numbers;
  /// -1: none. Collective.
  int first_of_all(int row) const {
    if (ranks() == nullptr) return row;
    constexpr std::int64_t none = std::numeric_limits<std::int64_t>::max();
    const std::int64_t mine = row < 0 ? none : m_rows->local.numbers[static_cast<std::size_t>(row)];
    const auto rows = ranks()->gather(mine);
    const std::int64_t first = *std::min_element(rows.begin(), rows.end());
    return first == none ? -1 : static_cast<int>(first);
  }
  /// The error of all rows, from that of own ones.
  SolutionError error_of_all(const SolutionError& mine) const {
    if (ranks() == nullptr) return mine;
    const auto own = static_cast<double>(num_owned() * m_block_size),
               all = static_cast<double>(m_num_rows) * static_cast<double>(m_block_size);
    return {.l2 = norm_of_all(ranks(), mine.l2 * std::sqrt(own)) / std::sqrt(all),
            .linf = largest_of_all(ranks(), mine.linf)};
  }
  /// The values of all rows on the process that writes files, from those of own ones. Collective.
  std::vector<double> values_of_all(const std::vector<double>& own) const {
    if (ranks() == nullptr) return own;
    const auto bytes = std::as_bytes(std::span(own));
    const auto parts = ranks()->gather_at_first(std::vector<std::byte>(bytes.begin(), bytes.end()));
    std::vector<double> all;
    if (!ranks()->is_first()) return all;
    const std::size_t bytes_per_row = m_block_size * sizeof(double);
    all.resize(static_cast<std::size_t>(m_num_rows) * m_block_size);
    for (std::size_t rank = 0; rank < parts.size(); ++rank) {
      const std::byte* from = parts[rank].data();
      for (const std::int64_t row : m_rows->partition->items(static_cast<int>(rank))) {
        std::copy_n(from, bytes_per_row,
                    std::as_writable_bytes(std::span(all)).data() +
                        static_cast<std::size_t>(row) * bytes_per_row);
        from += bytes_per_row;
      }
    }
    return all;
  }

  /// What this rank of several has.
  RankRecord::OfRank share() const {
    return m_rows == nullptr ? RankRecord::OfRank() : rank_part(*ranks(), m_rows->local.halo);
  }

 private:
  RankLink m_link;
  const PointImplicitInput& m_input;
  const PointImplicitRows* m_rows;  // of several ranks
  int m_num_rows;                   // of all ranks
  std::size_t m_block_size;
  ColourOrdering m_ordering;
  Decomposition<Memory> m_decomposition;
};

}  // namespace Lamina::Cli
