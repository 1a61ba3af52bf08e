// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/KernelRecord.hpp>

#include <gtest/gtest.h>

namespace {

TEST(KernelRecord, RatesAreOfAllCallsTogether) {
  const Lamina::KernelRecord record{"name", 3, 0.5, 6e9, 2e9};
  EXPECT_DOUBLE_EQ(record.gb_per_s(), 12);
  EXPECT_DOUBLE_EQ(record.gflop_per_s(), 4);
}

TEST(KernelRecord, RatesAreZeroWithoutTime) {
  const Lamina::KernelRecord record{"name", 1, 0, 100, 100};
  EXPECT_EQ(record.gb_per_s(), 0);
  EXPECT_EQ(record.gflop_per_s(), 0);
}

}  // namespace
