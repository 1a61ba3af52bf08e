// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// What `Lanes` is while a compiler translates for a device: a stand-in without meaning. Functions that
// are shared by host and device are instantiated for lanes on the host only, but the device's pass
// checks these instantiations too, and knows no vector extension.

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
