// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/sweeps/Sources.hpp>

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

namespace LaminaTest {
namespace {

using Field = Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace>;

Field counted(double first) {
  const Field field("field", 3, 4);
  for (int k = 0; k < 4; ++k) {
    for (int c = 0; c < 3; ++c) field(c, k) = first + 10 * k + c;
  }
  return field;
}

TEST(Sources, GiveAFieldAsItIs) {
  const Lamina::FieldSource<Field> source{counted(1)};
  EXPECT_EQ(source.value<double>(2, 3), 33);
  source.prefetch(2, 3, 1000);  // never faults
  EXPECT_EQ(source.from(2).value<double>(1, 1), 32) << "level 1 from level 2 on";
  EXPECT_EQ(source.from(2).value<double>(1, -1), 12);
}

TEST(Sources, GiveTheDirectionOfConjugateGradients) {
  const Lamina::DirectionSource<Field> source{counted(1), counted(100), 0.5};
  EXPECT_EQ(source.value<double>(2, 3), 33 + 66);
  EXPECT_EQ(source.from(3).value<double>(2, 0), 33 + 66);
}

}  // namespace
}  // namespace LaminaTest
