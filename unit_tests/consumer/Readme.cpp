// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The example of README.md, which must stay the same as what stands between the marks.

// [example]
#include <lamina/Lamina.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Space = Kokkos::DefaultExecutionSpace;
  using Memory = Space::memory_space;
  const Space space;
  const Lamina::CubedSpherePanel panel(64, 64);
  const auto grid = Lamina::VerticalGrid::graded(128, 0.0157);
  const Lamina::HelmholtzOperator<double, Memory> op(Lamina::ColumnMesh<Memory>(panel.graph()),
                                                     grid, {.omega2 = 1.07e-2, .lambda2 = 3.32e-2});
  Kokkos::View<double**, Memory> rhs("rhs", panel.num_columns(), 128),
      u("u", panel.num_columns(), 128);
  Kokkos::deep_copy(rhs, 1e-6);
  Lamina::FusedPcg pcg(space, Lamina::FusedHelmholtz<double, Memory>(space, op));
  const auto report = pcg.solve(space, rhs, u, {.tolerance = 1e-8});
  return report.converged() ? 0 : 1;
}
// [example]
