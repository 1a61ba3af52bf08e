// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Sums over all teams of a kernel on a device, in two kernels: each team leaves its part, and a
// small kernel adds the parts up in their order. Kokkos' own reductions end inside the kernel, which
// costs more: every team waits for its part to be visible to all others before it makes room for
// the next team.

#include <Kokkos_Core.hpp>

#include <string>

namespace Lamina::Impl {

/// Most teams of such a kernel; they go round where there is more to do.
inline constexpr int max_summing_teams = 1 << 14;

/// Policy of kernels on a device. Without the hint Kokkos copies functors of more than 512 bytes to
/// constant memory, and lets each launch wait for the kernel before.
template <class Space, unsigned MaxThreads, unsigned MinTeams>
using DeviceTeams = Kokkos::TeamPolicy<Space, Kokkos::LaunchBounds<MaxThreads, MinTeams>,
                                       Kokkos::Experimental::WorkItemProperty::HintLightWeight_t>;

/// The parts that teams leave: `max_summing_teams` for each of `max_sums` sums.
template <class Memory>
class TeamParts {
 public:
  static constexpr int max_sums = 2;

  TeamParts() = default;
  explicit TeamParts(const std::string& label)
      : m_parts(Kokkos::view_alloc(label, Kokkos::WithoutInitializing),
                static_cast<std::size_t>(max_summing_teams) * max_sums) {}

  /// Leaves this team's part of sum `n`; all its threads call.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void leave(const Member& member, int n, double value) const {
    member.team_reduce(Kokkos::Sum<double>(value));
    if (member.team_rank() == 0) at(n, member.league_rank()) = value;
  }
  KOKKOS_FORCEINLINE_FUNCTION double& at(int n, int team) const {
    return m_parts(static_cast<std::size_t>(n) * max_summing_teams +
                   static_cast<std::size_t>(team));
  }

 private:
  Kokkos::View<double*, Memory> m_parts;
};

/// Adds the parts up: one team does it all.
template <class Memory>
struct AddTeamParts {
  TeamParts<Memory> parts;
  int num_teams, num_sums;
  double* sums;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& member) const {
    for (int n = 0; n < num_sums; ++n) {
      double value = 0;
      for (int team = member.team_rank(); team < num_teams; team += member.team_size()) {
        value += parts.at(n, team);
      }
      member.team_reduce(Kokkos::Sum<double>(value));
      if (member.team_rank() == 0) sums[n] = value;
    }
  }
};

/// sums[n], n < num_sums, from what `num_teams` teams left.
template <class Space, class Memory>
void add_team_parts(const Space& space, const TeamParts<Memory>& parts, int num_teams, int num_sums,
                    double* sums) {
  constexpr int threads = 512;
  Kokkos::parallel_for("Lamina::TeamParts::add", DeviceTeams<Space, threads, 1>(space, 1, threads),
                       AddTeamParts<Memory>{parts, num_teams, num_sums, sums});
}

}  // namespace Lamina::Impl
