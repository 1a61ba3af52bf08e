// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Fields in double precision for kernel bodies that compute in single precision, and vice versa.
// `Value` is that of Access.hpp.

#include <lamina/device/impl/Access.hpp>

namespace Lamina::Impl {

/// Rounds values in double precision into a field of floats.
template <class Value, class FieldType>
KOKKOS_FORCEINLINE_FUNCTION void write_rounded(const FieldType& field, std::int64_t column,
                                               int level, const Value& value) {
  float* const to = &field(column, level);
  if constexpr (std::is_arithmetic_v<Value>) {
    *to = static_cast<float>(value);
  } else if constexpr (is_pack<Value>) {
    Pack<float, Value::count> rounded;
    for (int i = 0; i < Value::count; ++i) rounded[i] = static_cast<float>(value[i]);
    store(to, rounded);
  } else {
    for (int i = 0; i < lane_count<double>; ++i) to[i] = static_cast<float>(value[i]);
  }
}

/// a x + b y in double precision.
KOKKOS_FORCEINLINE_FUNCTION double sum_in_double(double a, float x, double b, float y) {
  return a * static_cast<double>(x) + b * static_cast<double>(y);
}

/// field += a x + b y in double precision, with x and y in single precision.
template <class Value, class FieldType>
KOKKOS_FORCEINLINE_FUNCTION void add_in_double(const FieldType& field, std::int64_t column,
                                               int level, double a, const Value& x, double b,
                                               const Value& y) {
  double* const to = &field(column, level);
  if constexpr (std::is_arithmetic_v<Value>) {
    *to += sum_in_double(a, x, b, y);
  } else if constexpr (is_pack<Value>) {
    auto values = load<Pack<double, Value::count>>(to);
    for (int i = 0; i < Value::count; ++i) values[i] += sum_in_double(a, x[i], b, y[i]);
    store(to, values);
  } else {
    for (int i = 0; i < lane_count<float>; ++i) to[i] += sum_in_double(a, x[i], b, y[i]);
  }
}

}  // namespace Lamina::Impl
