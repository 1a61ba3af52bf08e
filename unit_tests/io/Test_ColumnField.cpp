// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/core/Concepts.hpp>
#include <lamina/io/ColumnField.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace LaminaTest {
namespace {

TEST(ColumnField, TakesValuesOfBothLayoutsInTheOrderOfTheFile) {
  const Kokkos::View<float**, Kokkos::LayoutLeft, Kokkos::HostSpace> left("left", 3, 2);
  const Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace> right("right", 3, 2);
  for (int c = 0; c < 3; ++c) {
    for (int k = 0; k < 2; ++k) left(c, k) = right(c, k) = static_cast<float>(10 * c + k);
  }
  const std::vector<int> places{2, 0, 1};
  const auto place = [&](int column) { return places[static_cast<std::size_t>(column)]; };
  std::vector<float> values(2);
  for (const auto& values_of :
       {Lamina::column_values(left, place), Lamina::column_values(right, place)}) {
    values_of(0, values.data());
    EXPECT_EQ(values, (std::vector<float>{20, 21}));
    values_of(2, values.data());
    EXPECT_EQ(values, (std::vector<float>{10, 11}));
  }
}

}  // namespace
}  // namespace LaminaTest
