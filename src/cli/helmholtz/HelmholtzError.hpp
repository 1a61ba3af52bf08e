// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// How far a solution is from an exact one; included by what HelmholtzSolve.cpp.in instantiates.

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstddef>

#include "support/SolveResult.hpp"
#include "support/ranks/Ranks.hpp"

namespace Lamina::Cli {

/// How far a solution is from u = 1: in the mean, weighted with the volumes, and at most.
template <class Field>
struct DistanceFromOne {
  Field volumes, solution;

  KOKKOS_FUNCTION double error(int column, int k) const {
    return static_cast<double>(solution(column, k)) - 1;
  }
  struct Squares {};
  KOKKOS_FUNCTION void operator()(Squares, int column, double& sum) const {
    for (int k = 0; k < static_cast<int>(solution.extent(1)); ++k) {
      sum += static_cast<double>(volumes(column, k)) * error(column, k) * error(column, k);
    }
  }
  struct Largest {};
  KOKKOS_FUNCTION void operator()(Largest, int column, double& largest) const {
    for (int k = 0; k < static_cast<int>(solution.extent(1)); ++k) {
      const double size = error(column, k) < 0 ? -error(column, k) : error(column, k);
      if (size > largest) largest = size;
    }
  }
};

/// The error of `solution` where u = 1 is the exact one, over all ranks. `volumes` are those of the
/// cells, which the right-hand side f = 1 consists of. Fences `space`.
template <class Execution, class Field>
SolutionError distance_from_one(const Execution& space, const Field& volumes, const Field& solution,
                                std::size_t num_owned, const Ranks* ranks) {
  using Distance = DistanceFromOne<Field>;
  const Distance distance{volumes, solution};
  double sum = 0, largest = 0;
  Kokkos::parallel_reduce(
      "Lamina::Cli::error_l2",
      Kokkos::RangePolicy<Execution, typename Distance::Squares>(space, 0, num_owned), distance,
      sum);
  Kokkos::parallel_reduce(
      "Lamina::Cli::error_linf",
      Kokkos::RangePolicy<Execution, typename Distance::Largest>(space, 0, num_owned), distance,
      Kokkos::Max<double>(largest));
  sum = sum_of_all(ranks, sum);
  largest = largest_of_all(ranks, largest);
  // Comparisons pass over a NaN, the sum keeps it.
  return {.l2 = std::sqrt(sum), .linf = std::isnan(sum) ? sum : largest};
}

}  // namespace Lamina::Cli
