// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Addresses that a kernel computes once, or from the address before. The compiler for CUDA takes
// sums apart and computes each address from the beginning of its field: six instructions instead of
// one or two. These are a quarter to a third of all instructions of the stencil sweeps of
// `FusedHelmholtz` in double precision, and a tenth of those of its line solves.
//
// And values that a kernel converts anew where it needs them.

#include <Kokkos_Core.hpp>

#include <cstdint>

#if defined(KOKKOS_ENABLE_CUDA)
#include <lamina/device/impl/Backend.hpp>
#include <lamina/device/impl/cuda/KeptAddress_Cuda.hpp>
#endif

namespace Lamina::Impl {

/// The same address, in device memory. Hides from the compiler how it was computed.
template <class Value>
KOKKOS_FORCEINLINE_FUNCTION Value* kept_address(Value* address) {
#if LAMINA_CUDA_PASS
  return kept_address_cuda(address);
#else
  return address;
#endif
}

/// address + Steps * stride, computed from the kept address.
template <int Steps, class Value>
KOKKOS_FORCEINLINE_FUNCTION Value* stepped_address(Value* address, int stride) {
#if LAMINA_CUDA_PASS
  return stepped_address_cuda<Steps>(address, stride);
#else
  return address + Steps * static_cast<std::int64_t>(stride);
#endif
}

/// The address count * bytes behind this one. The compiler for CUDA would keep the product, where it is used again, in
/// two registers.
template <class Value>
KOKKOS_FORCEINLINE_FUNCTION const Value* address_behind(const Value* address, std::uint32_t count,
                                                        std::uint32_t bytes) {
#if LAMINA_CUDA_PASS
  return address_behind_cuda(address, count, bytes);
#else
  return reinterpret_cast<const Value*>(reinterpret_cast<const char*>(address) +
                                        static_cast<std::uint64_t>(count) * bytes);
#endif
}

/// A value that is kept in few registers, converted where it is needed. The compiler for CUDA would convert it once, and
/// keep the wide one.
template <class Wide, class Narrow>
KOKKOS_FORCEINLINE_FUNCTION Wide converted_here(const Narrow& value) {
#if LAMINA_CUDA_PASS
  if constexpr (sizeof(Narrow) < sizeof(Wide)) return static_cast<Wide>(kept_value_cuda(value));
#endif
  return static_cast<Wide>(value);
}

}  // namespace Lamina::Impl
