// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/grids/Rectangle.hpp>
#include <lamina/poisson/PoissonOperator.hpp>

#include <filesystem>
#include <functional>
#include <vector>

#include "support/SolveResult.hpp"
#include "support/options/Choices.hpp"
#include "support/ranks/RankGrid.hpp"

namespace Lamina::Cli {

struct Space;

enum class PoissonSolver { cg, fused_cg, multigrid, multigrid_cg };

/// Iterations of mixed precision are those of `helmholtz`.
inline const Choices<Precision> poisson_precisions{{"single", Precision::single_precision},
                                                   {"double", Precision::double_precision}};
inline const Choices<PoissonSolver> poisson_solvers{{"cg", PoissonSolver::cg},
                                                    {"fused-cg", PoissonSolver::fused_cg},
                                                    {"multigrid", PoissonSolver::multigrid},
                                                    {"multigrid-cg", PoissonSolver::multigrid_cg}};
inline bool is_multigrid(PoissonSolver solver) {
  return solver == PoissonSolver::multigrid || solver == PoissonSolver::multigrid_cg;
}
inline const Choices<StencilMemory> stencil_memories{{"global", StencilMemory::global},
                                                     {"texture1d", StencilMemory::texture1d},
                                                     {"texture2d", StencilMemory::texture2d},
                                                     {"shared", StencilMemory::shared},
                                                     {"auto", StencilMemory::automatic}};

/// How multigrid works.
struct PoissonCycles {
  int smoothing = 2;            ///< steps before and after a coarser level
  bool full_multigrid = false;  ///< it begins with a pass of full multigrid
};

/// How and where it is solved.
struct PoissonVariant {
  const Space* space = nullptr;
  Layout layout = Layout::right;
  Precision precision = Precision::double_precision;  ///< single or double
  StencilMemory memory = StencilMemory::automatic;
  PoissonSolver solver = PoissonSolver::fused_cg;
  RankGrid rank_grid{};  ///< strips of columns i
  PoissonCycles cycles{};
};

/// One solve.
struct PoissonTask {
  Rectangle size = Rectangle::square(1024);  ///< points
  PoissonVariant variant{};
  StoppingCriteria criteria{};
  std::filesystem::path output{};    ///< empty: none; nor is any written without a solution
  std::function<void()> on_ready{};  ///< called when the set-up is complete; may be empty
};

/// A level of a multigrid cycle.
struct PoissonLevel {
  Rectangle size;
  double seconds = 0;  ///< in a cycle
};

/// What came of it. The error is that of `PoissonProblem`.
struct PoissonResult : SolveResult {
  std::vector<PoissonLevel> levels;  ///< of a cycle, from the finest on; none without multigrid
};

/// Solves on an execution space; instantiated by PoissonSolve.cpp.in.
template <ExecutionSpace Execution>
PoissonResult solve_on(const Execution& space, const PoissonTask& task);

}  // namespace Lamina::Cli
