// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/core/impl/ExtentOf.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

/// Contiguous values that one thread of a device loads, computes and stores together: one wide
/// access instead of several narrow ones, and one address instead of several.
template <class Scalar, int Count>
struct alignas(Count * sizeof(Scalar)) Pack {
  static constexpr int count = Count;
  Scalar values[extent_of<Count>];

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
  KOKKOS_FORCEINLINE_FUNCTION Pack operator-() const {
    Pack c;
    for (int i = 0; i < Count; ++i) c[i] = -values[i];
    return c;
  }
};

/// Two packs as one.
template <class Scalar, int Count>
KOKKOS_FORCEINLINE_FUNCTION Pack<Scalar, 2 * Count> join(const Pack<Scalar, Count>& a,
                                                         const Pack<Scalar, Count>& b) {
  Pack<Scalar, 2 * Count> c;
  for (int i = 0; i < Count; ++i) {
    c[i] = a[i];
    c[Count + i] = b[i];
  }
  return c;
}
/// The first or second half of one.
template <int Index, class Scalar, int Count>
KOKKOS_FORCEINLINE_FUNCTION Pack<Scalar, Count / 2> half_of(const Pack<Scalar, Count>& pack) {
  static_assert(Count % 2 == 0 && (Index == 0 || Index == 1));
  Pack<Scalar, Count / 2> part;
  for (int i = 0; i < Count / 2; ++i) part[i] = pack[Index * (Count / 2) + i];
  return part;
}

/// Number of values of a type in the widest access of a thread.
template <class Scalar>
inline constexpr int pack_width = 16 / static_cast<int>(sizeof(Scalar));

template <class Value>
inline constexpr bool is_pack = false;
template <class Scalar, int Count>
inline constexpr bool is_pack<Pack<Scalar, Count>> = true;

/// Number of values in a `Value`, which is a scalar or a pack.
template <class Value>
inline constexpr int value_width = 1;
template <class Scalar, int Count>
inline constexpr int value_width<Pack<Scalar, Count>> = Count;

/// A sum in double precision for each value of a `Value`.
template <class Value>
using SumsOf = std::conditional_t<is_pack<Value>, Pack<double, value_width<Value>>, double>;

/// The same scalar in all places.
template <class Value, class Scalar>
KOKKOS_FORCEINLINE_FUNCTION Value spread(const Scalar& scalar) {
  if constexpr (is_pack<Value>) {
    Value value;
    for (int i = 0; i < Value::count; ++i) value[i] = scalar;
    return value;
  } else {
    return scalar;
  }
}

/// sum += a b, in double precision.
template <class A, class B, int Count>
KOKKOS_FORCEINLINE_FUNCTION void add_product(double& sum, const Pack<A, Count>& a,
                                             const Pack<B, Count>& b) {
  for (int i = 0; i < Count; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
}
/// The same, with a sum for each place.
template <class Scalar, int Count>
KOKKOS_FORCEINLINE_FUNCTION void add_product(Pack<double, Count>& sums,
                                             const Pack<Scalar, Count>& a,
                                             const Pack<Scalar, Count>& b) {
  for (int i = 0; i < Count; ++i) sums[i] += static_cast<double>(a[i]) * static_cast<double>(b[i]);
}

/// Whether `Count` contiguous cells are aligned for one access in every field: of neighbouring columns at each level, or,
/// where levels are contiguous, of each column.
template <class Scalar, int Count = pack_width<Scalar>, class... Fields>
bool packs_aligned(const Fields&... fields) {
  const auto aligned = []<class FieldType>(const FieldType& field) {
    // Packs count the values of `Scalar`; a field may hold others.
    constexpr std::size_t value = sizeof(typename FieldType::value_type);
    constexpr std::size_t bytes = Count * value;
    constexpr bool of_levels =
        std::is_same_v<typename FieldType::array_layout, Kokkos::LayoutRight>;
    return reinterpret_cast<std::uintptr_t>(field.data()) % bytes == 0 &&
           field.stride(of_levels ? 0 : 1) * value % bytes == 0;
  };
  return (aligned(fields) && ...);
}

}  // namespace Lamina::Impl
