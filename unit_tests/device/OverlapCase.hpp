// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/OverlappedTeams_Device.hpp>

#include <gtest/gtest.h>

#include <cstddef>

namespace LaminaTest {

inline constexpr int overlap_teams = 8;
inline constexpr int overlap_team_size = Lamina::runs_on_host<TEST_SPACE> ? 1 : 64;
inline constexpr int overlap_values = overlap_teams * overlap_team_size;
using OverlapVector = Kokkos::View<double*, TEST_SPACE::memory_space>;

/// A long time on any device: 20000 steps that wait for each other.
KOKKOS_INLINE_FUNCTION double spin(double value) {
  for (int n = 0; n < 20000; ++n) value = value * 0.5 + value * 0.5;
  return value;
}

/// to_i = from_j + 1 with j of another team, late. Teams of several such kernels fit on a device
/// together.
struct LateSum {
  OverlapVector from, to;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    team.let_next_begin();
    team.wait_for_previous();
    const int i = team.league_rank() * team.team_size() + team.team_rank();
    const int j = (i + 3 * team.team_size() + 1) % overlap_values;
    to(i) = spin(from(j)) + 1;
  }
};

template <class Kernel>
void launch_late(const TEST_SPACE& space, const Kernel& kernel,
                 Lamina::Impl::KernelStart start = Lamina::Impl::KernelStart::overlapped) {
  Lamina::Impl::launch_teams<64, 1>("LaminaTest::late", space, overlap_teams, overlap_team_size, 0,
                                    kernel, start);
}

inline void expect_all_in(const OverlapVector& values, double expected) {
  const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
  for (std::size_t i = 0; i < overlap_values; ++i) ASSERT_EQ(on_host(i), expected) << i;
}

}  // namespace LaminaTest
