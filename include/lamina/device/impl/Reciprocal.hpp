// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/Pack.hpp>
#if LAMINA_CUDA_PASS
#include <lamina/device/impl/cuda/Reciprocal_Cuda.hpp>
#endif

#include <type_traits>
#include <utility>

namespace Lamina::Impl {

/// 1 / value; `Value` may also be a short vector of lanes, or a pack.
template <class Value>
KOKKOS_INLINE_FUNCTION Value reciprocal(const Value& value) {
  if constexpr (is_pack<Value>) {
    Value inverse;
    for (int i = 0; i < Value::count; ++i) inverse[i] = reciprocal(value[i]);
    return inverse;
  } else if constexpr (std::is_arithmetic_v<Value>) {
#if LAMINA_CUDA_PASS
    return reciprocal_cuda(value);
#else
    return Value(1) / value;
#endif
  } else {
    return std::remove_cvref_t<decltype(std::declval<Value&>()[0])>(1) / value;
  }
}

}  // namespace Lamina::Impl
