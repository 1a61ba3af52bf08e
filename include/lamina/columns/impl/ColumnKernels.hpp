// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/columns/impl/ColumnLines_Device.hpp>
#include <lamina/columns/impl/ColumnLines_Host.hpp>
#include <lamina/core/KernelRecord.hpp>
#include <lamina/core/SolveReport.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/krylov/FusedStep.hpp>
#include <lamina/sweeps/RunSweep.hpp>

#include <algorithm>

namespace Lamina::Impl {

/// z = M^-1 r.
/// traffic: reads n, writes n, and what coefficients read; flops: 12n
template <class Space, class Coefficients, class Scalar, class Layout, class Memory>
void solve_column_lines(const char* label, const Space& space,
                        const ColumnSystem<Coefficients>& system,
                        const FieldView<const Scalar, Layout, Memory>& r,
                        const FieldView<Scalar, Layout, Memory>& z,
                        const LineWorkspace<Scalar, Memory>& workspace) {
  if constexpr (runs_on_host<Space>) {
    const TileStore store = tile_store<Layout>(z);
    Kokkos::parallel_for(label, range_of(space, workspace.num_workers()), [=](int worker) {
      solve_line_share<false>(system, r, z, workspace, worker, store);
    });
  } else {
    run_column_lines(label, space, system, PlainRhs<Scalar, Layout, Memory>{r}, z, workspace,
                     TeamParts<Memory>(), nullptr);
  }
}

/// The same, and the row of `step` gets <r, z>; see `FusedModel`.  flops: 14n
template <class Space, class Coefficients, class Scalar, class Layout, class Memory>
void solve_fused_lines(const char* label, const Space& space,
                       const ColumnSystem<Coefficients>& system, const FusedStep<Memory>& step,
                       const TeamParts<Memory>& parts,
                       const FieldView<const Scalar, Layout, Memory>& r,
                       const FieldView<Scalar, Layout, Memory>& z,
                       const LineWorkspace<Scalar, Memory>& workspace) {
  double* const energy = step.now + FusedStep<Memory>::energy;
  if constexpr (runs_on_host<Space>) {
    const TileStore store = tile_store<Layout>(z);
    Kokkos::parallel_reduce(
        label, range_of(space, workspace.num_workers()),
        [=](int worker, double& sum) {
          if (!step.preconditions()) return;
          sum += solve_line_share<true>(system, r, z, workspace, worker, store);
        },
        Kokkos::View<double, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(energy));
  } else {
    run_column_lines(label, space, system, FusedRhs<Scalar, Layout, Memory>{step, r}, z, workspace,
                     parts, energy);
  }
}

/// Prepares for coefficients that have changed. Enqueued on `space`.
template <class Space, class Coefficients, class Scalar, class Memory>
void prepare_columns(const Space& space, const ColumnSystem<Coefficients>& system,
                     const LineWorkspace<Scalar, Memory>& workspace) {
  if constexpr (requires { system.coefficients.update(space); }) {
    system.coefficients.update(space);
  }
  workspace.prepare(space, LineRowsOf<Coefficients>{system}, system.topology.num_owned,
                    system.topology.num_levels);
}

/// first = the first column with a pivot that is negative or not finite.  flops: 6n
template <class Coefficients>
struct FindBadColumn {
  LineRowsOf<Coefficients> rows;
  int num_levels;

  KOKKOS_FUNCTION void operator()(int column, int& first) const {
    typename Coefficients::scalar_type carry = 0;
    bool bad = false;
    for (int k = 0; k < num_levels; ++k) {
      const auto row = eliminate(rows.row(column, k), carry);
      bad = bad || !(row.pivot >= 0) || !row.usable();
    }
    if (bad && column < first) first = column;
  }
};
/// -1 where there is none. Fences `space`.
template <class Space, class Coefficients>
int first_bad_column(const Space& space, const ColumnSystem<Coefficients>& system) {
  int first = 0;
  const auto range = range_of(space, system.topology.num_owned);
  Kokkos::parallel_reduce("Lamina::ColumnLinePreconditioner::first_bad_column", range,
                          FindBadColumn<Coefficients>{{system}, system.topology.num_levels},
                          Kokkos::Min<int>(first));
  return first < system.topology.num_owned ? first : -1;
}
inline SolveStatus status_of_pivots(int first_bad_column) {
  return first_bad_column < 0 ? SolveStatus::completed : SolveStatus::breakdown_zero_pivot;
}

/// Bytes of coefficients that a sweep with couplings reads, and that a line solve reads.
template <class Coefficients>
double stencil_bytes(const ColumnSystem<Coefficients>& system) {
  if constexpr (requires { system.coefficients.stencil_bytes(); }) {
    return system.coefficients.stencil_bytes();
  } else {
    return system.topology.cells() * Coefficients::fields *
           sizeof(typename Coefficients::scalar_type);
  }
}
template <class Coefficients>
double line_bytes(const ColumnSystem<Coefficients>& system) {
  if constexpr (requires { system.coefficients.line_bytes(); }) {
    return system.coefficients.line_bytes();
  } else {
    return stencil_bytes(system);
  }
}

/// Bytes that a kernel reads which does both: at least those of either.
template <class Coefficients>
double smoothing_bytes(const ColumnSystem<Coefficients>& system) {
  if constexpr (requires { system.coefficients.smoothing_bytes(); }) {
    return system.coefficients.smoothing_bytes();
  } else {
    return std::max(stencil_bytes(system), line_bytes(system));
  }
}

template <class Coefficients>
KernelCost stencil_cost(const char* label, const ColumnSystem<Coefficients>& system, int fields,
                        int flops) {
  const double cells = system.topology.cells();
  return {label,
          cells * fields * sizeof(typename Coefficients::scalar_type) + stencil_bytes(system),
          cells * flops};
}
template <class Coefficients>
KernelCost line_cost(const char* label, const ColumnSystem<Coefficients>& system, double fields,
                     int flops) {
  const double cells = system.topology.cells();
  return {label, cells * fields * sizeof(typename Coefficients::scalar_type) + line_bytes(system),
          cells * flops};
}

}  // namespace Lamina::Impl
