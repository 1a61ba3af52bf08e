// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <shallow_water/WaterCase.hpp>
#include <support/ToolListener.hpp>

namespace LaminaTest {

template <class Type>
struct ShallowWaterState : testing::Test {};
TYPED_TEST_SUITE(ShallowWaterState, FieldTypes, FieldTypeNames);

TYPED_TEST(ShallowWaterState, TakesAndGivesFieldsOfEitherLayout) {
  using Case = WaterCase<typename TypeParam::scalar, typename TypeParam::layout>;
  for (const Rectangle& grid : water_rectangles()) {
    const auto y = rounded_water<typename TypeParam::scalar>(random_water(grid, 1));
    for (const Padding& padding : {Padding{}, all_padding}) {
      expect_same_water(Case::get(Case::make(grid, y, padding), padding), y);
    }
  }
}

TYPED_TEST(ShallowWaterState, HasTheOtherSideInItsGhosts) {
  using Case = WaterCase<typename TypeParam::scalar, typename TypeParam::layout>;
  for (const Rectangle& grid :
       {Rectangle{1, 1}, Rectangle{2, 2}, Rectangle{5, 5}, Rectangle{17, 17}, Rectangle{1, 4},
        Rectangle{5, 1}, Rectangle{3, 17}, Rectangle{33, 2}}) {
    const auto [nx, ny] = grid;
    const auto state = Case::make(grid, random_water(grid, 2));
    for (const auto& field : {state.height(), state.u(), state.v()}) {
      ASSERT_EQ(field.extent(0), static_cast<std::size_t>(nx) + 2);
      ASSERT_EQ(field.extent(1), static_cast<std::size_t>(ny) + 2);
      // A strided View has no mirror in every version of Kokkos: through a whole one.
      const Kokkos::View<typename TypeParam::scalar**, Kokkos::LayoutLeft, Memory> whole(
          "LaminaTest::whole", nx + 2, ny + 2);
      Kokkos::deep_copy(whole, field);
      const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), whole);
      for (int i = 0; i < nx + 2; ++i) {
        for (int j = 0; j < ny + 2; ++j) {
          EXPECT_EQ(host(i, j), host((i - 1 + nx) % nx + 1, (j - 1 + ny) % ny + 1))
              << i << ' ' << j;
        }
      }
    }
  }
}

TYPED_TEST(ShallowWaterState, StartsItsLinesWherePromised) {
  using Scalar = typename TypeParam::scalar;
  for (const int n : {1, 14, 30, 62, 126, 480, 494, 495, 510, 512, 1006, 1024, 2048}) {
    const typename WaterCase<Scalar>::State state(Rectangle{n, 3});
    for (const auto& field : {state.height(), state.u(), state.v()}) {
      const auto stride = static_cast<std::size_t>(field.stride(1)) * sizeof(Scalar);
      const std::uintptr_t alignment = Lamina::runs_on_host<TEST_SPACE> ? 64 : 128;
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(field.data() + 1) % alignment, 0u);
      EXPECT_EQ(stride % 128, 0u);
      EXPECT_NE(stride % 4096, 0u);
    }
  }
}

TYPED_TEST(ShallowWaterState, HasSquareCells) {
  using State = typename WaterCase<typename TypeParam::scalar>::State;
  EXPECT_EQ(State(5).mesh_width(), 0.2);
  EXPECT_EQ(State(5).rectangle(), Rectangle::square(5));
  for (const int ny : {1, 5, 40}) {
    EXPECT_EQ(State(Rectangle{5, ny}).mesh_width(), 0.2);
    EXPECT_EQ(State(Rectangle{5, ny}).rectangle(), (Rectangle{5, ny}));
  }
}

TYPED_TEST(ShallowWaterState, RefusesBadArguments) {
  using Scalar = typename TypeParam::scalar;
  using Case = WaterCase<Scalar, typename TypeParam::layout>;
  using State = typename Case::State;
  EXPECT_THROW(State(0), Lamina::InvalidArgument);
  EXPECT_THROW(State(-2), Lamina::InvalidArgument);
  EXPECT_THROW(State(Rectangle{4, 0}), Lamina::InvalidArgument);
  const State state(4), other(5);
  const typename Case::Field good(4, 4), bad(4, 5);
  const TEST_SPACE space;
  EXPECT_THROW(state.set(space, bad.const_view(), good.const_view(), good.const_view()),
               Lamina::InvalidArgument);
  EXPECT_THROW(state.get(space, good.view(), good.view(), bad.view()), Lamina::InvalidArgument);
  EXPECT_THROW(state.copy_from(space, other), Lamina::InvalidArgument);
  EXPECT_THROW(state.copy_from(space, State(Rectangle{4, 5})), Lamina::InvalidArgument);
  EXPECT_THROW(state.copy_from(space, State(Rectangle{5, 4})), Lamina::InvalidArgument);
}

}  // namespace LaminaTest
