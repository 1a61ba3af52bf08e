// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The line preconditioner on CPU cores: one worker takes a share of the tiles of columns.

#include <lamina/helmholtz/impl/HelmholtzKernels.hpp>
#include <lamina/helmholtz/impl/HelmholtzRows.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/lines/impl/LineTile_Host.hpp>
#include <lamina/lines/impl/LineWorkspace.hpp>

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

/// z = M^-1 r over the share of one worker; returns <r, z> where it is wanted.
template <bool WithEnergy, class Scalar, class Layout>
double precondition_share(const TensorSystem<Scalar, Kokkos::HostSpace>& system,
                          const FieldView<const Scalar, Layout, Kokkos::HostSpace>& r,
                          const FieldView<Scalar, Layout, Kokkos::HostSpace>& z,
                          const LineWorkspace<Scalar, Kokkos::HostSpace>& workspace, int worker,
                          TileStore store) {
  double energy = 0;
  for_each_tile<Scalar, Layout>(
      worker, workspace.num_workers(), system.topology.num_owned, [&](const TileColumns& tile) {
        HelmholtzTileRows<Scalar, Layout> rows(system.coefficients, tile);
        const std::int64_t next = tile.first + tile_width<Scalar, Layout>;
        energy += solve_tile<WithEnergy, Scalar, Layout>(
            tile, system.topology.num_levels, rows, r, z,
            workspace.of_worker(worker, system.topology.num_levels), store,
            [&](int step) { prefetch_tile<Layout>(r, next, step); });
      });
  if (store != TileStore::plain) finish_streaming();
  return energy;
}

/// r -= alpha q over a tile; returns <r, r>.
template <class Scalar, class Layout>
double update_residual_tile(const FieldView<Scalar, Layout, Kokkos::HostSpace>& r, Scalar alpha,
                            const FieldView<const Scalar, Layout, Kokkos::HostSpace>& q,
                            const TileColumns& tile, int num_levels) {
  constexpr int lanes = lane_count<Scalar>;
  const int length = levels_contiguous<Layout> ? num_levels : tile.count;
  const int rows = levels_contiguous<Layout> ? tile.count : num_levels;
  LaneSums<Scalar> sums;
  double sum = 0;
  for (int row = 0; row < rows; ++row) {
    const std::int64_t column = tile.first + (levels_contiguous<Layout> ? row : 0);
    const int level = levels_contiguous<Layout> ? 0 : row;
    Scalar* residual = &r(column, level);
    const Scalar* image = &q(column, level);
    int i = 0;
    for (; i + lanes <= length; i += lanes) {
      const Lanes<Scalar> value = load_lanes(residual + i) - alpha * load_lanes(image + i);
      store_lanes(residual + i, value);
      add_product<Scalar>(sums, value, value);
    }
    for (; i < length; ++i) {
      residual[i] -= alpha * image[i];
      add_product(sum, residual[i], residual[i]);
    }
  }
  return sum + sums.total();
}

/// First sweep of the stored form on CPU cores: one worker takes a share of the tiles.
template <class Scalar, class Layout>
struct HostStoredLines {
  using value_type = double[];
  static constexpr int sums = 2;
  const int value_count = sums;

  TensorSystem<Scalar, Kokkos::HostSpace> system;
  FusedStep<Kokkos::HostSpace> step;
  FieldView<const Scalar, Layout, Kokkos::HostSpace> q;
  FieldView<Scalar, Layout, Kokkos::HostSpace> r, z;
  LineWorkspace<Scalar, Kokkos::HostSpace> workspace;
  TileStore store;

  void operator()(int worker, double* sum) const {
    const auto residual = step.residual_step();
    if (!residual.proceed) return;
    const Scalar alpha = static_cast<Scalar>(residual.alpha);
    const FieldView<const Scalar, Layout, Kokkos::HostSpace> updated[] = {q, r};
    for_each_tile<Scalar, Layout>(
        worker, workspace.num_workers(), system.topology.num_owned, [&](const TileColumns& tile) {
          sum[FusedStep<Kokkos::HostSpace>::residual2] +=
              update_residual_tile<Scalar, Layout>(r, alpha, q, tile, system.topology.num_levels);
          HelmholtzTileRows<Scalar, Layout> rows(system.coefficients, tile);
          const std::int64_t next = tile.first + tile_width<Scalar, Layout>;
          sum[FusedStep<Kokkos::HostSpace>::energy] += solve_tile<true, Scalar, Layout>(
              tile, system.topology.num_levels, rows, r, z,
              workspace.of_worker(worker, system.topology.num_levels), store, [&](int part) {
                prefetch_tiles<Layout>(updated, next, system.topology.num_levels, part);
              });
        });
    if (store != TileStore::plain) finish_streaming();
  }
};

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
