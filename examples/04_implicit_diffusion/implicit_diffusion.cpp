// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Implicit vertical diffusion in a time loop: one tridiagonal system per column and step,
//
//   u_k - (dt K / h^2) (u_{k-1} - 2 u_k + u_{k+1}) = u_k before,   no flux at bottom and top.
//
// Each column has its own diffusivity K. All of them triple at half time, and the solver is told.
// The field 1 + cos(pi z) decays to 1; the program compares with the analytic solution.

#include <lamina/Lamina.hpp>

#include <cmath>
#include <cstdio>

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using Field = Kokkos::View<double**, Memory>;

constexpr int num_columns = 1000, num_levels = 64, num_steps = 400;
constexpr double thickness = 1.0 / num_levels, time_step = 0.01;
constexpr double pi = 3.14159265358979323846;

/// Of a column, in the first half of the time.
KOKKOS_INLINE_FUNCTION double diffusivity(int column) {
  return 0.01 * (1 + 2.0 * column / (num_columns - 1));
}

void set_coupling(const Space& space, const Field& coupling, double factor) {
  Kokkos::parallel_for(
      "set_coupling",
      Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>(space, {0, 0}, {num_columns, num_levels}),
      KOKKOS_LAMBDA(int c, int k) {
        coupling(c, k) = -factor * diffusivity(c) * time_step / (thickness * thickness);
      });
}

void set_initial(const Space& space, const Field& u) {
  Kokkos::parallel_for(
      "set_initial",
      Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>(space, {0, 0}, {num_columns, num_levels}),
      KOKKOS_LAMBDA(int c, int k) { u(c, k) = 1 + std::cos(pi * (k + 0.5) * thickness); });
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const Space space;
  const Field u("u", num_columns, num_levels), coupling("coupling", num_columns, num_levels),
      row_sum("row_sum", num_columns, num_levels);
  Kokkos::deep_copy(space, row_sum, 1.0);
  set_coupling(space, coupling, 1);
  set_initial(space, u);

  // Rows as differences: row_sum u_k + lower (u_{k-1} - u_k) + upper (u_{k+1} - u_k). Couplings
  // beyond bottom and top have no effect, so no flux leaves the column.
  Lamina::LineSolver solver(space, Lamina::DifferenceTridiagonal{coupling, row_sum, coupling});
  for (int step = 0; step < num_steps; ++step) {
    if (step == num_steps / 2) {
      set_coupling(space, coupling, 3);
      solver.refresh(space);  // the solver reads our coefficients; it does not copy them
    }
    solver.solve(space, u, u);  // enqueued on `space`, in place
  }
  if (solver.status(space) != Lamina::SolveStatus::completed) return 1;

  const auto result = Kokkos::create_mirror_view(u);
  Kokkos::deep_copy(result, u);
  for (const int c : {0, num_columns / 2, num_columns - 1}) {
    const double integral = diffusivity(c) * time_step * num_steps / 2 * (1 + 3);  // of K over t
    const double exact = 1 + std::exp(-pi * pi * integral) * std::cos(pi * thickness / 2);
    std::printf("column %3d: %.4f at the bottom, analytic %.4f\n", c, result(c, 0), exact);
  }
  return 0;
}
