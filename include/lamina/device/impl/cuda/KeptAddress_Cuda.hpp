// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

namespace Lamina::Impl {

// The compiler does not know that the result of an asm statement is in global memory. Without the
// assumption it would emit generic accesses.

template <class Value>
__device__ __forceinline__ Value* kept_address_cuda(Value* address) {
  asm("" : "+l"(address));
  __builtin_assume(__isGlobal(address));
  return address;
}

template <int Steps, class Value>
__device__ __forceinline__ Value* stepped_address_cuda(Value* address, int stride) {
  asm("mad.wide.s32 %0, %1, %2, %0;"
      : "+l"(address)
      : "r"(stride), "n"(Steps * static_cast<int>(sizeof(Value))));
  __builtin_assume(__isGlobal(address));
  return address;
}

template <class Value>
__device__ __forceinline__ const Value* address_behind_cuda(const Value* address, unsigned count,
                                                            unsigned bytes) {
  const Value* behind;
  asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(behind) : "r"(count), "r"(bytes), "l"(address));
  __builtin_assume(__isGlobal(behind));
  return behind;
}

/// Volatile, as the compiler would take two such statements of one value for one.
__device__ __forceinline__ float kept_value_cuda(float value) {
  asm volatile("" : "+f"(value));
  return value;
}

}  // namespace Lamina::Impl
