// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <poisson/PoissonCase.hpp>

#include <vector>

namespace LaminaTest {

template <class Type>
struct StencilMemoryTest : testing::Test {};
TYPED_TEST_SUITE(StencilMemoryTest, FieldTypes, FieldTypeNames);

TYPED_TEST(StencilMemoryTest, IsAutomaticUnlessAnotherIsChosen) {
  using Operator =
      typename PoissonCase<typename TypeParam::scalar, typename TypeParam::layout>::Operator;
  EXPECT_EQ(Operator(4).stencil_memory(), StencilMemory::automatic);
  for (const auto memory : all_memories) EXPECT_EQ(Operator(4, memory).stencil_memory(), memory);
}

/// Of more fields than an operator keeps texture objects for, each read twice.
TYPED_TEST(StencilMemoryTest, ReadsAsManyFieldsAsOneLikes) {
  using Scalar = typename TypeParam::scalar;
  using Case = PoissonCase<Scalar, typename TypeParam::layout>;
  const int n = 33, num_fields = 20;
  std::vector<typename Case::Field> fields;
  std::vector<Values> expected, scales;
  for (int i = 0; i < num_fields; ++i) {
    const Values x = rounded<Scalar>(random_square(n, static_cast<std::uint64_t>(i)));
    fields.emplace_back(n, n, x);
    expected.push_back(Reference::poisson(n, n, x));
    scales.push_back(Reference::poisson(n, n, x, 1));
  }
  const typename Case::Field y(n, n);
  for (const auto memory : all_memories) {
    const typename Case::Operator op(n, memory);
    for (int i = 0; i < 2 * num_fields; ++i) {
      const auto k = static_cast<std::size_t>(i % num_fields);
      op.apply(TEST_SPACE(), fields[k].const_view(), y.view());
      EXPECT_TRUE(all_within(y.get(), expected[k], rounding<Scalar>(1), scales[k]))
          << "field " << k << ", memory " << static_cast<int>(memory);
    }
  }
}

}  // namespace LaminaTest
