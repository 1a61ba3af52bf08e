// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "helmholtz/GridPartition.hpp"

#include <array>

#include "support/ranks/Ranks.hpp"

namespace Lamina::Cli {

LocalColumns columns_of_rank(const HelmholtzProblem& problem, const RankGrid& grid) {
  // Packs of columns are found where rectangles begin at multiples of these.
  constexpr std::array<int, 2> align{2, 16};
  const auto partition = Partition::grid({problem.num_x, problem.num_y}, grid.shape, align);
  return problem.panel().local(partition, grid.ranks->rank(), problem.edge);
}

}  // namespace Lamina::Cli
