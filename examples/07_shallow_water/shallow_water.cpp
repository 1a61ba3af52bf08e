// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Shallow water on a periodic square from an initial state of the application's own: two hills of
// water at rest. Waves run off, and rotation turns them. The scheme is third-order Runge-Kutta; the
// program prints mass, energy and the extremes of the height as time goes on.

#include <lamina/Lamina.hpp>

#include <cmath>
#include <cstdio>

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using Field = Kokkos::View<double**, Memory>;

constexpr int n = 96;
constexpr double coriolis = 2;

/// 1 and two hills. Cell (i, j) is centred at ((i + 1/2) / n, (j + 1/2) / n).
void fill_height(const Space& space, const Field& height) {
  Kokkos::parallel_for(
      "fill_height", Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>(space, {0, 0}, {n, n}),
      KOKKOS_LAMBDA(int i, int j) {
        const double x = (i + 0.5) / n, y = (j + 0.5) / n;
        const auto hill = [&](double x0, double y0) {
          return std::exp(-150 * ((x - x0) * (x - x0) + (y - y0) * (y - y0)));
        };
        height(i, j) = 1 + 0.1 * hill(0.35, 0.5) + 0.05 * hill(0.65, 0.55);
      });
}

double largest_height(const Space& space, const Field& height) {
  double result = 0;
  Kokkos::parallel_reduce(
      "largest_height", Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>(space, {0, 0}, {n, n}),
      KOKKOS_LAMBDA(int i, int j, double& largest) { largest = std::fmax(largest, height(i, j)); },
      Kokkos::Max<double>(result));
  return result;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const Space space;

  // Our fields have no ghost cells; `set` and `get` copy the cells of the state.
  const Field height("height", n, n), u("u", n, n), v("v", n, n);
  fill_height(space, height);
  // The unit square; Lamina::Rectangle{nx, ny} instead of n is a rectangle.
  Lamina::ShallowWaterState<double, Memory> state(n);
  state.set(space, height, u, v);

  const double time_step = 0.2 / n;  // waves of speed 1 cross a fifth of a cell
  Lamina::RungeKutta3<double, Memory> scheme(n, time_step, coriolis);
  const auto start = Lamina::diagnose(space, state, coriolis);
  for (int step = 1; step <= 2 * n; ++step) {
    const auto report = scheme.step(space, state);
    if (!report.succeeded()) return 1;  // it looks at the state every 20 steps
    if (step % n != 0) continue;
    const auto now = Lamina::diagnose(space, state, coriolis);
    state.get(space, height, u, v);
    std::printf("t = %.1f: mass %.8f, energy %.8f, height from %.4f to %.4f\n", step * time_step,
                now.mass, now.energy, now.smallest_height, largest_height(space, height));
  }
  const auto end = Lamina::diagnose(space, state, coriolis);
  const bool mass_is_kept = std::fabs(end.mass - start.mass) < 1e-12 * start.mass;
  std::printf("mass is %s, energy has changed by %.1e\n", mass_is_kept ? "kept" : "lost",
              end.energy / start.energy - 1);
  return 0;
}
