// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <shallow_water/WaterCase.hpp>

#include <cmath>

namespace LaminaTest {

template <class Type>
struct Vortex : testing::Test {};
TYPED_TEST_SUITE(Vortex, FieldTypes, FieldTypeNames);

TYPED_TEST(Vortex, HasTheFormulasOfItsHeader) {
  using Scalar = typename TypeParam::scalar;
  using Case = WaterCase<Scalar, typename TypeParam::layout>;
  for (const Rectangle& grid : {Rectangle{37, 37}, Rectangle{37, 16}, Rectangle{23, 37}}) {
    SCOPED_TRACE(text_of(grid));
    for (const double f : {0.3, -0.3, 0.0, 1e-7}) {
      const Reference::ShallowWater twin(grid, f);
      expect_water_near(Case::get(Case::vortex(grid, 0.2, -0.1, f)), twin.vortex(0.2, -0.1),
                        f == 1e-7 ? 1e-6 : rounding<Scalar>(20));
      const typename Case::State state(grid);
      Lamina::Vortex(f, 0.2, -0.1).fill_depression(TEST_SPACE(), state);
      const auto vortex = twin.vortex();
      const WaterState expected{vortex.height, Values(vortex.u.size(), 0.2),
                                Values(vortex.v.size(), -0.1)};
      expect_water_near(Case::get(state), expected, rounding<Scalar>(20));
    }
  }
}

TYPED_TEST(Vortex, KnowsTheErrorOfAHeight) {
  using Scalar = typename TypeParam::scalar;
  using Case = WaterCase<Scalar, typename TypeParam::layout>;
  const int n = 20;
  EXPECT_TRUE(Lamina::Vortex(0.3).has_exact_solution());
  EXPECT_TRUE(Lamina::Vortex(0, 0.2, 0).has_exact_solution());
  EXPECT_FALSE(Lamina::Vortex(0.3, 0.2, 0).has_exact_solution());
  WaterState y = Case::get(Case::vortex(n));
  y.height[7] += 0.5;
  y.height[9] -= 0.25;
  const auto error = Lamina::Vortex(coriolis).error(TEST_SPACE(), Case::make(n, y), 0);
  EXPECT_NEAR(error.linf, 0.5, rounding<Scalar>(4));
  EXPECT_NEAR(error.l2, std::sqrt(0.3125) / n, rounding<Scalar>(4));
  // Carried along by a whole period, and by half of one
  const Lamina::Vortex carried(0, 0.5, -0.25);
  EXPECT_LE(carried.error(TEST_SPACE(), Case::vortex(n), 4).linf, rounding<Scalar>(20));
  EXPECT_GT(carried.error(TEST_SPACE(), Case::vortex(n), 2).linf, 0.05);
  const Rectangle tall{n, 30};  // of length 3/2 along y
  EXPECT_LE(carried.error(TEST_SPACE(), Case::vortex(tall), 6).linf, rounding<Scalar>(30));
  EXPECT_GT(carried.error(TEST_SPACE(), Case::vortex(tall), 4).linf, 0.05);
  y.height[11] = std::nan("");
  const auto broken = Lamina::Vortex(coriolis).error(TEST_SPACE(), Case::make(n, y), 0);
  EXPECT_TRUE(std::isnan(broken.l2) && std::isnan(broken.linf));
}

TEST(VortexArguments, MustGiveTheDepressionRoom) {
  const Lamina::Vortex vortex;
  for (const Rectangle& grid : {Rectangle{5, 2}, Rectangle{1, 1}, Rectangle{3, 40}}) {
    EXPECT_TRUE(Lamina::Vortex::fits(grid));
    EXPECT_NO_THROW(vortex.fill_vortex(TEST_SPACE(), WaterCase<double>::State(grid)));
  }
  const WaterCase<double>::State flat(Rectangle{8, 3});
  EXPECT_FALSE(Lamina::Vortex::fits({8, 3}));
  EXPECT_THROW(vortex.fill_vortex(TEST_SPACE(), flat), Lamina::InvalidArgument);
  EXPECT_THROW(vortex.fill_depression(TEST_SPACE(), flat), Lamina::InvalidArgument);
}

TEST(VortexArguments, MustBeFinite) {
  const double nan = std::nan("");
  EXPECT_THROW(Lamina::Vortex{nan}, Lamina::InvalidArgument);
  EXPECT_THROW(Lamina::Vortex(0.3, nan), Lamina::InvalidArgument);
  EXPECT_THROW(Lamina::Vortex(0.3, 0, nan), Lamina::InvalidArgument);
}

}  // namespace LaminaTest
