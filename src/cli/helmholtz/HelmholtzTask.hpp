// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/StoppingCriteria.hpp>
#include <lamina/helmholtz/HelmholtzOperator.hpp>
#include <lamina/multigrid/MultigridPreconditioner.hpp>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "helmholtz/HelmholtzGrid.hpp"
#include "support/SolveResult.hpp"
#include "support/options/Choices.hpp"
#include "support/ranks/RankGrid.hpp"

namespace Lamina {
class PanelReader;
class UgridFieldReader;
}  // namespace Lamina

namespace Lamina::Cli {

struct GridPartition;
struct Space;
struct HelmholtzColumns;

/// What is solved.
struct HelmholtzProblem {
  std::shared_ptr<const HelmholtzGrid> grid{};  ///< none: a panel of num_x x num_y columns
  int num_x = 256, num_y = 256, num_levels = 128;
  HelmholtzParameters parameters{};
  double depth = 0.0157;
  std::vector<double> interfaces{};  ///< of a file of levels; empty: graded ones
  std::string levels_file{};         ///< its name
  /// Bottoms and coefficients, on other grids than a panel; none: the model problem.
  std::shared_ptr<const HelmholtzColumns> columns{};
  PanelEdge edge = PanelEdge::zero_flux;
  std::string rhs = "smooth";                      ///< as on the command line
  std::optional<RightHandSide> generated_rhs;      ///< none: `rhs` is a file
  std::shared_ptr<const GridPartition> partition;  ///< over ranks; none on a panel
  /// Open and checked, where it is one: the first on a panel, the second on other grids.
  std::shared_ptr<const PanelReader> rhs_file;
  std::shared_ptr<const UgridFieldReader> rhs_on_faces;

  std::int64_t num_columns() const {
    return grid ? static_cast<std::int64_t>(grid->graph.areas.size()) : std::int64_t{num_x} * num_y;
  }
  CubedSpherePanel panel() const { return {num_x, num_y}; }
  ColumnGraph graph() const { return grid ? grid->graph : panel().graph(edge); }
  VerticalGrid vertical() const {
    const VerticalMetric metric = grid ? grid->metric() : VerticalMetric::shell;
    return interfaces.empty() ? VerticalGrid::graded(num_levels, depth, metric)
                              : VerticalGrid::from_interfaces(interfaces, metric);
  }
  /// Of the lowest and the highest interface of a file of levels, in its unit, above the sphere.
  std::pair<double, double> heights() const {
    const auto height = [&](double interface) {
      return grid->on_sphere() ? (interface - 1) * grid->radius : interface;
    };
    return {height(interfaces.front()), height(interfaces.back())};
  }
  std::int64_t num_unknowns() const { return num_columns() * num_levels; }  ///< wet and dry
  /// Nothing leaves through the edge, so that u = 1 solves the equation, and the discrete one too.
  bool solved_by_one() const {
    return generated_rhs == RightHandSide::constant && edge == PanelEdge::zero_flux && !columns;
  }
};

/// How and where it is solved.
struct HelmholtzVariant {
  const Space* space;
  Layout layout;
  Precision precision;
  Solver solver;
  RankGrid rank_grid{};
  MultigridParameters multigrid{};
};

/// One solve.
struct HelmholtzTask {
  HelmholtzProblem problem;
  HelmholtzVariant variant;
  StoppingCriteria criteria;
  std::filesystem::path output;    ///< empty: none; nor is any written without a solution
  std::function<void()> on_ready;  ///< called when the set-up is complete; may be empty
};

template <class Scalar>
inline constexpr Precision precision_of =
    std::is_same_v<Scalar, double> ? Precision::double_precision : Precision::single_precision;

/// A level of a multigrid cycle.
struct MultigridLevel {
  std::int64_t columns, couplings;
  double seconds = 0;  ///< in a cycle
};

/// The connected parts of a problem with bottoms or coefficients, see `ColumnNullSpace`.
struct ColumnParts {
  int components = 0, singular = 0;
  double rhs_defect = 0;  ///< |what was taken out of the right-hand side| / its norm
};

/// What came of it. The error in the L2 norm is sqrt(sum of |T| V_k e^2), e that of a cell's average.
struct HelmholtzResult : SolveResult {
  /// The true residual in the norm of the preconditioner, sqrt(<r, M^-1 r>) / sqrt(<b, M^-1 b>), in
  /// which strong couplings of levels weigh no more than others.
  double true_relative_residual_preconditioned = 0;
  /// `RoundingError` of the operator, with the solver; none with bottoms or coefficients, where it is not known.
  std::optional<double> rounding_error{};
  std::vector<MultigridLevel> levels;  ///< of a cycle, from the finest on; none without multigrid
  std::optional<Precision> cycle_precision{};
  std::optional<ColumnParts> parts;  ///< with bottoms or coefficients
};

/// Solves on an execution space; instantiated by HelmholtzSolve.cpp.in.
template <ExecutionSpace Execution>
HelmholtzResult solve_on(const Execution& space, const HelmholtzTask& task);

}  // namespace Lamina::Cli
