// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// An application with a block-sparse matrix of its own: an implicit step of three reacting species
// that diffuse on a square grid. A kernel of its own fills block rows that hold their diagonal
// block; the system is solved by point-implicit sweeps, and the residual taken with the
// application's own Views.

#include <lamina/Lamina.hpp>

#include <cstdint>
#include <cstdio>

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using Offsets = Kokkos::View<std::int64_t*, Memory>;
using Columns = Kokkos::View<int*, Memory>;
using Blocks = Kokkos::View<double***, Kokkos::LayoutLeft, Memory>;
using Field = Kokkos::View<double**, Kokkos::LayoutRight, Memory>;
using Matrix = Lamina::BlockSparseMatrix<double, float, Memory>;

constexpr int num_species = 3, side = 20, num_rows = side * side;

/// Up to five blocks a row: south, west, the cell itself, east, north.
struct System {
  Offsets offsets;
  Columns columns;
  Blocks blocks;
};

System assemble(const Space& space) {
  const Offsets offsets("offsets", num_rows + 1);
  std::int64_t num_blocks = 0;
  Kokkos::parallel_scan(
      "consumer::offsets", Kokkos::RangePolicy<Space>(space, 0, num_rows),
      KOKKOS_LAMBDA(int row, std::int64_t& sum, bool last) {
        const int i = row % side, j = row / side;
        sum += 1 + (i > 0) + (j > 0) + (i + 1 < side) + (j + 1 < side);
        if (last) offsets(row + 1) = sum;
      },
      num_blocks);
  const Columns columns("columns", static_cast<std::size_t>(num_blocks));
  const Blocks blocks("blocks", num_species, num_species, static_cast<std::size_t>(num_blocks));
  Kokkos::parallel_for(
      "consumer::assemble", Kokkos::RangePolicy<Space>(space, 0, num_rows), KOKKOS_LAMBDA(int row) {
        const int i = row % side, j = row / side;
        std::int64_t next = offsets(row);
        const auto add = [&](int column) {
          columns(next) = column;
          for (int r = 0; r < num_species; ++r) {
            for (int c = 0; c < num_species; ++c) {
              const double reaction = r == c ? 1 : 0.25 / (1 + r + c);
              const double diffusion = r == c ? 0.5 + 0.25 * r : 0;
              blocks(r, c, next) = column == row ? reaction + 4 * diffusion : -diffusion;
            }
          }
          ++next;
        };
        if (j > 0) add(row - side);
        if (i > 0) add(row - 1);
        add(row);
        if (i + 1 < side) add(row + 1);
        if (j + 1 < side) add(row + side);
      });
  return {offsets, columns, blocks};
}

/// The largest entry of b - A x.
double residual(const Space& space, const System& system, const Field& b, const Field& x) {
  const Offsets offsets = system.offsets;
  const Columns columns = system.columns;
  const Blocks blocks = system.blocks;
  double result = 0;
  Kokkos::parallel_reduce(
      "consumer::residual", Kokkos::RangePolicy<Space>(space, 0, num_rows),
      KOKKOS_LAMBDA(int row, double& largest) {
        for (int r = 0; r < num_species; ++r) {
          double sum = b(row, r);
          for (std::int64_t k = offsets(row); k < offsets(row + 1); ++k) {
            for (int c = 0; c < num_species; ++c) sum -= blocks(r, c, k) * x(columns(k), c);
          }
          const double magnitude = sum < 0 ? -sum : sum;
          if (!(magnitude <= largest)) largest = magnitude;  // keeps a NaN, too
        }
      },
      Kokkos::Max<double>(result));
  return result;
}

bool run() {
  const Space space;
  const System system = assemble(space);
  const Field b("b", num_rows, num_species), x("x", num_rows, num_species);
  Kokkos::deep_copy(space, b, 1.0);

  // Sums are in double; what is off the diagonal, here multiples of 1/4, fits float.
  const auto matrix = Matrix::split(space, system.offsets, system.columns, system.blocks);
  const Lamina::PointImplicitSolver solver(space, matrix,
                                           Lamina::ColourOrdering::greedy(matrix.graph()));
  const auto report = solver.solve(space, b, x, {.tolerance = 1e-12});

  const double largest = residual(space, system, b, x);
  const bool passed = report.converged() && largest < 1e-10;
  std::printf("%s: %d sweeps in %d colours, largest entry of b - A x %.1e\n",
              passed ? "passed" : "FAILED", report.iterations, solver.ordering().num_colours(),
              largest);
  return passed;
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  return run() ? 0 : 1;
}
