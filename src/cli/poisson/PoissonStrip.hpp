// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What a process has of the grid; included by what PoissonSolve.cpp.in instantiates.

#include <lamina/distributed/Decomposition.hpp>
#include <lamina/distributed/Partition.hpp>
#include <lamina/grids/LocalRectangle.hpp>

#include <cstddef>

#include "support/ranks/LineStream.hpp"
#include "support/ranks/RankLink.hpp"
#include "support/ranks/RankRecord.hpp"

namespace Lamina::Cli {

/// The columns i that a process works on: all, or consecutive ones of its rank and their neighbours.
template <ExecutionSpace Execution>
class PoissonStrip {
 public:
  using Memory = typename Execution::memory_space;

  /// Collective.
  /// \param bytes_per_column  of an exchange
  PoissonStrip(const Execution& space, const Rectangle& whole, std::size_t bytes_per_column,
               const RankGrid& grid)
      : m_link(space, grid), m_whole(whole) {
    if (m_link.ranks() == nullptr) return;
    m_local = local_rectangle(whole, Partition::blocks(whole.nx, m_link.size()), m_link.rank());
    m_decomposition = Decomposition<Memory>(m_link.transport(), m_local.halo, bytes_per_column);
  }

  const RankLink& link() const { return m_link; }
  const Decomposition<Memory>& decomposition() const { return m_decomposition; }
  int first_column() const { return m_local.first; }

  /// An object of the columns, and of more arguments.
  template <class Object, class... Arguments>
  Object make(const Arguments&... arguments) const {
    return m_link.ranks() == nullptr ? Object(m_whole, arguments...)
                                     : Object(m_local, arguments...);
  }

  /// A cycle for the operator of the columns. Collective.
  template <class Multigrid, class Operator>
  Multigrid make_multigrid(const Execution& space, const Operator& op, int steps) const {
    return m_link.ranks() == nullptr ? Multigrid(space, op, steps)
                                     : Multigrid(space, m_link.transport(), op, m_local, steps);
  }

  /// Halo columns become those of their owners. Collective.
  template <class Field>
  void update_halo(const Execution& space, const Field& field) const {
    exchange_halo(space, m_decomposition.halo, field);
  }

  /// Calls write(lines) on the process that writes files, where lines(i, values) gives the values of
  /// any column, as own_lines(i, values) does those of this rank. Collective.
  template <class Write>
  void with_lines(const LineStream::Values& own_lines, const Write& write) const {
    if (m_link.ranks() == nullptr) return write(own_lines);
    LineStream stream(*m_link.ranks(),
                      {.first_x = m_local.first, .num_x = m_local.owned.nx, .num_y = m_whole.ny},
                      {own_lines});
    stream.run([&] { write(stream.values(0)); });
  }

  /// What this rank of several has.
  RankRecord::OfRank share() const {
    return m_link.ranks() == nullptr ? RankRecord::OfRank()
                                     : rank_part(*m_link.ranks(), m_local.halo);
  }

 private:
  RankLink m_link;
  Rectangle m_whole;
  LocalRectangle m_local;  // of several ranks
  Decomposition<Memory> m_decomposition;
};

}  // namespace Lamina::Cli
