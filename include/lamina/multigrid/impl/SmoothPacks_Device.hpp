// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Smoothing steps of a cycle on a device, in packs of levels; see `LevelPacks_Device.hpp`.

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/OverlappedTeams_Device.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>
#include <lamina/multigrid/impl/CycleLevel.hpp>
#include <lamina/multigrid/impl/LevelPacks_Device.hpp>
#include <lamina/multigrid/impl/LevelTables.hpp>
#include <lamina/sweeps/ColumnSystem.hpp>

#include <algorithm>
#include <cstddef>

namespace Lamina::Impl {

template <class Scalar, class Memory>
using PackField = FieldView<Scalar, Kokkos::LayoutRight, Memory>;

/// A pack of the line of a column: the inverse pivots, the couplings of each level and the one above it, and of the first
/// one and the one below.
template <class Scalar>
struct PackedLine {
  LevelPack<Scalar> inverse, above;
  Scalar below;
};

/// The lines and neighbours of stored coefficients. What `SmoothPacks` asks of a level:
///
///   num_owned(), num_levels(), end(column)     columns, levels, and those of a column until all are dry
///   links(column)                              the first neighbours of a column
///   matrix(column, first)                      a pack of its line, see `PackedLine`
///   add_inflow(links, x, column, first, to)    to += N x, where N are the couplings between columns
template <class Coefficients>
struct StoredLinePacks {
  using Scalar = typename Coefficients::scalar_type;
  using Memory = typename Coefficients::memory_space;
  ColumnSystem<Coefficients> system;
  LineTables<Scalar, Memory> tables;
  int num_batches;  // of links

  KOKKOS_FORCEINLINE_FUNCTION int num_owned() const { return system.topology.num_owned; }
  KOKKOS_FORCEINLINE_FUNCTION int num_levels() const { return system.topology.num_levels; }
  KOKKOS_FORCEINLINE_FUNCTION int end(int column) const {
    return system.coefficients.ends()(column);
  }
  KOKKOS_FORCEINLINE_FUNCTION LinkBatch links(int column) const {
    return load_links<Memory>(tables.links, column, 0);
  }
  KOKKOS_FORCEINLINE_FUNCTION PackedLine<Scalar> matrix(int column, int first) const {
    const auto& vertical = system.coefficients.vertical();
    return {
        load_levels(tables.inverses, column, first),
        converted_levels<Scalar>(load_levels(vertical, column, first)),
        first > 0 ? static_cast<Scalar>(level_address(vertical, column, first)[-1]) : Scalar(0)};
  }
  template <class Field>
  KOKKOS_FORCEINLINE_FUNCTION void add_inflow(const LinkBatch& links, const Field& x, int column,
                                              int first, LevelPack<Scalar>& to) const {
    Impl::add_inflow<false, Memory>(tables.links, num_batches, links,
                                    system.coefficients.horizontal(), x, column, first,
                                    LevelPack<Scalar>{}, to);
  }
};

/// A smoothing step, keep x + weight M^-1 (f + N x), where N x is what enters a column from its neighbours.
template <class Scalar, class Memory>
struct PackStep {
  Scalar keep, weight;
  PackField<const Scalar, Memory> f, x;  ///< those that a kernel has
  PackField<Scalar, Memory> to;          ///< overlaps neither
  TeamParts<Memory> parts{};
  double* energy = nullptr;  ///< where <f, to> goes: 0 unless active
};

/// What a step has beside x and f: without x, f alone; without f, x alone.
enum class StepTerms { only_f, both, only_x, both_and_energy };

/// How lanes hold columns.
enum class ColumnFit {
  part,   ///< some lanes of a warp a column
  whole,  ///< a warp
  chunks  ///< a warp, in several parts: what has gone up passes through `to`
};

/// Such a step. Pivots are eliminated before, so that lines are two recurrences, each affine in what enters a lane.
template <class Lines, StepTerms Terms, ColumnFit Fit>
struct SmoothPacks {
  using Scalar = typename Lines::Scalar;
  using Memory = typename Lines::Memory;
  using Levels = LevelPack<Scalar>;
  template <class Team>
  using Exchange = LaneExchange<Scalar, Team, Fit == ColumnFit::part ? 0 : warp_lanes>;
  static constexpr int levels = LevelPackTuning::levels;
  static constexpr bool at_once = Fit != ColumnFit::chunks;
  static constexpr bool has_x = Terms != StepTerms::only_f, has_f = Terms != StepTerms::only_x,
                        sums = Terms == StepTerms::both_and_energy;

