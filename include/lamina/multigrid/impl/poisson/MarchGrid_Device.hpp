// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// All of a `GridSmoothing` in one pass over memory on a device. A team takes a tile: a thread to a cell, which
// walks across lines. Each stage is a line behind the one before: start, steps, residual, restriction. A thread
// keeps what it needs of its own cells in registers, and tells the cells beside it in scratch: a barrier a
// line. Around a tile, stages recompute what other teams have.

#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/OverlappedTeams_Device.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/multigrid/impl/CycleLevel.hpp>
#include <lamina/multigrid/impl/Tuning.hpp>
#include <lamina/multigrid/impl/poisson/GridLevel.hpp>
#include <lamina/multigrid/impl/poisson/MarchSource_Device.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace Lamina::Impl {

/// The stages of a march.
template <class Scalar, class Memory, int Steps, bool FromZero, bool Restricts>
struct GridMarch {
  using Source = MarchSource<Scalar, Steps, FromZero, Restricts>;
  using State = typename Source::State;
  static constexpr int width = Source::width, margin = Source::margin, group = Source::group,
                       first = Source::first, residual_lag = Source::residual_lag,
                       most_lag = Source::most_lag, num_stages = Source::num_stages,
                       num_lines = num_stages + (Restricts ? 1 : 0);
  /// An energy is asked for only of a march that does not restrict.
  static constexpr bool sums = !Restricts;
  static constexpr int length = width + 2;  ///< of a line in scratch
  static constexpr std::size_t scratch_values = std::size_t{2} * num_lines * length;

  CycleGuard<Memory> guard;
  Source source;
  GridField<Scalar> to, coarse;
  Scalar kept[GridSmoothing<Scalar>::max_steps];  ///< factors of x in the steps

  /// f of the line that is so far behind the head.
  KOKKOS_FORCEINLINE_FUNCTION static Scalar f_at(const State& s, int g, int lag) {
    return lag == 0 ? s.f[g] : s.f_behind[lag - 1];
  }
  /// Whether that line is even: the first one of a group is.
  KOKKOS_FORCEINLINE_FUNCTION static bool is_even(int g, int lag) { return ((g - lag) & 1) == 0; }
  template <bool Border>
  KOKKOS_FORCEINLINE_FUNCTION bool is_beyond(int line) const {
    return Border && (line < 0 || line >= source.level.across.count);
  }
  template <bool Border>
  KOKKOS_FORCEINLINE_FUNCTION MarchRow<Scalar> row_at(const State& s, int line) const {
    if constexpr (Border) {
      if (line + 1 == source.level.across.count) return source.row_of(s, true);
    }
    return s.row;
  }

