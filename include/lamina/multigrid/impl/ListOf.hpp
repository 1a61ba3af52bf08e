// SPDX-FileCopyrightText: Copyright Contributors to the Lamina project
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <Kokkos_Core.hpp>

#include <string>
#include <vector>

namespace Lamina::Impl {

/// Values of the host as a list for kernels.
template <class Memory, class Value>
Kokkos::View<const Value*, Memory> list_of(const std::string& label,
                                           const std::vector<Value>& values) {
  const Kokkos::View<Value*, Memory> view(Kokkos::view_alloc(label, Kokkos::WithoutInitializing),
                                          values.size());
  Kokkos::deep_copy(
      view, Kokkos::View<const Value*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
                values.data(), values.size()));
  return view;
}

}  // namespace Lamina::Impl
