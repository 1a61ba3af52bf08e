// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/grids/impl/HilbertCurve.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

namespace LaminaTest {
namespace {

TEST(HilbertCurve, VisitsEachCellOnceAndNeighboursInTurn) {
  for (const int bits : {0, 1, 2, 5}) {
    const std::uint32_t side = std::uint32_t(1) << bits;
    std::vector<std::pair<int, int>> path(std::size_t(side) * side, {-1, -1});
    for (std::uint32_t x = 0; x < side; ++x) {
      for (std::uint32_t y = 0; y < side; ++y) {
        const std::uint64_t index = Lamina::Impl::hilbert_index(x, y, bits);
        ASSERT_LT(index, path.size());
        EXPECT_EQ(path[index].first, -1) << "twice: " << index;
        path[index] = {static_cast<int>(x), static_cast<int>(y)};
      }
    }
    EXPECT_EQ(path.front(), std::pair(0, 0));
    for (std::size_t n = 1; n < path.size(); ++n) {
      EXPECT_EQ(std::abs(path[n].first - path[n - 1].first) +
                    std::abs(path[n].second - path[n - 1].second),
                1)
          << "step " << n << " of " << bits << " bits";
    }
  }
}

TEST(HilbertCurve, TakesCoordinatesOf32Bits) {
  constexpr std::uint32_t last = 0xFFFFFFFFu;
  EXPECT_EQ(Lamina::Impl::hilbert_index(last, 0, 32), ~std::uint64_t(0));
  EXPECT_EQ(Lamina::Impl::hilbert_index(0, 0, 32), 0u);
}

}  // namespace
}  // namespace LaminaTest
