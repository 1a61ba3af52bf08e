// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <shallow_water/WaterCase.hpp>

namespace LaminaTest {

TEST(FirstFault, IsFoundInTheLastCellOfAnyGrid) {
  using Case = WaterCase<double>;
  for (const int n : water_sizes) {
    WaterState y = random_water(n, 5);
    const auto none = Lamina::find_fault(TEST_SPACE(), Case::make(n, y));
    EXPECT_FALSE(none.exists()) << n;
    EXPECT_EQ(none.i, -1);
    EXPECT_EQ(none.j, -1);
    y.height.back() = -1;
    const auto fault = Lamina::find_fault(TEST_SPACE(), Case::make(n, y));
    EXPECT_EQ(fault.status, Lamina::SolveStatus::diverged) << n;
    EXPECT_EQ(fault.i, n - 1);
    EXPECT_EQ(fault.j, n - 1);
  }
}

}  // namespace LaminaTest
