// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// A horizontal grid of the application's own. A lake is given by a map; its columns of water and
// their neighbours become a ColumnGraph. A spill spreads in the lake and leaves through a river.
// Each implicit step of the diffusion equation is one Helmholtz solve,
//
//   u - dt (K_h Lap_2d u + K_v d^2u/dz^2) = u_before,
//
// with omega^2 = dt K_h and lambda^2 = K_v / K_h. Lengths are in km.

#include <lamina/Lamina.hpp>

#include <array>
#include <cstdio>
#include <string_view>
#include <vector>

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using Field = Kokkos::View<double**, Memory>;

// ~ water, x water with the spill, R water at the mouth of the river
constexpr std::array<std::string_view, 10> lake_map = {
    "....~~~~~.........~~~~..", "..~~~~~~~~~....~~~~~~~~.", ".~~~~~~~~~~~~~~~~~xx~~~.",
    "~~~~~~~~~~~~~~~~~xxx~~~~", "R~~~~~..~~~~~~~~~~~~~~~.", "R~~~~....~~~~~~~~~~~~...",
    ".~~~~~..~~~~~~~~~~~.....", "...~~~~~~~~~~~~~........", ".....~~~~~~..~~~~~......",
    ".............~~~........",
};
constexpr double width = 0.1, depth = 0.02;  // of a column
constexpr int num_levels = 10;

/// The columns of water, in the order of the map, and which of them have the spill.
struct Lake {
  Lamina::ColumnGraph graph;
  std::vector<bool> has_spill;
};

Lake read_map() {
  Lake lake;
  std::array<std::array<int, lake_map[0].size()>, lake_map.size()> column{};  // -1: land
  for (std::size_t j = 0; j < lake_map.size(); ++j) {
    for (std::size_t i = 0; i < lake_map[j].size(); ++i) {
      column[j][i] = -1;
      if (lake_map[j][i] == '.') continue;
      const int here = static_cast<int>(lake.graph.areas.size());
      column[j][i] = here;
      lake.graph.areas.push_back(width * width);
      lake.has_spill.push_back(lake_map[j][i] == 'x');
      // Each edge once: with the column to the left and with the one above. Nothing flows through
      // edges that are not listed, the shore.
      if (i > 0 && column[j][i - 1] >= 0) {
        lake.graph.edges.push_back({column[j][i - 1], here, width, width});
      }
      if (j > 0 && column[j - 1][i] >= 0) {
        lake.graph.edges.push_back({column[j - 1][i], here, width, width});
      }
      // The river keeps the concentration at zero on an edge half a column away.
      if (lake_map[j][i] == 'R') lake.graph.boundary_edges.push_back({here, width, width / 2});
    }
  }
  return lake;
}

/// The right-hand side holds integrals over the cells. Returns their sum, the amount in the lake.
double integrate(const Space& space, const Kokkos::View<const double*, Memory>& areas,
                 double cell_depth, const Field& u, const Field& rhs) {
  const int num_columns = static_cast<int>(u.extent(0));
  double amount = 0;
  Kokkos::parallel_reduce(
      "integrate",
      Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>>(space, {0, 0}, {num_columns, num_levels}),
      KOKKOS_LAMBDA(int c, int k, double& sum) {
        rhs(c, k) = areas(c) * cell_depth * u(c, k);
        sum += rhs(c, k);
      },
      amount);
  return amount;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const Space space;
  const Lake lake = read_map();
  const Lamina::ColumnMesh<Memory> mesh(lake.graph);
  const auto grid = Lamina::VerticalGrid::uniform(num_levels, depth, Lamina::VerticalMetric::flat);
  const double day = 86400, k_h = 1e-6, k_v = 1e-10;  // km^2/s
  const Lamina::HelmholtzOperator<double, Memory> op(mesh, grid,
                                                     {.omega2 = day * k_h, .lambda2 = k_v / k_h});
  Lamina::FusedPcg pcg(space, Lamina::FusedHelmholtz<double, Memory>(space, op));

  // The spill is in the uppermost level, which is the last one.
  const std::size_t num_columns = lake.graph.areas.size();
  const Field u("u", num_columns, num_levels), rhs("rhs", num_columns, num_levels);
  const auto u_host = Kokkos::create_mirror_view(u);
  for (std::size_t c = 0; c < num_columns; ++c) u_host(c, num_levels - 1) = lake.has_spill[c];
  Kokkos::deep_copy(u, u_host);

  std::printf("%d columns, %zu edges\n", mesh.num_columns(), lake.graph.edges.size());
  const double spilt = integrate(space, mesh.areas(), grid.volume(0), u, rhs);
  for (int step = 1; step <= 30; ++step) {
    if (!pcg.solve(space, rhs, u, {.tolerance = 1e-10}).converged()) return 1;
    const double amount = integrate(space, mesh.areas(), grid.volume(0), u, rhs);
    if (step % 10 == 0) std::printf("day %d: %.1f %% left\n", step, 100 * amount / spilt);
  }
  return 0;
}
