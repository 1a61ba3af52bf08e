// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Sums over all teams of a kernel on a device. Each team leaves its part. The team of the highest
// rank waits for all parts and adds them up in the order of ranks: a sum does not depend on which
// team came last. A part is a message by itself: there are no memory fences and no counter of
// arrivals.
//
// Only the team of the highest rank waits. It occupies one slot of many, so that the others run
// whatever their order. CUDA starts teams in the order of their ranks, so that it hardly waits.
// docs/developer/tuning.md compares the costs with Kokkos' reductions over teams.

#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/Tuning.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

namespace Lamina::Impl {

/// Most teams of such a kernel.
inline constexpr int max_summing_teams = 1 << 18;

/// Alignment of a team's scratch.
inline constexpr std::size_t scratch_alignment = 64;

/// The policy of kernels on a device. Without the hint Kokkos copies functors of more than 512
/// bytes to constant memory, and each launch then waits for the kernel before.
template <class Space, unsigned MaxThreads, unsigned MinTeams>
using DeviceTeams =
    Kokkos::TeamPolicy<Space,
                       Kokkos::LaunchBounds<MaxThreads, min_teams_bound(MaxThreads, MinTeams)>,
                       Kokkos::Experimental::WorkItemProperty::HintLightWeight_t>;

/// Teams of a kernel that fit on the device at once, with the registers that a policy of
/// `min_teams` teams of this size leaves them: 2048 threads have 32 each. Where a multiprocessor
/// takes fewer threads than that, its registers go further, and some teams more would fit.
template <class Space>
std::int64_t teams_that_fit(const Space& space, int team_size, int min_teams) {
  const std::int64_t threads =
      static_cast<std::int64_t>(space.concurrency()) * min_teams * team_size / 2048;
  return std::clamp<std::int64_t>(threads / team_size, 1, max_summing_teams);
}

/// Number of teams for `rounds` rounds of work: at most `fit`, each with the same number of rounds.
inline int teams_at_once(std::int64_t rounds, std::int64_t fit) {
  const std::int64_t rounds_of_team = std::max<std::int64_t>(1, (rounds + fit - 1) / fit);
  return static_cast<int>(
      std::max<std::int64_t>(1, (rounds + rounds_of_team - 1) / rounds_of_team));
}

/// A `most_rounds` without a limit: never more teams than fit.
inline constexpr int any_number_of_rounds = std::numeric_limits<int>::max();

/// The same, but with one team for each piece of work, up to `max_summing_teams`, where teams would
/// take more than `most_rounds` rounds.
///
/// Rounds save the start and end of teams. But some teams are faster than others. After many rounds
/// neighbouring pieces are no longer processed at the same time, and shared data have left the
/// cache. Teams of one piece start in the order of their ranks, so that neighbouring pieces stay
/// together.
inline int teams_in_rounds(std::int64_t pieces, std::int64_t fit, int most_rounds) {
  const bool many = pieces > fit * most_rounds;
  return teams_at_once(pieces, many ? max_summing_teams : fit);
}

/// Memory for the parts of `max_sums` sums of one kernel at a time. Two kernels that use the same
/// parts, or copies of them, at the same time could wait for ever.
template <class Memory>
class TeamParts {
 public:
  static constexpr int max_sums = 2;
  static constexpr std::size_t other_room = 1 << 15;
  /// What it allocates.
  static constexpr double bytes =
      (static_cast<double>(max_summing_teams) * max_sums + other_room) * sizeof(double);

  TeamParts() = default;
  explicit TeamParts(const std::string& label)
      : m_parts(Kokkos::view_alloc(label, Kokkos::WithoutInitializing), room),
        m_other(Kokkos::view_alloc(label + "_other", Kokkos::WithoutInitializing), other_room) {
    Kokkos::deep_copy(m_parts, absent);
  }

  /// `other_room` values for kernels whose teams are all on the device at once, and which add up by
  /// other means.
  double* data() const { return m_other.data(); }

  /// sums[n] = sum of values[n] over all threads of all teams. All threads call it once in a
  /// kernel, as their last action, because it lets the next kernel start. `sums` is complete when
  /// the kernel ends.
  template <int NumSums, class Team>
  KOKKOS_FUNCTION void add_up(const Team& team, double* scratch, const double* values,
                              double* sums) const {
    add_up<NumSums>(team, scratch, values, [=](int n, double sum) { sums[n] = sum; });
  }
  /// The same. One thread calls set(n, sum). `scratch` has a value for each thread. Kokkos' team
  /// reductions are not used: they keep a team's handle in registers through the whole kernel.
  template <int NumSums, class Team, class Set>
  KOKKOS_FUNCTION void add_up(const Team& team, double* scratch, const double* values,
                              const Set& set) const {
    static_assert(NumSums <= max_sums);
    team.let_next_begin();
    for (int n = 0; n < NumSums; ++n) {
      const double part = sum_of_team(team, scratch, values[n]);
      if (team.team_rank() == 0) place(n, team.league_rank()) = bits_of(part);
    }
    if (team.league_rank() != team.league_size() - 1) return;
    for (int n = 0; n < NumSums; ++n) {
      const double sum = sum_of_team(team, scratch, collect(team, n));
      if (team.team_rank() == 0) set(n, sum);
    }
  }

 private:
  static constexpr std::size_t room = static_cast<std::size_t>(max_summing_teams) * max_sums;
  /// Marks a part that has not arrived: a signalling NaN, which no addition gives.
  static constexpr std::uint64_t absent = 0xfff4'0000'0000'0001;

  KOKKOS_FORCEINLINE_FUNCTION static std::uint64_t bits_of(double value) {
    std::uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
  }
  KOKKOS_FORCEINLINE_FUNCTION volatile std::uint64_t& place(int n, int team) const {
    return m_parts(static_cast<std::size_t>(n) * max_summing_teams +
                   static_cast<std::size_t>(team));
  }

  /// Adds up this thread's share of the parts of all teams, in the same order each time. Waits for
  /// them, and resets their places for the next kernel.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION double collect(const Team& team, int n) const {
    constexpr int in_flight = TeamSumTuning::parts_in_flight;
    const int num_teams = team.league_size(), size = team.team_size();
    double sum = 0;
    for (int first = team.team_rank(); first < num_teams; first += in_flight * size) {
      std::uint64_t parts[in_flight];
      bool complete;
      do {
        complete = true;
        for (int i = 0; i < in_flight; ++i) {
          const int other = first + i * size;
          parts[i] = other < num_teams ? place(n, other) : 0;  // the bits of 0.0
        }
        for (int i = 0; i < in_flight; ++i) complete &= parts[i] != absent;
      } while (!complete);
      for (int i = 0; i < in_flight; ++i) {
        const int other = first + i * size;
        if (other < num_teams) place(n, other) = absent;
        double part;
        memcpy(&part, &parts[i], sizeof part);
        sum += part;
      }
    }
    return sum;
  }

  /// The sum of the values of all threads, in the same order each time.
  template <class Team>
  KOKKOS_FORCEINLINE_FUNCTION static double sum_of_team(const Team& team, double* scratch,
                                                        double value) {
    const int rank = team.team_rank();
    team.team_barrier();
    scratch[rank] = value;
    int count = team.team_size();
    while (count > 1) {
      const int half = (count + 1) / 2;
      team.team_barrier();
      if (rank + half < count) scratch[rank] += scratch[rank + half];
      count = half;
    }
    team.team_barrier();
    return scratch[0];
  }

  Kokkos::View<std::uint64_t*, Memory> m_parts;
  Kokkos::View<double*, Memory> m_other;
};

}  // namespace Lamina::Impl
