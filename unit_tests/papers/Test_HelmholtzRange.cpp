// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>

#include "../../perf_tests/papers/PaperTables_Text.hpp"
#include "../../perf_tests/papers/helmholtz/PaperTables_HelmholtzRange.hpp"

namespace Lamina::Paper {
namespace {

TEST(HelmholtzRange, DoublesFromTheFirstToTheLastSizeOfThePaper) {
  const auto sizes = doubled_sizes(0x1p21, 0x1p27, 128);
  ASSERT_EQ(sizes.size(), 7u);
  EXPECT_EQ(sizes.front().num_x, 128);
  EXPECT_EQ(sizes.front().num_y, 128);
  EXPECT_EQ(sizes.back().num_x, 1024);
  EXPECT_EQ(sizes.back().num_y, 1024);
  for (std::size_t n = 1; n < sizes.size(); ++n) {
    EXPECT_EQ(sizes[n].num_levels, 128);
    EXPECT_EQ(sizes[n].cells(), 2 * sizes[n - 1].cells());
  }
}

TEST(HelmholtzRange, EndsWhereAnIntCountsNoMoreColumns) {
  const auto sizes = doubled_sizes(0x1p30, 0x1p62, 128);
  ASSERT_FALSE(sizes.empty());
  EXPECT_EQ(static_cast<double>(sizes.back().num_x) * sizes.back().num_y, 0x1p30);
}

TEST(HelmholtzRange, IsEmptyWhereNoSizeLiesBetween) {
  EXPECT_TRUE(doubled_sizes(3 * 128, 3 * 128 + 1, 128).empty());
}

TEST(HelmholtzRange, CountsAtLeastTheSixFieldsOfASolve) {
  const Perf::PanelSize size{1024, 1024, 128};
  EXPECT_GT(needed_bytes(size, 8), 6 * 8 * size.cells());
  EXPECT_LT(needed_bytes(size, 8), 7 * 8 * size.cells());
  const Perf::PanelSize tall{64, 64, 1100};
  EXPECT_GT(needed_bytes(tall, 8), 7 * 8 * tall.cells());
}

TEST(PaperTables, SayWhatDoesNotFit) {
  EXPECT_EQ(shortage(10e9, 10e9, "host"), "");
  EXPECT_EQ(shortage(10e9, 9e9, "host"), "needs 10 GB of host memory, 9 are free");
}

TEST(HelmholtzRange, IteratesInPairs) {
  for (const auto& size : doubled_sizes(1, 0x1p36, 128)) {
    EXPECT_EQ(iterations_of(size) % 2, 0);
    EXPECT_GE(iterations_of(size), 4);
    EXPECT_LE(iterations_of(size), 32);
  }
}

}  // namespace
}  // namespace Lamina::Paper
