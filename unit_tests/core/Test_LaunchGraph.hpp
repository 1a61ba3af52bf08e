// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Concepts.hpp>
#include <lamina/core/KernelRecorder.hpp>
#include <lamina/core/impl/LaunchGraph.hpp>
#include <lamina/core/impl/OverlappedTeams_Device.hpp>

#include <gtest/gtest.h>
#include <support/OwnStream.hpp>

#include <cstddef>
#include <exception>
#include <vector>

namespace LaminaTest {

using GraphOfTest = Lamina::Impl::LaunchGraph<TEST_SPACE>;
using GraphsOfTest = Lamina::Impl::LaunchGraphs<TEST_SPACE, int>;

inline constexpr int graph_teams = 8;
inline constexpr int graph_team_size = Lamina::Impl::runs_on_host<TEST_SPACE> ? 1 : 64;
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

TEST(LaunchGraph, StandsForACallFromItsSecondTimeOn) {
  const TEST_SPACE space;
  GraphsOfTest graphs;
  GraphCall call;
  for (int n = 1; n <= 5; ++n) {
    call(graphs, space, 0);
    EXPECT_EQ(call.enqueued, GraphOfTest::exists ? 1 : n);
    EXPECT_EQ(call.added, GraphOfTest::exists && n > 1 ? 1 : 0);
  }
  space.fence();
  call.expect(10);
}

TEST(LaunchGraph, HoldsTheArgumentsOfItsCall) {
  const TEST_SPACE space;
  GraphsOfTest graphs;
  std::vector<GraphCall> calls(3);
  for (std::size_t k = 0; k < calls.size(); ++k) calls[k].factor = static_cast<double>(k);
  for (int n = 0; n < 4; ++n) {
    for (std::size_t k = 0; k < calls.size(); ++k) calls[k](graphs, space, static_cast<int>(k));
  }
  space.fence();
  calls[0].expect(2);
  calls[1].expect(8);
  calls[2].expect(30);  // 2 (2 (2 (0 + 1) + 1) ...: x -> 2 x + 2
}

TEST(LaunchGraph, IsOfTheCallsThatCameLast) {
  const TEST_SPACE space;
  GraphsOfTest graphs;
  GraphCall call;
  const int num_keys = static_cast<int>(GraphsOfTest::capacity) + 1;
  for (int n = 0; n < 3 * num_keys; ++n) call(graphs, space, n % num_keys);
  EXPECT_EQ(call.enqueued, 3 * num_keys) << "each forgotten before it came again";
  for (int n = 0; n < 3; ++n) call(graphs, space, 100);
  EXPECT_EQ(call.added, GraphOfTest::exists ? 1 : 0);
  space.fence();
  call.expect(2 * (3 * num_keys + 3));
}

TEST(LaunchGraph, IsLaunchedOnAnyInstance) {
  GraphsOfTest graphs;
  GraphCall call;
  {
    const TEST_SPACE space;
    for (int n = 0; n < 3; ++n) call(graphs, space, 0);
    space.fence();
  }
  for (int k = 0; k < 2; ++k) {
    const OwnStream stream;
    const TEST_SPACE space = stream.space();
    for (int n = 0; n < 3; ++n) call(graphs, space, 0);
    space.fence();
  }
  call.expect(18);
}

TEST(LaunchGraph, IsNotUsedWhileToolsListen) {
  const TEST_SPACE space;
  GraphsOfTest graphs;
  GraphCall call;
  for (int n = 0; n < 3; ++n) call(graphs, space, 0);
  Lamina::KernelRecorder recorder;
  for (int n = 0; n < 3; ++n) call(graphs, space, 0);
  space.fence();
  call.expect(12);
  const auto records = recorder.records({});
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].calls, 6);
}

#if defined(KOKKOS_ENABLE_CUDA)
TEST(LaunchGraph, LeavesItToLaunchesToSayWhatTheDeviceRefuses) {
  if constexpr (GraphOfTest::exists) {
    const TEST_SPACE space;
    GraphsOfTest graphs;
    GraphCall call;
    call.scratch_bytes = std::size_t{1} << 24;
    for (int n = 0; n < 3; ++n) EXPECT_THROW(call(graphs, space, 0), std::exception);
    EXPECT_EQ(call.enqueued, 3);
    EXPECT_EQ(call.added, 1);
    call.scratch_bytes = 0;
    for (int n = 0; n < 3; ++n) call(graphs, space, 1);
    space.fence();
    call.expect(6);
  } else {
    GTEST_SKIP() << "no graphs";
  }
}
#endif

}  // namespace LaminaTest
