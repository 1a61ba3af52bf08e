// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Macros.hpp>

namespace Lamina::Impl {

/// 1 / value to about one unit in the last place, without care for subnormal numbers. The inverse
/// of a subnormal number, and of 0, is infinite or NaN. An inverse that would be subnormal may be
/// 0.
///
/// A full division takes some twenty instructions in double precision, a tenth of a line solve, and
/// ten in single precision. This function takes a third of that in double precision, and one
/// instruction in single precision.
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
