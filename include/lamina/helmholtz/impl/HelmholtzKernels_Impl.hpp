// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/impl/HostWork.hpp>
#include <lamina/helmholtz/impl/HelmholtzKernels.hpp>
#include <lamina/helmholtz/impl/HelmholtzRows.hpp>
#include <lamina/helmholtz/impl/Stencil_Device.hpp>
#include <lamina/helmholtz/impl/Stencil_Host.hpp>
#include <lamina/lines/impl/LineTile_Host.hpp>

namespace Lamina::Impl {

// --- Stencil sweeps ---

/// Sweeps the stencil over all owned cells.
template <class Space, class Scalar, class Layout, class Sink>
void run_stencil(const char* label, const Space& space,
                 const HelmholtzData<Scalar, typename Space::memory_space>& data,
                 const FieldView<const Scalar, Layout, typename Space::memory_space>& x,
                 const Sink& sink) {
  if constexpr (runs_on_host<Space>) {
    const int workers = static_cast<int>(space.concurrency());
    Kokkos::parallel_for(label, Kokkos::RangePolicy<Space>(space, 0, workers), [=](int worker) {
      HostStencil<Scalar, Layout, Sink>(data, x, sink)
          .sweep(share_of(worker, workers, data.num_owned));
    });
  } else {
    Kokkos::parallel_for(
        label, device_cells<Space>(space, data),
        DeviceStencil<Scalar, Layout, typename Space::memory_space, Sink>{data, x, sink});
  }
}

template <class Space, class Scalar, class Layout>
void HelmholtzKernels<Space, Scalar, Layout>::apply(const Space& space, const Data& data,
                                                    const Input& x, const Output& y) {
  run_stencil<Space, Scalar, Layout>("Lamina::HelmholtzOperator::apply", space, data, x,
                                     StoreImage<Scalar, Layout, Memory>{y});
}

template <class Space, class Scalar, class Layout>
void HelmholtzKernels<Space, Scalar, Layout>::residual(const Space& space, const Data& data,
                                                       const Input& b, const Input& x,
                                                       const Output& r) {
  run_stencil<Space, Scalar, Layout>("Lamina::FusedHelmholtz::residual", space, data, x,
                                     StoreResidual<Scalar, Layout, Memory>{b, r});
}

/// u += alpha p over some columns: what is left of the second sweep in the last pass.
template <class Scalar, class Layout>
void add_direction(const FieldView<Scalar, Layout, Kokkos::HostSpace>& u, Scalar alpha,
                   const FieldView<Scalar, Layout, Kokkos::HostSpace>& p, const WorkRange& columns,
                   int num_levels) {
  if constexpr (levels_contiguous<Layout>) {
    for (std::int64_t column = columns.begin; column < columns.end; ++column) {
      for (int k = 0; k < num_levels; ++k) u(column, k) += alpha * p(column, k);
    }
  } else {
    for (int k = 0; k < num_levels; ++k) {
      for (std::int64_t column = columns.begin; column < columns.end; ++column) {
        u(column, k) += alpha * p(column, k);
      }
    }
  }
}

template <class Space, class Scalar, class Layout>
void HelmholtzKernels<Space, Scalar, Layout>::fused_advance(const Space& space, const Data& data,
                                                            const Step& step, const Input& z,
                                                            const Output& u, const Output& p,
                                                            const Output& q) {
  const char* label =
      step.is_last ? "Lamina::FusedHelmholtz::finish" : "Lamina::FusedHelmholtz::advance";
  const ScalarResult<Memory> curvature(step.now + Step::curvature);
  using Sink = AdvanceDirection<Scalar, Layout, Memory>;
  if constexpr (runs_on_host<Space>) {
    const int workers = static_cast<int>(space.concurrency());
    Kokkos::parallel_reduce(
        label, Kokkos::RangePolicy<Space>(space, 0, workers),
        [=](int worker, double& sum) {
          const auto direction = step.direction_step();
          const Scalar alpha = static_cast<Scalar>(direction.alpha);
          const WorkRange columns = share_of(worker, workers, data.num_owned);
          if (direction.proceed) {
            const Sink sink{u, p, q, alpha, static_cast<Scalar>(direction.beta)};
            sum += HostStencil<Scalar, Layout, Sink>(data, z, sink).sweep(columns);
          } else if (direction.update) {
            add_direction<Scalar, Layout>(u, alpha, p, columns, data.num_levels);
          }
        },
        curvature);
  } else {
    Kokkos::parallel_reduce(
        label, device_cells<Space>(space, data),
        KOKKOS_LAMBDA(std::int64_t index, double& sum) {
          const auto direction = step.direction_step();
          if (!direction.update) return;
          const Scalar alpha = static_cast<Scalar>(direction.alpha);
          if (direction.proceed) {
            const Sink sink{u, p, q, alpha, static_cast<Scalar>(direction.beta)};
            DeviceStencil<Scalar, Layout, Memory, Sink>{data, z, sink}.cell(index, sum);
          } else {
            const auto cell = device_cell<Layout>(data, index);
            u(cell.column, cell.level) += alpha * p(cell.column, cell.level);
          }
        },
        curvature);
  }
}

// --- Line solves ---

/// z = M^-1 r for one column, by one thread of a device; returns <r, z>. `factors` is scratch.
template <class Scalar, class Layout, class Memory, class Rhs>
KOKKOS_INLINE_FUNCTION double precondition_column(
    const HelmholtzData<Scalar, Memory>& data, int column, const Rhs& rhs,
    const FieldView<Scalar, Layout, Memory>& z, const FieldView<Scalar, Layout, Memory>& factors) {
  const Scalar diffusion = data.diffusion(column), area = data.area(column);
  const Scalar inverse_area = Scalar(1) / area;
  Scalar carry = 0, previous = 0;
  double energy = 0;
  for (int k = 0; k < data.num_levels; ++k) {
    const auto row = helmholtz_row(data, diffusion, k);
    const auto eliminated = eliminate(row, carry);
    const Scalar scaled = rhs(k) * (data.inverse_scale(k) * inverse_area) - row.lower * previous;
    previous = scaled * eliminated.inverse;
    add_product(energy, previous, scaled * (data.scale(k) * area));
    z(column, k) = previous;
    factors(column, k) = eliminated.factor;
  }
  for (int k = data.num_levels - 2; k >= 0; --k) {
    previous = z(column, k) - factors(column, k) * previous;
    z(column, k) = previous;
  }
  return energy;
}

template <class Space, class Scalar, class Layout>
void HelmholtzKernels<Space, Scalar, Layout>::precondition(const Space& space, const Data& data,
                                                           const Input& r, const Output& z,
                                                           const Workspace& workspace) {
  const char* label = "Lamina::LinePreconditioner::solve";
  if constexpr (runs_on_host<Space>) {
    const TileStore store = tile_store<Layout>(z);
    const int workers = workspace.num_workers();
    Kokkos::parallel_for(label, Kokkos::RangePolicy<Space>(space, 0, workers), [=](int worker) {
      for_each_tile<Scalar, Layout>(worker, workers, data.num_owned, [&](const TileColumns& tile) {
        HelmholtzTileRows<Scalar, Layout> rows(data, tile);
        const std::int64_t next = tile.first + tile_width<Scalar, Layout>;
        solve_tile<false, Scalar, Layout>(tile, data.num_levels, rows, r, z,
                                          workspace.of_worker(worker, data.num_levels), store,
                                          [&](int sweep, int step) {
                                            if (sweep == 0) prefetch_tile<Layout>(r, next, step);
                                          });
      });
      if (store != TileStore::plain) finish_streaming();
    });
  } else {
    const auto factors = workspace.template as_field<Layout>(data.num_owned, data.num_levels);
    Kokkos::parallel_for(
        label, Kokkos::RangePolicy<Space>(space, 0, data.num_owned), KOKKOS_LAMBDA(int column) {
          precondition_column<Scalar, Layout, Memory>(
              data, column, [&](int k) { return r(column, k); }, z, factors);
        });
  }
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

/// First fused sweep on CPU cores: one worker takes a share of the tiles.
template <class Scalar, class Layout>
struct HostFusedPrecondition {
  using value_type = double[];
  static constexpr int sums = 2;
  const int value_count = sums;

  HelmholtzData<Scalar, Kokkos::HostSpace> data;
  FusedStep<Kokkos::HostSpace> step;
  FieldView<const Scalar, Layout, Kokkos::HostSpace> q;
  FieldView<Scalar, Layout, Kokkos::HostSpace> r, z;
  LineWorkspace<Scalar, Kokkos::HostSpace> workspace;
  TileStore store;

  void operator()(int worker, double* sum) const {
    const auto residual = step.residual_step();
    if (!residual.active) return;
    const Scalar alpha = static_cast<Scalar>(residual.alpha);
    for_each_tile<Scalar, Layout>(
        worker, workspace.num_workers(), data.num_owned, [&](const TileColumns& tile) {
          sum[FusedStep<Kokkos::HostSpace>::residual2] +=
              update_residual_tile<Scalar, Layout>(r, alpha, q, tile, data.num_levels);
          HelmholtzTileRows<Scalar, Layout> rows(data, tile);
          const std::int64_t next = tile.first + tile_width<Scalar, Layout>;
          sum[FusedStep<Kokkos::HostSpace>::energy] += solve_tile<true, Scalar, Layout>(
              tile, data.num_levels, rows, r, z, workspace.of_worker(worker, data.num_levels),
              store, [&](int sweep, int step_of_sweep) {
                if (sweep == 0) {
                  prefetch_tile<Layout>(q, next, step_of_sweep);
                } else {
                  prefetch_tile<Layout>(r, next, step_of_sweep);
                }
              });
        });
    if (store != TileStore::plain) finish_streaming();
  }
};

/// The same on a device: one thread takes a column.
template <class Scalar, class Layout, class Memory>
struct DeviceFusedPrecondition {
  using value_type = double[];
  const int value_count = 2;

  HelmholtzData<Scalar, Memory> data;
  FusedStep<Memory> step;
  FieldView<const Scalar, Layout, Memory> q;
  FieldView<Scalar, Layout, Memory> r, z, factors;

  KOKKOS_INLINE_FUNCTION void operator()(int column, double* sum) const {
    const auto residual = step.residual_step();
    if (!residual.active) return;
    const Scalar alpha = static_cast<Scalar>(residual.alpha);
    double residual2 = 0;
    const auto updated = [&](int k) {
      const Scalar value = r(column, k) - alpha * q(column, k);
      r(column, k) = value;
      add_product(residual2, value, value);
      return value;
    };
    sum[FusedStep<Memory>::energy] +=
        precondition_column<Scalar, Layout, Memory>(data, column, updated, z, factors);
    sum[FusedStep<Memory>::residual2] += residual2;
  }
};

template <class Space, class Scalar, class Layout>
void HelmholtzKernels<Space, Scalar, Layout>::fused_precondition(const Space& space,
                                                                 const Data& data, const Step& step,
                                                                 const Input& q, const Output& r,
                                                                 const Output& z,
                                                                 const Workspace& workspace) {
  const char* label = "Lamina::FusedHelmholtz::precondition";
  const VectorResult<Memory> sums(step.now, 2);
  if constexpr (runs_on_host<Space>) {
    const TileStore store = tile_store<Layout>(z);
    const HostFusedPrecondition<Scalar, Layout> sweep{
        .data = data, .step = step, .q = q, .r = r, .z = z, .workspace = workspace, .store = store};
    Kokkos::parallel_reduce(label, Kokkos::RangePolicy<Space>(space, 0, workspace.num_workers()),
                            sweep, sums);
  } else {
    const DeviceFusedPrecondition<Scalar, Layout, Memory> sweep{
        .data = data,
        .step = step,
        .q = q,
        .r = r,
        .z = z,
        .factors = workspace.template as_field<Layout>(data.num_owned, data.num_levels)};
    Kokkos::parallel_reduce(label, Kokkos::RangePolicy<Space>(space, 0, data.num_owned), sweep,
                            sums);
  }
}

}  // namespace Lamina::Impl
