// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

// Level-1 operations on fields as vectors, with scalars in device memory.

#include <lamina/core/Concepts.hpp>
#include <lamina/device/impl/Access.hpp>
#include <lamina/device/impl/HostWork.hpp>
#include <lamina/device/impl/Instantiate.hpp>
#include <lamina/device/impl/Lanes_Host.hpp>
#include <lamina/device/impl/OverlappedTeams_Device.hpp>
#include <lamina/device/impl/RangeOf.hpp>
#include <lamina/krylov/impl/Tuning.hpp>

#include <KokkosBlas1_dot.hpp>

#include <cstdint>
#include <type_traits>

namespace Lamina::Impl {

template <class Scalar, class Memory>
using VectorView = Kokkos::View<Scalar*, Memory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// The kernels of `Pcg`. All enqueue on `space`.
template <class Space, class Scalar>
struct Blas1 {
  using Memory = typename Space::memory_space;
  using Input = VectorView<const Scalar, Memory>;
  using Output = VectorView<Scalar, Memory>;

  /// result = <x, y>, summed in double precision. Kokkos Kernels computes it on CPU cores, a kernel
  /// of Lamina on a device.
  /// traffic: reads 2n, or n where x is y; flops: 2n
  static void dot(const Space& space, const TeamParts<Memory>& parts, double* result,
                  const Input& x, const Input& y);

  /// y = (*a) x + (*b) y, with coefficients in device memory. Kokkos Kernels is not used: version 3
  /// takes such coefficients for multivectors only, and version 4 allocates memory for them in every
  /// call.
  /// traffic: reads 2n, writes n; flops: 3n
  static void axpby(const Space& space, const Scalar* a, const Input& x, const Scalar* b,
                    const Output& y);
};

/// <x, y> by Kokkos Kernels, whose functions take an instance from version 4.0 on.
template <class Space, class Scalar, class Memory>
void kernels_dot(const Space& space, double* result, const VectorView<const Scalar, Memory>& x,
                 const VectorView<const Scalar, Memory>& y) {
  // Kokkos Kernels runs on the space of its Views. Plain Views name the default space of their
  // memory.
  using Device = Kokkos::Device<Space, Memory>;
  const VectorView<const Scalar, Device> x_view(x.data(), x.extent(0)),
      y_view(y.data(), y.extent(0));
  const Kokkos::View<double, Device, Kokkos::MemoryTraits<Kokkos::Unmanaged>> target(result);
#if KOKKOS_VERSION >= 40000
  KokkosBlas::dot(space, target, x_view, y_view);
#else
  static_cast<void>(space);
  KokkosBlas::dot(target, x_view, y_view);
#endif
}

/// <x, y> on a device, in packs of `Width` values.
template <class Scalar, class Memory, int Width>
struct DeviceDot {
  const Scalar *x, *y;
  std::int64_t size;
  TeamParts<Memory> parts;
  double* result;

