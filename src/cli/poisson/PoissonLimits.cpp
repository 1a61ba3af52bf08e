// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "poisson/PoissonLimits.hpp"

#include "support/machine/MemoryNeed.hpp"
#include "support/machine/Space.hpp"

namespace Lamina::Cli {

std::string size_obstacle(const PoissonTask& task) {
  const PoissonVariant& variant = task.variant;
  const double scalar = variant.precision == Precision::double_precision ? 8 : 4;
  Rectangle size = task.size;  // the largest of a rank, with halo columns
  const bool is_strip = variant.rank_grid.ranks != nullptr;
  if (is_strip) size.nx = lines_of_rank(size.nx, variant.rank_grid) + 2;
  constexpr int most_ghosts = 6;  // on either side of a strip, with three steps
  const int ghosts = is_strip ? most_ghosts : 0;
  const double solution = size.cells() * scalar;
  return shortage_of(*variant.space, poisson_bytes(size, variant.solver, variant.precision, ghosts),
                     task.output.empty() ? 0 : solution, sharers_of(variant.rank_grid.ranks));
}

}  // namespace Lamina::Cli
