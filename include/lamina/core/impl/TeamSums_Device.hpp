// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Sums over all teams of a kernel on a device: each team leaves its part, and the last one to do so
// adds the parts up in their order, such that the sum does not depend on who was last. A team waits
// for its part to be visible to all others before it makes room for the next one, so kernels start
// no more teams than fit on the device and let them go round. Kokkos' own reductions over teams cost
// some 40 microseconds a call (4.6 on an H200), as much as a sweep that reads one field.

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace Lamina::Impl {

/// Most teams of such a kernel.
inline constexpr int max_summing_teams = 1 << 14;

/// Of a team's scratch, where kernels are launched with it.
inline constexpr std::size_t scratch_alignment = 64;

/// Policy of kernels on a device. Without the hint Kokkos copies functors of more than 512 bytes to
/// constant memory, and lets each launch wait for the kernel before.
template <class Space, unsigned MaxThreads, unsigned MinTeams>
using DeviceTeams = Kokkos::TeamPolicy<Space, Kokkos::LaunchBounds<MaxThreads, MinTeams>,
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

/// Teams to start for `rounds` rounds of work: no more than `fit` at once, each with the same number
/// of rounds.
inline int teams_at_once(std::int64_t rounds, std::int64_t fit) {
  const std::int64_t rounds_of_team = std::max<std::int64_t>(1, (rounds + fit - 1) / fit);
  return static_cast<int>(
      std::max<std::int64_t>(1, (rounds + rounds_of_team - 1) / rounds_of_team));
}

/// Where teams leave their parts: room for `max_sums` sums of one kernel at a time.
template <class Memory>
class TeamParts {
 public:
  static constexpr int max_sums = 2;

  TeamParts() = default;
  explicit TeamParts(const std::string& label)
      : m_parts(Kokkos::view_alloc(label, Kokkos::WithoutInitializing),
                static_cast<std::size_t>(max_summing_teams) * max_sums),
        m_arrived(label + "_arrived") {}

  /// The room itself, for kernels whose teams add up by other means: max_summing_teams * max_sums
  /// values.
  double* data() const { return m_parts.data(); }

  /// sums[n] = sum of values[n] of all threads of all teams; once in a kernel, by all of them.
  /// Complete when the kernel is.
  template <int NumSums, class Member>
  KOKKOS_FUNCTION void add_up(const Member& member, double* scratch, const double* values,
                              double* sums) const {
    add_up<NumSums>(member, scratch, values, [=](int n, double sum) { sums[n] = sum; });
  }
  /// The same; set(n, sum) is called by one thread. `scratch` has a value for each thread. Not Kokkos' team reductions:
  /// for their sake the compiler holds a team's handle in registers through the whole kernel.
  template <int NumSums, class Member, class Set>
  KOKKOS_FUNCTION void add_up(const Member& member, double* scratch, const double* values,
                              const Set& set) const {
    static_assert(NumSums <= max_sums);
    const int rank = member.team_rank(), size = member.team_size();
    for (int n = 0; n < NumSums; ++n) {
      const double part = sum_of_team(member, scratch, values[n]);
      if (rank == 0) at(n, member.league_rank()) = part;
    }
    if (!is_last(member, scratch)) return;
    constexpr int in_flight = 4;
    const int num_teams = member.league_size();
    for (int n = 0; n < NumSums; ++n) {
      double value = 0;
      for (int first = rank; first < num_teams; first += in_flight * size) {
        double parts[in_flight];
        for (int i = 0; i < in_flight; ++i) {
          const int team = first + i * size;
          parts[i] = team < num_teams ? at(n, team) : 0;
        }
        for (int i = 0; i < in_flight; ++i) value += parts[i];
      }
      value = sum_of_team(member, scratch, value);
      if (rank == 0) set(n, value);
    }
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION double& at(int n, int team) const {
    return m_parts(static_cast<std::size_t>(n) * max_summing_teams +
                   static_cast<std::size_t>(team));
  }

  /// The sum of a value of each thread, in the same order each time.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION static double sum_of_team(const Member& member, double* scratch,
                                                        double value) {
    const int rank = member.team_rank();
    member.team_barrier();
    scratch[rank] = value;
    int count = member.team_size();
    while (count > 1) {
      const int half = (count + 1) / 2;
      member.team_barrier();
      if (rank + half < count) scratch[rank] += scratch[rank + half];
      count = half;
    }
    member.team_barrier();
    return scratch[0];
  }

  /// True for the last team: the parts of all others are visible to it.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION bool is_last(const Member& member, double* scratch) const {
    member.team_barrier();
    if (member.team_rank() == 0) {
      Kokkos::memory_fence();
      const bool last = Kokkos::atomic_fetch_add(&m_arrived(), 1) == member.league_size() - 1;
      Kokkos::memory_fence();
      if (last) m_arrived() = 0;  // for the next kernel
      scratch[0] = last ? 1 : 0;
    }
    member.team_barrier();
    const bool last = scratch[0] > 0;
    if (last) Kokkos::memory_fence();
    return last;
  }

  Kokkos::View<double*, Memory> m_parts;
  Kokkos::View<int, Memory> m_arrived;
};

}  // namespace Lamina::Impl
