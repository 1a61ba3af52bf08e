// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>

#include "helmholtz/HelmholtzFields.hpp"
#include "helmholtz/HelmholtzMemory.hpp"
#include "helmholtz/HelmholtzTask.hpp"
#include "helmholtz/columns/ColumnsBytes.hpp"
#include "helmholtz/columns/HelmholtzColumns.hpp"
#include "helmholtz/parts/GridPartition.hpp"

namespace Lamina::Cli {

/// Solves a task with bottoms or coefficients: with a value for each cell and edge, and with profiles. Instantiated
/// by StoredColumns.cpp.in and ProfileColumns.cpp.in.
template <ExecutionSpace Execution>
HelmholtzResult solve_stored_columns(const Execution& space, const HelmholtzTask& task);
template <ExecutionSpace Execution>
HelmholtzResult solve_profile_columns(const Execution& space, const HelmholtzTask& task);

template <ExecutionSpace Execution>
HelmholtzResult solve_columns(const Execution& space, const HelmholtzTask& task) {
  return task.problem.columns->kind == ColumnsClass::stored ? solve_stored_columns(space, task)
                                                            : solve_profile_columns(space, task);
}

/// Bytes that it allocates in the memory of the space, at most.
template <ExecutionSpace Execution>
double columns_bytes(const HelmholtzProblem& problem, const HelmholtzVariant& variant) {
  const bool over_ranks = variant.rank_grid.ranks != nullptr;
  const double gathered = problem.partition && problem.partition->is_scattered
                              ? static_cast<double>(problem.num_columns())
                              : HierarchyParameters().gathered_columns;
  const ColumnsSize size{
      .grid = grid_of_rank(problem, variant.rank_grid),
      .num_edges = problem.columns->num_edges,
      .mixed = variant.precision == Precision::mixed,
      .multigrid = is_multigrid(variant.solver),
      .gathered_columns = over_ranks ? gathered : 0,
      .stored = problem.columns->kind == ColumnsClass::stored,
      .in_packs = problem.columns->kind == ColumnsClass::profiles && variant.solver != Solver::pcg,
      .weighted = problem.columns->has_massless};
  return with_helmholtz_fields(
      variant, [&]<class Scalar, class>() { return columns_solve_bytes<Execution, Scalar>(size); });
}

}  // namespace Lamina::Cli