  /// All stages of one head line. `before` is scratch of the head before, `now` of this one.
  template <bool Border>
  KOKKOS_FORCEINLINE_FUNCTION void advance(State& s, const MarchLines& of, int thread, int g,
                                           int head, const Scalar* before, Scalar* now) const {
    if constexpr (Restricts) store_coarse(s, of, thread, g, head, before);
    Scalar value = 0;
    if constexpr (Steps > 0) {
      value = FromZero ? row_at<Border>(s, head).factors[0] * s.f[g] : s.x[g];
      if (is_beyond<Border>(head)) value = 0;
    }
    LAMINA_DEVICE_UNROLL()
    for (int stage = first + 1; stage <= Steps; ++stage) {
      const int lag = stage - first, from = lag - 1, line = head - lag;
      const MarchRow<Scalar> row = row_at<Border>(s, line);
      const Scalar* const beside = before + from * length + thread;
      Scalar next =
          kept[stage - 1] * s.near[from] +
          row.factors[stage - 1] * (f_at(s, g, lag) + row.along * (beside[0] + beside[2]) +
                                    row.across * (s.far[from] + value));
      if (is_beyond<Border>(line)) next = 0;
      pass_on(s, from, thread, value, now);
      value = next;
    }
    if constexpr (Steps > 0) {
      const int line = head - (Steps - first);
      if (s.is_own && Source::within(of.to, line)) {
        to(s.cell, line) = value;
        s.energy += static_cast<double>(f_at(s, g, Steps - first)) * static_cast<double>(value);
      }
    }
    if constexpr (Restricts) take_residual<Border>(s, thread, g, head, value, before, now);
    LAMINA_DEVICE_UNROLL()
    for (int lag = most_lag; lag > 0; --lag) s.f_behind[lag - 1] = f_at(s, g, lag - 1);
  }
  /// The newest value of a stage: to the cells beside, and to the next lines of this one.
  KOKKOS_FORCEINLINE_FUNCTION static void pass_on(State& s, int place, int thread, Scalar value,
                                                  Scalar* now) {
    now[place * length + thread + 1] = value;
    s.far[place] = s.near[place];
    s.near[place] = value;
  }
  template <bool Border>
  KOKKOS_FORCEINLINE_FUNCTION void take_residual(State& s, int thread, int g, int head,
                                                 Scalar value, const Scalar* before,
                                                 Scalar* now) const {
    const int line = head - residual_lag;
    Scalar residual = f_at(s, g, residual_lag);
    if constexpr (Steps > 0) {
      constexpr int from = num_stages - 1;
      const MarchRow<Scalar> row = row_at<Border>(s, line);
      const Scalar* const beside = before + from * length + thread;
      residual -= row.diagonal * s.near[from] - row.along * (beside[0] + beside[2]) -
                  row.across * (s.far[from] + value);
      pass_on(s, from, thread, value, now);
    }
    if (is_beyond<Border>(line)) residual = 0;
    Scalar* const sum = now + num_stages * length + thread + 1;
    if (!source.level.across.halves) {
      *sum = residual;
    } else if (is_even(g, residual_lag)) {
      *sum = s.sum + source.level.across.factor_behind(line) * residual;
      s.sum = Scalar(0.5) * residual;
    } else {
      s.sum += residual;
      if (Border && line + 1 == source.level.across.count) *sum = s.sum;  // no line behind
    }
  }
  /// The coarser line whose sum across lines ended with this line of the residual.
  KOKKOS_FORCEINLINE_FUNCTION void store_coarse(const State& s, const MarchLines& of, int thread,
                                                int g, int head, const Scalar* before) const {
    const int line = head - 1 - residual_lag;
    int coarse_line = line;
    if (source.level.across.halves) {
      if (is_even(g, residual_lag + 1)) {
        coarse_line = line / 2 - 1;
      } else if (line + 1 == source.level.across.count) {
        coarse_line = line / 2;
      } else {
        return;
      }
    }
    if (!Source::within(of.coarse, coarse_line) || !s.is_own) return;
    const Scalar* const sum = before + num_stages * length + thread;
    if (!source.level.along.halves) {
      coarse(s.cell, coarse_line) = sum[1];
    } else if ((s.cell & 1) == 1) {
      coarse(s.cell / 2, coarse_line) =
          Scalar(0.5) * sum[0] + sum[1] + source.level.along.factor_behind(s.cell + 1) * sum[2];
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void advance(State& s, const MarchLines& of, int thread, int g,
                                           int head, Scalar* scratch) const {
    constexpr int size = num_lines * length;
    // Heads begin at an even line.
    const Scalar* const before = scratch + (g % 2 == 0 ? size : 0);
    Scalar* const now = scratch + (g % 2 == 0 ? 0 : size);
    if (head >= most_lag && head + 1 < source.level.across.count) {
      advance<false>(s, of, thread, g, head, before, now);
    } else {
      advance<true>(s, of, thread, g, head, before, now);
    }
  }

  /// On a device.
  template <class Team>
  KOKKOS_FUNCTION double run(const Team& team) const {
    const int thread = team.team_rank();
    auto* const scratch = static_cast<Scalar*>(team.scratch());
    const MarchLines of = source.lines_of_band(team.league_rank() / source.cut.tiles);
    State s;
    source.begin(s, of, team.league_rank() % source.cut.tiles, thread);
    for (int n = thread; n < static_cast<int>(scratch_values); n += width) scratch[n] = 0;
    team.team_barrier();
    for (int base = of.heads.begin; base < of.heads.end; base += group) {
      source.take_group(s, base);
      source.load(s, of, base + group);
      LAMINA_DEVICE_UNROLL()
      for (int g = 0; g < group; ++g) {
        advance(s, of, thread, g, base + g, scratch);
        team.team_barrier();
      }
    }
    return s.energy;
  }
  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    team.wait_for_previous();
    if (guard.active()) run(team);
  }
  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team, double& energy) const {
    if (guard.active()) energy += run(team);
  }
};

/// The teams of a device, one after another on a CPU core, thread by thread between barriers.
template <class March>
struct MarchOnHost {
  using value_type = double;  // of the energy
  March march;

