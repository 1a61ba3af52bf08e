// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/OverlappedTeams_Device.hpp>

#include <device/OverlapCase.hpp>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

namespace LaminaTest {

TEST(OverlappedTeams, ReadWhatTheKernelBeforeWroteLast) {
  const TEST_SPACE space;
  const OverlapVector a("a", overlap_values), b("b", overlap_values);
  constexpr int count = 20;
  for (int n = 0; n < count; n += 2) {
    launch_late(space, LateSum{a, b});
    launch_late(space, LateSum{b, a});
  }
  space.fence();
  expect_all_in(a, count);
}

/// Outside of the test's class, whose kernels nvcc would refuse.
inline void launch_between_kernels_of_kokkos(const TEST_SPACE& space, const OverlapVector& a,
                                             const OverlapVector& b, double start) {
  const Kokkos::RangePolicy<TEST_SPACE> all(space, 0, overlap_values);
  Kokkos::parallel_for(
      "LaminaTest::before", all,
      KOKKOS_LAMBDA(int i) { a(static_cast<std::size_t>(i)) = spin(start); });
  launch_late(space, LateSum{a, b});
  launch_late(space, LateSum{b, a});
  Kokkos::parallel_for(
      "LaminaTest::after", all, KOKKOS_LAMBDA(int i) {
        b(static_cast<std::size_t>(i)) = a(static_cast<std::size_t>(overlap_values - 1 - i)) + 1;
      });
  launch_late(space, LateSum{b, a}, Lamina::Impl::KernelStart::in_turn);
}

TEST(OverlappedTeams, WaitForKernelsOfKokkosAndTheseForThem) {
  const TEST_SPACE space;
  const OverlapVector a("a", overlap_values), b("b", overlap_values);
  for (int n = 0; n < 5; ++n) {
    launch_between_kernels_of_kokkos(space, a, b, 2 * n);
    space.fence();
    expect_all_in(a, 2 * n + 4);
  }
}

/// `LateSum` with steps that were read before the wait.
struct PreparedSum {
  OverlapVector steps, from, to;

  template <class Team>
  KOKKOS_FUNCTION double prepare(const Team& team) const {
    return steps(team.league_rank() * team.team_size() + team.team_rank());
  }
  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team, double step) const {
    team.let_next_begin();
    const int i = team.league_rank() * team.team_size() + team.team_rank();
    const int j = (i + 3 * team.team_size() + 1) % overlap_values;
    to(i) = spin(from(j)) + step;
  }
};

TEST(OverlappedTeams, PrepareBeforeTheyReadWhatTheKernelBeforeWrote) {
  const TEST_SPACE space;
  const OverlapVector a("a", overlap_values), b("b", overlap_values), steps("s", overlap_values);
  Kokkos::deep_copy(steps, 2.0);
  using Kernel = Lamina::Impl::WaitingKernel<PreparedSum>;
  constexpr int count = 20;
  for (int n = 0; n < count; n += 2) {
    launch_late(space, Kernel{{steps, a, b}});
    launch_late(space, Kernel{{steps, b, a}});
  }
  space.fence();
  expect_all_in(a, 2 * count);
}

/// What a team is told, and that its scratch is its own.
struct ShowTeam {
  OverlapVector result;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    auto* const scratch = static_cast<int*>(team.scratch());
    const auto place = reinterpret_cast<std::uintptr_t>(scratch);
    scratch[team.team_rank()] = 1000 * team.league_rank() + team.team_rank();
    team.team_barrier();
    const int other = team.team_size() - 1 - team.team_rank();
    const bool right = team.league_size() == overlap_teams &&
                       team.team_size() == overlap_team_size &&
                       place % Lamina::Impl::scratch_alignment == 0 &&
                       scratch[other] == 1000 * team.league_rank() + other;
    result(team.league_rank() * team.team_size() + team.team_rank()) = right ? 1 : 0;
  }
};

TEST(OverlappedTeams, HaveTheirShapeAndScratch) {
  const TEST_SPACE space;
  const OverlapVector result("result", overlap_values);
  Lamina::Impl::launch_teams<64, 1>("LaminaTest::show", space, overlap_teams, overlap_team_size,
                                    overlap_team_size * sizeof(int),
                                    Lamina::Impl::WaitingKernel<ShowTeam>{{result}});
  space.fence();
  expect_all_in(result, 1);
}

}  // namespace LaminaTest
