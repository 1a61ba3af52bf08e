// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/columns/ColumnOperator.hpp>

#include <columns/ColumnCase.hpp>
#include <support/MessageOf.hpp>
#include <sweeps/OwnCoefficients.hpp>

namespace LaminaTest {

template <class Type>
class ColumnOperator : public testing::Test {
 public:
  using Scalar = typename Type::scalar;
  using Field = TestField<Scalar, typename Type::layout>;
  using Operator = Lamina::ColumnOperator<OwnCoefficients<Scalar>>;
  static_assert(Lamina::FieldOperator<Operator>);
};
TYPED_TEST_SUITE(ColumnOperator, FieldTypes, FieldTypeNames);

TYPED_TEST(ColumnOperator, AppliesTheCoefficientsOfAUser) {
  using Scalar = typename TestFixture::Scalar;
  using Field = typename TestFixture::Field;
  const Lamina::ColumnMesh<Memory> mesh(irregular_graph(61, 9));
  const int levels = 19, columns = mesh.num_columns();
  const typename TestFixture::Operator op(mesh, levels, {levels});
  EXPECT_EQ(op.num_owned(), 61);
  EXPECT_EQ(op.num_levels(), levels);
  const Values x = rounded<Scalar>(random_values(static_cast<std::size_t>(columns * levels), 1));
  const Field in(columns, levels, x, all_padding), out(columns, levels, column_padding);
  op.apply(TEST_SPACE(), in.view(), out.view());
  const Image expected = image_of(op.system(), x);
  EXPECT_TRUE(all_within(first_entries(out.get(), expected.values.size()), expected.values,
                         rounding<Scalar>(12), expected.magnitudes));
  EXPECT_TRUE(out.surroundings_untouched());
}

TYPED_TEST(ColumnOperator, RefusesWhatDoesNotFit) {
  using Field = typename TestFixture::Field;
  const Lamina::ColumnMesh<Memory> mesh(Lamina::plane(3, 3));
  const auto message = [](const auto& call) { return message_of<Lamina::InvalidArgument>(call); };
  EXPECT_EQ(message([&] { typename TestFixture::Operator(mesh, 0, {0}); }),
            "Lamina::ColumnOperator: num_levels: expected a value >= 1, got 0");
  const typename TestFixture::Operator op(mesh, 5, {5});
  const Field x(9, 5), y(9, 4);
  EXPECT_EQ(message([&] { op.apply(TEST_SPACE(), x.view(), y.view()); }),
            "Lamina::ColumnOperator::apply: argument y: expected 5 levels, got 4");
}

}  // namespace LaminaTest
