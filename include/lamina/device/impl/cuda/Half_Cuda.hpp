// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Macros.hpp>

#include <cuda_fp16.h>

#include <cstdint>

namespace Lamina::Impl {

/// `half_bits_of` and `float_of_half_bits`, one instruction each.
__device__ __forceinline__ std::uint16_t half_bits_cuda(float value) {
  return __half_as_ushort(__float2half_rn(value));
}
__device__ __forceinline__ float float_of_half_cuda(std::uint16_t bits) {
  return __half2float(__ushort_as_half(bits));
}

}  // namespace Lamina::Impl
