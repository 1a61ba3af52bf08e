// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A block-sparse matrix of the application's own: an implicit step of sound waves in a flow, on a
// periodic lattice of cells with six neighbours each. Unknowns of a cell are the pressure and two
// velocities, so that blocks have 3 rows. The matrix is not symmetric. Point-implicit sweeps solve
// the system, and GMRES does with one sweep as its preconditioner. The time step then grows: the
// matrix gets new values, and the solvers go on without a new analysis.

#include <lamina/Lamina.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using Blocks = Kokkos::View<double***, Kokkos::LayoutLeft, Memory>;
using Field = Kokkos::View<double**, Kokkos::LayoutRight, Memory>;
/// Sums are in double, blocks off the diagonal are stored in float.
using Matrix = Lamina::BlockSparseMatrix<double, float, Memory>;

constexpr int side = 48, num_rows = side * side, blocks_per_row = 7, num_variables = 3;

/// Rows list the cell itself first, then its neighbours, counterclockwise.
KOKKOS_INLINE_FUNCTION int column_of(int row, int n) {
  const int di[] = {0, 1, 0, -1, -1, 0, 1}, dj[] = {0, 0, 1, 1, 0, -1, -1};
  const int i = row % side, j = row / side;
  return (i + di[n] + side) % side + side * ((j + dj[n] + side) % side);
}

/// Rusanov fluxes through the six edges, Coriolis force, and 1 / time_step on the diagonal.
void fill(const Space& space, const Blocks& blocks, double time_step) {
  Kokkos::deep_copy(space, blocks, 0.0);
  Kokkos::parallel_for(
      "fill", Kokkos::RangePolicy<Space>(space, 0, num_rows), KOKKOS_LAMBDA(int row) {
        const int own = blocks_per_row * row;
        const double pi = 3.14159265358979323846, coriolis = 0.5;
        const double flow_x = 0.4, flow_y = 0.2 * std::sin(2 * pi * (row % side) / side);
        for (int r = 0; r < num_variables; ++r) blocks(r, r, own) = 1 / time_step;
        blocks(1, 2, own) = -coriolis;
        blocks(2, 1, own) = coriolis;
        for (int n = 1; n < blocks_per_row; ++n) {
          const double x = std::cos(pi * (n - 1) / 3), y = std::sin(pi * (n - 1) / 3);
          const double flow = flow_x * x + flow_y * y, fastest = std::fabs(flow) + 1;
          const double jacobian[3][3] = {{flow, x, y}, {x, flow, 0}, {y, 0, flow}};
          for (int r = 0; r < num_variables; ++r) {
            for (int c = 0; c < num_variables; ++c) {
              const double dissipation = r == c ? fastest : 0;
              blocks(r, c, own) += (jacobian[r][c] + dissipation) / 2;
              blocks(r, c, own + n) = (jacobian[r][c] - dissipation) / 2;
            }
          }
        }
      });
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const Space space;
  const Kokkos::View<std::int64_t*, Memory> offsets("offsets", num_rows + 1);
  const Kokkos::View<int*, Memory> columns("columns", num_rows * blocks_per_row);
  const Blocks blocks("blocks", num_variables, num_variables, num_rows * blocks_per_row);
  Kokkos::parallel_for(
      "graph", Kokkos::RangePolicy<Space>(space, 0, num_rows), KOKKOS_LAMBDA(int row) {
        offsets(row + 1) = blocks_per_row * (row + 1);
        for (int n = 0; n < blocks_per_row; ++n) {
          columns(blocks_per_row * row + n) = column_of(row, n);
        }
      });
  fill(space, blocks, 1);

  // The analysis, once: the diagonal apart, colours, and the order of the rows.
  const auto matrix = Matrix::split(space, offsets, columns, blocks);
  Lamina::PointImplicitSolver smoother(space, matrix,
                                       Lamina::ColourOrdering::greedy(matrix.graph()));
  // One forward sweep, over vectors in the order of our rows.
  const Lamina::PointImplicitPreconditioner sweep(smoother, Lamina::VectorOrder::user,
                                                  Lamina::SweepDirection::forward);
  Lamina::Gmres gmres(space, matrix, sweep);
  std::printf("%d rows of blocks in %d colours\n", matrix.num_rows(),
              smoother.ordering().num_colours());

  // A pulse of pressure.
  const Field b("b", num_rows, num_variables), x("x", num_rows, num_variables);
  Kokkos::deep_copy(space, Kokkos::subview(b, num_rows / 2, 0), 1.0);
  for (const double time_step : {1.0, 4.0, 16.0}) {
    if (time_step > 1) {
      fill(space, blocks, time_step);
      matrix.update(space, blocks);    // copies, such as the one in `gmres`, share the values
      smoother.update(space, matrix);  // factors the new diagonal blocks
    }
    Kokkos::deep_copy(space, x, 0.0);
    const auto sweeps = smoother.solve(space, b, x, {.tolerance = 1e-6});
    Kokkos::deep_copy(space, x, 0.0);
    const auto krylov = gmres.solve(space, b, x, {.tolerance = 1e-6});
    if (!sweeps.converged() || !krylov.converged()) return 1;
    std::printf("time step %2.0f: %3d sweeps alone, %2d iterations of GMRES\n", time_step,
                sweeps.iterations, krylov.iterations);
  }
  return 0;
}
