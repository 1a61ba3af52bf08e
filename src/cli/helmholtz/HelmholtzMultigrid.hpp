// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The multigrid cycle of a solve; included by what Space_<Name>.cpp instantiates.

#include <lamina/multigrid/MultigridPreconditioner.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "helmholtz/HelmholtzLevels.hpp"
#include "helmholtz/HelmholtzTask.hpp"
#include "helmholtz/parts/ColumnPart.hpp"
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
  const Multigrid multigrid =
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
  keep_level_times(result, prefix, prefix + "first_step",
                   {"first_step", "step", "restrict", "prolong"}, "coarse_levels");
}

}  // namespace Lamina::Cli
