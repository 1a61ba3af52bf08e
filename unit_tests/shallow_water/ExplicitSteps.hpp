// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// The suite of the explicit schemes, whose tests are in the files of their headers.

#include <shallow_water/WaterCase.hpp>

namespace LaminaTest {

template <class Type>
struct ExplicitSteps : testing::Test {
  using Scalar = typename Type::scalar;
  using Case = WaterCase<Scalar, typename Type::layout>;
};
TYPED_TEST_SUITE(ExplicitSteps, FieldTypes, FieldTypeNames);

}  // namespace LaminaTest
