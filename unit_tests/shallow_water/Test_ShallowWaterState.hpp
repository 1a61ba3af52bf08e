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
  for (const int n : water_sizes) {
    const auto y = rounded_water<typename TypeParam::scalar>(random_water(n, 1));
    for (const Padding& padding : {Padding{}, all_padding}) {
      expect_same_water(Case::get(Case::make(n, y, padding), padding), y);
    }
  }
}

TYPED_TEST(ShallowWaterState, HasTheOtherSideInItsGhosts) {
  using Case = WaterCase<typename TypeParam::scalar, typename TypeParam::layout>;
  for (const int n : {1, 2, 5, 17}) {
    const auto state = Case::make(n, random_water(n, 2));
    for (const auto& field : {state.height(), state.u(), state.v()}) {
      ASSERT_EQ(field.extent(0), static_cast<std::size_t>(n) + 2);
      ASSERT_EQ(field.extent(1), static_cast<std::size_t>(n) + 2);
      // A strided View has no mirror in every version of Kokkos: through a whole one.
      const Kokkos::View<typename TypeParam::scalar**, Kokkos::LayoutLeft, Memory> whole(
          "LaminaTest::whole", n + 2, n + 2);
      Kokkos::deep_copy(whole, field);
      const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), whole);
      for (int i = 0; i < n + 2; ++i) {
        for (int j = 0; j < n + 2; ++j) {
          EXPECT_EQ(host(i, j), host((i - 1 + n) % n + 1, (j - 1 + n) % n + 1)) << i << ' ' << j;
        }
      }
    }
  }
}

TYPED_TEST(ShallowWaterState, StartsItsLinesWherePromised) {
  using Scalar = typename TypeParam::scalar;
  for (const int n : {1, 14, 30, 62, 126, 480, 494, 495, 510, 512, 1006, 1024, 2048}) {
    const typename WaterCase<Scalar>::State state(n);
    for (const auto& field : {state.height(), state.u(), state.v()}) {
      const auto stride = static_cast<std::size_t>(field.stride(1)) * sizeof(Scalar);
      const std::uintptr_t alignment = Lamina::runs_on_host<TEST_SPACE> ? 64 : 128;
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(field.data() + 1) % alignment, 0u);
      EXPECT_EQ(stride % 128, 0u);
      EXPECT_NE(stride % 4096, 0u);
    }
  }
}

TYPED_TEST(ShallowWaterState, RefusesBadArguments) {
  using Scalar = typename TypeParam::scalar;
  using Case = WaterCase<Scalar, typename TypeParam::layout>;
  using State = typename Case::State;
  EXPECT_THROW(State(0), Lamina::InvalidArgument);
  EXPECT_THROW(State(-2), Lamina::InvalidArgument);
  const State state(4), other(5);
  const typename Case::Field good(4, 4), bad(4, 5);
  const TEST_SPACE space;
  EXPECT_THROW(state.set(space, bad.const_view(), good.const_view(), good.const_view()),
               Lamina::InvalidArgument);
  EXPECT_THROW(state.get(space, good.view(), good.view(), bad.view()), Lamina::InvalidArgument);
  EXPECT_THROW(state.copy_from(space, other), Lamina::InvalidArgument);
}

}  // namespace LaminaTest
