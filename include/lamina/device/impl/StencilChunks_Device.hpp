// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// How the threads of a device share a stencil sweep. A thread takes a few levels of a column, or of
// a pack of neighbouring columns, and walks upwards. Where levels are contiguous, neighbouring threads
// share a column level by level. In two dimensions the lines of the grid take the part of levels.

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/OverlappedTeams_Device.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>
#include <lamina/device/impl/Tuning.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace Lamina::Impl {

/// How a sweep is cut into pieces: one thread takes some levels of one pack of columns.
struct StencilChunks {
  int num_packs, num_levels;
  int count = 1;       // of pieces to a column
  int levels = 1;      // of a piece, consecutive ones; the last one may be shorter
  int log2_count = 0;  // where levels are contiguous: a piece has every count-th level

  KOKKOS_FUNCTION std::int64_t num_threads() const {
    return static_cast<std::int64_t>(num_packs) * count;
  }
  /// Calls body(pack, first level, end) for the pieces of this thread.
  template <class Layout, class Member, class Body>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(const Member& member, const Body& body) const {
    const std::int64_t step = static_cast<std::int64_t>(member.league_size()) * member.team_size();
    for (std::int64_t thread = first(member); thread < num_threads(); thread += step) {
      take<Layout>(thread, body);
    }
  }
  /// The same for the first piece only, if there is one.
  template <class Layout, class Member, class Body>
  KOKKOS_FORCEINLINE_FUNCTION void for_first(const Member& member, const Body& body) const {
    if (first(member) < num_threads()) take<Layout>(first(member), body);
  }

  /// The first piece of a thread, whether there is one or not.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION static std::int64_t first(const Member& member) {
    return static_cast<std::int64_t>(member.league_rank()) * member.team_size() +
           member.team_rank();
  }
  /// Calls body(pack, first level, end) for one piece.
  template <class Layout, class Body>
  KOKKOS_FORCEINLINE_FUNCTION void take(std::int64_t thread, const Body& body) const {
    // Neighbouring threads take neighbours in memory: accesses are coalesced.
    if constexpr (levels_contiguous<Layout>) {
      const std::int64_t pack = thread >> log2_count;
      body(static_cast<int>(pack), static_cast<int>(thread - (pack << log2_count)), num_levels);
    } else {
      const std::int64_t chunk = thread / num_packs, pack = thread - chunk * num_packs;
      const int begin = static_cast<int>(chunk) * levels, end = begin + levels;
      body(static_cast<int>(pack), begin, end < num_levels ? end : num_levels);
    }
  }
  /// From a level of a piece to its next one.
  template <class Layout>
  KOKKOS_FORCEINLINE_FUNCTION int step() const {
    return levels_contiguous<Layout> ? count : 1;
  }
};

/// Threads that share a column of contiguous levels, as a power of two. A thread reads what belongs to its column
/// once, so that it needs some levels; and in all rounds together few should be without one.
/// \param few  threads that need few levels, see `CellTuning`
inline int log2_threads_of_column(int num_levels, int few = CellTuning::few_threads) {
  using Tuning = CellTuning;
  for (int log2_count = Tuning::log2_warp; log2_count > 0; --log2_count) {
    const int threads = 1 << log2_count, rounds = (num_levels + threads - 1) / threads,
              least_rounds = threads > few ? Tuning::many_rounds : Tuning::few_rounds,
              idle = threads * rounds - num_levels;
    if (rounds >= least_rounds && Tuning::most_idle * idle <= num_levels) return log2_count;
  }
  return 0;
}

