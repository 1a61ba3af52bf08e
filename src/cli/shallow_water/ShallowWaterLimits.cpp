// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "shallow_water/ShallowWaterLimits.hpp"

#include <algorithm>

#include "support/machine/MemoryNeed.hpp"
#include "support/machine/Space.hpp"

namespace Lamina::Cli {
namespace {

constexpr int fields_of_state = 3;

double scalar_bytes(const ShallowWaterTask& task) {
  return task.variant.precision == Precision::double_precision ? 8 : 4;
}

/// Cells of the rank that has most.
Rectangle largest_part(const ShallowWaterTask& task) {
  const Rectangle& size = task.problem.size;
  return {size.nx, lines_of_rank(size.ny, task.variant.rank_grid)};
}

bool has_multigrid(const ShallowWaterTask& task) {
  return task.variant.scheme == TimeScheme::semi_implicit &&
         task.systems.cg_preconditioner == CgPreconditioner::multigrid;
}

/// With ghosts.
double field_bytes(const ShallowWaterTask& task, const Rectangle& size) {
  const double nx = size.nx, ny = size.ny;
  const double line = (nx + 2) * scalar_bytes(task) + 512;  // with what aligns it
  return (ny + 2) * line;
}

/// Of the finest level: one, over several ranks two more, and the weights again.
int fields_of_multigrid(const ShallowWaterTask& task) {
  if (task.variant.rank_grid.ranks == nullptr) return 1;
  return task.systems.phi_star == ReferenceHeight::current ? 4 : 3;
}

/// The part of a rank of a level of multigrid, with lines of others, see `PeriodicMultigrid`: six to either side,
/// and all lines where a level is gathered.
Rectangle part_of_level(const ShallowWaterTask& task, const Rectangle& whole, int ny) {
  constexpr int lines = 6, least_lines = 4 * lines;
  constexpr double gathered_cells = 4096;
  if (task.variant.rank_grid.ranks == nullptr) return whole;
  const bool gathered = whole.cells() <= gathered_cells || whole.ny < least_lines;
  return {whole.nx, gathered ? whole.ny : std::min(ny + 2 * lines, whole.ny)};
}

/// Of all levels of multigrid, as it halves them.
double multigrid_bytes(const ShallowWaterTask& task) {
  constexpr double of_coarser = 6;
  if (!has_multigrid(task)) return 0;
  Rectangle level = task.problem.size;
  int ny = largest_part(task).ny;
  double bytes = fields_of_multigrid(task) * field_bytes(task, part_of_level(task, level, ny));
  while (level.nx > 1 || level.ny > 1) {
    level = {std::max(level.nx / 2, 1), std::max(level.ny / 2, 1)};
    ny = ny / 2 + 1;
    bytes += of_coarser * field_bytes(task, part_of_level(task, level, ny));
  }
  return bytes;
}

/// As the headers of the schemes say, with the state, and without multigrid.
int fields_of_scheme(const ShallowWaterTask& task) {
  switch (task.variant.scheme) {
    case TimeScheme::leapfrog: return task.restart.empty() ? 12 : 15;  // with the level before
    case TimeScheme::rk3: return 9;
    case TimeScheme::semi_implicit:
      return task.systems.phi_star == ReferenceHeight::current ? 15 : 14;
  }
  return 0;
}

/// Of conjugate gradients for the mass matrices.
int fields_of_mass_solver(const ShallowWaterTask& task) {
  constexpr int of_cg = 5;
  const bool by_cg = task.variant.scheme != TimeScheme::semi_implicit &&
                     task.systems.mass_solver == MassSolver::cg;
  return by_cg ? of_cg : 0;
}

/// The bottom, and f where it is a field.
int fields_of_basin(const ShallowWaterTask& task) {
  return (task.problem.has_bottom() ? 1 : 0) + (task.problem.beta != 0 ? 1 : 0);
}

/// Cells on their way to and from files.
double staged_bytes(const ShallowWaterTask& task) {
  const bool two_levels = task.variant.scheme == TimeScheme::leapfrog &&
                          !(task.checkpoint.empty() && task.restart.empty());
  const bool staged = two_levels || !task.output.empty() || !task.checkpoint.empty() ||
                      !task.restart.empty() || !task.problem.generated_initial ||
                      task.problem.has_bottom();
  const int fields = (staged ? fields_of_state * (two_levels ? 2 : 1) : 0) + fields_of_basin(task);
  return largest_part(task).cells() * scalar_bytes(task) * fields;
}

}  // namespace

double shallow_water_bytes(const ShallowWaterTask& task) {
  const int fields = fields_of_scheme(task) + fields_of_mass_solver(task) + fields_of_basin(task);
  return fields * field_bytes(task, largest_part(task)) + multigrid_bytes(task) +
         staged_bytes(task);
}

std::string size_obstacle(const ShallowWaterTask& task) {
  return shortage_of(*task.variant.space, shallow_water_bytes(task), staged_bytes(task),
                     sharers_of(task.variant.rank_grid.ranks));
}

}  // namespace Lamina::Cli