  Lines lines;
  CycleGuard<Memory> guard;
  PackStep<Scalar, Memory> step;
  ColumnLanes lanes;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    if constexpr (!sums) {
      double none = 0;
      take(team, team.league_rank(), none);
    } else {
      const int num_blocks = (lines.num_owned() + lanes.columns() - 1) / lanes.columns();
      double sum = 0;
      for (int block = team.league_rank(); block < num_blocks; block += team.league_size()) {
        take(team, block, sum);
      }
      team.wait_for_previous();
      step.parts.template add_up<1>(team, static_cast<double*>(team.scratch()), &sum, step.energy);
    }
  }

 private:
  /// What a thread holds of its pack: `y` is the right-hand side, then what goes up, then the solution. Dry packs have
  /// zeros.
  struct Lane {
    Levels y, before;
    PackedLine<Scalar> line;
  };

  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION void take(const Team& team, int block, double& sum) const {
    const Exchange<Team> exchange{team, lanes.lane(team), lanes.count()};
    const int own = lanes.column(team, block);
    const bool live = own < lines.num_owned();
    const int column = live ? own : 0, end = live ? lines.end(column) : 0;
    const auto links = links_of(column);
    int first = exchange.lane * levels;
    team.wait_for_previous();
    let_next_begin(team);
    if (!guard.active()) return;
    Lane lane;
    load_matrix(lane, column, first, end);
    if constexpr (at_once) {
      load_values(lane, links, column, first, end);
      go_up(lane, exchange, Scalar(0));
      go_down(lane, exchange, Scalar(0));
      put(lane, column, first, end, sum);
    } else {
      const int chunks = (lines.num_levels() - 1) / lanes.levels() + 1;
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
        put(lane, column, first, end, sum);
      }
    }
  }
  /// Its teams read tables and wait, once all of this one have begun. Those that add up let it begin then.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION static void let_next_begin(const Team& team) {
    if constexpr (!sums) team.let_next_begin();
  }
  KOKKOS_FORCEINLINE_FUNCTION auto links_of(int column) const {
    if constexpr (has_x) {
      return lines.links(column);
    } else {
      return 0;  // not read
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void load_matrix(Lane& lane, int column, int first, int end) const {
    lane.line = PackedLine<Scalar>{};
    if (first < end) lane.line = lines.matrix(column, first);
  }
  template <class Links>
  KOKKOS_FORCEINLINE_FUNCTION void load_values(Lane& lane, const Links& links, int column,
                                               int first, int end) const {
    lane.y = lane.before = Levels{};
    if (first >= end) return;
    if constexpr (has_f) lane.y = load_levels(step.f, column, first);
    if constexpr (has_x) {
      lane.before = load_levels(step.x, column, first);
      lines.add_inflow(links, step.x, column, first, lane.y);
    }
  }
  /// Of a chunk that has gone up.
  KOKKOS_FORCEINLINE_FUNCTION void reload(Lane& lane, int column, int first, int end) const {
    lane.y = lane.before = Levels{};
    if (first >= end) return;
    lane.y = load_levels(step.to, column, first);
    if constexpr (has_x) lane.before = load_levels(step.x, column, first);
  }

  /// y_k = (y_k + below_k y_{k-1}) / pivot_k. Returns what leaves the last lane.
  template <class Exchange>
  KOKKOS_FORCEINLINE_FUNCTION Scalar go_up(Lane& lane, const Exchange& exchange,
                                           Scalar first) const {
    const auto& [inverse, above, below] = lane.line;
    Levels from_below;
    Scalar factor = 1, shift = 0;
    LAMINA_DEVICE_UNROLL()
    for (int i = 0; i < levels; ++i) {
      from_below[i] = (i > 0 ? above[i > 0 ? i - 1 : 0] : below) * inverse[i];
      lane.y[i] = lane.y[i] * inverse[i];
      shift = lane.y[i] + from_below[i] * shift;
      factor *= from_below[i];
    }
    Scalar y = exchange.template entering<true, at_once>(factor, shift, first);
    LAMINA_DEVICE_UNROLL()
    for (int i = 0; i < levels; ++i) {
      y = lane.y[i] + from_below[i] * y;
      lane.y[i] = y;
    }
    return at_once ? y : exchange.value_at(exchange.count() - 1 - exchange.lane, y);
  }
  /// x_k = y_k + above_k / pivot_k x_{k+1}. Returns what leaves the first lane.
  template <class Exchange>
  KOKKOS_FORCEINLINE_FUNCTION Scalar go_down(Lane& lane, const Exchange& exchange,
                                             Scalar last) const {
    Levels from_above;
    Scalar factor = 1, shift = 0;
    LAMINA_DEVICE_UNROLL()
    for (int i = levels - 1; i >= 0; --i) {
      from_above[i] = lane.line.above[i] * lane.line.inverse[i];
      shift = lane.y[i] + from_above[i] * shift;
      factor *= from_above[i];
    }
    Scalar x = exchange.template entering<false, at_once>(factor, shift, last);
    LAMINA_DEVICE_UNROLL()
    for (int i = levels - 1; i >= 0; --i) {
      x = lane.y[i] + from_above[i] * x;
      lane.y[i] = x;
    }
    return at_once ? x : exchange.value_at(-exchange.lane, x);
  }
  KOKKOS_FORCEINLINE_FUNCTION void put(const Lane& lane, int column, int first, int end,
                                       double& sum) const {
    if (first >= end) return;
    Levels result = step.weight * lane.y;
    if constexpr (has_x) result = step.keep * lane.before + result;
    store_levels(step.to, column, first, result);
    if constexpr (sums) add_product(sum, load_levels(step.f, column, first), result);
  }
};

/// A step of `Terms`, over columns that lanes hold at once or not.
template <StepTerms Terms, class Space, class Lines>
void run_step_packs(const char* label, const Space& space, const Lines& lines,
                    const CycleGuard<typename Lines::Memory>& guard,
                    const PackStep<typename Lines::Scalar, typename Lines::Memory>& step) {
  using Scalar = typename Lines::Scalar;
  constexpr int threads = LevelPackTuning::threads;
  constexpr bool sums = Terms == StepTerms::both_and_energy;
  const auto lanes = ColumnLanes::of(lines.num_levels());
  constexpr int least_teams = LevelPackTuning::teams<Scalar>;
  const auto blocks = ceil_divide(lines.num_owned(), lanes.columns());
  // Teams that add up stay. There must be one, which sets a sum of nothing to 0.
  const int teams = sums ? teams_at_once(blocks, teams_that_fit(space, threads, least_teams))
                         : static_cast<int>(blocks);
  if (teams == 0) return;
  const std::size_t scratch = std::max(LaneExchange<Scalar, int, 0>::scratch_bytes(threads),
                                       sums ? threads * sizeof(double) : 0);
  const auto run = [&](const auto& kernel) {
    launch_teams<threads, least_teams>(label, space, teams, threads, scratch, kernel);
  };
  if (lanes.levels() < lines.num_levels()) {
    run(SmoothPacks<Lines, Terms, ColumnFit::chunks>{lines, guard, step, lanes});
  } else if (lanes.count() == warp_lanes) {
    run(SmoothPacks<Lines, Terms, ColumnFit::whole>{lines, guard, step, lanes});
  } else {
    run(SmoothPacks<Lines, Terms, ColumnFit::part>{lines, guard, step, lanes});
  }
}

}  // namespace Lamina::Impl
