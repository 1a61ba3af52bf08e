// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <gtest/gtest.h>
#include <support/AddressSanitizer.hpp>

#include <string>
#include <type_traits>

namespace LaminaTest {

/// Parameter of typed tests: what fields are made of.
template <class Scalar, class Layout>
struct FieldType {
  using scalar = Scalar;
  using layout = Layout;
};

// Every scalar and every layout, but not each with each, where the templates are the same and time is
// short: under sanitizers, and on a host space beside the default one, which takes all.
#if defined(TEST_ADDRESS_SANITIZER)
inline constexpr bool all_field_types = false;
#elif defined(TEST_SPACE)
inline constexpr bool all_field_types =
    !std::is_same_v<TEST_SPACE::memory_space, Kokkos::HostSpace> ||
    std::is_same_v<TEST_SPACE, Kokkos::DefaultHostExecutionSpace>;
#else
inline constexpr bool all_field_types = true;
#endif

/// Every scalar with every layout.
using FieldTypes = std::conditional_t<
    all_field_types,
    testing::Types<FieldType<double, Kokkos::LayoutLeft>, FieldType<double, Kokkos::LayoutRight>,
                   FieldType<float, Kokkos::LayoutLeft>, FieldType<float, Kokkos::LayoutRight>>,
    testing::Types<FieldType<double, Kokkos::LayoutRight>, FieldType<float, Kokkos::LayoutLeft>>>;
using DoubleFieldTypes = std::conditional_t<
    all_field_types,
    testing::Types<FieldType<double, Kokkos::LayoutLeft>, FieldType<double, Kokkos::LayoutRight>>,
    testing::Types<FieldType<double, Kokkos::LayoutRight>>>;
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
