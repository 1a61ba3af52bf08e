// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// A placeholder for `Lanes` in the device pass. Functions that host and device share are
// instantiated for lanes on the host only. But the device pass checks these instantiations, too,
// and has no vector extension.

#include <Kokkos_Macros.hpp>

namespace Lamina::Impl {

template <class Scalar, int Count>
struct DeviceLanes {
  Scalar values[Count];

  KOKKOS_FUNCTION Scalar& operator[](int i) { return values[i]; }
  KOKKOS_FUNCTION const Scalar& operator[](int i) const { return values[i]; }
  KOKKOS_FUNCTION DeviceLanes operator-() const { return *this; }
  KOKKOS_FUNCTION DeviceLanes& operator+=(const DeviceLanes&) { return *this; }

#define LAMINA_LANES_OPERATOR(op)                                                            \
  KOKKOS_FUNCTION friend DeviceLanes operator op(const DeviceLanes& a, const DeviceLanes&) { \
    return a;                                                                                \
  }                                                                                          \
  KOKKOS_FUNCTION friend DeviceLanes operator op(const DeviceLanes& a, const Scalar&) {      \
    return a;                                                                                \
  }                                                                                          \
  KOKKOS_FUNCTION friend DeviceLanes operator op(const Scalar&, const DeviceLanes& a) { return a; }
  LAMINA_LANES_OPERATOR(+)
  LAMINA_LANES_OPERATOR(-)
  LAMINA_LANES_OPERATOR(*)
  LAMINA_LANES_OPERATOR(/)
#undef LAMINA_LANES_OPERATOR
};

}  // namespace Lamina::Impl
