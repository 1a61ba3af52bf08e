// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "helmholtz/HelmholtzMemory.hpp"

#include <lamina/grids/impl/PaddedRows.hpp>
#include <lamina/helmholtz/impl/HelmholtzKernels.hpp>
#include <lamina/lines/impl/LineTile_Host.hpp>
#include <lamina/lines/impl/StoredLines_Device.hpp>

#include <fmt/format.h>

#include <array>
#include <limits>

#include "support/machine/MemoryNeed.hpp"
#include "support/machine/Space.hpp"

namespace Lamina::Cli {
namespace {

/// `CsrHelmholtz` numbers them by an int.
constexpr std::int64_t max_csr_unknowns = std::numeric_limits<int>::max();

/// Lists of neighbours, couplings and areas: in double precision on the host and on the device, and
/// rounded in the operator.
constexpr double bytes_per_column = 300;
/// The same of columns in rows that are filled up, rounded.
constexpr double bytes_per_place = 150;
/// Vertical vectors, likewise; lists on the host grow to twice their length.
constexpr double bytes_per_level = 200;

/// What grows with one extent alone, and counts in grids of few columns or few levels.
double geometry_bytes(const HelmholtzProblem& problem) {
  return static_cast<double>(problem.num_columns()) * bytes_per_column +
         problem.num_levels * bytes_per_level;
}

/// Columns as fused solvers on devices have them, at most: more than there are where rows are filled
/// up.
double num_places(const HelmholtzProblem& problem, const HelmholtzVariant& variant) {
  const bool fused = variant.solver == Solver::fused_pcg || variant.precision == Precision::mixed;
  return static_cast<double>(variant.space->own_memory && fused
                                 ? Impl::num_padded_places(problem.num_y, problem.num_x)
                                 : problem.num_columns());
}

/// How a device cuts the columns.
Impl::LineCut line_cut_of(const HelmholtzProblem& problem, const HelmholtzVariant& variant) {
  const int levels = problem.num_levels;
  if (variant.solver == Solver::csr_pcg) {
    return Impl::line_cut(levels, std::array{Impl::LineSegmentTuning::stored_levels});
  }
  const bool plain_double =
      variant.solver == Solver::pcg && variant.precision == Precision::double_precision;
  return Impl::line_cut(levels, plain_double ? Impl::plain_helmholtz_segments<double>(levels)
                                             : Impl::helmholtz_segments);
}

/// Scratch for the line solves: on a device a value for each segment of a column, or a field where
/// columns do not fit on chip; on the host tiles of each thread.
double line_scratch_bytes(const HelmholtzProblem& problem, const HelmholtzVariant& variant,
                          double scalar) {
  if (variant.space->own_memory) {
    const Impl::LineCut cut = line_cut_of(problem, variant);
    const int values = cut.exists() ? cut.padded_count() : problem.num_levels;
    const double columns = static_cast<double>(problem.num_columns());
    const double places = num_places(problem, variant);
    return (places > columns ? places + columns : columns) * values * scalar;
  }
  const auto tile = Impl::LineScratch().tile_fields *
                    Impl::tile_field_size<double>(problem.num_levels) * sizeof(double);
  return static_cast<double>(tile) * variant.space->concurrency();
}

/// Values of the fields of a problem and of its solver.
double field_bytes(const HelmholtzVariant& variant) {
  return variant.precision == Precision::single_precision ? 4 : 8;
}
double solver_bytes(const HelmholtzVariant& variant) {
  return variant.precision == Precision::double_precision ? 8 : 4;
}

double needed_bytes(const HelmholtzProblem& problem, const HelmholtzVariant& variant) {
  const double unknowns = static_cast<double>(problem.num_unknowns());
  const double scalar = solver_bytes(variant);
  double per_unknown = 3 * field_bytes(variant);  // right-hand side, solution, scratch
  if (variant.solver == Solver::csr_pcg) {
    // seven entries with column numbers, start of the row, two tridiagonal fields
    per_unknown += 7 * (scalar + 4) + 8 + 2 * scalar;
  }
  const double places = num_places(problem, variant);
  double per_place = problem.num_levels * 4 * scalar;  // fields of the solver
  if (places > static_cast<double>(problem.num_columns())) {
    // the solution too, and in mixed precision the right-hand side
    const int more_fields = variant.precision == Precision::mixed ? 2 : 1;
    per_place += problem.num_levels * field_bytes(variant) * more_fields + bytes_per_place;
  }
  return unknowns * per_unknown + places * per_place +
         line_scratch_bytes(problem, variant, scalar) + geometry_bytes(problem);
}

/// Copies that the host keeps of the fields of a device.
double mirrored_bytes(const HelmholtzProblem& problem, const HelmholtzVariant& variant,
                      bool with_output) {
  const int fields = with_output ? 2 : problem.generated_rhs ? 0 : 1;
  return static_cast<double>(problem.num_unknowns()) * field_bytes(variant) * fields +
         geometry_bytes(problem);
}

}  // namespace

std::string size_obstacle(const HelmholtzTask& task) {
  const HelmholtzProblem& problem = task.problem;
  const HelmholtzVariant& variant = task.variant;
  if (variant.solver == Solver::csr_pcg && problem.num_unknowns() > max_csr_unknowns) {
    return fmt::format("expected fewer than 2^31 unknowns for {}, got {}",
                       name_of(solvers, variant.solver), problem.num_unknowns());
  }
  return shortage_of(*variant.space, needed_bytes(problem, variant),
                     mirrored_bytes(problem, variant, !task.output.empty()));
}

}  // namespace Lamina::Cli
