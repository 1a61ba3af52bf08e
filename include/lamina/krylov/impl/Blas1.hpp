// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Level-1 operations on fields seen as vectors, with scalars in device memory.

#include <lamina/core/Concepts.hpp>
#include <lamina/core/impl/Access.hpp>
#include <lamina/core/impl/HostWork.hpp>
#include <lamina/core/impl/Lanes_Host.hpp>

#include <KokkosBlas1_dot.hpp>

#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

template <class Scalar, class Memory>
using VectorView = Kokkos::View<Scalar*, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// result = <x, y>, accumulated in double precision, by Kokkos Kernels. The instance reaches it
/// from version 4.0 on; before, its functions take none.
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

/// The update of `axpby` on a device: one thread takes `Width` values, neighbouring threads
/// neighbouring ones.
template <class Scalar, int Width>
struct DeviceAxpby {
  const Scalar *a, *b, *x;
  Scalar* y;
  std::int64_t size;

  KOKKOS_FUNCTION void operator()(std::int64_t pack) const {
    using Value = Pack<Scalar, Width>;
    const std::int64_t begin = pack * Width;
    if (begin + Width <= size) {
      store(y + begin, *a * load<Value>(x + begin) + *b * load<Value>(y + begin));
    } else {
      for (std::int64_t i = begin; i < size; ++i) y[i] = *a * x[i] + *b * y[i];
    }
  }
};

/// y = (*a) x + (*b) y, the coefficients in device memory. A kernel of our own: Kokkos Kernels 3
/// takes such coefficients for multivectors only, and version 4 copies them to new memory in every
/// call.
// traffic: reads 2n, writes n; flops: 3n
template <class Space, class Scalar, class Memory>
void axpby(const Space& space, const Scalar* a, const VectorView<const Scalar, Memory>& x,
           const Scalar* b, const VectorView<Scalar, Memory>& y) {
  const char* label = "Lamina::Pcg::axpby";
  const auto size = static_cast<std::int64_t>(y.extent(0));
  if constexpr (runs_on_host<Space>) {
    const int workers = static_cast<int>(space.concurrency());
    Kokkos::parallel_for(label, Kokkos::RangePolicy<Space>(space, 0, workers), [=](int worker) {
      const WorkRange share = share_of(worker, workers, size);
      const Scalar x_factor = *a, y_factor = *b;
      std::int64_t i = share.begin;
      for (; i + lane_count<Scalar> <= share.end; i += lane_count<Scalar>) {
        store_lanes(&y(i), x_factor * load_lanes(&x(i)) + y_factor * load_lanes<Scalar>(&y(i)));
      }
      for (; i < share.end; ++i) y(i) = x_factor * x(i) + y_factor * y(i);
    });
  } else {
    const auto launch = [&](auto width) {
      Kokkos::parallel_for(label,
                           Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(
                               space, 0, ceil_divide(size, width)),
                           DeviceAxpby<Scalar, width>{a, b, x.data(), y.data(), size});
    };
    using Wide = std::integral_constant<int, pack_width<Scalar>>;
    const auto aligned = [](const Scalar* begin) {
      return reinterpret_cast<std::uintptr_t>(begin) % (Wide::value * sizeof(Scalar)) == 0;
    };
    if (aligned(x.data()) && aligned(y.data())) {
      launch(Wide());
    } else {  // a part of a user's View
      launch(std::integral_constant<int, 1>());
    }
  }
}

}  // namespace Lamina::Impl
