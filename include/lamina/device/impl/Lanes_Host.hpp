// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Short vectors for kernels on CPU cores, with the vector extension of g++, clang and nvcc's host
// pass. Auto-vectorisation does not find the two transformations needed here: to transpose a small
// block in registers, and to run the recurrences of several columns in lock step.

#include <lamina/core/impl/ExtentOf.hpp>
#include <lamina/device/impl/Backend.hpp>

#include <Kokkos_Macros.hpp>

#include <type_traits>
#include <utility>

#if LAMINA_DEVICE_PASS
#include <lamina/device/impl/Lanes_Device.hpp>
#endif

// The library and an application may be compiled for different targets. Code that depends on the
// length of a vector has a different namespace for each length, so that the linker never mixes
// them.
#if defined(__AVX512F__)
#define LAMINA_VECTOR_BYTES 64
#define LAMINA_LANES        lanes_of_64_bytes
#elif defined(__AVX__)
#define LAMINA_VECTOR_BYTES 32
#define LAMINA_LANES        lanes_of_32_bytes
#else
#define LAMINA_VECTOR_BYTES 16
#define LAMINA_LANES        lanes_of_16_bytes
#endif

namespace Lamina::Impl {
inline namespace LAMINA_LANES {

/// Bytes of one vector register of the target.
inline constexpr int vector_bytes = LAMINA_VECTOR_BYTES;

template <class Scalar>
inline constexpr int lane_count = vector_bytes / static_cast<int>(sizeof(Scalar));

template <class Scalar>
struct LanesOf {
#if LAMINA_DEVICE_PASS
  using type = DeviceLanes<Scalar, lane_count<Scalar>>;
  using unaligned = type;
#else
  typedef Scalar type __attribute__((vector_size(vector_bytes)));
  /// The same in memory, at any address of a scalar.
  typedef Scalar unaligned
      __attribute__((vector_size(vector_bytes), aligned(alignof(Scalar)), may_alias));
#endif
};
/// `lane_count<Scalar>` values that are added, multiplied and divided element by element.
template <class Scalar>
using Lanes = typename LanesOf<Scalar>::type;

template <class Scalar>
KOKKOS_FORCEINLINE_FUNCTION Lanes<Scalar> load_lanes(const Scalar* from) {
  return *reinterpret_cast<const typename LanesOf<Scalar>::unaligned*>(from);
}

template <class Scalar>
KOKKOS_FORCEINLINE_FUNCTION void store_lanes(Scalar* to, const Lanes<Scalar>& lanes) {
  *reinterpret_cast<typename LanesOf<Scalar>::unaligned*>(to) = lanes;
}

/// Lane i is value(i).
template <class Scalar, class Value>
Lanes<Scalar> gather_lanes(const Value& value);

/// `value` in every lane.
template <class Scalar>
Lanes<Scalar> broadcast_lanes(Scalar value);

/// `first` in so many lanes, which may be any number, and `others` in those behind.
template <class Scalar>
Lanes<Scalar> first_lanes(int count, const Lanes<Scalar>& first, const Lanes<Scalar>& others);

/// Values of any precision, converted.
template <class Scalar, class Stored>
Lanes<Scalar> converted_lanes(const Stored* from);

/// sum += a b, in double precision.
template <class A, class B>
KOKKOS_FORCEINLINE_FUNCTION void add_product(double& sum, A a, B b) {
  sum += static_cast<double>(a) * static_cast<double>(b);
}

/// The same, lane by lane. In single precision products of small floats would underflow.
template <class Scalar>
struct LaneSums {
  static constexpr int num_parts = static_cast<int>(sizeof(double) / sizeof(Scalar));
  Lanes<double> parts[extent_of<num_parts>] = {};

  double operator[](int lane) const {
    return parts[lane / lane_count<double>][lane % lane_count<double>];
  }
  LaneSums& operator+=(const LaneSums& other) {
    for (int i = 0; i < num_parts; ++i) parts[i] += other.parts[i];
    return *this;
  }
  double total() const {
    double sum = 0;
    for (int i = 0; i < lane_count<Scalar>; ++i) sum += (*this)[i];
    return sum;
  }
};
template <class Scalar>
KOKKOS_FORCEINLINE_FUNCTION void add_product(LaneSums<Scalar>& sums, const Lanes<Scalar>& a,
                                             const Lanes<Scalar>& b) {
  for (int part = 0; part < LaneSums<Scalar>::num_parts; ++part) {
    Lanes<double> a_part{}, b_part{};
    for (int i = 0; i < lane_count<double>; ++i) {
      a_part[i] = static_cast<double>(a[part * lane_count<double> + i]);
      b_part[i] = static_cast<double>(b[part * lane_count<double> + i]);
    }
    sums.parts[part] += a_part * b_part;
  }
}

/// Lane i of the result is lane i + 1 of (low, high).
template <class Scalar>
Lanes<Scalar> shift_down(const Lanes<Scalar>& low, const Lanes<Scalar>& high);

/// Lane i + 1 of the result is lane i of `high`; lane 0 is the last of `low`.
template <class Scalar>
Lanes<Scalar> shift_up(const Lanes<Scalar>& low, const Lanes<Scalar>& high);

/// Lane i + Distance of the result is lane i of `x`; the first ones are 0.
template <class Scalar, int Distance>
Lanes<Scalar> shift_up_by(const Lanes<Scalar>& x);

/// Lane i of the result is lane i + Distance of `x`; the last ones are 0.
template <class Scalar, int Distance>
Lanes<Scalar> shift_down_by(const Lanes<Scalar>& x);

/// Transposes the square block of `lane_count` vectors in place.
template <class Scalar>
void transpose_lanes(Lanes<Scalar>* rows);

#if !LAMINA_DEVICE_PASS  // the device pass needs declarations only

template <class Scalar, class Value>
inline Lanes<Scalar> gather_lanes(const Value& value) {
  Scalar values[lane_count<Scalar>];
  for (int i = 0; i < lane_count<Scalar>; ++i) values[i] = value(i);
  return load_lanes(values);
}

template <class Scalar>
inline Lanes<Scalar> broadcast_lanes(Scalar value) {
  return value - Lanes<Scalar>{};  // unlike 0 + value, the compiler removes the subtraction
}

template <class Scalar>
inline Lanes<Scalar> first_lanes(int count, const Lanes<Scalar>& first,
                                 const Lanes<Scalar>& others) {
  Lanes<Scalar> number{};
  for (int i = 0; i < lane_count<Scalar>; ++i) number[i] = static_cast<Scalar>(i);
  return number < static_cast<Scalar>(count) ? first : others;
}

template <class Scalar, class Stored>
inline Lanes<Scalar> converted_lanes(const Stored* from) {
  if constexpr (std::is_same_v<Scalar, Stored>) {
    return load_lanes(from);
  } else {
    return gather_lanes<Scalar>([&](int i) { return static_cast<Scalar>(from[i]); });
  }
}

/// Lane i of the result is lane `from[i]` of (low, high), high counted from `lane_count` on.
template <class Scalar, int... From>
inline Lanes<Scalar> shuffle_lanes(const Lanes<Scalar>& low, const Lanes<Scalar>& high) {
#if defined(__clang__)
  return __builtin_shufflevector(low, high, From...);
#else  // nvcc does not pass a parameter pack in __builtin_shufflevector to g++
  typedef std::conditional_t<sizeof(Scalar) == 8, long long, int> Index
      __attribute__((vector_size(vector_bytes)));
  return __builtin_shuffle(low, high, Index{From...});
#endif
}

template <class Scalar, int First, int... I>
inline Lanes<Scalar> lanes_from(const Lanes<Scalar>& low, const Lanes<Scalar>& high,
                                std::integer_sequence<int, I...>) {
  return shuffle_lanes<Scalar, (First + I)...>(low, high);
}
template <class Scalar>
inline Lanes<Scalar> shift_down(const Lanes<Scalar>& low, const Lanes<Scalar>& high) {
  constexpr int n = lane_count<Scalar>;
  return lanes_from<Scalar, 1>(low, high, std::make_integer_sequence<int, n>());
}
template <class Scalar>
inline Lanes<Scalar> shift_up(const Lanes<Scalar>& low, const Lanes<Scalar>& high) {
  constexpr int n = lane_count<Scalar>;
  return lanes_from<Scalar, n - 1>(low, high, std::make_integer_sequence<int, n>());
}

template <class Scalar, int Distance>
inline Lanes<Scalar> shift_up_by(const Lanes<Scalar>& x) {
  constexpr int n = lane_count<Scalar>;
  return lanes_from<Scalar, n - Distance>(Lanes<Scalar>{}, x, std::make_integer_sequence<int, n>());
}
template <class Scalar, int Distance>
inline Lanes<Scalar> shift_down_by(const Lanes<Scalar>& x) {
  constexpr int n = lane_count<Scalar>;
  return lanes_from<Scalar, Distance>(x, Lanes<Scalar>{}, std::make_integer_sequence<int, n>());
}

/// One stage of the transposition: exchanges off-diagonal `Half` x `Half` blocks.
template <class Scalar, int Half, int... I>
[[gnu::always_inline]] inline void transpose_stage(Lanes<Scalar>* rows,
                                                   std::integer_sequence<int, I...> lanes) {
  constexpr int n = lane_count<Scalar>;
  for (int i = 0; i < n; ++i) {
    if (i & Half) continue;
    const Lanes<Scalar> low = rows[i], high = rows[i + Half];
    rows[i] = shuffle_lanes<Scalar, ((I & Half) ? n + I - Half : I)...>(low, high);
    rows[i + Half] = shuffle_lanes<Scalar, ((I & Half) ? n + I : I + Half)...>(low, high);
  }
  if constexpr (2 * Half < n) transpose_stage<Scalar, 2 * Half>(rows, lanes);
}
template <class Scalar>
[[gnu::always_inline]] inline void transpose_lanes(Lanes<Scalar>* rows) {
  transpose_stage<Scalar, 1>(rows, std::make_integer_sequence<int, lane_count<Scalar>>());
}

#endif

}  // namespace LAMINA_LANES
}  // namespace Lamina::Impl
