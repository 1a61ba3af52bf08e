// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Kernels that follow each other closely: where the device can do it, teams of the next one begin
// while the last teams of the one before are still at work, load what does not depend on it, and
// wait. See `OverlappedTeams_Cuda.hpp`.

#include <lamina/device/impl/LaunchGraph.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>

namespace Lamina::Impl {

enum class KernelStart {
  overlapped,  ///< while the kernel before is still at work, where the device can do it
  in_turn      ///< when it has ended
};

/// A team of a kernel that Kokkos launches, which is always in turn.
template <class Member>
class KokkosTeam {
 public:
  KOKKOS_FORCEINLINE_FUNCTION KokkosTeam(const Member& member, void* scratch)
      : m_member(member), m_scratch(scratch) {}

  /// Teams of the next kernel may begin once all of this one have called this.
  KOKKOS_FORCEINLINE_FUNCTION void let_next_begin() const {}
  /// Waits until the kernels before have ended and what they wrote is visible. All threads call it,
  /// also those with nothing to do: kernels further on wait for this one only. Before it they write
  /// nothing, and read what no kernel writes, or none since one that started in turn, as summing
  /// kernels do not. To call it again costs next to nothing. Not for reads through textures or
  /// `ld.global.nc`, which want data that nobody writes while the kernel is there: such kernels
  /// start in turn.
  KOKKOS_FORCEINLINE_FUNCTION void wait_for_previous() const {}

  /// Aligned to `scratch_alignment`.
  KOKKOS_FORCEINLINE_FUNCTION void* scratch() const { return m_scratch; }
  KOKKOS_FORCEINLINE_FUNCTION int league_rank() const { return m_member.league_rank(); }
  KOKKOS_FORCEINLINE_FUNCTION int league_size() const { return m_member.league_size(); }
  KOKKOS_FORCEINLINE_FUNCTION int team_rank() const { return m_member.team_rank(); }
  KOKKOS_FORCEINLINE_FUNCTION int team_size() const { return m_member.team_size(); }
  KOKKOS_FORCEINLINE_FUNCTION void team_barrier() const { m_member.team_barrier(); }

 private:
  const Member& m_member;
  void* m_scratch;
};

/// Calls a kernel with such teams.
template <class Kernel>
struct KokkosTeamKernel {
  using value_type = double;  ///< of sums

  Kernel kernel;
  std::size_t scratch_bytes;

  /// Where the kernel adds something up, `sum` is the thread's part of it.
  template <class Member, class... Sum>
  KOKKOS_FUNCTION void operator()(const Member& member, Sum&... sum) const {
    void* scratch = nullptr;
    if (scratch_bytes > 0) {
      scratch = member.team_scratch(0).get_shmem_aligned(scratch_bytes, scratch_alignment);
    }
    kernel(KokkosTeam(member, scratch), sum...);
  }
};

/// Their policy. Kokkos takes room for alignment from the same scratch.
template <unsigned MaxThreads, unsigned MinTeams, class Space>
auto kokkos_teams(const Space& space, int teams, int team_size, std::size_t scratch_bytes) {
  const std::size_t room = scratch_bytes == 0 ? 0 : scratch_bytes + scratch_alignment;
  return DeviceTeams<Space, MaxThreads, MinTeams>(space, teams, team_size)
      .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(room)));
}

/// Runs kernel(team) in all threads of `teams` teams of `team_size`, at most MaxThreads, threads
/// with registers for MinTeams teams of MaxThreads on a multiprocessor. All threads call
/// `wait_for_previous` themselves; a kernel that never calls `let_next_begin` does so by its end.
/// With `graph` the kernel is added to that instead of being enqueued.
template <unsigned MaxThreads, unsigned MinTeams, class Space, class Kernel>
void launch_teams(const std::string& label, const Space& space, int teams, int team_size,
                  std::size_t scratch_bytes, const Kernel& kernel,
                  KernelStart = KernelStart::overlapped, LaunchGraph<Space>* = nullptr) {
  Kokkos::parallel_for(label,
                       kokkos_teams<MaxThreads, MinTeams>(space, teams, team_size, scratch_bytes),
                       KokkosTeamKernel<Kernel>{kernel, scratch_bytes});
}

}  // namespace Lamina::Impl

#if defined(KOKKOS_ENABLE_CUDA)
#include <lamina/device/impl/OverlappedTeams_Cuda.hpp>
#endif

namespace Lamina::Impl {

/// A kernel that waits for the one before. What `prepare`, if it has that, reads is there by then:
/// it is held to what `wait_for_previous` says.
template <class Kernel>
struct WaitingKernel {
  Kernel kernel;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    if constexpr (requires { kernel.prepare(team); }) {
      const auto prepared = kernel.prepare(team);
      team.wait_for_previous();
      kernel(team, prepared);
    } else {
      team.wait_for_previous();
      kernel(team);
    }
  }
};

/// Runs such a kernel, with scratch for `TeamParts::add_up`, which lets the next kernel begin when
/// the first threads of all teams have come to their sums. Not earlier: teams have their share of
/// the work from the start, and begun while others are at work they probably crowd where there is
/// room first. Iterations of `FusedHelmholtz` on an H200 were up to 45 % longer that way, and are
/// 1 to 3 % shorter this way, than in turn.
template <unsigned TeamSize, unsigned MinTeams, class Space, class Kernel>
void launch_summing(const std::string& label, const Space& space, int teams, const Kernel& kernel,
                    KernelStart start = KernelStart::overlapped) {
  launch_teams<TeamSize, MinTeams>(label, space, teams, TeamSize, TeamSize * sizeof(double),
                                   WaitingKernel<Kernel>{kernel}, start);
}

}  // namespace Lamina::Impl
