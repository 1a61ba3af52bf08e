// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/LaunchGraph.hpp>
#include <lamina/device/impl/OverlappedTeams_Device.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <cstddef>

namespace LaminaTest {

using GraphOfTest = Lamina::Impl::LaunchGraph<TEST_SPACE>;
using GraphsOfTest = Lamina::Impl::LaunchGraphs<TEST_SPACE, int>;

inline constexpr int graph_teams = 8;
inline constexpr int graph_team_size = Lamina::runs_on_host<TEST_SPACE> ? 1 : 64;
inline constexpr int graph_values = graph_teams * graph_team_size;
using GraphVector = Kokkos::View<double*, TEST_SPACE::memory_space>;

/// to_i = factor from_j + 1, with j of another team.
struct ScaleAndAdd {
  GraphVector from, to;
  double factor;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    team.let_next_begin();
    team.wait_for_previous();
    const int i = team.league_rank() * team.team_size() + team.team_rank();
    to(i) = factor * from((i + 3 * team.team_size() + 1) % graph_values) + 1;
  }
};

/// A call of two kernels, a to b to a, that says who enqueued it.
struct GraphCall {
  GraphVector a{"a", graph_values}, b{"b", graph_values};
  double factor = 1;
  std::size_t scratch_bytes = 0;
  int enqueued = 0, added = 0;

  void operator()(GraphsOfTest& graphs, const TEST_SPACE& space, int key) {
    graphs.launch(space, key, [&](GraphOfTest* graph) {
      ++(graph == nullptr ? enqueued : added);
      launch(space, ScaleAndAdd{a, b, factor}, Lamina::Impl::KernelStart::in_turn, graph);
      launch(space, ScaleAndAdd{b, a, 1}, Lamina::Impl::KernelStart::overlapped, graph);
    });
  }
  void expect(double expected) const {
    const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), a);
    for (std::size_t i = 0; i < graph_values; ++i) ASSERT_EQ(on_host(i), expected) << i;
  }

 private:
  void launch(const TEST_SPACE& space, const ScaleAndAdd& kernel, Lamina::Impl::KernelStart start,
              GraphOfTest* graph) const {
    Lamina::Impl::launch_teams<64, 1>("LaminaTest::scale_and_add", space, graph_teams,
                                      graph_team_size, scratch_bytes, kernel, start, graph);
  }
};

}  // namespace LaminaTest
