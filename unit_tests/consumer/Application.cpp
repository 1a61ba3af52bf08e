// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// An application with a grid, Views and an execution-space instance of its own: an unstructured
// ring of columns, a right-hand side inside a larger array, a line solve inside one of its own
// kernels, and a solve by each of the solvers.

#include <lamina/Lamina.hpp>

#include <cstdio>

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using Field = Kokkos::View<double**, Kokkos::LayoutLeft, Memory>;

constexpr int num_columns = 40, num_levels = 24;

KOKKOS_INLINE_FUNCTION void keep_largest(double& largest, double value) {
  const double magnitude = value < 0 ? -value : value;
  if (!(magnitude <= largest)) largest = magnitude;  // keeps a NaN, too
}

/// A ring in which each column also knows the one opposite.
Lamina::ColumnGraph ring() {
  Lamina::ColumnGraph graph;
  graph.num_owned = num_columns;
  graph.areas.assign(num_columns, 1e-4);
  for (int column = 0; column < num_columns; ++column) {
    graph.edges.push_back({column, (column + 1) % num_columns, 0.01, 0.01});
    if (column < num_columns / 2) {
      graph.edges.push_back({column, column + num_columns / 2, 0.005, 0.02});
    }
  }
  return graph;
}

/// Solves -x_{k-1} + 3 x_k - x_{k+1} = 1 with one line per thread; returns the largest residual.
double solve_lines_in_own_kernel(const Space& space) {
  const Field x("x", num_columns, num_levels), factor("factor", num_columns, num_levels);
  double residual = 0;
  Kokkos::parallel_reduce(
      "consumer::lines", Kokkos::RangePolicy<Space>(space, 0, num_columns),
      KOKKOS_LAMBDA(int column, double& largest) {
        Lamina::solve_tridiagonal(
            num_levels,
            [](int) {
              return Lamina::TridiagonalRow<double>{-1, 3, -1};
            },
            [](int) { return 1.0; }, [&](int k) -> double& { return x(column, k); },
            [&](int k) -> double& { return factor(column, k); });
        for (int k = 0; k < num_levels; ++k) {
          const double below = k > 0 ? x(column, k - 1) : 0;
          const double above = k + 1 < num_levels ? x(column, k + 1) : 0;
          keep_largest(largest, -below + 3 * x(column, k) - above - 1);
        }
      },
      Kokkos::Max<double>(residual));
  return residual;
}

int check(bool passed, const char* what) {
  std::printf("%s: %s\n", passed ? "passed" : "FAILED", what);
  return passed ? 0 : 1;
}

int run() {
  const Space space;
  int failures = check(solve_lines_in_own_kernel(space) < 1e-14, "line solve inside a kernel");

  const Lamina::HelmholtzOperator<double, Memory> op(
      Lamina::ColumnMesh<Memory>(ring()), Lamina::VerticalGrid::uniform(num_levels, 0.01),
      {.omega2 = 1e-3, .lambda2 = 0.1});
  // The right-hand side is every column's upper part of a larger array of the application.
  const Kokkos::View<double**, Kokkos::LayoutLeft, Memory> state("state", num_columns,
                                                                 num_levels + 8);
  Kokkos::deep_copy(state, 1e-6);
  const auto rhs = Kokkos::subview(state, Kokkos::ALL, std::make_pair(8, 8 + num_levels));
  const Field fused("fused", num_columns, num_levels), plain("plain", num_columns, num_levels);

  Lamina::FusedPcg fused_pcg(space, Lamina::FusedHelmholtz<double, Memory>(space, op));
  failures +=
      check(fused_pcg.solve(space, rhs, fused, {.tolerance = 1e-12}).converged(), "fused PCG");
  Lamina::Pcg plain_pcg(space, op, Lamina::LinePreconditioner<double, Memory>(space, op));
  failures +=
      check(plain_pcg.solve(space, rhs, plain, {.tolerance = 1e-12}).converged(), "plain PCG");

  double difference = 0, scale = 0;
  Kokkos::parallel_reduce(
      "consumer::difference", Kokkos::RangePolicy<Space>(space, 0, num_columns),
      KOKKOS_LAMBDA(int column, double& largest) {
        for (int k = 0; k < num_levels; ++k) {
          keep_largest(largest, fused(column, k) - plain(column, k));
        }
      },
      Kokkos::Max<double>(difference));
  Kokkos::parallel_reduce(
      "consumer::scale", Kokkos::RangePolicy<Space>(space, 0, num_columns),
      KOKKOS_LAMBDA(int column, double& largest) { keep_largest(largest, plain(column, 0)); },
      Kokkos::Max<double>(scale));
  failures += check(difference < 1e-9 * scale, "both give the same solution");
  return failures;
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  return run();
}
