// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Macros.hpp>

namespace Lamina::Impl {

/// 1 / value to about one unit in the last place. A division is some twenty instructions in double
/// precision, a tenth of all that a line solve issues, and ten in single; without the care for
/// subnormal numbers it is a third of that, and one: of those, and of 0, the inverse is not finite
/// or not a number, and where it would be subnormal, it may be 0.
__device__ __forceinline__ double reciprocal_cuda(double value) {
  double inverse;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(inverse) : "d"(value));
  for (int newton = 0; newton < 2; ++newton) {
    inverse = fma(inverse, fma(-value, inverse, 1.0), inverse);
  }
  return inverse;
}
__device__ __forceinline__ float reciprocal_cuda(float value) {
  float inverse;
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(value));
  return inverse;
}

}  // namespace Lamina::Impl
