// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <lamina/problems/SourceValue.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

namespace LaminaTest {
namespace {

TEST(SourceValue, IsThatOfThePanel) {
  using Space = Kokkos::DefaultHostExecutionSpace;
  constexpr int num_x = 5, num_y = 3, num_levels = 4;
  const Lamina::CubedSpherePanel panel(num_x, num_y);
  const auto grid = Lamina::VerticalGrid::graded(num_levels, 0.1);
  const auto areas = panel.areas();
  const Kokkos::View<double**, Space::memory_space> b("b", num_x * num_y, num_levels);
  for (const auto rhs : {Lamina::RightHandSide::constant, Lamina::RightHandSide::smooth,
                         Lamina::RightHandSide::rough}) {
    Lamina::fill_rhs(Space(), rhs, panel, grid, b);
    for (int c = 0; c < num_x * num_y; ++c) {
      for (int k = 0; k < num_levels; ++k) {
        const Lamina::SourcePlace place{.x = (2 * (c / num_y) + 1.0) / num_x - 1,
                                        .y = (2 * (c % num_y) + 1.0) / num_y - 1,
                                        .z = (k + 0.5) / num_levels,
                                        .number = static_cast<std::uint64_t>(num_levels * c + k)};
        const double volume = areas[static_cast<std::size_t>(c)] * grid.volume(k);
        EXPECT_NEAR(b(c, k) / volume, Lamina::source_value(rhs, place), 1e-14);
      }
    }
  }
}

}  // namespace
}  // namespace LaminaTest
