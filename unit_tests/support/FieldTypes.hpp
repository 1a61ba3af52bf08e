// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

namespace LaminaTest {

/// Parameter of typed tests: what fields are made of.
template <class Scalar, class Layout>
struct FieldType {
  using scalar = Scalar;
  using layout = Layout;
};

#if defined(__SANITIZE_ADDRESS__)
/// Every scalar and every layout: the same templates in half the time, which sanitizers make long.
using FieldTypes =
    testing::Types<FieldType<double, Kokkos::LayoutRight>, FieldType<float, Kokkos::LayoutLeft>>;
#else
/// Every scalar with every layout.
using FieldTypes =
    testing::Types<FieldType<double, Kokkos::LayoutLeft>, FieldType<double, Kokkos::LayoutRight>,
                   FieldType<float, Kokkos::LayoutLeft>, FieldType<float, Kokkos::LayoutRight>>;
#endif
using DoubleFieldTypes =
    testing::Types<FieldType<double, Kokkos::LayoutLeft>, FieldType<double, Kokkos::LayoutRight>>;
using FloatFieldTypes =
    testing::Types<FieldType<float, Kokkos::LayoutLeft>, FieldType<float, Kokkos::LayoutRight>>;

struct FieldTypeNames {
  template <class Type>
  static std::string GetName(int) {
    const std::string scalar = std::is_same_v<typename Type::scalar, double> ? "Double" : "Float";
    return scalar + (std::is_same_v<typename Type::layout, Kokkos::LayoutLeft> ? "Left" : "Right");
  }
};

}  // namespace LaminaTest
