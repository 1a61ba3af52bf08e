// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/lines/impl/LineWorkspace.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace LaminaTest {
namespace {

using Lamina::Impl::line_cut;
using Lamina::Impl::LineCut;
using Lamina::Impl::LineSegmentTuning;
using Lamina::Impl::segment_shape;
using Lamina::Impl::warp_lanes;

constexpr std::array lengths{16, 8};

TEST(LineCut, CoversColumnsAndPadsLeast) {
  for (int levels = 0; levels <= 1024; ++levels) {
    const LineCut cut = line_cut(levels, lengths);
    ASSERT_TRUE(cut.exists()) << levels;
    EXPECT_GE(cut.count * cut.levels, levels);
    EXPECT_TRUE(cut.count == 1 || (cut.count - 1) * cut.levels < levels) << levels;
    EXPECT_LE(cut.padded_count() * cut.levels, levels + 4 * lengths[0]) << "as tables are padded";
    for (const int length : lengths) {
      const int count = std::max(1, (levels + length - 1) / length);
      if (count > 64) continue;
      EXPECT_LE(cut.count * cut.levels, count * length) << levels;
    }
  }
  EXPECT_EQ(line_cut(128, lengths).levels, 16) << "of equals the first";
  EXPECT_EQ(line_cut(20, lengths).levels, 8);
  EXPECT_FALSE(line_cut(1025, lengths).exists());
}

TEST(LineCut, GivesTeamsOfWholeWarpsThatAreNotTooLarge) {
  for (int levels = 1; levels <= 1024; ++levels) {
    const LineCut cut = line_cut(levels, lengths);
    for (const int good_columns : {8, 16, 32}) {
      for (const int good_threads : {160, 256}) {
        const auto shape = segment_shape(cut, {good_columns, good_threads});
        SCOPED_TRACE(testing::Message() << levels << " levels, good " << good_columns
                                        << " columns, " << good_threads << " threads");
        EXPECT_EQ(shape.team_size() % warp_lanes, 0);
        EXPECT_LE(shape.team_size(), LineSegmentTuning::max_threads);
        EXPECT_GE(shape.segments, cut.count);
        EXPECT_LE(shape.segments, cut.padded_count());
        EXPECT_TRUE(shape.columns <= good_columns || cut.count * shape.columns <= good_threads);
        EXPECT_TRUE(shape.columns >= good_columns ||
                    2 * cut.count * shape.columns > LineSegmentTuning::max_threads);
      }
    }
  }
}

}  // namespace
}  // namespace LaminaTest
