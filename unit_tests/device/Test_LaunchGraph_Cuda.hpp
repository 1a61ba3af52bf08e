// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What graphs have to do with streams, captures, threads and errors of CUDA.

#include <Kokkos_Core.hpp>

#include <device/GraphCase.hpp>
#include <gtest/gtest.h>
#include <support/OwnStream.hpp>

#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace LaminaTest {

TEST(LaunchGraphCuda, LeavesItToLaunchesToSayWhatTheDeviceRefuses) {
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
}

/// Keeps an instance busy until it is told otherwise, for some seconds at most.
struct WaitForWord {
  const volatile int* word;

  KOKKOS_FUNCTION void operator()(int) const {
    for (int polls = 0; polls < (1 << 22) && *word == 0; ++polls) {
    }
  }
};

TEST(LaunchGraphCuda, ComesAfterWhatItsInstanceDoes) {
  if (!instances_are_told_apart) GTEST_SKIP() << "one instance for all";
  const OwnStream stream, other_stream;
  const TEST_SPACE space = stream.space(), other = other_stream.space();
  GraphsOfTest graphs;
  GraphCall call;
  for (int n = 0; n < 3; ++n) call(graphs, other, 0);
  other.fence();
  const Kokkos::View<int, Kokkos::CudaHostPinnedSpace> word("word");
  Kokkos::parallel_for("LaminaTest::wait", Kokkos::RangePolicy<TEST_SPACE>(space, 0, 1),
                       WaitForWord{word.data()});
  call(graphs, space, 0);
  other.fence();  // would end a graph that went there
  const auto early = Kokkos::create_mirror_view(Kokkos::HostSpace(), call.a);
  Kokkos::deep_copy(other, early, call.a);
  other.fence();
  EXPECT_EQ(early(0), 6);
  *static_cast<volatile int*>(word.data()) = 1;
  space.fence();
  call.expect(8);
  EXPECT_EQ(call.added, 1);
  EXPECT_EQ(call.enqueued, 1);
}

TEST(LaunchGraphCuda, LeavesCapturesOfTheUserWhole) {
  if (!instances_are_told_apart) GTEST_SKIP() << "one instance for all";
  const OwnStream stream, other_stream;
  const TEST_SPACE space = stream.space(), other = other_stream.space();
  GraphsOfTest graphs;
  GraphCall call, other_call;
  for (int n = 0; n < 2; ++n) call(graphs, space, 0);
  other_call(graphs, other, 1);
  cudaGraph_t captured = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(space.cuda_stream(), cudaStreamCaptureModeGlobal), cudaSuccess);
  call(graphs, space, 0);  // becomes part of it
  constexpr int num_others = 1 + static_cast<int>(GraphsOfTest::capacity);
  std::thread([&] {
    for (int n = 0; n < 2; ++n) other_call(graphs, other, 1);            // makes a graph
    for (int n = 2; n <= num_others; ++n) other_call(graphs, other, n);  // gives it up
  }).join();
  ASSERT_EQ(cudaStreamEndCapture(space.cuda_stream(), &captured), cudaSuccess);
  EXPECT_EQ(call.enqueued, 2);
  EXPECT_EQ(other_call.added, 1);
  EXPECT_EQ(other_call.enqueued, num_others);
  std::size_t num_nodes = 0;
  EXPECT_EQ(cudaGraphGetNodes(captured, nullptr, &num_nodes), cudaSuccess);
  EXPECT_EQ(num_nodes, 2u);
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&executable, captured, 0), cudaSuccess);
  space.fence();
  call.expect(4);  // captured, not done
  for (int n = 0; n < 2; ++n)
    EXPECT_EQ(cudaGraphLaunch(executable, space.cuda_stream()), cudaSuccess);
  space.fence();
  other.fence();
  call.expect(8);
  other_call.expect(2 * (2 + num_others));
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(captured), cudaSuccess);
}

TEST(LaunchGraphCuda, IsMadeAndLaunchedByManyThreads) {
  if (!instances_are_told_apart) GTEST_SKIP() << "one instance for all";
  constexpr int num_threads = 6, num_calls = 40;
  GraphsOfTest graphs;
  std::vector<GraphCall> calls(2 * num_threads);  // more than are remembered
  const std::vector<OwnStream> streams(num_threads);
  std::vector<TEST_SPACE> spaces;
  for (const OwnStream& stream : streams) spaces.push_back(stream.space());
  std::vector<std::thread> threads;
  for (int t = 0; t < num_threads; ++t) {
    threads.emplace_back([&, t] {
      const TEST_SPACE& space = spaces[static_cast<std::size_t>(t)];
      for (int n = 0; n < num_calls; ++n) {
        const int key = 2 * t + n / 10 % 2;
        calls[static_cast<std::size_t>(key)](graphs, space, key);
      }
      space.fence();
    });
  }
  for (std::thread& thread : threads) thread.join();
  int enqueued = 0;
  for (const GraphCall& call : calls) {
    call.expect(num_calls);
    enqueued += call.enqueued;
  }
  EXPECT_LT(enqueued, num_threads * num_calls) << "no graph was ever used";
}

}  // namespace LaminaTest
