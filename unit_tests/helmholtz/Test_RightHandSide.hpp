// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Require.hpp>
#include <lamina/helmholtz/RightHandSide.hpp>

#include <gtest/gtest.h>
#include <reference/Hash.hpp>
#include <support/FieldTypes.hpp>
#include <support/TestField.hpp>

#include <cmath>
#include <limits>
#include <string>

namespace LaminaTest {

/// f in cell (i, j, k).
inline double source(Lamina::RightHandSide rhs, const Lamina::CubedSpherePanel& panel,
                     int num_levels, int i, int j, int k) {
  constexpr double pi = 3.14159265358979323846;
  const double x = (2 * i + 1.0) / panel.num_x() - 1, y = (2 * j + 1.0) / panel.num_y() - 1,
               z = (k + 0.5) / num_levels;
  switch (rhs) {
    case Lamina::RightHandSide::constant: return 1;
    case Lamina::RightHandSide::smooth:
      return 1 + std::sin(pi * x) * std::cos(0.5 * pi * y) * std::cos(pi * z) + 0.5 * x * y;
    case Lamina::RightHandSide::rough:
      return Reference::unit_value(
          static_cast<std::uint64_t>(num_levels * (panel.num_y() * i + j) + k));
  }
  return 0;
}

template <class Scalar>
inline constexpr auto epsilon = static_cast<double>(std::numeric_limits<Scalar>::epsilon());

template <class Types>
class RightHandSide : public testing::Test {};
TYPED_TEST_SUITE(RightHandSide, FieldTypes, FieldTypeNames);

TYPED_TEST(RightHandSide, IsTheIntegralOfItsFormulaOverEachCell) {
  using Scalar = typename TypeParam::scalar;
  const Lamina::CubedSpherePanel panel(7, 5);  // not square: i and j differ
  const auto grid = Lamina::VerticalGrid::graded(4, 0.3);
  const auto areas = panel.areas();
  for (const auto rhs : {Lamina::RightHandSide::constant, Lamina::RightHandSide::smooth,
                         Lamina::RightHandSide::rough}) {
    const TestField<Scalar, typename TypeParam::layout> b(panel.num_columns(), 4, all_padding);
    fill_rhs(TEST_SPACE(), rhs, panel, grid, b.view());
    const Values values = b.get();
    std::size_t n = 0;
    for (int i = 0; i < panel.num_x(); ++i) {
      for (int j = 0; j < panel.num_y(); ++j) {
        for (int k = 0; k < 4; ++k) {
          const double cell = areas[static_cast<std::size_t>(panel.column(i, j))] * grid.volume(k);
          // |f| < 3: a rounding of the field's precision, a few of double
          EXPECT_NEAR(values[n++], cell * source(rhs, panel, 4, i, j, k),
                      cell * (2 * epsilon<Scalar> + 8 * epsilon<double>))
              << i << ' ' << j << ' ' << k;
        }
      }
    }
    EXPECT_TRUE(b.surroundings_untouched());
  }
}

TYPED_TEST(RightHandSide, RefusesFieldsOfAnotherSize) {
  const Lamina::CubedSpherePanel panel(3, 2);
  const auto grid = Lamina::VerticalGrid::graded(4, 0.3);
  const TestField<typename TypeParam::scalar, typename TypeParam::layout> b(6, 5);
  try {
    fill_rhs(TEST_SPACE(), Lamina::RightHandSide::constant, panel, grid, b.view());
    FAIL() << "accepted";
  } catch (const Lamina::InvalidArgument& error) {
    EXPECT_EQ(error.what(), std::string("Lamina::fill_rhs: argument b: expected 4 levels, got 5"));
  }
}

}  // namespace LaminaTest
