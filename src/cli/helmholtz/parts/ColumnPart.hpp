// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What a process has of a horizontal grid; included by what HelmholtzSolve.cpp.in instantiates.

#include <lamina/distributed/Decomposition.hpp>
#include <lamina/grids/ColumnMesh.hpp>
#include <lamina/grids/LocalColumns.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>

#include "helmholtz/HelmholtzTask.hpp"
#include "helmholtz/parts/GridPartition.hpp"
#include "support/ranks/RankLink.hpp"
#include "support/ranks/RankRecord.hpp"

namespace Lamina::Cli {

/// The columns that a process works on: all of a grid, or those that its rank has, and their
/// neighbours. What is different on a panel and on other grids is in PanelFields.hpp and
/// GridFields.hpp.
template <ExecutionSpace Execution>
class ColumnPart {
 public:
  using Memory = typename Execution::memory_space;

  /// Collective.
  /// \param bytes_per_column  of an exchange
  ColumnPart(const Execution& space, const HelmholtzProblem& problem, std::size_t bytes_per_column,
             const RankGrid& grid)
      : m_link(space, grid), m_problem(problem), m_bytes_per_column(bytes_per_column) {
    if (ranks() == nullptr) return;
    require_same_columns(problem, *ranks());
    m_local = make_agreed(ranks(), [&] { return columns_of_rank(problem, grid); });
    m_decomposition = Decomposition<Memory>(m_link.transport(), m_local.halo, bytes_per_column);
  }

  const RankLink& link() const { return m_link; }
  const Ranks* ranks() const { return m_link.ranks(); }
  const Decomposition<Memory>& decomposition() const { return m_decomposition; }
  std::size_t bytes_per_column() const { return m_bytes_per_column; }
  /// Null on one process, which has all columns.
  const LocalColumns* local() const { return ranks() == nullptr ? nullptr : &m_local; }
  ColumnMesh<Memory> make_mesh() const {
    return ColumnMesh<Memory>(ranks() == nullptr ? m_problem.graph() : m_local.graph);
  }
  int num_owned() const {
    return ranks() == nullptr ? static_cast<int>(m_problem.num_columns()) : m_local.halo.num_owned;
  }
  /// The number of an owned column in the whole grid.
  std::int64_t column(int owned) const {
    return ranks() == nullptr ? owned : m_local.columns[static_cast<std::size_t>(owned)];
  }
  /// The area of the owned columns.
  double area() const {
    if (ranks() == nullptr && m_problem.grid) return m_problem.grid->area();
    const auto areas = ranks() == nullptr ? m_problem.panel().areas() : m_local.graph.areas;
    return std::accumulate(areas.begin(), areas.begin() + num_owned(), 0.0);
  }

  /// Halo columns become those of their owners. Collective.
  template <class Field>
  void update_halo(const Execution& space, const Field& field) const {
    exchange_halo(space, m_decomposition.halo, field);
  }

  /// What this rank of several has.
  RankRecord::OfRank share() const {
    return ranks() == nullptr ? RankRecord::OfRank() : rank_part(*ranks(), m_local.halo);
  }

 private:
  RankLink m_link;
  const HelmholtzProblem& m_problem;
  std::size_t m_bytes_per_column;
  LocalColumns m_local;
  Decomposition<Memory> m_decomposition;
};

}  // namespace Lamina::Cli
