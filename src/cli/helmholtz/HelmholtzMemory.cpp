// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "helmholtz/HelmholtzMemory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "helmholtz/columns/ColumnsBytes.hpp"
#include "helmholtz/columns/HelmholtzColumns.hpp"
#include "helmholtz/parts/GridPartition.hpp"
#include "support/machine/MemoryNeed.hpp"
#include "support/machine/OnSpace.hpp"

namespace Lamina::Cli {
namespace {

/// `CsrHelmholtz` numbers them by an int.
constexpr std::int64_t max_csr_unknowns = std::numeric_limits<int>::max();

/// What the host needs to set up a problem, with a hierarchy for multigrid: lists of edges, neighbours
/// and areas, which grow to twice their length, and vertical vectors.
double set_up_bytes(const HelmholtzProblem& problem, const HelmholtzVariant& variant) {
  // Each rank cuts its columns from all of a grid.
  const ColumnGridSize size = grid_of_rank(problem, problem.grid ? RankGrid() : variant.rank_grid);
  const double bytes_per_column = is_multigrid(variant.solver) ? 900 : 300;
  constexpr double bytes_per_level = 200;
  return static_cast<double>(size.num_columns()) * bytes_per_column +
         size.num_levels * bytes_per_level;
}

double needed_bytes(const HelmholtzProblem& problem, const HelmholtzVariant& variant) {
  const double allocated = on_space(
      *variant.space, [&](const auto& space) { return helmholtz_bytes(space, problem, variant); });
  return allocated + (variant.space->own_memory ? 0 : set_up_bytes(problem, variant));
}

/// What the host needs for a device where there are bottoms or coefficients: copies of one set of values at a
/// time, volumes and their copy, and what `ColumnNullSpace` looks for components in.
double column_bytes_on_host(const HelmholtzProblem& problem, const ColumnGridSize& size) {
  if (!problem.columns) return 0;
  const HelmholtzColumns& columns = *problem.columns;
  const double of_edges = columns.kind == ColumnsClass::stored
                              ? columns.num_edges * size.num_levels * sizeof(double)
                              : 0;
  constexpr double value = sizeof(double);
  const double of_cell = (columns.has_massless ? 2 * value : 0) + host_bytes_of_null_space +
                         (columns.kind == ColumnsClass::stored ? value : 0);
  return static_cast<double>(size.num_cells()) * of_cell + of_edges;
}

/// Copies that the host keeps of the fields of a device.
double mirrored_bytes(const HelmholtzProblem& problem, const HelmholtzVariant& variant,
                      bool with_output) {
  const int value_bytes = variant.precision == Precision::single_precision ? 4 : 8;
  const bool copies_rhs = !problem.generated_rhs || problem.grid != nullptr;
  const int fields = with_output ? 2 : copies_rhs ? 1 : 0;
  const ColumnGridSize size = grid_of_rank(problem, variant.rank_grid);
  return static_cast<double>(size.num_cells()) * value_bytes * fields +
         set_up_bytes(problem, variant) + column_bytes_on_host(problem, size);
}

}  // namespace

ColumnGridSize grid_of_rank(const HelmholtzProblem& problem, const RankGrid& grid) {
  if (problem.grid) {
    // Halo columns begin at a multiple, and so do those of each rank.
    constexpr int of_halo = 16, of_rank = 4;
    const auto most = [&] {
      const PartitionQuality& quality = problem.partition->quality;
      return quality.most_items + 2 * of_halo + of_rank * quality.most_peers;
    };
    return {.row_length = grid.ranks == nullptr ? problem.num_columns() : most(),
            .num_levels = problem.num_levels,
            .max_neighbours = problem.grid->max_neighbours};
  }
  if (grid.ranks == nullptr) {
    return {
        .num_rows = problem.num_x, .row_length = problem.num_y, .num_levels = problem.num_levels};
  }
  constexpr int align = 16, halo = 2;  // cuts are at multiples of at most `align`
  const auto largest = [](int cells, int ranks) {
    return ranks == 1 ? cells : std::min(cells, (cells + ranks - 1) / ranks + align) + halo;
  };
  // Odd where cuts decide: rows of some rank may have to be padded.
  return {
      .num_rows = largest(problem.num_x, grid.shape[0]) | 1,
      .row_length = grid.shape[1] == 1 ? problem.num_y : largest(problem.num_y, grid.shape[1]) | 1,
      .num_levels = problem.num_levels};
}

std::string size_obstacle(const HelmholtzTask& task) {
  const HelmholtzProblem& problem = task.problem;
  const HelmholtzVariant& variant = task.variant;
  if (variant.solver == Solver::csr_pcg && problem.num_unknowns() > max_csr_unknowns) {
    return fmt::format("expected fewer than 2^31 unknowns for {}, got {}",
                       name_of(solvers, variant.solver), problem.num_unknowns());
  }
  return shortage_of(*variant.space, needed_bytes(problem, variant),
                     mirrored_bytes(problem, variant, !task.output.empty()),
                     sharers_of(variant.rank_grid.ranks));
}

}  // namespace Lamina::Cli
