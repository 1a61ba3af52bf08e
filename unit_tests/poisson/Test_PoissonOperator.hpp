// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <poisson/PoissonCase.hpp>

namespace LaminaTest {

template <class Type>
struct PoissonOperator : testing::Test {};
TYPED_TEST_SUITE(PoissonOperator, FieldTypes, FieldTypeNames);

TYPED_TEST(PoissonOperator, AgreesWithTheStencilPointByPoint) {
  using Scalar = typename TypeParam::scalar;
  using Case = PoissonCase<Scalar, typename TypeParam::layout>;
  for (const Rectangle& rectangle : poisson_rectangles()) {
    const auto [nx, ny] = rectangle;
    const Values x = rounded<Scalar>(random_field(rectangle, 1));
    const Values expected = Reference::poisson(nx, ny, x), scale = Reference::poisson(nx, ny, x, 1);
    for (const auto memory : all_memories) {
      for (const Padding& padding : {Padding{}, column_padding, level_padding, all_padding}) {
        SCOPED_TRACE(testing::Message()
                     << nx << " x " << ny << ", memory " << static_cast<int>(memory));
        const typename Case::Field x_field(nx, ny, x, padding), y(nx, ny, padding);
        const typename Case::Operator op(rectangle, memory);
        op.apply(TEST_SPACE(), x_field.const_view(), y.view());
        EXPECT_TRUE(all_within(y.get(), expected, rounding<Scalar>(1), scale));
        EXPECT_TRUE(y.surroundings_untouched());
      }
    }
  }
}

TYPED_TEST(PoissonOperator, IsSymmetricAndPositiveDefinite) {
  using Case = PoissonCase<double, typename TypeParam::layout>;
  const int n = 17;
  const Values x = random_square(n, 2), y = random_square(n, 3);
  const typename Case::Field x_field(n, n, x), y_field(n, n, y), image(n, n);
  const typename Case::Operator op(n);
  op.apply(TEST_SPACE(), x_field.const_view(), image.view());
  const Values ax = image.get();
  op.apply(TEST_SPACE(), y_field.const_view(), image.view());
  const Values ay = image.get();
  EXPECT_NEAR(Reference::dot(ax, y), Reference::dot(x, ay), 1e-11);
  // The smallest eigenvalue is 8 sin^2(pi h / 2).
  const double sine = std::sin(0.5 * 3.14159265358979323846 / (n + 1));
  EXPECT_GE(Reference::dot(ax, x), 8 * sine * sine * Reference::dot(x, x));
}

TYPED_TEST(PoissonOperator, RefusesBadArguments) {
  using Scalar = typename TypeParam::scalar;
  using Case = PoissonCase<Scalar, typename TypeParam::layout>;
  using Operator = typename Case::Operator;
  EXPECT_THROW(Operator(0), Lamina::InvalidArgument);
  EXPECT_THROW(Operator(-3), Lamina::InvalidArgument);
  EXPECT_THROW(Operator(Rectangle{4, 0}), Lamina::InvalidArgument);
  const typename Case::Field good(4, 4), narrow(4, 3), short_one(3, 4);
  const Operator op(4);
  EXPECT_THROW(op.apply(TEST_SPACE(), narrow.const_view(), good.view()), Lamina::InvalidArgument);
  EXPECT_THROW(op.apply(TEST_SPACE(), good.const_view(), short_one.view()),
               Lamina::InvalidArgument);
}

}  // namespace LaminaTest
