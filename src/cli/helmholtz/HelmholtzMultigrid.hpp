// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The multigrid cycle of a solve; included by what HelmholtzSolve.cpp.in instantiates.

#include <lamina/multigrid/MultigridPreconditioner.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "helmholtz/HelmholtzTask.hpp"
#include "helmholtz/parts/ColumnPart.hpp"
#include "support/LevelTimes.hpp"
#include "support/machine/MemoryNeed.hpp"
#include "support/machine/Space.hpp"
#include "support/options/InputError.hpp"
#include "support/ranks/Ranks.hpp"

namespace Lamina::Cli {

/// Bytes of a cycle in the memory of its space.
template <ExecutionSpace Execution, class CycleScalar>
double multigrid_bytes(const ColumnGridSize& size, const HelmholtzVariant& variant) {
  using Multigrid = MultigridPreconditioner<CycleScalar, typename Execution::memory_space>;
  const ColumnGridSize on_all_ranks{.row_length = HierarchyParameters().gathered_columns,
                                    .num_levels = size.num_levels};
  return Multigrid::required_bytes(Execution(), size, variant.multigrid) +
         (variant.rank_grid.ranks == nullptr
              ? 0
              : Multigrid::required_bytes(Execution(), on_all_ranks, variant.multigrid));
}

/// Columns and couplings of a level, over all ranks.
inline MultigridLevel describe_level(const HierarchyLevel& level, const Ranks* ranks) {
  const int num_owned = level.graph.count_owned();
  const auto couplings = std::count_if(level.graph.edges.begin(), level.graph.edges.end(),
                                       [=](const auto& edge) { return edge.first < num_owned; });
  const auto over_ranks = [&](double count) {
    return static_cast<std::int64_t>(level.is_shared ? sum_of_all(ranks, count) : count);
  };
  return {over_ranks(num_owned), over_ranks(static_cast<double>(couplings))};
}

/// Most neighbours of a column.
inline int most_neighbours(const ColumnGraph& graph) {
  std::vector<int> counts(graph.areas.size(), 0);
  for (const auto& edge : graph.edges) {
    ++counts[static_cast<std::size_t>(edge.first)];
    ++counts[static_cast<std::size_t>(edge.second)];
  }
  return counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
}

/// Refuses levels that every rank has as a whole where they do not fit. `multigrid_bytes` counts on
/// small ones; ranks whose columns hardly touch each other begin with the finest grid.
/// \throws InputError that names the option which gave ranks their columns
template <class CycleScalar, ExecutionSpace Execution>
void require_whole_levels_fit(const Execution& space, const ColumnHierarchy& hierarchy,
                              const HelmholtzTask& task) {
  using Multigrid = MultigridPreconditioner<CycleScalar, typename Execution::memory_space>;
  constexpr double host_bytes_per_column = 500;
  const HelmholtzVariant& variant = task.variant;
  double needed = 0, mirrored = 0;
  std::size_t most_columns = 0;
  int l = 0;
  for (const HierarchyLevel& level : hierarchy.levels()) {
    if (l++ == variant.multigrid.max_levels) break;
    if (level.is_shared) continue;
    const std::size_t columns = level.graph.areas.size();
    const ColumnGridSize size{.row_length = static_cast<std::int64_t>(columns),
                              .num_levels = task.problem.num_levels,
                              .max_neighbours = most_neighbours(level.graph)};
    // A level by itself counts as a finest one, which owns two fields less on a device.
    needed += Multigrid::required_bytes(space, size, {.max_levels = 1}) +
              2 * static_cast<double>(size.num_cells()) * sizeof(CycleScalar);
    mirrored += host_bytes_per_column * static_cast<double>(columns);
    most_columns = std::max(most_columns, columns);
  }
  if (most_columns <= static_cast<std::size_t>(HierarchyParameters().gathered_columns)) return;
  const std::string shortage =
      shortage_of(*variant.space, needed, mirrored, sharers_of(variant.rank_grid.ranks));
  if (shortage.empty()) return;
  throw InputError(std::string(task.problem.grid ? "--partition" : "--ranks") +
                   ": expected ranks of more neighbouring columns: a grid of " +
                   std::to_string(most_columns) + " columns on each rank " + shortage);
}

/// The cycle that a task asks for. Its levels are added to the result. Collective.
template <class CycleScalar, ExecutionSpace Execution>
auto make_multigrid(const Execution& space, const ColumnPart<Execution>& part,
                    const HelmholtzTask& task, HelmholtzResult& result) {
  using Multigrid = MultigridPreconditioner<CycleScalar, typename Execution::memory_space>;
  const VerticalGrid grid = task.problem.vertical();
  const HelmholtzParameters& equation = task.problem.parameters;
  const MultigridParameters& cycle = task.variant.multigrid;
  const bool alone = part.ranks() == nullptr;
  const ColumnHierarchy hierarchy = alone ? ColumnHierarchy(task.problem.graph())
                                          : ColumnHierarchy(part.link().transport(), *part.local());
  if (!alone) {
    run_agreed(part.ranks(),
               [&] { require_whole_levels_fit<CycleScalar>(space, hierarchy, task); });
  }
  Multigrid multigrid =
      alone ? Multigrid(space, hierarchy, grid, equation, cycle)
            : Multigrid(space, part.link().transport(), hierarchy, grid, equation, cycle);
  for (int l = 0; l < multigrid.num_used_levels(); ++l) {
    const HierarchyLevel& level = hierarchy.levels()[static_cast<std::size_t>(l)];
    result.levels.push_back(describe_level(level, part.ranks()));
  }
  return multigrid;
}

inline void keep_level_times(HelmholtzResult& result) {
  const std::string prefix = "Lamina::MultigridPreconditioner::";
  keep_level_times(result, prefix, {prefix + "first_step"},
                   {"first_step", "step", "residual", "restrict", "sum_rows", "prolong"});
}

}  // namespace Lamina::Cli
