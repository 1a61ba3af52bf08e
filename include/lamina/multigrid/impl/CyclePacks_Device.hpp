// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Residuals and transfers of a cycle on a device, in packs of levels; see `LevelPacks_Device.hpp`. Dry packs of fields are
// not written: they are 0 from the beginning. Each kernel has
//
//   lanes                          how threads share columns
//   num_rows(), num_levels()       columns that it goes through, and their levels
//   prepare(row)                   what it reads of a column before the kernel before has ended
//   kernel(prepared, row, first)   the work of a thread on a pack

#include <lamina/core/Concepts.hpp>
#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/OverlappedTeams_Device.hpp>
#include <lamina/multigrid/impl/ColumnCoarsening.hpp>
#include <lamina/multigrid/impl/CycleLevel.hpp>
#include <lamina/multigrid/impl/LevelPacks_Device.hpp>
#include <lamina/multigrid/impl/LevelTables.hpp>
#include <lamina/multigrid/impl/SmoothPacks_Device.hpp>
#include <lamina/sweeps/ColumnSystem.hpp>

#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

/// r = f - A x in cells of `wet`, 0 in others.
template <class Coefficients>
struct ResidualPacks {
  using Scalar = typename Coefficients::scalar_type;
  using Memory = typename Coefficients::memory_space;
  using Levels = LevelPack<Scalar>;
  static constexpr int levels = LevelPackTuning::levels;

  ColumnSystem<Coefficients> system;
  CycleGuard<Memory> guard;
  LineTables<Scalar, Memory> tables;
  WetCells<Kokkos::LayoutRight, Memory> wet;
  PackField<const Scalar, Memory> f, x;
  PackField<Scalar, Memory> r;
  ColumnLanes lanes;
  int num_batches;  // of links

  KOKKOS_FUNCTION int num_rows() const { return system.topology.num_owned; }
  KOKKOS_FUNCTION int num_levels() const { return system.topology.num_levels; }

  struct Prepared {
    int end;
    LinkBatch links;
  };
  KOKKOS_FORCEINLINE_FUNCTION Prepared prepare(int column) const {
    return {system.coefficients.ends()(column), load_links<Memory>(tables.links, column, 0)};
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Prepared& prepared, int column,
                                              int first) const {
    if (first >= prepared.end) return;
    const auto& vertical = system.coefficients.vertical();
    const auto mass = load_levels(system.coefficients.mass(), column, first),
               above = load_levels(vertical, column, first);
    const Scalar* const at = level_address(x, column, first);
    const auto own = load<Levels>(at);
    const bool has_below = first > 0;
    const auto below = has_below ? level_address(vertical, column, first)[-1]
                                 : typename Coefficients::value_type(0);
    // Above the top the coupling is 0.
    const Scalar x_below = has_below ? at[-1] : Scalar(0),
                 x_above = at[first + levels < num_levels() ? levels : 0];
    Levels residual = load_levels(f, column, first);
    const auto wanted = load_levels(wet, column, first);
    LAMINA_DEVICE_UNROLL()
    for (int i = 0; i < levels; ++i) {
      const Scalar previous = i > 0 ? own[i > 0 ? i - 1 : 0] : x_below,
                   next = i + 1 < levels ? own[i + 1 < levels ? i + 1 : i] : x_above;
      const auto coupling = i > 0 ? above[i > 0 ? i - 1 : 0] : below;
      residual[i] -= static_cast<Scalar>(mass[i]) * own[i] +
                     static_cast<Scalar>(above[i]) * (own[i] - next) +
                     static_cast<Scalar>(coupling) * (own[i] - previous);
    }
    add_inflow<true, Memory>(tables.links, num_batches, prepared.links,
                             system.coefficients.horizontal(), x, column, first, own, residual);
    LAMINA_DEVICE_UNROLL()
    for (int i = 0; i < levels; ++i) {
      if (wanted[i] == 0) residual[i] = 0;
    }
    store_levels(r, column, first, residual);
  }
};

/// f = P^T r
template <class Scalar, class Memory>
struct RestrictPacks {
  static constexpr int batch = LevelPackTuning::restricted<Scalar>;
  CycleGuard<Memory> guard;
  PackedRestriction<Scalar, Memory> restriction;
  PackField<const Scalar, Memory> r;
  PackField<Scalar, Memory> f;
  ColumnLanes lanes;
  int num_entries;

  KOKKOS_FUNCTION int num_rows() const { return restriction.num_rows(); }
  KOKKOS_FUNCTION int num_levels() const { return static_cast<int>(f.extent(1)); }

