// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The Helmholtz equation in a thin spherical shell above one panel of the cubed sphere, solved by
// fused conjugate gradients. The solver then takes a right-hand side whose solution is known, and
// the program prints the error. The parts between marks are the program of README.md.

// [README]
#include <lamina/Lamina.hpp>

#include <cstdio>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Space = Kokkos::DefaultExecutionSpace;
  using Memory = Space::memory_space;
  constexpr int num_x = 64, num_y = 64, num_levels = 128;
  const Space space;
  const Lamina::ColumnMesh<Memory> mesh(Lamina::CubedSpherePanel(num_x, num_y).graph());
  const auto grid = Lamina::VerticalGrid::graded(num_levels, 0.0157);
  const Lamina::HelmholtzOperator<double, Memory> op(mesh, grid,
                                                     {.omega2 = 1.07e-2, .lambda2 = 3.32e-2});
  Kokkos::View<double**, Memory> rhs("rhs", num_x * num_y, num_levels),
      u("u", num_x * num_y, num_levels);
  Kokkos::deep_copy(rhs, 1e-6);
  Lamina::FusedPcg pcg(space, Lamina::FusedHelmholtz<double, Memory>(space, op));
  const auto report = pcg.solve(space, rhs, u, {.tolerance = 1e-8});
  std::printf("%d iterations\n", report.iterations);
  // [README]

  // A known solution, over x and z. Column num_y * i + j is cell (i, j) of the panel. The operator
  // makes the right-hand side from it, which holds integrals over the cells.
  const Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>> all_cells(space, {0, 0},
                                                                {num_x * num_y, num_levels});
  const Kokkos::View<double**, Memory> exact("exact", num_x * num_y, num_levels);
  Kokkos::parallel_for(
      "exact", all_cells, KOKKOS_LAMBDA(int column, int level) {
        const double x = (column / num_y + 0.5) / num_x, z = (level + 0.5) / num_levels;
        exact(column, level) = 1 + x * (1 - x) * z;
      });
  op.apply(space, exact, rhs);
  const auto known = pcg.solve(space, rhs, u, {.tolerance = 1e-8});  // begins with the old u

  Kokkos::parallel_for(
      "error", all_cells,
      KOKKOS_LAMBDA(int column, int level) { u(column, level) -= exact(column, level); });
  const double error = Lamina::two_norm(space, u) / Lamina::two_norm(space, exact);
  std::printf("known solution: %d iterations, relative error %.1e\n", known.iterations, error);
  // [README]
  return report.converged() ? 0 : 1;
}
// [README]
