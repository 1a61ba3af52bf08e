// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What a cycle over any coefficients restricts, on a device. A thread takes several levels of a column; where levels
// are contiguous one.

#include <lamina/columns/impl/LevelsFrom.hpp>
#include <lamina/core/Concepts.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/OverlappedTeams_Device.hpp>
#include <lamina/multigrid/impl/ColumnCoarsening.hpp>
#include <lamina/multigrid/impl/CycleLevel.hpp>
#include <lamina/multigrid/impl/Inflow_Device.hpp>

#include <cstddef>
#include <cstdint>

namespace Lamina::Impl {

/// Rows of a segment for any coefficients: those of `StoredCoefficients` read several at once.
template <class Coefficients>
struct SegmentRows {
  using Scalar = typename Coefficients::scalar_type;
  const Coefficients& coefficients;
  HeldColumn<Coefficients, 0> held;
  int first, num_levels;

  KOKKOS_FORCEINLINE_FUNCTION int wet() const { return num_levels - first; }
  KOKKOS_FORCEINLINE_FUNCTION CellRow<Scalar> row(int n) const {
    return held.row(coefficients, first + n);
  }
};
template <class Coefficients>
KOKKOS_FORCEINLINE_FUNCTION auto segment_rows(const Coefficients& coefficients, int column,
                                              int first, int num_levels) {
  if constexpr (requires { coefficients.segment(column, first); }) {
    return coefficients.segment(column, first);
  } else {
    return SegmentRows<Coefficients>{coefficients, hold_column<0>(coefficients, column), first,
                                     num_levels};
  }
}

/// r = f - A x in cells of `wet`, and 0 in others: restriction and prolongation leave out the same cells.
template <class Coefficients, class Layout>
struct ResidualSegments {
  using Scalar = typename Coefficients::scalar_type;
  using Memory = typename Coefficients::memory_space;
  static constexpr int levels = levels_contiguous<Layout> ? 1 : InflowTuning::residual_levels;

  ColumnSystem<Coefficients> system;
  CycleGuard<Memory> guard;
  WetCells<Layout, Memory> wet;
  FieldView<const Scalar, Layout, Memory> f, x;
  FieldView<Scalar, Layout, Memory> r;

  std::int64_t items() const {
    return static_cast<std::int64_t>(system.topology.num_owned) *
           ceil_divide(system.topology.num_levels, levels);
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(std::int64_t item) const {
    const int last = system.topology.num_levels - 1;
    const auto [column, segment] =
        cell_place<Layout>(item, system.topology.num_owned, last / levels + 1);
    const int first = segment * levels;
    const auto rows = segment_rows(system.coefficients, column, first, last + 1);
    Scalar residual[extent_of<levels>] = {};
    if (rows.wet() > 0) form(rows, column, first, residual);
    LAMINA_DEVICE_UNROLL()
    for (int n = 0; n < levels; ++n) {
      if (first + n <= last) r(column, first + n) = residual[n];
    }
  }

 private:
  template <class Rows>
  KOKKOS_FORCEINLINE_FUNCTION void form(const Rows& rows, int column, int first,
                                        Scalar (&residual)[extent_of<levels>]) const {
    const int last = system.topology.num_levels - 1,
              count = first + rows.wet() <= last ? rows.wet() : last + 1 - first;
    const int lowest = first > 0 ? first - 1 : 0;
    const LevelsFrom<Scalar> here(x, column, lowest), right(f, column, first);
    Scalar own[extent_of<levels>];
    LAMINA_DEVICE_UNROLL()
    for (int n = 0; n < levels; ++n) {
      own[n] = here((n < count ? n : count - 1) + first - lowest);
      residual[n] = right(n < count ? n : count - 1);
    }
    const Scalar below = here(0),
                 above = here((first + levels <= last ? first + levels : last) - lowest);
    bool wanted[extent_of<levels>];
    LAMINA_DEVICE_UNROLL()
    for (int n = 0; n < levels; ++n) {
      wanted[n] = n < count && wet(column, first + (n < count ? n : count - 1)) != 0;
    }
    LAMINA_DEVICE_UNROLL()
    for (int n = 0; n < levels; ++n) {
      const CellRow<Scalar> row = rows.row(n < count ? n : count - 1);
      const Scalar next = n + 1 < levels ? own[n + 1 < levels ? n + 1 : n] : above,
                   previous = n > 0 ? own[n > 0 ? n - 1 : 0] : below;
      residual[n] -=
          row.mass * own[n] + row.above * (own[n] - next) + row.below * (own[n] - previous);
    }
    add_inflow(system, x, column, first, count, DifferenceTo<Scalar, extent_of<levels>>{own},
               residual);
    LAMINA_DEVICE_UNROLL()
    for (int n = 0; n < levels; ++n) {
      if (!wanted[n]) residual[n] = Scalar(0);
    }
  }
};

/// A team takes as many items as it has threads, once the kernel before has ended.
template <class Kernel, int TeamSize>
struct GuardedItems {
  Kernel kernel;
  std::int64_t num_items;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const std::int64_t item =
        static_cast<std::int64_t>(team.league_rank()) * TeamSize + team.team_rank();
    team.wait_for_previous();
    if (item < num_items && kernel.guard.active()) kernel(item);
  }
};
template <class Space, class Coefficients, class Layout>
void run_residual_segments(const char* label, const Space& space,
                           const ResidualSegments<Coefficients, Layout>& residual) {
  constexpr int threads = InflowTuning::residual_threads;
  const std::int64_t items = residual.items();
  if (items == 0) return;
  launch_teams<threads, InflowTuning::residual_teams>(
      label, space, static_cast<int>(ceil_divide(items, threads)), threads, 0,
      GuardedItems<ResidualSegments<Coefficients, Layout>, threads>{residual, items});
}

}  // namespace Lamina::Impl