  struct Prepared {
    int coarse;
    WeightedRow<Scalar> entries[extent_of<batch>];
  };
  KOKKOS_FORCEINLINE_FUNCTION Prepared prepare(int place) const {
    Prepared prepared{restriction.coarse(place), {}};
    read(place, 0, prepared);
    return prepared;
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Prepared prepared, int place, int first) const {
    const PackRows<PackField<const Scalar, Memory>> rows(r, first);
    LevelPack<Scalar> sum{};
    for (int begin = 0; begin < num_entries; begin += batch) {
      if (begin > 0) read(place, begin, prepared);
      if (prepared.entries[0].weight == 0) break;
      LevelPack<Scalar> values[extent_of<batch>];
      LAMINA_DEVICE_UNROLL()
      for (int n = 0; n < batch; ++n) values[n] = rows(prepared.entries[n].row);
      LAMINA_DEVICE_UNROLL()
      for (int n = 0; n < batch; ++n) sum = sum + prepared.entries[n].weight * values[n];
    }
    store_levels(f, prepared.coarse, first, sum);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void read(int place, int begin, Prepared& prepared) const {
    LAMINA_DEVICE_UNROLL()
    for (int n = 0; n < batch; ++n) prepared.entries[n] = restriction.entries(place, begin + n);
  }
};

/// In the place of `WetCells` where no cell is dry.
struct AllWet {};

/// x += P c, in cells of `wet`
template <class Scalar, class Memory, class Wet = WetCells<Kokkos::LayoutRight, Memory>>
struct ProlongPacks {
  static constexpr int slots = PackedProlongation<Scalar, Memory>::slots;
  static constexpr bool all_wet = std::is_same_v<Wet, AllWet>;
  CycleGuard<Memory> guard;
  PackedProlongation<Scalar, Memory> prolongation;
  Wet wet;
  PackField<const Scalar, Memory> c;
  PackField<Scalar, Memory> x;
  ColumnLanes lanes;

  KOKKOS_FUNCTION int num_rows() const { return static_cast<int>(prolongation.entries.extent(0)); }
  KOKKOS_FUNCTION int num_levels() const { return static_cast<int>(x.extent(1)); }

  struct Prepared {
    WeightedRow<Scalar> entries[extent_of<slots>];
  };
  KOKKOS_FORCEINLINE_FUNCTION Prepared prepare(int column) const {
    Prepared prepared;
    LAMINA_DEVICE_UNROLL()
    for (int n = 0; n < slots; ++n) prepared.entries[n] = prolongation.entries(column, n);
    return prepared;
  }
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const Prepared& prepared, int column,
                                              int first) const {
    if constexpr (all_wet) {
      return store_levels(x, column, first,
                          load_levels(x, column, first) + added_to(prepared, first));
    } else {
      const auto wanted = load_levels(wet, column, first);
      bool any = false;
      for (int i = 0; i < LevelPackTuning::levels; ++i) any = any || wanted[i] != 0;
      if (!any) return;
      LevelPack<Scalar> sum = load_levels(x, column, first);
      const auto added = added_to(prepared, first);
      LAMINA_DEVICE_UNROLL()
      for (int i = 0; i < LevelPackTuning::levels; ++i) {
        if (wanted[i] != 0) sum[i] += added[i];
      }
      store_levels(x, column, first, sum);
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION LevelPack<Scalar> added_to(const Prepared& prepared,
                                                         int first) const {
    const PackRows<PackField<const Scalar, Memory>> rows(c, first);
    LevelPack<Scalar> values[extent_of<slots>];
    LAMINA_DEVICE_UNROLL()
    for (int n = 0; n < slots; ++n) values[n] = rows(prepared.entries[n].row);
    LevelPack<Scalar> added{};
    LAMINA_DEVICE_UNROLL()
    for (int n = 0; n < slots; ++n) added = added + prepared.entries[n].weight * values[n];
    return added;
  }
};

/// One of these kernels.
template <class Kernel>
struct PackTeams {
  Kernel kernel;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const int row = kernel.lanes.column(team, team.league_rank());
    const bool live = row < kernel.num_rows();
    const auto prepared = kernel.prepare(live ? row : 0);
    team.wait_for_previous();
    team.let_next_begin();
    if (!live || !kernel.guard.active()) return;
    for (int first = kernel.lanes.lane(team) * LevelPackTuning::levels; first < kernel.num_levels();
         first += kernel.lanes.levels()) {
      kernel(prepared, row, first);
    }
  }
};

template <int LeastTeams, class Space, class Kernel>
void run_packs(const char* label, const Space& space, const Kernel& kernel) {
  const auto count = static_cast<int>(ceil_divide(kernel.num_rows(), kernel.lanes.columns()));
  if (count == 0) return;
  launch_teams<LevelPackTuning::threads, LeastTeams>(label, space, count, LevelPackTuning::threads,
                                                     0, PackTeams<Kernel>{kernel});
}

}  // namespace Lamina::Impl
