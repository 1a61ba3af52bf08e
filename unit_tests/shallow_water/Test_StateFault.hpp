// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <shallow_water/WaterCase.hpp>

namespace LaminaTest {

TEST(FirstFault, IsFoundInTheLastCellOfAnyGrid) {
  using Case = WaterCase<double>;
  for (const Rectangle& grid : water_rectangles()) {
    WaterState y = random_water(grid, 5);
    const auto none = Lamina::find_fault(TEST_SPACE(), Case::make(grid, y));
    EXPECT_FALSE(none.exists()) << text_of(grid);
    EXPECT_EQ(none.i, -1);
    EXPECT_EQ(none.j, -1);
    y.height.back() = -1;
    const auto fault = Lamina::find_fault(TEST_SPACE(), Case::make(grid, y));
    EXPECT_EQ(fault.status, Lamina::SolveStatus::diverged) << text_of(grid);
    EXPECT_EQ(fault.i, grid.nx - 1);
    EXPECT_EQ(fault.j, grid.ny - 1);
  }
}

}  // namespace LaminaTest
