// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The kernels of a cycle over stored values on a device, see `LevelPacks_Device.hpp`. Dry packs of fields are not
// written: they are 0 from the beginning. Each kernel has
//
//   lanes              how threads share columns
//   num_rows()         columns that it goes through
//
// and, but for steps, which go through their columns themselves,
//
//   num_levels()
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
#include <lamina/sweeps/ColumnSystem.hpp>

#include <cstdint>

namespace Lamina::Impl {

template <class Scalar, class Memory>
using PackField = FieldView<Scalar, Kokkos::LayoutRight, Memory>;

/// A smoothing step, (1 - weight) x + weight M^-1 (f + N x), where N x is what enters a column from its neighbours. Without
/// `HasX` x is 0. Pivots are eliminated before, so that lines are two recurrences, each affine in what enters a lane.
/// `Whole`: the lanes hold a column at once; otherwise what has gone up passes through `to`.
template <class Coefficients, bool HasX, bool Whole>
struct SmoothPacks {
  using Scalar = typename Coefficients::scalar_type;
  using Memory = typename Coefficients::memory_space;
  using Levels = LevelPack<Scalar>;
  static constexpr int levels = LevelPackTuning::levels;

  ColumnSystem<Coefficients> system;
  CycleGuard<Memory> guard;
  LineTables<Scalar, Memory> tables;
  ColumnStep<Scalar, Kokkos::LayoutRight, Memory> step;
  ColumnLanes lanes;
  int num_batches;  // of links

  KOKKOS_FUNCTION int num_rows() const { return system.topology.num_owned; }

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const LaneExchange<Scalar, Team> exchange{team, lanes.lane(team), lanes.count()};
    const bool live = lanes.column(team) < num_rows();
    const int column = live ? lanes.column(team) : 0;
    const int end = live ? system.coefficients.ends()(column) : 0;
    LinkBatch links{};
    if constexpr (HasX) links = load_links<Memory>(tables.links, column, 0);
    int first = exchange.lane * levels;
    Lane lane;
    load_matrix(lane, column, first, end);
    team.wait_for_previous();
    if (!guard.active()) return;

    if constexpr (Whole) {
      load_values(lane, links, column, first, end);
      go_up(lane, exchange, Scalar(0));
      go_down(lane, exchange, Scalar(0));
      if (first < end) store_levels(step.to, column, first, sum_of(lane));
    } else {
      const int chunks = (system.topology.num_levels - 1) / lanes.levels() + 1;
      Scalar entering = 0;
      for (int chunk = 0; chunk < chunks; ++chunk) {
        if (chunk > 0) load_matrix(lane, column, first += lanes.levels(), end);
        load_values(lane, links, column, first, end);
        entering = go_up(lane, exchange, entering);
        if (chunk + 1 < chunks && first < end) store_levels(step.to, column, first, lane.y);
      }
      entering = 0;
      for (int chunk = chunks - 1; chunk >= 0; --chunk) {
        if (chunk + 1 < chunks) {
          load_matrix(lane, column, first -= lanes.levels(), end);
          reload(lane, column, first, end);
        }
        entering = go_down(lane, exchange, entering);
        if (first < end) store_levels(step.to, column, first, sum_of(lane));
      }
    }
  }

 private:
  /// What a thread holds of its pack: `y` is the right-hand side, then what goes up, then the solution. Dry packs have
  /// zeros.
  struct Lane {
    Levels y, before, inverse, above;
    Scalar below;  // the coupling of its first level and the one below
  };