  template <class Scalar>
  static double run(const March& march, int team, std::vector<Scalar> scratch) {
    std::vector<typename March::State> states(static_cast<std::size_t>(March::width));
    const MarchLines of = march.source.lines_of_band(team / march.source.cut.tiles);
    const auto for_threads = [&](const auto& work) {
      for (int thread = 0; thread < March::width; ++thread) {
        work(states[static_cast<std::size_t>(thread)], thread);
      }
    };
    for_threads([&](auto& s, int thread) {
      march.source.begin(s, of, team % march.source.cut.tiles, thread);
    });
    for (int head = of.heads.begin; head < of.heads.end; ++head) {
      const int g = (head - of.heads.begin) % March::group;
      for_threads([&](auto& s, int thread) {
        if (g == 0) {
          march.source.take_group(s, head);
          march.source.load(s, of, head + March::group);
        }
        march.advance(s, of, thread, g, head, scratch.data());
      });
    }
    double energy = 0;
    for (const auto& s : states) energy += s.energy;
    return energy;
  }
  void operator()(int team) const { (void)run_team(team); }
  void operator()(int team, double& energy) const { energy += run_team(team); }

 private:
  double run_team(int team) const {
    using Scalar = typename March::Source::scalar_type;
    if (!march.guard.active()) return 0;
    return run(march, team, std::vector<Scalar>(March::scratch_values));
  }
};

/// The bands of a march: as few as keep the device full.
template <class March, class Space>
MarchCut march_cut(const Space& space, const GridSpan& lines, int cells) {
  constexpr int overhead = 2 * March::margin + 4;  // lines
  MarchCut cut;
  cut.tiles = static_cast<int>(ceil_divide(cells, March::width - 2 * March::margin));
  cut.first_line = lines.begin / 2 * 2;
  const int count = lines.end - cut.first_line;
  const std::int64_t fit =
      runs_on_host<Space> ? 4 : teams_that_fit(space, March::width, GridMarchTuning::teams);
  std::int64_t least_time = std::numeric_limits<std::int64_t>::max();
  for (int bands = 1; bands == 1 || count >= GridMarchTuning::least_lines * bands; ++bands) {
    const int of_band = static_cast<int>(ceil_divide(ceil_divide(count, bands), 2)) * 2;
    const int needed = static_cast<int>(ceil_divide(count, of_band));
    const std::int64_t rounds = ceil_divide(static_cast<std::int64_t>(cut.tiles) * needed, fit),
                       time = rounds * (of_band + overhead);
    if (bands > 1 && rounds > GridMarchTuning::most_rounds) break;
    if (time < least_time) {
      least_time = time;
      cut.lines = of_band;
      cut.bands = needed;
    }
  }
  return cut;
}

template <class March, class Space>
void run_march(const char* label, const Space& space, const March& march, double* energy) {
  using Sum =
      Kokkos::View<double, typename Space::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  const int teams = march.source.cut.teams();
  if constexpr (runs_on_host<Space>) {
    const MarchOnHost<March> on_host{march};
    if (energy == nullptr) return Kokkos::parallel_for(label, range_of(space, teams), on_host);
    Kokkos::parallel_reduce(label, range_of(space, teams), on_host, Sum(energy));
  } else {
    using Scalar = typename March::Source::scalar_type;
    constexpr unsigned threads = March::width, least = GridMarchTuning::teams;
    const std::size_t bytes = March::scratch_values * sizeof(Scalar);
    if constexpr (March::sums) {
      if (energy != nullptr) {
        return Kokkos::parallel_reduce(
            label, kokkos_teams<threads, least>(space, teams, March::width, bytes),
            KokkosTeamKernel<March>{march, bytes}, Sum(energy));
      }
    }
    launch_teams<threads, least>(label, space, teams, March::width, bytes, march);
  }
}

/// Runs a smoothing of so many steps.
template <int Steps, bool FromZero, bool Restricts, class Space, class Scalar, class Memory>
void march_grid(const char* label, const Space& space, const CycleGuard<Memory>& guard,
                const GridLevel<Scalar>& level, const GridSmoothing<Scalar>& s) {
  using March = GridMarch<Scalar, Memory, Steps, FromZero, Restricts>;
  March march{.guard = guard,
              .source = {.level = level,
                         .f = s.f,
                         .x = s.x,
                         .c = s.c,
                         .lines = s.lines.within({0, level.across.count}),
                         .coarse_lines = s.coarse_lines.within({0, level.across.num_coarse()}),
                         .cut = {},
                         .rows = {}},
              .to = s.to,
              .coarse = s.coarse,
              .kept = {}};
  march_rows(level, s.weights, Steps, march.source.rows);
  for (int k = 0; k < Steps; ++k) march.kept[k] = 1 - s.weights[k];
  march.source.cut = march_cut<March>(space, march.source.lines, level.along.count);
  run_march(label, space, march, s.energy);
}

}  // namespace Lamina::Impl
