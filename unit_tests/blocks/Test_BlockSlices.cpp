// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/blocks/impl/slices/BlockSlices.hpp>
#include <lamina/device/Half.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace LaminaTest {
namespace {

using Lamina::Impl::SliceLayout;
using Lamina::Impl::SliceShape;

std::vector<std::int64_t> offsets_of(const std::vector<int>& lengths) {
  std::vector<std::int64_t> offsets{0};
  for (const int length : lengths) offsets.push_back(offsets.back() + length);
  return offsets;
}

TEST(SliceShape, DealsAllComponentsToLanesThatFitIntoAWarp) {
  for (int size = 1; size <= SliceShape::max_size; ++size) {
    for (const double rows : {1.0, 1e9}) {
      const SliceShape shape = SliceShape::of(size, rows, 1 << 18);
      EXPECT_EQ(shape.lanes * shape.components(), size);
      EXPECT_GE(shape.rows(), 1);
      EXPECT_GE(shape.places(), shape.rows() * shape.lanes);
      EXPECT_LE(shape.places(), SliceShape::slice_lanes);
    }
    EXPECT_EQ(SliceShape::of(size, 1, 1 << 18).lanes, size);
    EXPECT_TRUE(SliceShape::of(size, 1, 1 << 18).few_rows);
    EXPECT_FALSE(SliceShape::of(size, 1e9, 1 << 18).few_rows);
  }
}

TEST(SliceShape, SharesSlicesOnlyWhereThereAreFew) {
  constexpr std::int64_t concurrency = 1 << 18;
  for (int size = 1; size <= SliceShape::max_size; ++size) {
    for (const bool few_rows : {false, true}) {
      const SliceShape shape(size, few_rows);
      EXPECT_EQ(shape.splits(1, concurrency), shape.max_splits());
      EXPECT_EQ(shape.splits(1 << 18, concurrency), 1);
      for (const int slices : {100, 300, 700, 3000}) {
        const int splits = shape.splits(slices, concurrency);
        const auto fits = [&](int count) {
          return slices * 32 * count <=
                 concurrency * Lamina::Impl::BlockSliceTuning::busy_threads / 2048;
        };
        EXPECT_TRUE(splits == 1 || fits(splits));
        EXPECT_TRUE(splits == shape.max_splits() || !fits(2 * splits));
      }
    }
  }
}

TEST(SliceLayout, HasEachRowOnceInTheSlicesOfItsColour) {
  std::vector<int> lengths(3000);
  for (std::size_t row = 0; row < lengths.size(); ++row)
    lengths[row] = static_cast<int>(row * 7919 % 23);
  const std::vector<int> colours{0, 1, 1500, 1500, 3000};
  for (const SliceShape shape : {SliceShape(1, false), SliceShape(3, true), SliceShape(16, true)}) {
    const SliceLayout layout(offsets_of(lengths), colours, shape);
    ASSERT_EQ(layout.first_slices.size(), colours.size());
    ASSERT_EQ(layout.rows.size(),
              (layout.offsets.size() - 1) * static_cast<std::size_t>(shape.rows()));
    for (std::size_t colour = 0; colour + 1 < colours.size(); ++colour) {
      std::vector<int> found;
      for (int slice = layout.first_slices[colour]; slice < layout.first_slices[colour + 1];
           ++slice) {
        const auto at = static_cast<std::size_t>(slice);
        int longest = 0;
        for (int r = 0; r < shape.rows(); ++r) {
          const int row =
              layout
                  .rows[at * static_cast<std::size_t>(shape.rows()) + static_cast<std::size_t>(r)];
          if (row < 0) continue;
          found.push_back(row);
          longest = std::max(longest, lengths[static_cast<std::size_t>(row)]);
        }
        EXPECT_EQ(layout.offsets[at + 1] - layout.offsets[at], longest);
      }
      std::sort(found.begin(), found.end());
      std::vector<int> expected(static_cast<std::size_t>(colours[colour + 1] - colours[colour]));
      std::iota(expected.begin(), expected.end(), colours[colour]);
      EXPECT_EQ(found, expected);
    }
  }
}

TEST(SliceLayout, KeepsTheOrderOfRowsOfOneLength) {
  const SliceLayout layout(offsets_of(std::vector<int>(64, 5)), {0, 64}, SliceShape(2, false));
  std::vector<int> expected(64);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(layout.rows, expected);
}

TEST(SliceLayout, PutsRowsOfLikeLengthsTogether) {
  std::vector<int> lengths(1024);
  for (std::size_t row = 0; row < lengths.size(); ++row) lengths[row] = row % 2 == 0 ? 4 : 20;
  const SliceLayout layout(offsets_of(lengths), {0, 1024}, SliceShape(1, false));
  EXPECT_EQ(layout.offsets.back() * 32, 1024 * 12);  // no room is left over
}

TEST(SliceLayout, IsNotDenseWhereEachColourHasOneRow) {
  constexpr int num_rows = 2000, degree = 400;
  std::vector<int> colours(num_rows + 1);
  std::iota(colours.begin(), colours.end(), 0);
  const auto offsets = offsets_of(std::vector<int>(num_rows, degree));
  const SliceShape shape(1, false);
  const auto is_dense = [&](const std::vector<int>& first_rows) {
    return SliceLayout(offsets, first_rows, shape).is_dense(shape, num_rows, offsets.back());
  };
  EXPECT_FALSE(is_dense(colours));
  EXPECT_TRUE(is_dense({0, num_rows}));
}

TEST(SliceLayout, CountsTheRoomOfInverses) {
  constexpr int num_rows = 1 << 18;
  std::vector<int> colours(num_rows + 1);
  std::iota(colours.begin(), colours.end(), 0);
  const SliceShape shape(1, false);
  const SliceLayout layout(offsets_of(std::vector<int>(num_rows, 0)), colours, shape);
  EXPECT_FALSE(layout.is_dense(shape, num_rows, 0));
}

TEST(SliceShape, StepsBeginWhereLanesMayLoad16Bytes) {
  for (int size = 1; size <= SliceShape::max_size; ++size) {
    for (const SliceShape shape : {SliceShape(size, true), SliceShape(size, false)}) {
      const auto values = static_cast<std::size_t>(shape.block_values() * shape.places());
      EXPECT_EQ(values * sizeof(Lamina::Half) % 16, 0U);
    }
  }
}

}  // namespace
}  // namespace LaminaTest