  template <class Team>
  KOKKOS_FUNCTION void operator()(const Team& team) const {
    using Value = Pack<Scalar, Width>;
    constexpr int in_flight = DotTuning::in_flight;
    const std::int64_t step = static_cast<std::int64_t>(team.league_size()) * team.team_size();
    const std::int64_t packs = size / Width;
    const bool one = x == y;  // a vector by itself is read once
    double sum = 0;
    std::int64_t pack =
        static_cast<std::int64_t>(team.league_rank()) * team.team_size() + team.team_rank();
    const bool first = pack == 0;
    for (; pack + (in_flight - 1) * step < packs; pack += in_flight * step) {
      Value left[in_flight], right[in_flight];
      for (int i = 0; i < in_flight; ++i) {
        left[i] = load<Value>(x + (pack + i * step) * Width);
        right[i] = one ? left[i] : load<Value>(y + (pack + i * step) * Width);
      }
      for (int i = 0; i < in_flight; ++i) add_product(sum, left[i], right[i]);
    }
    for (; pack < packs; pack += step) {
      add_product(sum, load<Value>(x + pack * Width), load<Value>(y + pack * Width));
    }
    if (first) {
      for (std::int64_t i = packs * Width; i < size; ++i) {
        sum += static_cast<double>(x[i]) * static_cast<double>(y[i]);
      }
    }
    parts.template add_up<1>(team, static_cast<double*>(team.scratch()), &sum, result);
  }
};

/// The label of `dot`. In host memory Kokkos Kernels computes it.
template <class Memory>
inline constexpr const char* dot_label =
    std::is_same_v<Memory, Kokkos::HostSpace> ? "KokkosBlas::dot" : "Lamina::Pcg::dot";

/// Calls body(width) with the widest packs that all vectors are aligned for.
template <class Scalar, class Body, class... Vectors>
void with_pack_width(const Body& body, const Vectors*... vectors) {
  using Wide = std::integral_constant<int, pack_width<Scalar>>;
  const auto aligned = [](const Scalar* begin) {
    return reinterpret_cast<std::uintptr_t>(begin) % (Wide::value * sizeof(Scalar)) == 0;
  };
  if ((aligned(vectors) && ...)) {
    body(Wide());
  } else {  // a subview of the user
    body(std::integral_constant<int, 1>());
  }
}

template <class Space, class Scalar>
void Blas1<Space, Scalar>::dot(const Space& space, const TeamParts<Memory>& parts, double* result,
                               const Input& x, const Input& y) {
  if constexpr (runs_on_host<Space>) {
    kernels_dot<Space, Scalar, Memory>(space, result, x, y);
  } else {
    constexpr int team_size = DotTuning::threads, least_teams = DotTuning::least_teams;
    with_pack_width<Scalar>(
        [&](auto width) {
          const auto size = static_cast<std::int64_t>(x.extent(0));
          const std::int64_t pieces = ceil_divide(ceil_divide(size, width), team_size);
          const int teams = teams_at_once(pieces, teams_that_fit(space, team_size, least_teams));
          launch_summing<team_size, least_teams>(
              dot_label<Memory>, space, teams,
              DeviceDot<Scalar, Memory, width>{x.data(), y.data(), size, parts, result});
        },
        x.data(), y.data());
  }
}

/// `Blas1::axpby` on a device. A thread takes `Width` values, neighbouring threads neighbouring values.
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

template <class Space, class Scalar>
void Blas1<Space, Scalar>::axpby(const Space& space, const Scalar* a, const Input& x,
                                 const Scalar* b, const Output& y) {
  const char* label = "Lamina::Pcg::axpby";
  const auto size = static_cast<std::int64_t>(y.extent(0));
  if constexpr (runs_on_host<Space>) {
    const int workers = static_cast<int>(space.concurrency());
    Kokkos::parallel_for(label, range_of(space, workers), [=](int worker) {
      const WorkRange share = share_of(worker, workers, size);
      const Scalar x_factor = *a, y_factor = *b;
      std::int64_t i = share.begin;
      for (; i + lane_count<Scalar> <= share.end; i += lane_count<Scalar>) {
        store_lanes(&y(i), x_factor * load_lanes(&x(i)) + y_factor * load_lanes<Scalar>(&y(i)));
      }
      for (; i < share.end; ++i) y(i) = x_factor * x(i) + y_factor * y(i);
    });
  } else {
    with_pack_width<Scalar>(
        [&](auto width) {
          Kokkos::parallel_for(label,
                               Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(
                                   space, 0, ceil_divide(size, width)),
                               DeviceAxpby<Scalar, width>{a, b, x.data(), y.data(), size});
        },
        x.data(), y.data());
  }
}

#define LAMINA_EXTERN_BLAS1(Space)            \
  extern template struct Blas1<Space, float>; \
  extern template struct Blas1<Space, double>;
LAMINA_FOR_EACH_SPACE(LAMINA_EXTERN_BLAS1)
#undef LAMINA_EXTERN_BLAS1

}  // namespace Lamina::Impl
