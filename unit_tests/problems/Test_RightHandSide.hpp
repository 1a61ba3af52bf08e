// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/Require.hpp>
#include <lamina/problems/RightHandSide.hpp>

#include <gtest/gtest.h>
#include <reference/Hash.hpp>
#include <support/FieldTypes.hpp>
#include <support/MessageOf.hpp>
#include <support/OwnStream.hpp>
#include <support/TestField.hpp>
#include <support/ToolListener.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace LaminaTest {

/// f in cell (i, j, k).
inline double rhs_source(Lamina::RightHandSide rhs, const Lamina::CubedSpherePanel& panel,
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

template <class Types>
class FilledRightHandSide : public testing::Test {
 public:
  template <class Number>
  static constexpr auto epsilon = static_cast<double>(std::numeric_limits<Number>::epsilon());
};
TYPED_TEST_SUITE(FilledRightHandSide, FieldTypes, FieldTypeNames);

TYPED_TEST(FilledRightHandSide, HasTheSameBitsOnTheColumnsOfARank) {
  using Field = TestField<typename TypeParam::scalar, typename TypeParam::layout>;
  const Lamina::CubedSpherePanel panel(7, 9);
  const auto grid = Lamina::VerticalGrid::graded(3, 0.3);
  const auto partition = Lamina::Partition::grid({7, 9}, {2, 2});
  for (const auto rhs : {Lamina::RightHandSide::smooth, Lamina::RightHandSide::rough}) {
    const Field whole(panel.num_columns(), 3, all_padding);
    fill_rhs(TEST_SPACE(), rhs, panel, grid, whole.view());
    const Values expected = whole.get();
    for (int rank = 0; rank < 4; ++rank) {
      const auto local = panel.local(partition, rank);
      const Field b(static_cast<int>(local.columns.size()), 3, all_padding);
      fill_rhs(TEST_SPACE(), rhs, panel, grid, local, b.view());
      const Values values = b.get();
      for (std::size_t column = 0; column < local.columns.size(); ++column) {
        const bool owned = column < static_cast<std::size_t>(local.halo.num_owned);
        for (std::size_t k = 0; k < 3; ++k) {
          const auto place = static_cast<std::size_t>(owned ? local.columns[column] : 0) * 3 + k;
          EXPECT_EQ(values[column * 3 + k], owned ? expected[place] : 0) << column << ' ' << k;
        }
      }
    }
  }
}

TYPED_TEST(FilledRightHandSide, IsTheIntegralOfItsFormulaOverEachCell) {
  using Scalar = typename TypeParam::scalar;
  const Lamina::CubedSpherePanel panel(7, 9);  // not square: i and j differ
  const int num_levels = 19;
  const auto grid = Lamina::VerticalGrid::graded(num_levels, 0.3);
  const auto areas = panel.areas();
  for (const auto rhs : {Lamina::RightHandSide::constant, Lamina::RightHandSide::smooth,
                         Lamina::RightHandSide::rough}) {
    const TestField<Scalar, typename TypeParam::layout> b(panel.num_columns(), num_levels,
                                                          all_padding);
    fill_rhs(TEST_SPACE(), rhs, panel, grid, b.view());
    const Values values = b.get();
    std::size_t n = 0;
    for (int i = 0; i < panel.num_x(); ++i) {
      for (int j = 0; j < panel.num_y(); ++j) {
        for (int k = 0; k < num_levels; ++k) {
          const double cell = areas[static_cast<std::size_t>(panel.column(i, j))] * grid.volume(k);
          // |f| < 3: a rounding of the field's precision, a few of double
          EXPECT_NEAR(values[n++], cell * rhs_source(rhs, panel, num_levels, i, j, k),
                      cell * (2 * TestFixture::template epsilon<Scalar> +
                              8 * TestFixture::template epsilon<double>))
              << i << ' ' << j << ' ' << k;
        }
      }
    }
    EXPECT_TRUE(b.surroundings_untouched());
  }
}

TYPED_TEST(FilledRightHandSide, IsTheSameInBothLayouts) {
  using Scalar = typename TypeParam::scalar;
  for (const int size : {1, 6}) {
    const Lamina::CubedSpherePanel panel(size, size + 1);
    const auto grid = Lamina::VerticalGrid::graded(size, 0.3);
    for (const auto rhs : {Lamina::RightHandSide::constant, Lamina::RightHandSide::smooth,
                           Lamina::RightHandSide::rough}) {
      const TestField<Scalar, Kokkos::LayoutLeft> left(panel.num_columns(), size);
      const TestField<Scalar, Kokkos::LayoutRight> right(panel.num_columns(), size);
      fill_rhs(TEST_SPACE(), rhs, panel, grid, left.view());
      fill_rhs(TEST_SPACE(), rhs, panel, grid, right.view());
      EXPECT_EQ(left.get(), right.get());
    }
  }
}

TYPED_TEST(FilledRightHandSide, IsFilledOnTheInstanceOfTheCaller) {
  if (!instances_are_told_apart) GTEST_SKIP() << "one instance for all";
  const OwnStream stream{};
  const auto space = stream.space();
  const Lamina::CubedSpherePanel panel(3, 2);
  const auto grid = Lamina::VerticalGrid::graded(4, 0.3);
  const TestField<typename TypeParam::scalar, typename TypeParam::layout> b(6, 4);
  const ToolListener listener;
  fill_rhs(space, Lamina::RightHandSide::rough, panel, grid, b.view());
  int fills = 0;
  for (const auto& kernel : listener.heard().kernels) {  // mirrors are filled on the host
    EXPECT_NE(kernel.device, OwnStream::id(TEST_SPACE())) << kernel.label;
    if (kernel.label == "Lamina::fill_rhs") {
      ++fills;
      EXPECT_EQ(kernel.device, OwnStream::id(space));
    }
  }
  EXPECT_EQ(fills, 1);
}

TYPED_TEST(FilledRightHandSide, RefusesFieldsOfAnotherSize) {
  const Lamina::CubedSpherePanel panel(3, 2);
  const auto grid = Lamina::VerticalGrid::graded(4, 0.3);
  const auto refusal = [&](int num_columns, int num_levels) {
    const TestField<typename TypeParam::scalar, typename TypeParam::layout> b(num_columns,
                                                                              num_levels);
    return message_of<Lamina::InvalidArgument>(
        [&] { fill_rhs(TEST_SPACE(), Lamina::RightHandSide::constant, panel, grid, b.view()); });
  };
  EXPECT_EQ(refusal(6, 4), "nothing was thrown");
  EXPECT_EQ(refusal(6, 5), "Lamina::fill_rhs: argument b: expected 4 levels, got 5");
  EXPECT_EQ(refusal(5, 4), "Lamina::fill_rhs: argument b: expected 6 columns, got 5");
}

}  // namespace LaminaTest
