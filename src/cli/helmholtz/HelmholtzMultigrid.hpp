// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The multigrid cycle of a solve; included by what Space_<Name>.cpp instantiates.

#include <lamina/multigrid/MultigridPreconditioner.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "helmholtz/HelmholtzTask.hpp"

namespace Lamina::Cli {

/// Bytes of a cycle in the memory of its space.
template <ExecutionSpace Execution, class CycleScalar>
double multigrid_bytes(const ColumnGridSize& size, const HelmholtzVariant& variant) {
  using Multigrid = MultigridPreconditioner<CycleScalar, typename Execution::memory_space>;
  return Multigrid::required_bytes(Execution(), size, variant.multigrid);
}

/// The cycle that a task asks for. Its levels are added to the result.
template <class CycleScalar, ExecutionSpace Execution>
auto make_multigrid(const Execution& space, const HelmholtzTask& task, HelmholtzResult& result) {
  const ColumnHierarchy hierarchy(task.problem.graph());
  MultigridPreconditioner<CycleScalar, typename Execution::memory_space> multigrid(
      space, hierarchy, task.problem.vertical(), task.problem.parameters, task.variant.multigrid);
  for (int l = 0; l < multigrid.num_used_levels(); ++l) {
    const ColumnGraph& graph = hierarchy.levels()[static_cast<std::size_t>(l)].graph;
    result.levels.push_back({static_cast<std::int64_t>(graph.areas.size()),
                             static_cast<std::int64_t>(graph.edges.size())});
  }
  return multigrid;
}

/// What the kernels of each level took in a cycle, which calls `first_step` once.
inline void keep_level_times(HelmholtzResult& result) {
  const std::string prefix = "Lamina::MultigridPreconditioner::";
  const auto record_of = [&](const std::string& name) {
    for (const KernelRecord& kernel : result.kernels) {
      if (kernel.name == prefix + name) return kernel;
    }
    return KernelRecord{};
  };
  const auto cycles = static_cast<double>(std::max(1L, record_of("first_step").calls));
  for (std::size_t l = 0; l < result.levels.size(); ++l) {
    const std::string level = l > 0 ? "level_" + std::to_string(l) + "::" : "";
    double seconds = 0;
    for (const char* name : {"first_step", "step", "restrict", "prolong"}) {
      seconds += record_of(level + name).seconds;
    }
    // One kernel may take a level together with all coarser ones.
    const bool together = seconds == 0;
    if (together) seconds = record_of("coarse_levels").seconds;
    result.levels[l].seconds = seconds / cycles;
    if (together) return;
  }
}

}  // namespace Lamina::Cli
