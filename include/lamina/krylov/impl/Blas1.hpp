// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Level-1 operations of Kokkos Kernels on fields seen as vectors, with scalars in device memory.
// The instance reaches Kokkos Kernels from version 4.0 on; before, its functions take none.

#include <lamina/core/Concepts.hpp>

#include <KokkosBlas1_axpby.hpp>
#include <KokkosBlas1_dot.hpp>

namespace Lamina::Impl {

template <class Scalar, class Memory>
using VectorView = Kokkos::View<Scalar*, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// result = <x, y>, accumulated in double precision.
template <class Space, class Scalar, class Memory>
void blas_dot(const Space& space, double* result, const VectorView<const Scalar, Memory>& x,
              const VectorView<const Scalar, Memory>& y) {
  // Kokkos Kernels runs where its Views say, and these would say the default space of their memory.
  using Device = Kokkos::Device<Space, Memory>;
  const VectorView<const Scalar, Device> x_view(x.data(), x.extent(0)),
      y_view(y.data(), y.extent(0));
  const Kokkos::View<double, Device, Kokkos::MemoryTraits<Kokkos::Unmanaged>> target(result);
#if KOKKOS_VERSION >= 40000
  KokkosBlas::dot(space, target, x_view, y_view);
#else
  (void)space;
  KokkosBlas::dot(target, x_view, y_view);
#endif
}

/// y = (*a) x + (*b) y
template <class Space, class Scalar, class Memory>
void blas_axpby(const Space& space, Scalar* a, const VectorView<const Scalar, Memory>& x, Scalar* b,
                const VectorView<Scalar, Memory>& y) {
  // Kokkos Kernels 3 takes coefficients in device memory for multivectors only: here one of a
  // single vector. Version 4 copies them, and has no copy for const ones.
  using Device = Kokkos::Device<Space, Memory>;
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  const VectorView<Scalar, Device> a_view(a, 1), b_view(b, 1);
  const Kokkos::View<const Scalar**, Kokkos::LayoutLeft, Device, Unmanaged> x_view(x.data(),
                                                                                   x.extent(0), 1);
  const Kokkos::View<Scalar**, Kokkos::LayoutLeft, Device, Unmanaged> y_view(y.data(), y.extent(0),
                                                                             1);
#if KOKKOS_VERSION >= 40000
  KokkosBlas::axpby(space, a_view, x_view, b_view, y_view);
#else
  (void)space;
  KokkosBlas::axpby(a_view, x_view, b_view, y_view);
#endif
}

}  // namespace Lamina::Impl
