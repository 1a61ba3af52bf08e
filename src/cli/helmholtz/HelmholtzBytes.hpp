// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What a solve allocates; included by what HelmholtzSolve.cpp.in instantiates.

#include <lamina/helmholtz/CsrHelmholtz.hpp>
#include <lamina/helmholtz/FusedHelmholtz.hpp>
#include <lamina/helmholtz/FusedHelmholtzStored.hpp>
#include <lamina/helmholtz/LinePreconditioner.hpp>
#include <lamina/helmholtz/MixedHelmholtz.hpp>
#include <lamina/lines/LineSolver.hpp>
#include <lamina/multigrid/MultigridHelmholtz.hpp>

#include <algorithm>

#include "helmholtz/HelmholtzFields.hpp"
#include "helmholtz/HelmholtzMemory.hpp"
#include "helmholtz/HelmholtzMultigrid.hpp"
#include "helmholtz/HelmholtzTask.hpp"
#include "helmholtz/columns/ColumnsSolve.hpp"

namespace Lamina::Cli {

/// `fused-pcg` is the faster of the two fused forms. On CPU cores that is the published one, by a
/// twentieth on two cores and a seventh on one (lamina_paper_tables): its updates in place need no
/// line of cache that is about to be overwritten, and line solves are bound by arithmetic there,
/// which hides the traffic of a second field. Over ranks that which recomputes is the one that
/// there is.
template <ExecutionSpace Execution>
bool recomputes(const HelmholtzVariant& variant) {
  constexpr bool recomputing_is_faster = !runs_on_host<Execution>;
  return recomputing_is_faster || variant.rank_grid.ranks != nullptr;
}

/// Bytes of a solver beside the operator and three fields.
template <ExecutionSpace Execution, class Scalar, class LayoutType>
double solver_bytes(const Execution& space, const ColumnGridSize& size,
                    const HelmholtzVariant& variant) {
  using Memory = typename Execution::memory_space;
  if (is_multigrid(variant.solver)) {
    const auto bytes = [&]<class Model, class CycleScalar>() {
      return multigrid_bytes<Execution, CycleScalar>(size, variant) +
             Model::required_bytes(space, size);
    };
    using Single = MultigridHelmholtz<double, Memory, double, float>;
    using Mixed = MultigridHelmholtz<double, Memory, float>;
    if (variant.precision == Precision::mixed) return bytes.template operator()<Mixed, float>();
    const double of_own = bytes.template operator()<MultigridHelmholtz<Scalar, Memory>, Scalar>();
    if (variant.precision == Precision::single_precision) return of_own;
    return std::max(of_own, bytes.template operator()<Single, float>());  // either may be taken
  }
  if (variant.precision == Precision::mixed) {
    return HelmholtzOperator<float, Memory>::required_bytes(size) +
           MixedHelmholtz<Memory>::required_bytes(space, size);
  }
  if (variant.solver == Solver::fused_pcg && recomputes<Execution>(variant)) {
    return FusedHelmholtz<Scalar, Memory>::required_bytes(space, size);
  }
  if (variant.solver == Solver::fused_pcg || variant.solver == Solver::fused_pcg_stored) {
    return FusedHelmholtzStored<Scalar, Memory>::required_bytes(space, size);
  }
  const double of_pcg = 4 * static_cast<double>(size.num_cells()) * sizeof(Scalar);
  if (variant.solver == Solver::pcg) {
    return of_pcg + LinePreconditioner<Scalar, Memory>::required_bytes(space, size);
  }
  using Matrix = CsrHelmholtz<Scalar, LayoutType, Execution>;
  using MatrixLines = LineSolver<typename Matrix::tridiagonal_type>;
  return of_pcg + Matrix::required_bytes(size) +
         MatrixLines::required_bytes(space, size.num_columns(), size.num_levels);
}

/// `helmholtz_bytes` without bottoms or coefficients, of fields of one type.
template <ExecutionSpace Execution, class Scalar, class LayoutType>
double solve_bytes(const Execution& space, const HelmholtzProblem& problem,
                   const HelmholtzVariant& variant) {
  using Memory = typename Execution::memory_space;
  const ColumnGridSize size = grid_of_rank(problem, variant.rank_grid);
  const double field = static_cast<double>(size.num_cells()) * sizeof(Scalar);
  return ColumnMesh<Memory>::required_bytes(size) +
         HelmholtzOperator<Scalar, Memory>::required_bytes(size) +
         3 * field +  // right-hand side, solution, scratch
         solver_bytes<Execution, Scalar, LayoutType>(space, size, variant);
}

template <ExecutionSpace Execution>
double helmholtz_bytes(const Execution& space, const HelmholtzProblem& problem,
                       const HelmholtzVariant& variant) {
  if (problem.columns) return columns_bytes<Execution>(problem, variant);
  return with_helmholtz_fields(variant, [&]<class Scalar, class LayoutType>() {
    return solve_bytes<Execution, Scalar, LayoutType>(space, problem, variant);
  });
}

}  // namespace Lamina::Cli
