// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

namespace Lamina::Impl {

/// Values that follow each other in memory and that one thread of a device loads, computes and
/// stores together: one wide access instead of several narrow ones, one address instead of several.
template <class Scalar, int Count>
struct alignas(Count * sizeof(Scalar)) Pack {
  static constexpr int count = Count;
  Scalar values[Count];

  KOKKOS_FORCEINLINE_FUNCTION Scalar& operator[](int i) { return values[i]; }
  KOKKOS_FORCEINLINE_FUNCTION const Scalar& operator[](int i) const { return values[i]; }

#define LAMINA_PACK_OPERATOR(op)                                                        \
  KOKKOS_FORCEINLINE_FUNCTION friend Pack operator op(const Pack& a, const Pack& b) {   \
    Pack c;                                                                             \
    for (int i = 0; i < Count; ++i) c[i] = a[i] op b[i];                                \
    return c;                                                                           \
  }                                                                                     \
  KOKKOS_FORCEINLINE_FUNCTION friend Pack operator op(const Scalar& a, const Pack& b) { \
    Pack c;                                                                             \
    for (int i = 0; i < Count; ++i) c[i] = a op b[i];                                   \
    return c;                                                                           \
  }
  LAMINA_PACK_OPERATOR(+)
  LAMINA_PACK_OPERATOR(-)
  LAMINA_PACK_OPERATOR(*)
#undef LAMINA_PACK_OPERATOR
};

/// How many values of a type make up the widest access of a thread.
template <class Scalar>
inline constexpr int pack_width = 16 / static_cast<int>(sizeof(Scalar));

template <class Value>
inline constexpr bool is_pack = false;
template <class Scalar, int Count>
inline constexpr bool is_pack<Pack<Scalar, Count>> = true;

/// sum += a b, in double precision.
template <class Scalar, int Count>
KOKKOS_FORCEINLINE_FUNCTION void add_product(double& sum, const Pack<Scalar, Count>& a,
                                             const Pack<Scalar, Count>& b) {
  for (int i = 0; i < Count; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
}

}  // namespace Lamina::Impl