/// How the threads of a device share a sweep. `LeastTeams` teams must fit on a multiprocessor.
/// \param few  see `log2_threads_of_column`
template <class Layout, int LeastTeams = StencilTuning::least_teams, class Space>
StencilChunks stencil_chunks(const Space& space, int num_packs, std::int64_t level_stride,
                             int num_levels, int few = CellTuning::few_threads) {
  StencilChunks chunks{num_packs, num_levels};
  if constexpr (levels_contiguous<Layout>) {
    chunks.log2_count = log2_threads_of_column(num_levels, few);
    chunks.count = 1 << chunks.log2_count;
    return chunks;
  }
  constexpr int shortest = StencilTuning::least_levels;
  constexpr int overhead = 2;  // levels that are read at the ends of a chunk
  const std::int64_t fit = teams_that_fit(space, StencilTuning::threads, LeastTeams);
  // Offsets have 32 bits, see `LevelRows`.
  const auto most = std::clamp<std::int64_t>(
      std::numeric_limits<int>::max() / (level_stride + 1) - 2, 1, num_levels);
  std::int64_t least_time = std::numeric_limits<std::int64_t>::max();
  for (auto levels = static_cast<int>(most); levels > 0; --levels) {
    const auto count = ceil_divide(num_levels, levels);
    levels = static_cast<int>(ceil_divide(num_levels, count));  // the fewest for this count
    const std::int64_t rounds = ceil_divide(num_packs * count, fit * StencilTuning::threads);
    const bool found = least_time < std::numeric_limits<std::int64_t>::max();
    if (found && (levels < shortest || rounds * (shortest + overhead) >= least_time)) break;
    const std::int64_t time = rounds * (levels + overhead);
    if (time >= least_time) continue;
    least_time = time;
    chunks.levels = levels;
    chunks.count = static_cast<int>(count);
  }
  return chunks;
}

/// Single columns and packs of columns in one kernel. Single columns come first: their walks take longer
/// than those of packs, which then fill the end of the kernel. No team has both in one round.
struct ColumnAndPackChunks {
  StencilChunks columns, packs;

  KOKKOS_FUNCTION std::int64_t num_threads() const {
    return first_of_packs() + packs.num_threads();
  }
  /// Calls one of the bodies (item, first level, end) for each piece of this thread.
  template <class Layout, class Member, class OnColumn, class OnPack>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(const Member& member, const OnColumn& on_column,
                                            const OnPack& on_pack) const {
    const std::int64_t step = static_cast<std::int64_t>(member.league_size()) * member.team_size();
    const std::int64_t begin = first_of_packs();
    std::int64_t thread = StencilChunks::first(member);
    for (; thread < begin; thread += step) {
      if (thread < columns.num_threads()) columns.template take<Layout>(thread, on_column);
    }
    for (; thread < num_threads(); thread += step) {
      packs.template take<Layout>(thread - begin, on_pack);
    }
  }

 private:
  KOKKOS_FUNCTION std::int64_t first_of_packs() const {
    return (columns.num_threads() + StencilTuning::threads - 1) / StencilTuning::threads *
           StencilTuning::threads;
  }
};

/// How the threads of a device share both: chunks have the same length.
template <class Layout, int LeastTeams = StencilTuning::least_teams, class Space>
ColumnAndPackChunks column_and_pack_chunks(const Space& space, int num_columns, int num_packs,
                                           std::int64_t level_stride, int num_levels) {
  const StencilChunks all =
      stencil_chunks<Layout, LeastTeams>(space, num_columns + num_packs, level_stride, num_levels);
  ColumnAndPackChunks chunks{all, all};
  chunks.columns.num_packs = num_columns;
  chunks.packs.num_packs = num_packs;
  return chunks;
}

/// Teams take at most `most_rounds` rounds, or one piece each, see `teams_in_rounds`.
template <int LeastTeams = StencilTuning::least_teams, int Threads = StencilTuning::threads,
          class Kernel, class Space>
void launch_stencil(const char* label, const Space& space, const Kernel& kernel,
                    int most_rounds = any_number_of_rounds,
                    KernelStart start = KernelStart::overlapped) {
  const std::int64_t pieces = ceil_divide(kernel.chunks.num_threads(), Threads);
  const std::int64_t fit = teams_that_fit(space, Threads, LeastTeams);
  launch_summing<Threads, LeastTeams>(label, space, teams_in_rounds(pieces, fit, most_rounds),
                                      kernel, start);
}

}  // namespace Lamina::Impl
