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
  const int n = 37;
  for (const double f : {0.3, -0.3, 0.0, 1e-7}) {
    const Reference::ShallowWater twin(n, f);
    expect_water_near(Case::get(Case::vortex(n, 0.2, -0.1, f)), twin.vortex(0.2, -0.1),
                      f == 1e-7 ? 1e-6 : rounding<Scalar>(20));
    const typename Case::State state(n);
    Lamina::Vortex(f, 0.2, -0.1).fill_depression(TEST_SPACE(), state);
    const Values zero(static_cast<std::size_t>(n) * n, 0.0);
    WaterState expected{twin.vortex().height, zero, zero};
    for (double& u : expected.u) u = 0.2;
    for (double& v : expected.v) v = -0.1;
    expect_water_near(Case::get(state), expected, rounding<Scalar>(20));
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
  y.height[11] = std::nan("");
  const auto broken = Lamina::Vortex(coriolis).error(TEST_SPACE(), Case::make(n, y), 0);
  EXPECT_TRUE(std::isnan(broken.l2) && std::isnan(broken.linf));
}

TEST(VortexArguments, MustBeFinite) {
  const double nan = std::nan("");
  EXPECT_THROW(Lamina::Vortex{nan}, Lamina::InvalidArgument);
  EXPECT_THROW(Lamina::Vortex(0.3, nan), Lamina::InvalidArgument);
  EXPECT_THROW(Lamina::Vortex(0.3, 0, nan), Lamina::InvalidArgument);
}

}  // namespace LaminaTest