  KOKKOS_FORCEINLINE_FUNCTION void load_matrix(Lane& lane, int column, int first, int end) const {
    lane.inverse = lane.above = Levels{};
    lane.below = 0;
    if (first >= end) return;
    const auto& vertical = system.coefficients.vertical();
    lane.inverse = load_levels(tables.inverses, column, first);
    lane.above = converted_levels<Scalar>(load_levels(vertical, column, first));
    if (first > 0) lane.below = static_cast<Scalar>(vertical(column, first - 1));
  }
  KOKKOS_FORCEINLINE_FUNCTION void load_values(Lane& lane, const LinkBatch& links, int column,
                                               int first, int end) const {
    lane.y = lane.before = Levels{};
    if (first >= end) return;
    lane.y = load_levels(step.f, column, first);
    if constexpr (HasX) {
      lane.before = load_levels(step.x, column, first);
      add_inflow<false, Memory>(tables.links, num_batches, links, system.coefficients.horizontal(),
                                step.x, column, first, Levels{}, lane.y);
    }
  }
  /// Of a chunk that has gone up.
  KOKKOS_FORCEINLINE_FUNCTION void reload(Lane& lane, int column, int first, int end) const {
    lane.y = lane.before = Levels{};
    if (first >= end) return;
    lane.y = load_levels(step.to, column, first);
    if constexpr (HasX) lane.before = load_levels(step.x, column, first);
  }

  /// y_k = (y_k + below_k y_{k-1}) / pivot_k. Returns what leaves the last lane.
  template <class Exchange>
  KOKKOS_FORCEINLINE_FUNCTION Scalar go_up(Lane& lane, const Exchange& exchange,
                                           Scalar first) const {
    Levels from_below;
    Scalar factor = 1, shift = 0;
    LAMINA_DEVICE_UNROLL()
    for (int i = 0; i < levels; ++i) {
      from_below[i] = (i > 0 ? lane.above[i > 0 ? i - 1 : 0] : lane.below) * lane.inverse[i];
      lane.y[i] = lane.y[i] * lane.inverse[i];
      shift = lane.y[i] + from_below[i] * shift;
      factor *= from_below[i];
    }
    Scalar y = exchange.template entering<true, Whole>(factor, shift, first);
    LAMINA_DEVICE_UNROLL()
    for (int i = 0; i < levels; ++i) {
      y = lane.y[i] + from_below[i] * y;
      lane.y[i] = y;
    }
    return Whole ? y : exchange.value_at(exchange.lanes - 1 - exchange.lane, y);
  }
  /// x_k = y_k + above_k / pivot_k x_{k+1}. Returns what leaves the first lane.
  template <class Exchange>
  KOKKOS_FORCEINLINE_FUNCTION Scalar go_down(Lane& lane, const Exchange& exchange,
                                             Scalar last) const {
    Levels from_above;
    Scalar factor = 1, shift = 0;
    LAMINA_DEVICE_UNROLL()
    for (int i = levels - 1; i >= 0; --i) {
      from_above[i] = lane.above[i] * lane.inverse[i];
      shift = lane.y[i] + from_above[i] * shift;
      factor *= from_above[i];
    }
    Scalar x = exchange.template entering<false, Whole>(factor, shift, last);
    LAMINA_DEVICE_UNROLL()
    for (int i = levels - 1; i >= 0; --i) {
      x = lane.y[i] + from_above[i] * x;
      lane.y[i] = x;
    }
    return Whole ? x : exchange.value_at(-exchange.lane, x);
  }
  KOKKOS_FORCEINLINE_FUNCTION Levels sum_of(const Lane& lane) const {
    if constexpr (!HasX) return step.weight * lane.y;
    return (1 - step.weight) * lane.before + step.weight * lane.y;
  }
};

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
    const Levels own = load_levels(x, column, first);
    const bool has_below = first > 0, has_above = first + levels < num_levels();
    const auto below =
        has_below ? vertical(column, first - 1) : typename Coefficients::value_type(0);
    const Scalar x_below = has_below ? x(column, first - 1) : Scalar(0),
                 x_above = has_above ? x(column, first + levels) : Scalar(0);
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
      for (int n = 0; n < batch; ++n) {
        values[n] = LevelPack<Scalar>{};
        if (prepared.entries[n].weight != 0) values[n] = rows(prepared.entries[n].row);
      }
      LAMINA_DEVICE_UNROLL()
      for (int n = 0; n < batch; ++n) sum = sum + prepared.entries[n].weight * values[n];
    }
    store_levels(f, prepared.coarse, first, sum);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void read(int place, int begin, Prepared& prepared) const {
    LAMINA_DEVICE_UNROLL()
    for (int n = 0; n < batch; ++n) {
      prepared.entries[n] = begin + n < num_entries ? restriction.entries(place, begin + n)
                                                    : WeightedRow<Scalar>{0, 0};
    }
  }
};

