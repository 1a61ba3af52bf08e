// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <lamina/device/impl/Backend.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace Lamina::Impl {

/// The memory in which the host reads a copy of data in `Memory`: `Memory` itself where the host
/// can access it, otherwise host memory, which is pinned for CUDA: the device copies to it
/// directly.
template <class Memory>
struct HostSideOf {
  static constexpr bool accessible =
      Kokkos::SpaceAccessibility<Kokkos::HostSpace, Memory>::accessible;
  using type = std::conditional_t<accessible, Memory, Kokkos::HostSpace>;
};
#if defined(LAMINA_DEVICE_SPACE)
template <>
struct HostSideOf<LAMINA_DEVICE_MEMORY> {
  using type = LAMINA_DEVICE_PINNED_MEMORY;
};
#endif

}  // namespace Lamina::Impl
