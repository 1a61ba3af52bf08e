// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Right-hand side and output on a grid other than a panel; included by what Space_<Name>.cpp
// instantiates.

#include "helmholtz/ColumnPart.hpp"
#include "helmholtz/HelmholtzFile.hpp"

namespace Lamina::Cli {

/// Fills a field of 0 with the right-hand side of the owned columns. Fences the space.
template <ExecutionSpace Execution, class Field>
void fill_grid_rhs(const Execution& space, const HelmholtzProblem& problem,
                   const ColumnPart<Execution>&, const Field& rhs) {
  const auto host = Kokkos::create_mirror_view(rhs);
  if (problem.generated_rhs) {
    generate_right_hand_side(problem, host);
  } else {
    read_right_hand_side(problem, host);
  }
  Kokkos::deep_copy(space, rhs, host);
  space.fence();
}

/// Writes the output. Collective.
template <ExecutionSpace Execution, class HostField>
void write_grid(const HelmholtzTask& task, const HelmholtzResult& result,
                const ColumnPart<Execution>&, const HostField& solution, const HostField& rhs) {
  using Scalar = typename HostField::non_const_value_type;
  write_helmholtz_file<Scalar>(task, result, solution, rhs);
}

}  // namespace Lamina::Cli