/// x += P c, in cells of `wet`
template <class Scalar, class Memory>
struct ProlongPacks {
  static constexpr int slots = PackedProlongation<Scalar, Memory>::slots;
  CycleGuard<Memory> guard;
  PackedProlongation<Scalar, Memory> prolongation;
  WetCells<Kokkos::LayoutRight, Memory> wet;
  PackField<const Scalar, Memory> c;
  PackField<Scalar, Memory> x;
  ColumnLanes lanes;

  KOKKOS_FUNCTION int num_rows() const { return static_cast<int>(x.extent(0)); }
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
    const auto wanted = load_levels(wet, column, first);
    bool any = false;
    for (int i = 0; i < LevelPackTuning::levels; ++i) any = any || wanted[i] != 0;
    if (!any) return;
    const PackRows<PackField<const Scalar, Memory>> rows(c, first);
    LevelPack<Scalar> sum = load_levels(x, column, first), values[extent_of<slots>];
    LAMINA_DEVICE_UNROLL()
    for (int n = 0; n < slots; ++n) {
      values[n] = LevelPack<Scalar>{};
      if (prepared.entries[n].weight != 0) values[n] = rows(prepared.entries[n].row);
    }
    LevelPack<Scalar> added{};
    LAMINA_DEVICE_UNROLL()
    for (int n = 0; n < slots; ++n) added = added + prepared.entries[n].weight * values[n];
    LAMINA_DEVICE_UNROLL()
    for (int i = 0; i < LevelPackTuning::levels; ++i) {
      if (wanted[i] != 0) sum[i] += added[i];
    }
    store_levels(x, column, first, sum);
  }
};

/// One of the last three.
template <class Kernel>
struct PackTeams {
  Kernel kernel;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    const int row = kernel.lanes.column(team);
    const bool live = row < kernel.num_rows();
    const auto prepared = kernel.prepare(live ? row : 0);
    team.wait_for_previous();
    if (!live || !kernel.guard.active()) return;
    for (int first = kernel.lanes.lane(team) * LevelPackTuning::levels; first < kernel.num_levels();
         first += kernel.lanes.levels()) {
      kernel(prepared, row, first);
    }
  }
};

template <int LeastTeams, class Space, class Kernel, class Teams>
void launch_packs(const char* label, const Space& space, const Kernel& kernel, const Teams& teams,
                  std::size_t scratch_bytes) {
  const auto count = static_cast<int>(ceil_divide(kernel.num_rows(), kernel.lanes.columns()));
  if (count == 0) return;
  launch_teams<LevelPackTuning::threads, LeastTeams>(label, space, count, LevelPackTuning::threads,
                                                     scratch_bytes, teams);
}
template <int LeastTeams, class Space, class Kernel>
void run_packs(const char* label, const Space& space, const Kernel& kernel) {
  launch_packs<LeastTeams>(label, space, kernel, PackTeams<Kernel>{kernel}, 0);
}

/// A step with or without x, over columns that lanes hold at once or not.
template <bool HasX, class Space, class Coefficients, class Scalar, class Memory>
void run_step_packs(const char* label, const Space& space, const ColumnSystem<Coefficients>& system,
                    const CycleGuard<Memory>& guard, const LineTables<Scalar, Memory>& tables,
                    const ColumnStep<Scalar, Kokkos::LayoutRight, Memory>& step) {
  const auto lanes = ColumnLanes::of(system.topology.num_levels);
  const auto run = [&](const auto& kernel) {
    launch_packs<LevelPackTuning::teams<Scalar>>(
        label, space, kernel, kernel,
        LaneExchange<Scalar, int>::scratch_bytes(LevelPackTuning::threads));
  };
  if (lanes.levels() >= system.topology.num_levels) {
    run(SmoothPacks<Coefficients, HasX, true>{system, guard, tables, step, lanes,
                                              num_batches(tables.links)});
  } else {
    run(SmoothPacks<Coefficients, HasX, false>{system, guard, tables, step, lanes,
                                               num_batches(tables.links)});
  }
}

}  // namespace Lamina::Impl
