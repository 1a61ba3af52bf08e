// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/krylov/TrueResidual.hpp>

#include <gtest/gtest.h>
#include <krylov/PanelProblem.hpp>
#include <reference/ConjugateGradients.hpp>
#include <support/FieldTypes.hpp>

#include <cmath>
#include <limits>

namespace LaminaTest {

template <class Type>
class TrueResidual : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Layout = typename Type::layout;
  using Field = TestField<Scalar, Layout>;
};
TYPED_TEST_SUITE(TrueResidual, FieldTypes, FieldTypeNames);

TYPED_TEST(TrueResidual, NormIsThatOfTheValuesWhateverTheirSize) {
  using Scalar = typename TypeParam::scalar;
  using Field = typename TestFixture::Field;
  constexpr int most = std::numeric_limits<Scalar>::max_exponent - 20;
  for (const auto [columns, levels] : {PanelSize{0, 3}, {1, 1}, {7, 5}, {130, 70}, {5000, 1}}) {
    const Values values =
        rounded<Scalar>(random_values(static_cast<std::size_t>(columns) * levels, 5));
    const double expected = std::sqrt(Reference::dot(values, values));
    for (const auto& padding : {Padding(), column_padding, level_padding, all_padding}) {
      for (const int exponent : {0, -most, most}) {
        SCOPED_TRACE(testing::Message() << columns << " columns, 2^" << exponent);
        Values scaled = values;
        for (double& value : scaled) value = std::ldexp(value, exponent);
        const Field x(columns, levels, scaled, padding);
        const double norm = Lamina::two_norm(TEST_SPACE(), x.const_view());
        EXPECT_NEAR(std::ldexp(norm, -exponent), expected, 1e-13 * expected);
      }
    }
  }
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {infinity, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_FALSE(std::isfinite(
        Lamina::two_norm(TEST_SPACE(), Field(2, 2, Values{1, bad, 3, 4}).const_view())));
  }
}

TYPED_TEST(TrueResidual, IsThatOfTheSystem) {
  using Scalar = typename TypeParam::scalar;
  using Field = typename TestFixture::Field;
  const int size = 5, levels = 7;
  const PanelProblem<Scalar, typename TypeParam::layout> problem(size, levels,
                                                                 Lamina::RightHandSide::rough);
  const auto system = HelmholtzCase<double>::panel(size, size, levels);
  const Values x = rounded<Scalar>(random_values(problem.b.size(), 5));
  Values r = problem.b;
  Reference::add(r, -1, system.matrix().multiply(x));
  const double expected = std::sqrt(Reference::dot(r, r));
  for (const auto& padding : {Padding(), all_padding}) {
    const Field b(size * size, levels, problem.b, padding),
        x_field(size * size, levels, x, padding), scratch(size * size, levels, padding);
    const double norm = Lamina::true_residual_norm(TEST_SPACE(), problem.op(), b.const_view(),
                                                   x_field.const_view(), scratch.view());
    EXPECT_NEAR(norm, expected, (std::is_same_v<Scalar, double> ? 1e-12 : 1e-4) * expected);
    EXPECT_TRUE(scratch.surroundings_untouched());
    const double left = Lamina::two_norm(TEST_SPACE(), scratch.const_view());  // b - A x
    EXPECT_NEAR(left, norm, 1e-12 * norm);
  }
}

TYPED_TEST(TrueResidual, LeavesHaloColumnsAlone) {
  using Scalar = typename TypeParam::scalar;
  using Field = typename TestFixture::Field;
  const HelmholtzCase<Scalar> system(irregular_graph(9, 3), Lamina::VerticalGrid::graded(4, 0.1),
                                     {.omega2 = 1, .lambda2 = 1});
  const int columns = system.num_columns(), owned = system.num_owned(), levels = 4;
  ASSERT_LT(owned, columns);
  const auto size = static_cast<std::size_t>(columns * levels);
  Values far = random_values(size, 2);
  for (std::size_t i = static_cast<std::size_t>(owned * levels); i < size; ++i) far[i] = 1e6;
  const Field b(columns, levels, far), x(columns, levels, Values(size, 0.0)), y(columns, levels);
  far.resize(static_cast<std::size_t>(owned * levels));
  const double expected = std::sqrt(Reference::dot(far, far));
  EXPECT_NEAR(
      Lamina::true_residual_norm(TEST_SPACE(), system.op, b.const_view(), x.const_view(), y.view()),
      expected, 1e-5 * expected);
}

/// 7 columns, of which the last one belongs to a halo, of 5 levels; M^-1 = 4 is exact and writes the
/// owned columns alone.
struct TimesFour {
  static int num_columns() { return 7; }
  static int num_owned() { return 6; }
  static int num_levels() { return 5; }

  template <class Space, class Residual, class Solution>
  void solve(const Space& space, const Residual& r, const Solution& z) const {
    Kokkos::parallel_for(
        "LaminaTest::TimesFour", Kokkos::RangePolicy<Space>(space, 0, num_owned()),
        KOKKOS_LAMBDA(int column) {
          for (int k = 0; k < static_cast<int>(r.extent(1)); ++k) z(column, k) = 4 * r(column, k);
        });
  }
};

TYPED_TEST(TrueResidual, NormOfThePreconditionerIsSafe) {
  using Scalar = typename TypeParam::scalar;
  using Field = typename TestFixture::Field;
  constexpr int most = std::numeric_limits<Scalar>::max_exponent - 20;
  const auto norm_of = [](const Field& r, const Field& z) {
    return Lamina::preconditioned_norm(TEST_SPACE(), TimesFour(), TimesFour(), r.const_view(),
                                       z.view());
  };
  const Values values = rounded<Scalar>(random_values(7 * 5, 5));
  const Values owned(values.begin(), values.begin() + 6 * 5);
  const double expected = 2 * std::sqrt(Reference::dot(owned, owned));
  for (const auto& padding : {Padding(), all_padding}) {
    for (const int exponent : {0, -most, most}) {
      Values scaled = values;
      for (double& value : scaled) value = std::ldexp(value, exponent);
      const Field r(7, 5, scaled, padding), z(7, 5, padding);
      EXPECT_NEAR(std::ldexp(norm_of(r, z), -exponent), expected, 1e-13 * expected) << exponent;
      EXPECT_TRUE(z.surroundings_untouched());
    }
  }
  const Field zero(7, 5, Values(7 * 5, 0.0)), z(7, 5), other(5, 7);
  EXPECT_EQ(norm_of(zero, z), 0);
  EXPECT_THROW((void)norm_of(zero, other), Lamina::InvalidArgument);
  EXPECT_THROW((void)norm_of(zero, zero), Lamina::InvalidArgument);
}

TYPED_TEST(TrueResidual, RefusesWrongExtents) {
  using Field = typename TestFixture::Field;
  const PanelProblem<typename TypeParam::scalar, typename TypeParam::layout> problem(
      2, 3, Lamina::RightHandSide::smooth);
  const Field good(4, 3), bad(5, 3);
  const auto call = [&](const Field& b, const Field& x, const Field& y) {
    return Lamina::true_residual_norm(TEST_SPACE(), problem.op(), b.const_view(), x.const_view(),
                                      y.view());
  };
  EXPECT_THROW((void)call(bad, good, good), Lamina::InvalidArgument);
  EXPECT_THROW((void)call(good, bad, good), Lamina::InvalidArgument);
  EXPECT_THROW((void)call(good, good, bad), Lamina::InvalidArgument);
}

}  // namespace LaminaTest
