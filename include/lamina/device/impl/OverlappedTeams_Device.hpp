// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Kernels that overlap. Where the device supports it, teams of a kernel start while the last teams
// of the kernel before still run. They load values that do not depend on that kernel, and wait. See
// `OverlappedTeams_Cuda.hpp`.

#include <lamina/device/impl/LaunchGraph.hpp>
#include <lamina/device/impl/TeamSums_Device.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>

namespace Lamina::Impl {

enum class KernelStart {
  overlapped,  ///< while the kernel before still runs, where the device supports it
  in_turn      ///< when the kernel before has ended
};

/// A team of a kernel that Kokkos launches. Such a kernel always starts in turn.
template <class Member>
class KokkosTeam {
 public:
  KOKKOS_FORCEINLINE_FUNCTION KokkosTeam(const Member& member, void* scratch)
      : m_member(member), m_scratch(scratch) {}

  /// The next kernel may start when all teams of this one have called this.
  KOKKOS_FORCEINLINE_FUNCTION void let_next_begin() const {}
  /// Waits until the kernels before have ended and their writes are visible. All threads must call
  /// it, even those without work: later kernels wait for this one only. Calling it again costs next
  /// to nothing.
  ///
  /// Before it a thread must not write. It may read only data that no kernel writes, or that no
  /// kernel has written since one that started in turn (summing kernels do not). It must not read
  /// through textures or `ld.global.nc`, which need data that stay constant during the kernel:
  /// kernels that do start in turn.
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

/// Calls a kernel with teams of Kokkos.
template <class Kernel>
struct KokkosTeamKernel {
  using value_type = double;  ///< of sums

  Kernel kernel;
  std::size_t scratch_bytes;

  /// `sum` is the part of this thread, where the kernel computes a sum.
  template <class Member, class... Sum>
  KOKKOS_FUNCTION void operator()(const Member& member, Sum&... sum) const {
    void* scratch = nullptr;
    if (scratch_bytes > 0) {
      scratch = member.team_scratch(0).get_shmem_aligned(scratch_bytes, scratch_alignment);
    }
    kernel(KokkosTeam(member, scratch), sum...);
  }
};

/// The policy of such kernels. Kokkos takes the padding for alignment from the same scratch.
template <unsigned MaxThreads, unsigned MinTeams, class Space>
auto kokkos_teams(const Space& space, int teams, int team_size, std::size_t scratch_bytes) {
  const std::size_t room = scratch_bytes == 0 ? 0 : scratch_bytes + scratch_alignment;
  return DeviceTeams<Space, MaxThreads, MinTeams>(space, teams, team_size)
      .set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(room)));
}

/// Runs kernel(team) in all threads of `teams` teams of `team_size` threads, at most MaxThreads.
/// The compiler limits registers such that MinTeams teams of MaxThreads fit on a multiprocessor.
/// All threads must call `wait_for_previous`. A kernel that never calls `let_next_begin` does so by
/// its end. With `graph` the kernel is added to the graph instead of being enqueued.
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
#include <lamina/device/impl/cuda/OverlappedTeams_Cuda.hpp>
#endif

namespace Lamina::Impl {

/// A kernel that waits for the kernel before. Its `prepare`, if it has one, runs before the wait.
/// It may read only what `wait_for_previous` allows.
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

/// Runs such a kernel, with scratch for `TeamParts::add_up`. That call lets the next kernel start,
/// when all teams have reached their sums. Not earlier: each team has a fixed share of the work,
/// and teams that start early cluster on the first free multiprocessors.
template <unsigned TeamSize, unsigned MinTeams, class Space, class Kernel>
void launch_summing(const std::string& label, const Space& space, int teams, const Kernel& kernel,
                    KernelStart start = KernelStart::overlapped) {
  launch_teams<TeamSize, MinTeams>(label, space, teams, TeamSize, TeamSize * sizeof(double),
                                   WaitingKernel<Kernel>{kernel}, start);
}

}  // namespace Lamina::Impl
