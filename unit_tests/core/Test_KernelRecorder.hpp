// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/KernelRecorder.hpp>
#include <lamina/core/Require.hpp>
#include <lamina/core/impl/KernelPath.hpp>

#include <gtest/gtest.h>
#include <support/ToolListener.hpp>

#include <algorithm>
#include <string>

namespace LaminaTest {

inline void run_kernel(const std::string& label) {
  Kokkos::parallel_for(label, Kokkos::RangePolicy<TEST_SPACE>(0, 3), KOKKOS_LAMBDA(int){});
}
inline void run_reduction(const std::string& label) {
  int sum = 0;
  Kokkos::parallel_reduce(
      label, Kokkos::RangePolicy<TEST_SPACE>(0, 3), KOKKOS_LAMBDA(int i, int& s) { s += i; }, sum);
}

inline const Lamina::KernelRecord* find_record(const std::vector<Lamina::KernelRecord>& records,
                                               const std::string& name) {
  const auto found =
      std::find_if(records.begin(), records.end(), [&](const auto& r) { return r.name == name; });
  return found == records.end() ? nullptr : &*found;
}

TEST(KernelRecorder, CountsCallsBytesAndFlopsByLabel) {
  const Lamina::KernelRecorder recorder;
  for (int i = 0; i < 3; ++i) run_kernel("LaminaTest::loop");
  for (int i = 0; i < 2; ++i) run_reduction("LaminaTest::sum");
  const auto records =
      recorder.records({{"LaminaTest::loop", 100, 7}, {"LaminaTest::absent", 1, 1}});
  ASSERT_EQ(records.size(), 2u);

  const auto* loop = find_record(records, "LaminaTest::loop");
  ASSERT_NE(loop, nullptr);
  EXPECT_EQ(loop->calls, 3);
  EXPECT_EQ(loop->bytes, 300);
  EXPECT_EQ(loop->flops, 21);
  EXPECT_GT(loop->seconds, 0);
  EXPECT_DOUBLE_EQ(loop->gb_per_s(), 300e-9 / loop->seconds);

  const auto* sum = find_record(records, "LaminaTest::sum");
  ASSERT_NE(sum, nullptr);
  EXPECT_EQ(sum->calls, 2);
  EXPECT_EQ(sum->bytes, 0);  // declares no cost

  EXPECT_GE(records[0].seconds, records[1].seconds);
}

TEST(KernelRecorder, KeepsThePathThatAKernelTells) {
  EXPECT_FALSE(Lamina::Impl::wants_path("LaminaTest::loop"));
  {
    const Lamina::KernelRecorder recorder;
    ASSERT_TRUE(Lamina::Impl::wants_path("LaminaTest::loop"));
    Lamina::Impl::keep_path("LaminaTest::loop", {"packs", "too few cells"});
    EXPECT_FALSE(Lamina::Impl::wants_path("LaminaTest::loop")) << "it is told once";
    EXPECT_TRUE(Lamina::Impl::wants_path("LaminaTest::loop_and_more"));
    run_kernel("LaminaTest::loop");
    run_kernel("LaminaTest::loop_and_more");
    const auto records = recorder.records({});
    ASSERT_EQ(records.size(), 2u);
    EXPECT_EQ(find_record(records, "LaminaTest::loop")->path, "packs");
    EXPECT_EQ(find_record(records, "LaminaTest::loop")->reason, "too few cells");
    EXPECT_EQ(find_record(records, "LaminaTest::loop_and_more")->path, "");
  }
  const Lamina::KernelRecorder another;
  EXPECT_TRUE(Lamina::Impl::wants_path("LaminaTest::loop"));
}

TEST(KernelRecorder, HearsNothingOutsideItsLifetime) {
  run_kernel("LaminaTest::before");
  const Lamina::KernelRecorder recorder;
  EXPECT_TRUE(recorder.records({}).empty());
}

TEST(KernelRecorder, RestoresTheCallbacksOfALoadedTool) {
  const ToolListener listener;
  {
    const Lamina::KernelRecorder recorder;
    run_kernel("LaminaTest::recorded");
    EXPECT_TRUE(listener.heard().kernels.empty());
  }
  run_kernel("LaminaTest::after");
  ASSERT_EQ(listener.heard().kernels.size(), 1u);
  EXPECT_EQ(listener.heard().kernels[0].label, "LaminaTest::after");
}

TEST(KernelRecorder, RefusesASecondOneAliveAndRecovers) {
  {
    const Lamina::KernelRecorder recorder;
    EXPECT_THROW(Lamina::KernelRecorder(), Lamina::InvalidArgument);
    run_kernel("LaminaTest::loop");
    EXPECT_EQ(recorder.records({}).size(), 1u);  // the refused one did no harm
  }
  EXPECT_NO_THROW(Lamina::KernelRecorder());
}

}  // namespace LaminaTest
