// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The application keeps its memory, its layout and its execution-space instance. The pressure is a
// part of an array of the application, which has a ghost level below and above each column. Levels
// are contiguous (LayoutRight). Solves begin with the pressure of the step before, which saves
// iterations, and end as the application wishes.

#include <lamina/Lamina.hpp>

#include <chrono>
#include <cmath>
#include <iostream>
#include <utility>

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using Layout = Kokkos::LayoutRight;
using Field = Kokkos::View<double**, Layout, Memory>;

constexpr int num_x = 48, num_y = 32, num_columns = num_x * num_y, num_levels = 40;

/// An instance of the application's own: a stream where the space is a device.
Space own_instance() {
#if KOKKOS_VERSION >= 40000
  return Kokkos::Experimental::partition_space(Space(), 1)[0];
#else
  return Space();
#endif
}

/// The right-hand side of a time step: a source that travels along x. It holds integrals over cells.
void fill(const Space& space, const Field& rhs, double time) {
  Kokkos::parallel_for(
      "fill",
      Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>(space, {0, 0}, {num_columns, num_levels}),
      KOKKOS_LAMBDA(int column, int level) {
        const double pi = 3.14159265358979323846;
        const double x = (column / num_y + 0.5) / num_x, y = (column % num_y + 0.5) / num_y;
        const double distance = std::sin(pi * (x - time)) * std::sin(pi * (x - time)) +
                                std::sin(pi * y) * std::sin(pi * y);
        rhs(column, level) = 1e-6 * std::exp(-20 * distance) * (level + 1) / num_levels;
      });
}

void print(const char* what, const Lamina::SolveReport& report) {
  std::cout << what << ": " << to_string(report.status) << " after " << report.iterations
            << " iterations\n";
}

void run(const Space& space) {
  const Lamina::HelmholtzOperator<double, Memory> op(
      Lamina::ColumnMesh<Memory>(Lamina::plane(num_x, num_y)),
      Lamina::VerticalGrid::uniform(num_levels, 0.01, Lamina::VerticalMetric::flat),
      {.omega2 = 1e-2, .lambda2 = 0.1});
  Lamina::FusedPcg pcg(space, Lamina::FusedHelmholtz<double, Memory>(space, op));

  // Memory of the application, with a ghost level at either end of each column. The part without
  // ghosts is a View of the same layout, whose columns are further apart than they are long.
  constexpr std::size_t bytes = sizeof(double) * num_columns * (num_levels + 2);
  const auto memory = static_cast<double*>(Kokkos::kokkos_malloc<Memory>(bytes));
  const Kokkos::View<double**, Layout, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>> state(
      memory, num_columns, num_levels + 2);
  const auto pressure = Kokkos::subview(state, Kokkos::ALL, std::make_pair(1, 1 + num_levels));
  Kokkos::deep_copy(space, state, 0.0);
  const Field rhs("rhs", num_columns, num_levels);

  // Each solve begins with the pressure that it finds.
  for (int step = 0; step < 3; ++step) {
    fill(space, rhs, 0.01 * step);
    const char* start = step == 0 ? "from zero" : "from the step before";
    print(start, pcg.solve(space, rhs, pressure, {.tolerance = 1e-6}));
  }

  // Until the residual is a tenth of that of the guess.
  fill(space, rhs, 0.03);
  print("a tenth of the residual",
        pcg.solve(space, rhs, pressure,
                  {.tolerance = 0.1, .relative_to = Lamina::Reference::initial_residual}));
  // A fixed number of iterations.
  print("fixed count", pcg.solve(space, rhs, pressure, Lamina::StoppingCriteria::iterations(5)));
  // Until the time is up, here at once. The host asks after every second iteration.
  const auto end = std::chrono::steady_clock::now();
  const auto report = pcg.solve(
      space, rhs, pressure,
      {.check_every = 2, .stop_requested = [&] { return std::chrono::steady_clock::now() > end; }});
  std::cout << "time is up: " << to_string(report.status) << '\n';

  space.fence();
  Kokkos::kokkos_free<Memory>(memory);
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  run(own_instance());
}
