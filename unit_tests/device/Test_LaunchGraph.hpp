// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/KernelRecorder.hpp>

#include <device/GraphCase.hpp>
#include <gtest/gtest.h>
#include <support/OwnStream.hpp>

#include <cstddef>
#include <vector>

namespace LaminaTest {

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

TEST(LaunchGraph, StaysWhileItsCallComesAgain) {
  const TEST_SPACE space;
  GraphsOfTest graphs;
  GraphCall call;
  const int num_keys = static_cast<int>(GraphsOfTest::capacity);
  for (int n = 0; n < 2 * num_keys; ++n) call(graphs, space, n / 2);
  call(graphs, space, 0);  // the oldest, but the last to come
  call(graphs, space, num_keys);
  const int enqueued = call.enqueued;
  call(graphs, space, 0);
  EXPECT_EQ(call.enqueued, enqueued + (GraphOfTest::exists ? 0 : 1));
  call(graphs, space, 1);
  EXPECT_EQ(call.enqueued, enqueued + (GraphOfTest::exists ? 1 : 2)) << "not forgotten";
  space.fence();
  call.expect(2 * (2 * num_keys + 4));
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

}  // namespace LaminaTest
