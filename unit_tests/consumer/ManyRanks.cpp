// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// An application over MPI, which pages of docs/guide show between marks of its name.

#include <lamina/Lamina.hpp>
#include <lamina/distributed/MpiTransport.hpp>

#include <cstdio>
#include <vector>

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using Field = Kokkos::View<double**, Kokkos::LayoutLeft, Memory>;
using Vector = Kokkos::View<double*, Memory>;

/// sum = the sum of all values of the halo, which begins at item `first`.
void add_halo(const Space& space, const Field& u, int first, const Vector& sum) {
  Kokkos::parallel_for(
      "add_halo", Kokkos::RangePolicy<Space>(space, 0, 1), KOKKOS_LAMBDA(int) {
        for (std::size_t c = static_cast<std::size_t>(first); c < u.extent(0); ++c) {
          for (std::size_t k = 0; k < u.extent(1); ++k) sum(0) += u(c, k);
        }
      });
}

/// A ring of columns, of which each rank owns some. The values of a column are its number.
bool exchange_and_sum(MPI_Comm communicator, const Space& space) {
  constexpr std::int64_t num_columns = 100;
  constexpr int num_levels = 7;
  // [exchange]
  const auto transport = Lamina::make_transport(communicator, space);
  const auto partition = Lamina::Partition::blocks(num_columns, transport->size());
  const auto owned = partition.items(transport->rank());
  // Each rank needs the column before its own ones and the one after them.
  const std::vector<std::int64_t> halo{(owned.front() + num_columns - 1) % num_columns,
                                       (owned.back() + 1) % num_columns};
  const auto pattern = Lamina::make_halo_pattern(*transport, owned, halo);
  const Lamina::HaloExchange<Memory> exchange(*transport, pattern, num_levels * sizeof(double));

  const Field u("u", static_cast<std::size_t>(pattern.num_local), num_levels);
  for (std::size_t n = 0; n < owned.size(); ++n) {
    const auto column = Kokkos::subview(u, n, Kokkos::ALL);
    Kokkos::deep_copy(space, column, static_cast<double>(owned[n]));
  }
  exchange.start(space, u);
  // ... work on columns without halo columns as neighbours ...
  exchange.finish(space);
  // [exchange]
  const Vector sum("sum", 1);
  add_halo(space, u, pattern.num_owned, sum);
  const Lamina::GlobalReduction<Memory> reduction(*transport);
  reduction.sum(space, sum.data(), sum.data(), 1);
  space.fence();
  const auto result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sum);
  double expected = 0;
  for (int rank = 0; rank < transport->size(); ++rank) {
    const auto columns = partition.items(rank);
    expected += static_cast<double>((columns.front() + num_columns - 1) % num_columns +
                                    (columns.back() + 1) % num_columns);
  }
  std::printf("rank %d of %d: the halos add up to %g\n", transport->rank(), transport->size(),
              result(0));
  return result(0) == num_levels * expected;
}

/// -Laplace u = 1 on a rectangle.
bool solve_poisson(const Lamina::Transport& transport, const Space& space) {
  const int nx = 50, ny = 40;
  // [poisson]
  const auto strip = Lamina::local_rectangle(
      {nx, ny}, Lamina::Partition::blocks(nx, transport.size()), transport.rank());
  const Lamina::Decomposition<Memory> ranks(transport, strip.halo, ny * sizeof(double));
  const Lamina::PoissonOperator<double, Memory> op(strip);
  Lamina::FusedPcg pcg(space, Lamina::FusedPoisson<double, Memory>(space, op, ranks));

  // Columns strip.first, strip.first + 1, ... of the rectangle, then the halo
  const Field b("b", static_cast<std::size_t>(op.num_columns()), ny),
      u("u", static_cast<std::size_t>(op.num_columns()), ny);
  Kokkos::deep_copy(b, 1.0 / ((nx + 1) * (nx + 1)));  // h^2 f
  const auto report = pcg.solve(space, b, u, {.tolerance = 1e-8});
  // [poisson]
  return report.converged() && report.iterations > 30;
}

/// Water at rest stays at rest.
bool step_water(const Lamina::Transport& transport, const Space& space) {
  const int nx = 16, ny = 48;
  const double time_step = 0.01, coriolis = 0.3;
  // [water]
  const Lamina::WaterStrip<Memory> strip(transport, {nx, ny},
                                         Lamina::Partition::blocks(ny, transport.size()));
  Lamina::ShallowWaterState<double, Memory> state(strip);
  Lamina::RungeKutta3<double, Memory> plan(strip, time_step, coriolis);

  Kokkos::deep_copy(state.height(), 1.0);
  const auto report = plan.step(space, state);
  const auto water = Lamina::diagnose(space, state, coriolis);
  // [water]
  return report.succeeded() && water.largest_u == 0 && water.smallest_height == 1;
}

}  // namespace

int main(int argc, char* argv[]) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  bool right = false;
  {
    Kokkos::ScopeGuard kokkos(argc, argv);
    const Space space;
    const auto transport = Lamina::make_transport(MPI_COMM_WORLD, space);
    right = exchange_and_sum(MPI_COMM_WORLD, space);
    right = solve_poisson(*transport, space) && right;
    right = step_water(*transport, space) && right;
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
