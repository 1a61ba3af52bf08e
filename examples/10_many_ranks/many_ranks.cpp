// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Solves the anisotropic elliptic problem on one panel of a cubed sphere, each rank on columns of its
// own: mpirun -np 2 ./many_ranks. The right-hand side is that of a known solution. Iterations and
// error do not depend on the number of ranks.

#include <lamina/Lamina.hpp>
#include <lamina/distributed/MpiTransport.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using Field = Kokkos::View<double**, Memory>;

constexpr int num_x = 64, num_y = 64, num_levels = 32;

/// The known solution in column num_y * i + j of the panel.
double exact(std::int64_t column, int level) {
  const double x = (static_cast<double>(column / num_y) + 0.5) / num_x;
  return 1 + x * (1 - x) * (level + 0.5) / num_levels;
}

/// Solves over all ranks of a transport. Returns the exit status.
int solve(const Lamina::Transport& transport) {
  const Space space;
  // [columns]
  const Lamina::CubedSpherePanel panel(num_x, num_y);
  const auto partition = Lamina::Partition::grid({num_x, num_y}, {transport.size(), 1}, {1, 16});
  const Lamina::LocalColumns local = panel.local(partition, transport.rank());
  const Lamina::Decomposition<Memory> ranks(transport, local.halo, num_levels * sizeof(double));
  // [columns]

  const Lamina::ColumnMesh<Memory> mesh(local.graph);
  const auto grid = Lamina::VerticalGrid::graded(num_levels, 0.0157);
  const Lamina::HelmholtzOperator<double, Memory> op(mesh, grid,
                                                     {.omega2 = 1.07e-2, .lambda2 = 3.32e-2});

  // Fields have the columns of this rank, and copies of those that their neighbours own.
  const auto num_columns = static_cast<std::size_t>(op.num_columns());
  const Field known("known", num_columns, num_levels), b("b", num_columns, num_levels),
      u("u", num_columns, num_levels);
  const auto host = Kokkos::create_mirror_view(known);
  for (std::size_t column = 0; column < num_columns; ++column) {
    const std::int64_t number = local.columns[column];
    for (int level = 0; level < num_levels; ++level) {
      host(column, level) = number < 0 ? 0 : exact(number, level);
    }
  }
  Kokkos::deep_copy(known, host);
  op.apply(space, known, b);

  // [solve]
  Lamina::FusedPcg pcg(space, Lamina::FusedHelmholtz<double, Memory>(space, op, ranks));
  const auto report = pcg.solve(space, b, u, {.tolerance = 1e-8});
  // [solve]

  // Sums over owned columns, then over ranks.
  Kokkos::View<double[2], Memory> sums("sums");
  const auto sum = [&](int entry, const Field& other) {
    double of_rank = 0;
    Kokkos::parallel_reduce(
        "error", Kokkos::RangePolicy<Space, Kokkos::IndexType<int>>(space, 0, op.num_owned()),
        KOKKOS_LAMBDA(int column, double& total) {
          for (int level = 0; level < num_levels; ++level) {
            const double value = other(column, level) - (entry == 0 ? known(column, level) : 0);
            total += value * value;
          }
        },
        of_rank);
    Kokkos::deep_copy(space, Kokkos::subview(sums, entry), of_rank);
  };
  sum(0, u);
  sum(1, known);
  ranks.reduction.sum(space, sums.data(), sums.data(), 2);
  const auto totals = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  if (transport.rank() == 0) {
    std::printf("%d ranks: %d iterations, relative error %.1e\n", transport.size(),
                report.iterations, std::sqrt(totals(0) / totals(1)));
  }
  return report.converged() ? 0 : 1;
}

}  // namespace

int main(int argc, char* argv[]) {
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int status = 0;
  {
    const Kokkos::ScopeGuard kokkos(argc, argv);
    status = solve(*Lamina::make_transport(MPI_COMM_WORLD, Space()));
  }
  MPI_Finalize();
  return status;
}
