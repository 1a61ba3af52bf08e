// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Conjugate gradients over an operator of the application's own: implicit heat conduction in a
// plate of nx x ny columns, with a conductivity that varies from cell to cell,
//
//   A u = u - dt div (kappa grad u),   no flux through the boundary.
//
// Levels are thin: a cell is coupled 100 times as strongly with the cells above and below as with
// its neighbours at the sides. A LineSolver for the columns alone is the preconditioner.

#include <lamina/Lamina.hpp>

#include <cmath>
#include <cstdio>

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using Field = Kokkos::View<double**, Memory>;
using Cells = Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>;

constexpr int nx = 40, ny = 30, nz = 32;  // column ny * i + j is at (i, j)
constexpr double side = 0.5, vertical = 100 * side;

/// The column to the west, east, south or north, or -1.
KOKKOS_INLINE_FUNCTION int neighbour(int column, int n) {
  const int i = column / ny + (n == 1) - (n == 0), j = column % ny + (n == 3) - (n == 2);
  return i < 0 || i >= nx || j < 0 || j >= ny ? -1 : ny * i + j;
}

void set_conductivity(const Space& space, const Field& kappa) {
  Kokkos::parallel_for(
      "set_conductivity", Cells(space, {0, 0}, {nx * ny, nz}), KOKKOS_LAMBDA(int column, int k) {
        const int i = column / ny, j = column % ny;
        kappa(column, k) = 1 + 0.5 * std::sin(0.3 * i) * std::cos(0.4 * j) + 0.02 * k;
      });
}

/// The diagonal of A, and in off(column, k) what couples levels k and k + 1.
void assemble(const Space& space, const Field& kappa, const Field& diagonal, const Field& off) {
  Kokkos::parallel_for(
      "assemble", Cells(space, {0, 0}, {nx * ny, nz}), KOKKOS_LAMBDA(int column, int k) {
        const double own = kappa(column, k);
        const double below = k > 0 ? vertical * (own + kappa(column, k - 1)) / 2 : 0;
        const double above = k + 1 < nz ? vertical * (own + kappa(column, k + 1)) / 2 : 0;
        double sum = 1 + below + above;
        for (int n = 0; n < 4; ++n) {
          const int other = neighbour(column, n);
          if (other >= 0) sum += side * (own + kappa(other, k)) / 2;
        }
        diagonal(column, k) = sum;
        off(column, k) = -above;
      });
}

/// What `Pcg` asks of an operator: two types, the extents of its fields, and y = A x.
struct Conduction {
  using scalar_type = double;
  using memory_space = Memory;

  Field kappa, diagonal, off;

  int num_owned() const { return nx * ny; }
  int num_columns() const { return nx * ny; }
  int num_levels() const { return nz; }

  template <class In, class Out>
  void apply(const Space& space, const In& x, const Out& y) const {
    const Field c = kappa, d = diagonal, o = off;  // a kernel for a device must not capture `this`
    Kokkos::parallel_for(
        "Conduction::apply", Cells(space, {0, 0}, {nx * ny, nz}), KOKKOS_LAMBDA(int column, int k) {
          double sum = d(column, k) * x(column, k);
          if (k > 0) sum += o(column, k - 1) * x(column, k - 1);
          if (k + 1 < nz) sum += o(column, k) * x(column, k + 1);
          for (int n = 0; n < 4; ++n) {
            const int other = neighbour(column, n);
            if (other >= 0) sum -= side * (c(column, k) + c(other, k)) / 2 * x(other, k);
          }
          y(column, k) = sum;
        });
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const Space space;
  const Conduction op{Field("kappa", nx * ny, nz), Field("diagonal", nx * ny, nz),
                      Field("off", nx * ny, nz)};
  set_conductivity(space, op.kappa);
  assemble(space, op.kappa, op.diagonal, op.off);
  const Lamina::LineSolver lines(space, Lamina::SymmetricTridiagonal{op.diagonal, op.off});

  // A hot cell in the middle.
  const Field b("b", nx * ny, nz), x("x", nx * ny, nz), residual("residual", nx * ny, nz);
  Kokkos::deep_copy(space, Kokkos::subview(b, ny * (nx / 2) + ny / 2, nz / 2), 1.0);

  Lamina::Pcg plain(space, op, Lamina::IdentityPreconditioner());
  const auto slow = plain.solve(space, b, x, {.tolerance = 1e-8});
  Kokkos::deep_copy(space, x, 0.0);
  Lamina::Pcg preconditioned(space, op, lines);
  const auto fast = preconditioned.solve(space, b, x, {.tolerance = 1e-8});
  if (!slow.converged() || !fast.converged()) return 1;
  // Rounding, which differs from machine to machine, may cost or spare one of many iterations.
  std::printf("%d iterations with lines, %d times as many without\n", fast.iterations,
              slow.iterations / fast.iterations);

  // The residual of the report is updated from iteration to iteration; this one is computed anew.
  std::printf("true residual %.0e\n", Lamina::true_residual_norm(space, op, b, x, residual));
  return 0;
}
