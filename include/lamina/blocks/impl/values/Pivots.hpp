// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/Backend.hpp>

#include <Kokkos_Core.hpp>

#include <cfloat>
#include <type_traits>

namespace Lamina::Impl {

template <class Scalar>
KOKKOS_FORCEINLINE_FUNCTION Scalar magnitude(Scalar value) {
  return value < Scalar(0) ? -value : value;
}

template <class Scalar>
inline constexpr Scalar machine_epsilon = std::is_same_v<Scalar, float> ? Scalar(FLT_EPSILON)
                                                                        : Scalar(DBL_EPSILON);

/// The largest magnitude of `count` values.
template <class Scalar>
KOKKOS_INLINE_FUNCTION Scalar largest_of(int count, const Scalar* values, int stride) {
  Scalar largest = 0;
  LAMINA_DEVICE_UNROLL()
  for (int n = 0; n < count; ++n) {
    const Scalar value = magnitude(values[n * stride]);
    if (value > largest) largest = value;
  }
  return largest;
}

/// Whether `wipes_out` is possible. It seldom is.
template <class Scalar>
KOKKOS_INLINE_FUNCTION bool may_wipe_out(int size, const Scalar* block, int k) {
  const Scalar* const pivot = block + k * size + k;
  const int rest = size - k - 1;
  const auto scaled = machine_epsilon<Scalar> / magnitude(*pivot);
  const Scalar in_row = largest_of(rest, pivot + size, size),
               in_column = largest_of(rest, pivot + 1, 1);
  return (in_row < in_column ? in_row : in_column) * scaled >= Scalar(1);
}

/// Whether some product a_ik a_kj over pivot k wipes out row i and column j. It never does where
/// the pivot is the largest of its column. Scaling rows or columns hardly changes the answer.
template <class Scalar>
KOKKOS_INLINE_FUNCTION bool wipes_out(int size, const Scalar* block, int k) {
  if (!may_wipe_out(size, block, k)) return false;
  const Scalar* const pivot = block + k * size + k;
  const int rest = size - k - 1;
  const auto scaled = machine_epsilon<Scalar> / magnitude(*pivot);
  for (int i = 1; i <= rest; ++i) {
    const Scalar row = largest_of(rest, pivot + size + i, size);
    for (int j = 1; j <= rest; ++j) {
      const Scalar product = magnitude(pivot[i]) * scaled * magnitude(pivot[j * size]);
      if (product >= row && product >= largest_of(rest, pivot + j * size + 1, 1) &&
          product > Scalar(0)) {
        return true;
      }
    }
  }
  return false;
}

/// Whether pivot a_kk is usable, see below. `terms`: |a_kk| + sum |l_km u_mk|.
template <class Scalar>
KOKKOS_INLINE_FUNCTION bool usable_pivot(int size, Scalar pivot, Scalar terms) {
  const Scalar inverse = Scalar(1) / pivot;
  // x * 0 is 0 for finite x only
  if (!(pivot * Scalar(0) == Scalar(0)) || !(inverse * Scalar(0) == Scalar(0))) return false;
  return magnitude(pivot) > machine_epsilon<Scalar> * static_cast<Scalar>(size) * terms;
}

/// Whether pivot k is usable: finite, with a finite reciprocal, and larger than the rounding of
/// a_kk - sum l_km u_mk. Scaling rows or columns does not change the answer.
template <class Scalar>
KOKKOS_INLINE_FUNCTION bool usable_pivot(int size, const Scalar* block, int k) {
  const Scalar pivot = block[k * size + k];
  Scalar terms = magnitude(pivot);
  LAMINA_DEVICE_UNROLL()
  for (int m = 0; m < k; ++m) terms += magnitude(block[m * size + k] * block[k * size + m]);
  return usable_pivot(size, pivot, terms);
}

/// The row from k on with the largest entry in column k.
template <class Scalar>
KOKKOS_INLINE_FUNCTION int largest_row(int size, const Scalar* block, int k) {
  int row_of_largest = k;
  Scalar largest = magnitude(block[k * size + k]);
  LAMINA_DEVICE_UNROLL()
  for (int row = k + 1; row < size; ++row) {
    const Scalar value = magnitude(block[k * size + row]);
    if (value > largest) {
      largest = value;
      row_of_largest = row;
    }
  }
  return row_of_largest;
}

}  // namespace Lamina::Impl
