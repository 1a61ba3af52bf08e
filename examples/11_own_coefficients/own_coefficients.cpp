// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Coefficients of the application's own, in its own Views: heat is mixed in a basin with a sloping bottom,
//
//   dT/dt = div (kappa grad T),   no flux through walls, surface and bottom.
//
// Each column ends at its own bottom. Mixing differs from cell to cell and changes from step to step. Values
// are float, the arithmetic is double.

#include <lamina/Lamina.hpp>

#include <cmath>
#include <cstdio>

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using Layout = Space::array_layout;
using Field = Kokkos::View<double**, Layout, Memory>;
using Values = Kokkos::View<float**, Layout, Memory>;
using Cells = Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>;

constexpr int nx = 32, ny = 24, nz = 20;  // column ny * i + j is at (i, j); level 0 is the surface
constexpr double side = 1000, depth = 10, step = 3600;  // m, m, s

KOKKOS_INLINE_FUNCTION bool is_wet(int column, int k) {
  return k < 2 + (nz - 2) * (column / ny) / (nx - 1);  // from a beach to the deep end
}

/// What mixes up and down: stronger with the storm, and near the surface.
void set_vertical(const Space& space, double storm, const Values& vertical) {
  Kokkos::parallel_for(
      "set_vertical", Cells(space, {0, 0}, {nx * ny, nz}), KOKKOS_LAMBDA(int column, int k) {
        const double kappa = 1e-4 + storm * std::exp(-0.3 * k) * (1 + 0.5 * std::sin(0.2 * column));
        const double coupling = step * kappa * side * side / depth;
        vertical(column, k) =
            is_wet(column, k + 1) && k + 1 < nz ? static_cast<float>(coupling) : 0;
      });
}

/// What mixes to the sides, through edges between wet cells.
Values make_horizontal(const Lamina::ColumnGraph& graph) {
  const Values horizontal("horizontal", graph.edges.size(), nz);
  const auto host = Kokkos::create_mirror_view(horizontal);
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const auto& edge = graph.edges[e];
    for (int k = 0; k < nz; ++k) {
      const bool open = is_wet(edge.first, k) && is_wet(edge.second, k);
      host(e, k) = open ? static_cast<float>(step * 10 * depth * edge.length / edge.distance) : 0;
    }
  }
  Kokkos::deep_copy(horizontal, host);
  return horizontal;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const Space space;
  const auto walls = Lamina::PlaneSides::all(Lamina::PlaneSide::zero_flux);
  const auto graph = Lamina::plane(nx, ny, walls, nx * side, ny * side);
  const Lamina::ColumnMesh<Memory> mesh(graph);

  const Values volume("volume", nx * ny, nz), vertical("vertical", nx * ny, nz);
  const Field heat("heat", nx * ny, nz), temperature("temperature", nx * ny, nz);
  Kokkos::parallel_for(
      "start", Cells(space, {0, 0}, {nx * ny, nz}), KOKKOS_LAMBDA(int column, int k) {
        volume(column, k) = is_wet(column, k) ? static_cast<float>(side * side * depth) : 0;
        temperature(column, k) = is_wet(column, k) && k < 4 ? 20 : 0;  // warm at the surface
      });
  set_vertical(space, 0.1, vertical);

  const Lamina::StoredCoefficients<double, Memory, Layout, float> stored(
      space, mesh, volume, vertical, make_horizontal(graph));
  const Lamina::ColumnOperator op(mesh, nz, stored);
  const Lamina::FusedColumns model(space, op);
  Lamina::FusedPcg pcg(space, model);

  for (int hour = 1; hour <= 3; ++hour) {
    set_vertical(space, 0.1 * hour, vertical);
    model.update(space);  // no allocation; the solver follows
    double before = 0, after = 0;
    Kokkos::parallel_reduce(
        "heat", Cells(space, {0, 0}, {nx * ny, nz}),
        KOKKOS_LAMBDA(int column, int k, double& sum) {
          heat(column, k) = volume(column, k) * temperature(column, k);
          sum += heat(column, k);
        },
        before);
    const auto report = pcg.solve(space, heat, temperature, {.tolerance = 1e-10});
    if (!report.converged()) return 1;
    Kokkos::parallel_reduce(
        "heat", Cells(space, {0, 0}, {nx * ny, nz}),
        KOKKOS_LAMBDA(int column, int k, double& sum) {
          sum += volume(column, k) * temperature(column, k);
        },
        after);
    const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), temperature);
    const auto profile = Kokkos::subview(host, nx * ny - 1, Kokkos::ALL());
    std::printf("hour %d: %.2f degrees at the surface, %.2f at 60 m, heat is kept: %s\n", hour,
                profile(0), profile(6), std::abs(after - before) < 1e-8 * before ? "yes" : "no");
  }
  return 0;
}
