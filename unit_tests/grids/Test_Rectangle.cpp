// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Require.hpp>
#include <lamina/grids/Rectangle.hpp>

#include <gtest/gtest.h>

namespace {

using Lamina::Rectangle;

TEST(Rectangle, KnowsItsCellsAndSquares) {
  EXPECT_EQ((Rectangle{3, 5}.cells()), 15);
  EXPECT_EQ((Rectangle{1 << 20, 1 << 21}.cells()), 0x1p41);
  EXPECT_FALSE((Rectangle{3, 5}.is_square()));
  EXPECT_EQ(Rectangle::square(4), (Rectangle{4, 4}));
  EXPECT_TRUE(Rectangle::square(4).is_square());
}

TEST(Rectangle, WithoutACellIsRefused) {
  EXPECT_NO_THROW(Lamina::Impl::require_cells("here", {1, 1}));
  for (const Rectangle& none : {Rectangle{}, Rectangle{0, 4}, Rectangle{4, -1}}) {
    EXPECT_THROW(Lamina::Impl::require_cells("here", none), Lamina::InvalidArgument);
  }
}

TEST(Rectangle, OfAnotherShapeIsRefusedInOneLine) {
  EXPECT_NO_THROW(Lamina::Impl::require_same_cells("here", "state", {3, 5}, {3, 5}));
  try {
    Lamina::Impl::require_same_cells("here", "state", {3, 5}, {5, 3});
    FAIL() << "not refused";
  } catch (const Lamina::InvalidArgument& error) {
    EXPECT_STREQ(error.what(), "Lamina::here: argument state: expected 3 x 5 cells, got 5 x 3");
  }
}

}  // namespace
